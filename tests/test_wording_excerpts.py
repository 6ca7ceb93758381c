"""Passages are cut into excerpts, and no pair is scored twice."""

from __future__ import annotations

from graphrag.wording.excerpts import RememberedScore, excerpts
from tests.answering_values import passage


def test_an_excerpt_stands_under_its_context_and_lead():
    table = passage("| Code | Stop |\n|---|---|\n| E1 | trip |", title="Codes", heading=("Pumps",))
    (found,) = excerpts([(2, table)])
    assert (found.number, found.text) == (2, "Codes > Pumps\n| Code | Stop |\n| E1 | trip |")


def test_a_wording_comes_once_and_headings_not_at_all():
    one = passage("Heading\n\nIt is so.")
    other = passage("It is so. It is not.", document="b.md")
    found = excerpts([(1, one), (2, other)])
    assert [(e.number, e.unit.text) for e in found] == [(1, "It is so."), (2, "It is not.")]


def test_a_heading_that_closes_like_a_sentence_is_no_excerpt():
    one = passage("1.8 Commands, case, etc.\n\nIt is so.", heading=("1.8 Commands, case, etc.",))
    assert [e.unit.text for e in excerpts([(1, one)])] == ["It is so."]


def test_a_pair_is_scored_once():
    asked: list[tuple[str, tuple[str, ...]]] = []

    def score(question, texts):
        asked.append((question, tuple(texts)))
        return [float(len(text)) for text in texts]

    remembered = RememberedScore(score, most=3)
    assert remembered("q", ["a", "bb"]) == [1.0, 2.0]
    assert remembered("q", ["bb", "ccc", "a"]) == [2.0, 3.0, 1.0]
    assert remembered("other", ["a"]) == [1.0]
    assert asked == [("q", ("a", "bb")), ("q", ("ccc",)), ("other", ("a",))]


def test_only_the_last_pairs_are_kept():
    calls: list[str] = []

    def score(question, texts):
        calls.extend(texts)
        return [0.0] * len(texts)

    remembered = RememberedScore(score, most=2)
    for text in ("a", "b", "c", "a"):
        remembered("q", [text])
    assert calls == ["a", "b", "c", "a"]
    assert remembered("q", []) == []
