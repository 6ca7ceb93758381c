"""What a concept may need, in the order in which a person should look at it."""

from __future__ import annotations

from graphrag.domain import ConceptGraph, Evidence, EvidenceKind, Prerequisite, Status
from graphrag.tutoring.listed import listed, listed_for


def needs(
    other: str,
    near: float,
    status: Status = "likely",
    kind: EvidenceKind = "cue",
    *,
    direct: bool = True,
) -> Prerequisite:
    evidence = (Evidence(kind, 0.9, "It says so.", "a.md"), Evidence("similarity", near))
    return Prerequisite("goal", other, 0.5, status, evidence, direct)


GRAPH = ConceptGraph(
    prerequisites=(
        needs("far", 0.1),
        needs("inherited", 0.4, direct=False),
        needs("lost", 0.9, "suppressed"),
        needs("noted", 0.05, "certain", "section"),
        needs("refused", 0.9, "rejected"),
        Prerequisite("other", "far", 0.5, "likely"),
    ),
    open=(needs("twin", 0.6, "open"),),
)


def test_the_listed_come_first_then_the_nearest_whether_settled_or_open() -> None:
    found = [edge.prerequisite_id for edge in listed_for(GRAPH, "goal")]
    assert found == ["noted", "twin", "inherited", "far"]


def test_no_more_than_asked_for_are_listed() -> None:
    assert [edge.prerequisite_id for edge in listed_for(GRAPH, "goal", k=2)] == ["noted", "twin"]


def test_all_concepts_are_listed_that_need_something() -> None:
    assert {key: len(edges) for key, edges in listed(GRAPH).items()} == {"goal": 4, "other": 1}
    assert listed_for(GRAPH, "far") == ()
