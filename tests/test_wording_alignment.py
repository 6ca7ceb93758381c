"""Two texts laid side by side show what one says otherwise."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphrag.wording.alignment import align, compared


def changes(text, other):
    return [
        (" ".join(t.text for t in change.said), " ".join(t.text for t in change.stands))
        for change in align(text, other).changes
    ]


def test_a_text_beside_itself_has_no_changes():
    laid = align("The pump stops after 30 s.", "The pump stops after 30 s.")
    assert (laid.share, laid.changes) == (1.0, ())


def test_a_change_shows_both_sides():
    assert changes("The pump stops after 40 s.", "The pump stops after 30 s.") == [("40", "30")]


def test_spellings_of_a_number_with_its_unit_meet():
    one = [token.value for token in compared("30s, 87 percent, three bolts, 4,000 hours, 0.50 mm")]
    other = [token.value for token in compared("30 seconds, 87 %, 3 bolts, 4000 h, 0.5 mm")]
    assert one == other


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("it isn't open", "it is not open"),
        ("it cannot open", "it can't open"),
        ("up to 4", "not more than 4"),
        ("if and only if it is", "exactly when it is"),
        ("it has to be", "it must be"),
    ],
)
def test_wordings_of_a_limit_meet(one, other):
    assert [t.value for t in compared(one)] == [t.value for t in compared(other)]


def test_what_stands_before_the_stretch_counts_up_to_the_next_mark():
    assert changes("Run the pump dry", "Never run the pump dry.") == [("", "Never")]
    assert changes("Close the valve", "If it is not open, close the valve.") == []


def test_where_the_text_begins_otherwise_the_other_beginning_is_shown():
    assert changes("Collector: The database.", "Historian: The database.") == [
        ("Collector", "Historian")
    ]


def test_a_lone_capital_within_a_sentence_is_a_sign_and_an_article_is_none():
    kinds = [(t.text, t.kind) for t in compared("A matrix A has a column x.")]
    assert kinds[0] == ("A", "word")
    assert {("A", "sign"), ("x", "sign"), ("a", "word")} <= set(kinds)


@given(st.text(alphabet="ab 1.$^=|", max_size=30), st.text(alphabet="ab 1.$^=|", max_size=30))
def test_a_share_is_between_0_and_1(one, other):
    assert 0.0 <= align(one, other).share <= 1.0


@pytest.mark.parametrize(
    ("text", "signs"),
    [
        ("print(x[0]*A[:, 0] - x[1]*A[:, 1])", ["-"]),
        ("f(x) <= g(y) * h(z)", ["<=", "*"]),
        ("rank A + nullity A = n", ["="]),
        ("the valve - and the pump - are closed", []),
    ],
)
def test_the_signs_of_code_on_a_line_of_prose_are_compared(text, signs):
    assert [token.value for token in compared(text) if token.text in "=*+-<=!="] == signs
