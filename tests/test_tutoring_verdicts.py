"""Chains of needs, and lists in words."""

from __future__ import annotations

import pytest

from graphrag.domain import Evidence, Prerequisite
from graphrag.prerequisites.order import PrerequisiteOrder
from graphrag.tutoring.verdicts import chain_of_needs, is_said, listed, sequence


def edge(concept: str, prerequisite: str, weight: float, *kinds: str) -> Prerequisite:
    evidence = tuple(Evidence(kind, 1.0) for kind in kinds)  # type: ignore[arg-type]
    return Prerequisite(concept, prerequisite, weight, "likely", evidence)


def test_the_surest_chain_is_told_from_the_goal_down() -> None:
    #  goal -> a -> base: .9 * .9 * .9 * .9 = .656 ; goal -> b -> base: .9 * .5 * .81 = .365
    order = PrerequisiteOrder(
        [
            edge("goal", "a", 0.9),
            edge("a", "base", 0.9),
            edge("goal", "b", 0.9),
            edge("b", "base", 0.5),
        ]
    )
    chain = chain_of_needs("goal", "base", order)
    assert [(each.concept_id, each.prerequisite_id) for each in chain] == [
        ("goal", "a"),
        ("a", "base"),
    ]


def test_a_shorter_chain_wins_over_one_about_as_sure() -> None:
    #  .7 * .9 = .63 in one step ; .88 * .88 * .81 = .627 in two
    order = PrerequisiteOrder(
        [edge("goal", "base", 0.7), edge("goal", "a", 0.88), edge("a", "base", 0.88)]
    )
    assert len(chain_of_needs("goal", "base", order)) == 1


def test_there_is_no_chain_upwards() -> None:
    assert chain_of_needs("base", "goal", PrerequisiteOrder([edge("goal", "base", 0.9)])) == []


def test_only_what_a_document_says_is_said() -> None:
    order = PrerequisiteOrder([edge("a", "b", 0.9, "section"), edge("c", "b", 0.9, "generality")])
    assert [is_said(key, order) for key in ("a", "b", "c")] == [True, False, False]


@pytest.mark.parametrize(
    ("names", "words"),
    [
        ([], ""),
        (["a"], "a"),
        (["a", "b"], "a and b"),
        (list("abcdef"), "a, b, c, d, e and f"),
        (list("abcdefg"), "a, b, c, d, e and 2 more"),
    ],
)
def test_long_lists_are_cut(names: list[str], words: str) -> None:
    assert listed(names) == words


def test_several_concepts_are_put_in_the_order_of_learning() -> None:
    order = PrerequisiteOrder([edge("c", "b", 0.9), edge("b", "a", 0.9)], ["a", "b", "c", "d"])
    names = {key: key.upper() for key in "abcd"}
    assert sequence(["c", "a"], order, names) == "First **A**, then **C**."
    assert sequence(["a", "d"], order, names) == (
        "**A** and **D** do not need one another here: begin with any of them."
    )
