"""Names that contain others, or are set in their field."""

from __future__ import annotations

import pytest

from graphrag.domain import Concept
from graphrag.prerequisites.titles import title_witnesses


def found(*names: str) -> list[tuple[str, str, float]]:
    witnesses = title_witnesses(tuple(Concept(name, name) for name in names))
    return [(names[w.concept], names[w.prerequisite], w.score) for w in witnesses]


def test_a_name_that_contains_another_needs_it_by_the_share_of_its_words() -> None:
    assert found("eigenvalue decomposition", "eigenvalue") == [
        ("eigenvalue decomposition", "eigenvalue", 0.5)
    ]


def test_a_bracket_names_the_field_that_a_concept_belongs_to() -> None:
    assert found("Point (geometry)", "Geometry", "Line") == [("Point (geometry)", "Geometry", 0.5)]


def test_a_bracket_that_names_the_concept_itself_says_nothing() -> None:
    assert found("Power (power)", "Line") == []


def test_a_part_of_a_joined_word_counts_half() -> None:
    # One of two words, but "/" joins them; "tracking branch" has a blank before "branch".
    assert found("info/exclude", "exclude") == [("info/exclude", "exclude", 0.25)]
    assert found("remote-tracking branch", "branch") == [
        ("remote-tracking branch", "branch", pytest.approx(1 / 3))
    ]


def test_the_bracket_that_tells_homonyms_apart_is_no_field() -> None:
    assert found("key (scale)", "key (dictionary)", "scale") == []
