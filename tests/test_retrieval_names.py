"""Names in texts and questions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphrag.retrieval.names import (
    _TOKEN,
    NameMatcher,
    name_key,
    names_in_title,
    proper_names,
    runs_of,
    title_keys,
    tokens_of,
    words_of,
)


def names(text: str) -> set[str]:
    return proper_names(tokens_of(text))


def test_accents_case_and_possessives_fold() -> None:
    assert words_of("Müller’s ÉCOLE and The Eagle'S Eye") == [
        "muller", "ecole", "and", "the", "eagle", "eye",
    ]  # fmt: skip


def test_composed_and_decomposed_letters_are_one() -> None:
    assert name_key("Jose\u0301") == name_key("José")


@pytest.mark.parametrize(
    "one, other", [("C", "C++"), ("C", "C#"), (".NET", "Net"), ("HTTP", "HTTPS")]
)
def test_names_that_differ_by_a_sign_stay_apart(one: str, other: str) -> None:
    assert name_key(one) != name_key(other)


@pytest.mark.parametrize("name", ["α-decay", "国際標準化", "Ωmega", "الجبر", "행렬"])
def test_no_script_gives_an_empty_key(name: str) -> None:
    assert name_key(name)


def test_capitalised_spans_reach_over_small_joining_words() -> None:
    assert names("a daughter of Boso the Elder, lay abbot of St. Maurice's Abbey.") == {
        "boso the elder",
        "st maurice abbey",
    }


def test_leading_function_words_are_no_part_of_a_name() -> None:
    assert names("When did Lothair II's mother die? She was young.") == {"lothair ii"}


def test_a_span_with_and_is_kept_whole_and_in_parts() -> None:
    assert names("by Simon and Garfunkel") == {"simon and garfunkel", "simon", "garfunkel"}


def test_a_span_around_a_preposition_is_kept_whole_and_in_parts() -> None:
    assert names("Murder in Paris") == {"murder in paris", "murder", "paris"}


def test_a_full_stop_ends_a_name_unless_it_abbreviates() -> None:
    assert names("He met J. R. Smith. London was next.") == {"j r smith", "london"}


def test_part_numbers_are_names() -> None:
    assert "vx 2207 b" in names("the pump VX-2207-B leaks")


def test_a_range_of_dates_is_not_one_name() -> None:
    assert names("(3 June 1903 – 24 February 1974)") == {"june 1903", "february 1974"}


def test_a_title_is_known_without_its_bracket_and_in_full() -> None:
    assert title_keys("Lilu (mythology)") == ("lilu", "lilu mythology")
    assert title_keys("(1999)") == ("1999",)
    assert title_keys("…") == ()


def test_the_longest_known_name_is_found() -> None:
    matcher = NameMatcher(["row echelon form", "echelon form", "row"])
    assert matcher.find(tokens_of("bring it to Row echelon form")) == {"row echelon form"}


def test_a_lone_word_in_small_letters_is_no_title() -> None:
    matcher = NameMatcher(["help", "the beatles"])
    assert matcher.find(tokens_of("help me find the beatles")) == {"the beatles"}
    assert matcher.find(tokens_of("their film Help was")) == {"help"}


def test_a_text_without_words_holds_no_names() -> None:
    assert NameMatcher(["beta"]).find(tokens_of("...\n")) == set()
    assert NameMatcher(["beta"]).find([]) == set()


def test_names_are_found_in_scripts_without_blanks() -> None:
    matcher = NameMatcher([name_key("標準化")])
    assert matcher.find(tokens_of("国際標準化機構")) == {name_key("標準化")}


@given(st.text(max_size=80))
def test_any_text_gives_only_keys_that_are_their_own_key(text: str) -> None:
    for name in names(text):
        assert name == " ".join(name.split())
        assert name


@given(st.text(alphabet=st.sampled_from("aB9'_.-+# \n\t\x1c\"/&’é標"), max_size=40))
def test_a_plain_text_is_cut_as_any_other(text: str) -> None:
    assert tokens_of(text) == _TOKEN.findall(text)


@pytest.mark.parametrize(
    ("title", "parts"),
    [
        ("2018 Kansas gubernatorial election", {"kansas"}),
        ("Sweden at the 1920 Summer Olympics", {"sweden", "summer olympics"}),
        ("William Smith", {"william smith"}),
        ("eigenvalues", set()),
    ],
)
def test_a_title_is_put_together_from_its_capitalised_spans(title: str, parts: set[str]) -> None:
    assert names_in_title(title) == parts


@given(
    st.lists(st.lists(st.sampled_from("abcd"), min_size=1, max_size=14).map(" ".join), max_size=9),
    st.lists(st.tuples(st.sampled_from("abcd"), st.booleans()), max_size=30),
)
def test_a_matcher_needs_only_the_keys_that_are_runs_of_the_words(
    keys: list[str], written: list[tuple[str, bool]]
) -> None:
    words, capital = [word for word, _ in written], [capital for _, capital in written]
    there = set(keys) & runs_of(words)
    found = NameMatcher(keys).find_in(words, capital)
    assert NameMatcher(there).find_in(words, capital) == found
