"""Learning paths."""

from __future__ import annotations

import pytest

from graphrag.domain import Chunk, Concept, Passage, Prerequisite
from graphrag.errors import QueryError
from graphrag.prerequisites.order import PrerequisiteOrder
from graphrag.tutoring.path import learning_path

EDGES = [
    Prerequisite("eigenvalue", "determinant", 0.9, "certain"),
    Prerequisite("eigenvalue", "vector", 0.8, "likely", direct=False),
    Prerequisite("determinant", "matrix", 0.9, "certain"),
    Prerequisite("matrix", "vector", 0.9, "likely"),
]
ORDER = PrerequisiteOrder(EDGES)
CONCEPTS = {name: Concept(name, name.title()) for name in ORDER.concepts}


def passage(concept_id: str) -> Passage:
    chunk = Chunk(f"{concept_id}#0", concept_id, 0, 0, 4, "text", (), "", "prose", 3)
    return Passage(chunk, "notes.md", "Notes", 1.0)


def test_every_step_comes_with_its_reason_passage_and_question() -> None:
    steps = learning_path(
        "determinant",
        ORDER,
        CONCEPTS,
        (),
        passage_for=passage,
        check_for=lambda concept_id: f"What is a {concept_id}?",
    )
    assert [step.concept.name for step in steps] == ["Vector", "Matrix", "Determinant"]
    assert [[edge.prerequisite_id for edge in step.because] for step in steps] == [
        [],
        ["vector"],
        ["matrix"],
    ]
    assert steps[0].passage == passage("vector")
    assert steps[2].check == "What is a determinant?"


def test_what_rests_below_the_known_is_known_too() -> None:
    steps = learning_path("eigenvalue", ORDER, CONCEPTS, {"determinant"})
    assert [step.concept.id for step in steps] == ["eigenvalue"]


def test_what_the_learner_lacks_is_taught_although_something_above_is_known() -> None:
    steps = learning_path("eigenvalue", ORDER, CONCEPTS, {"determinant"}, lacking={"vector"})
    assert [step.concept.id for step in steps] == ["vector", "eigenvalue"]
    # the inherited edge gives no reason where a direct one is there
    assert [edge.prerequisite_id for edge in steps[1].because] == ["determinant"]


def test_a_known_goal_needs_no_steps() -> None:
    assert learning_path("matrix", ORDER, CONCEPTS, {"eigenvalue"}) == []


def test_an_unknown_goal_is_named() -> None:
    with pytest.raises(QueryError, match="'cheese'"):
        learning_path("cheese", ORDER, CONCEPTS, ())
