"""Entries that explain options and parameters."""

import pytest

from graphrag.wording.entries import (
    asked_names,
    code_names,
    entry_term,
    number_codes,
    row_code,
    term_begun,
    terms_above,
)
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


def test_an_entry_ends_at_a_heading():
    assert terms_above(units("--one : First.\n\nSee also\n\nThe others.")) == ["--one", "", ""]


def test_a_passage_may_begin_within_an_entry():
    context = "Settings > Links\nlink_delay (integer)\nIt waits before it is sent."
    assert term_begun(context) == "link_delay (integer)"
    assert terms_above(units("The default is three."), term_begun(context)) == [term_begun(context)]
    assert term_begun("Settings > Links\nThe link_delay is long.") == ""


def test_a_number_that_is_long_and_no_year_is_a_code():
    question = "Did error 23505 and code 100 of rack 12 come in 2023, 1,500 times, at 3.141?"
    assert number_codes(question) == {"23505", "100"}
    assert [row_code(row) for row in ("| `23505` | unique |", "| unique | 23505 |")] == [
        "23505",
        "",
    ]
