"""Identifiers match to the letter, words by their stems."""

from __future__ import annotations

import pytest

from graphrag.wording.terms import contains_identifier, content_words, coverage, identifiers


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("What does E1042-B mean?", ["E1042-B"]),
        ("Order PN 88-4460.", ["88-4460"]),
        ("Is 10.44.0.5 the time server?", ["10.44.0.5"]),
        ("CVE-2024-1234 and VX-2207-B", ["CVE-2024-1234", "VX-2207-B"]),
        ("the key net_core2", ["net_core2"]),
        ("v2.3.1", ["v2.3.1"]),
        ("after 30s on the 5th, a 3-by-3 or 2x2 matrix", []),
        ("on 2024-05-01, pages 10-12", []),
        ("the matrix $A_1 x$", []),
    ],
)
def test_codes_are_told_from_quantities_dates_and_formulas(text, expected):
    assert identifiers(text) == expected


@pytest.mark.parametrize(
    ("text", "identifier", "held"),
    [
        ("E1042 means", "E1042", True),
        ("(e1042).", "E1042", True),
        ("E1042-B means", "E1042", False),
        ("E10421", "E1042", False),
        ("XE1042", "E1042", False),
        ("version v2.3.1.", "v2.3.1", True),
        ("version v2.3.12", "v2.3.1", False),
        ("E1042: low", "E1042", True),
        ("E1042/E1043", "E1042", False),
    ],
)
def test_an_identifier_stands_as_a_whole(text, identifier, held):
    assert contains_identifier(text, identifier) is held


def test_words_of_the_question_itself_carry_nothing():
    assert content_words("What is the meaning of it?") == []
    assert content_words("row-echelon forms") == content_words("Row Echelon Form")


def test_coverage_is_the_share_of_distinct_words():
    assert coverage("rank of a matrix", "The matrix has rows.") == 0.5
    assert coverage("what is it?", "anything") == 0.0
