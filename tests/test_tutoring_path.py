"""Learning paths."""

from __future__ import annotations

import pytest

from graphrag.domain import Chunk, Concept, Passage, Prerequisite
from graphrag.errors import QueryError
from graphrag.prerequisites.order import PrerequisiteOrder
from graphrag.tutoring.path import in_reading_order, learning_path, needed_for

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


def test_what_is_needed_by_a_doubtful_chain_alone_is_left_out() -> None:
    edges = [
        Prerequisite("goal", "a", 0.7, "likely"),
        Prerequisite("goal", "b", 0.7, "likely"),
        Prerequisite("a", "shared", 0.7, "likely"),
        Prerequisite("b", "shared", 0.7, "likely"),
        Prerequisite("a", "far", 0.8, "likely"),
    ]
    needed = needed_for("goal", PrerequisiteOrder(edges), ())
    # "far" has 0.7 times 0.8, so 0.56; "shared" misses by 0.51 twice, so 0.2601
    assert needed == pytest.approx({"goal": 1.0, "a": 0.7, "b": 0.7, "shared": 0.7399})


def test_a_long_chain_of_certain_edges_stays_whole() -> None:
    chain = [Prerequisite(f"c{n + 1}", f"c{n}", 0.96, "certain") for n in range(5000)]
    assert len(needed_for("c5000", PrerequisiteOrder(chain), ())) == 5001


def test_what_is_known_is_not_looked_behind() -> None:
    assert needed_for("eigenvalue", ORDER, {"determinant", "vector"}) == {"eigenvalue": 1.0}


def test_a_guess_counts_and_gives_a_reason_only_where_nothing_surer_is_known() -> None:
    edges = [
        Prerequisite("goal", "sure", 0.9, "likely"),
        Prerequisite("goal", "guess", 0.9, "possible"),
        Prerequisite("sure", "hunch", 0.8, "possible"),
        Prerequisite("other", "guess", 0.9, "likely"),
    ]
    order = PrerequisiteOrder(edges)
    concepts = {name: Concept(name, name) for name in order.concepts}
    steps = learning_path("goal", order, concepts, {"guess"})
    assert [step.concept.id for step in steps] == ["hunch", "sure", "goal"]
    assert [edge.prerequisite_id for edge in steps[2].because] == ["sure"]


def test_what_nothing_explains_is_no_step_but_what_it_rests_on_is() -> None:
    steps = learning_path("eigenvalue", ORDER, CONCEPTS, (), unexplained={"determinant"})
    assert [step.concept.id for step in steps] == ["vector", "matrix", "eigenvalue"]
    assert "determinant" not in {edge.prerequisite_id for edge in steps[-1].because}


def test_what_may_come_now_comes_as_it_is_read() -> None:
    edges = [Prerequisite("goal", key, 0.9, "certain") for key in ("late", "early")]
    edges.append(Prerequisite("late", "middle", 0.9, "certain"))
    places = {"goal": "4", "late": "3", "early": "1", "middle": "2"}
    order = PrerequisiteOrder(edges)
    assert in_reading_order("goal", places, places, order) == ["early", "middle", "late", "goal"]


def test_what_is_read_later_but_needed_comes_first() -> None:
    order = PrerequisiteOrder([Prerequisite("goal", "late", 0.9, "certain")])
    assert in_reading_order("goal", ["goal", "late"], {"goal": "1"}, order) == ["late", "goal"]


def test_a_need_through_what_is_no_step_keeps_its_order() -> None:
    edges = [Prerequisite("goal", "between", 0.9, "certain")]
    edges.append(Prerequisite("between", "base", 0.9, "certain"))
    order = PrerequisiteOrder(edges)
    assert in_reading_order("goal", ["goal", "base"], {"goal": "1"}, order) == ["base", "goal"]


def test_numbers_in_the_names_of_documents_count_by_value() -> None:
    edges = [Prerequisite("goal", key, 0.9, "certain") for key in ("ten", "two")]
    chunks = {"ten": "10.md", "two": "2.md", "goal": "3.md"}

    def passage_of(key: str) -> Passage:
        chunk = Chunk(f"{chunks[key]}#0", chunks[key], 0, 0, 4, "text", (), "", "prose", 3)
        return Passage(chunk, chunks[key], "Notes", 1.0)

    concepts = {key: Concept(key, key) for key in chunks}
    steps = learning_path("goal", PrerequisiteOrder(edges), concepts, (), passage_for=passage_of)
    assert [step.concept.id for step in steps] == ["two", "ten", "goal"]


def test_a_path_over_thousands_of_foundations_stays_by_depth() -> None:
    order = PrerequisiteOrder(
        Prerequisite("hub", f"c{number}", 0.9, "certain") for number in range(2_001)
    )
    places = {"c1": "2", "c2": "1", "hub": "0"}
    assert in_reading_order("hub", places, places, order) == ["c1", "c2", "hub"]
