"""Entries that explain options and parameters."""

import pytest

from graphrag.wording.entries import asked_names, code_names, entry_term, terms_above
from graphrag.wording.units import units


@pytest.mark.parametrize(
    "text, term",
    [
        ("--force , -f : Overwrite.", "--force , -f"),
        ("-s --schema-only: Dump the definitions.", "-s --schema-only"),
        ("max_links (integer) : How many.", "max_links (integer)"),
        ("list [<options>] : List the entries.", "list [<options>]"),
        ("Note: When -n is given, all is well.", ""),
        ("With --force: nothing is asked.", ""),
    ],
)
def test_an_entry_opens_with_its_term(text, term):
    assert entry_term(text) == term


def test_names_of_options_parameters_and_settings_are_told_from_words():
    text = "Does git rebase --autosquash read rebase.autoSquash, max_links or well-known names?"
    assert code_names(text) == ["--autosquash", "rebase.autoSquash", "max_links"]


def test_an_entry_goes_on_until_the_next_one_opens():
    text = "Before.\n\n--one : First. More.\n\nStill the first.\n\n--two : Second."
    terms = terms_above(units(text))
    assert terms == ["", "--one", "--one", "--one", "--two"]
    assert asked_names("What does --two do?", terms) == {"--two"}
    assert asked_names("What does --three do?", terms) == set()
