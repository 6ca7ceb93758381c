"""What can be learnt now."""

from __future__ import annotations

import math

import pytest

from graphrag.domain import Concept, Learner, Prerequisite
from graphrag.prerequisites.order import PrerequisiteOrder
from graphrag.tutoring.learner import record, shown_at
from graphrag.tutoring.next import ready_to_learn, standing, to_review

#  vector <- matrix <- determinant ; vector <- dot product ; matrix + dot product <- projection
ORDER = PrerequisiteOrder(
    [
        Prerequisite("matrix", "vector", 0.9, "certain"),
        Prerequisite("determinant", "matrix", 0.9, "certain"),
        Prerequisite("dot product", "vector", 0.9, "certain"),
        Prerequisite("projection", "matrix", 0.9, "certain"),
        Prerequisite("projection", "dot product", 0.9, "certain"),
    ],
    concepts=["history"],
)
CONCEPTS = {name: Concept(name, name) for name in ORDER.concepts}


def test_the_beginner_starts_at_what_serves_most() -> None:
    assert [item.concept.id for item in ready_to_learn(ORDER, CONCEPTS, ())] == ["vector"]


def test_what_rests_on_the_known_comes_first_with_what_it_unlocks() -> None:
    ready = ready_to_learn(ORDER, CONCEPTS, {"vector"})
    assert [item.concept.id for item in ready] == ["matrix", "dot product"]
    assert [concept.id for concept in ready[0].unlocks] == ["determinant"]
    assert ready[0].serves == 2
    assert [edge.prerequisite_id for edge in ready[0].rests_on] == ["vector"]
    # projection also needs the matrix, so the dot product alone does not open it
    assert ready[1].unlocks == ()


def test_knowing_a_concept_covers_its_foundations() -> None:
    ready = ready_to_learn(ORDER, CONCEPTS, {"determinant"})
    assert [item.concept.id for item in ready] == ["dot product"]
    assert [concept.id for concept in ready[0].unlocks] == ["projection"]


def test_what_nothing_is_known_of_is_listed_where_nothing_else_is_ready() -> None:
    everything = {"determinant", "projection"}
    ready = ready_to_learn(ORDER, CONCEPTS, everything)
    assert [item.concept.id for item in ready] == ["history"]


def test_guesses_hold_back_only_what_has_no_surer_need() -> None:
    order = PrerequisiteOrder(
        [
            Prerequisite("theorem", "basis", 0.2, "possible"),
            Prerequisite("rank", "span", 0.9, "certain"),
            Prerequisite("rank", "basis", 0.2, "possible"),
        ]
    )
    concepts = {name: Concept(name, name) for name in order.concepts}
    ready = ready_to_learn(order, concepts, {"span"})
    assert [item.concept.id for item in ready] == ["rank", "basis"]


def test_what_surely_is_a_concept_and_is_told_most_of_comes_first() -> None:
    names = ("doubtful", "sure", "told")
    order = PrerequisiteOrder(Prerequisite(f"{name}s", name, 0.9, "certain") for name in names)
    concepts = {name: Concept(name, name) for name in order.concepts}
    concepts["doubtful"] = Concept("doubtful", "doubtful", weight=0.5)
    ready = ready_to_learn(order, concepts, (), told={"doubtful": 3.0, "sure": 3.0, "told": 9.0})
    assert [item.concept.id for item in ready] == ["told", "sure", "doubtful"]


def test_what_nothing_explains_is_not_offered() -> None:
    ready = ready_to_learn(ORDER, CONCEPTS, {"vector"}, unexplained={"dot product"})
    assert [item.concept.id for item in ready] == ["matrix"]


def test_a_concept_is_worth_what_it_serves_and_how_much_is_told_of_it() -> None:
    assert standing(Concept("a", "a", weight=0.5), 6, 2.0) == pytest.approx(
        0.5 * math.log(8) * math.log(4)
    )


def test_no_more_than_k_are_listed() -> None:
    assert len(ready_to_learn(ORDER, CONCEPTS, {"vector"}, k=1)) == 1


def test_what_was_learnt_last_is_reviewed() -> None:
    reviews = to_review(ORDER, CONCEPTS, {"vector", "matrix"})
    assert [item.concept.id for item in reviews] == ["matrix"]


def test_what_something_known_rests_on_by_a_chain_was_not_learnt_last() -> None:
    reviews = to_review(ORDER, CONCEPTS, {"vector", "determinant"})
    assert [item.concept.id for item in reviews] == ["determinant"]


def test_what_is_half_known_is_reviewed_first() -> None:
    learner = record(Learner("ana"), "dot product", "wrong", now=0.0)
    shown = shown_at(learner, now=0.0)
    reviews = to_review(ORDER, CONCEPTS, {"vector"}, beliefs=shown)
    assert [item.concept.id for item in reviews] == ["dot product", "vector"]
    assert reviews[0].because == "answered wrong on 1970-01-01"
