"""Cycles: the weakest edge gives way, people's last."""

from __future__ import annotations

import networkx as nx
from hypothesis import given
from hypothesis import strategies as st

from graphrag.domain import Prerequisite
from graphrag.prerequisites.acyclic import mark_inherited, mutual_pairs, resolve_cycles


def edge(concept: str, prerequisite: str, weight: float = 0.7) -> Prerequisite:
    return Prerequisite(concept, prerequisite, weight, "likely")


def in_force(edges: list[Prerequisite]) -> set[tuple[str, str]]:
    return {(e.concept_id, e.prerequisite_id) for e in edges if e.in_force}


def test_the_weakest_edge_of_a_cycle_is_suppressed_and_says_to_what() -> None:
    resolved = resolve_cycles(
        [edge("a", "b", 0.9), edge("b", "c", 0.8), edge("c", "a", 0.3)], {"a": "Ann", "c": "Cy"}
    )
    (lost,) = [e for e in resolved if not e.in_force]
    assert (lost.concept_id, lost.prerequisite_id, lost.status) == ("c", "a", "suppressed")
    assert "“Cy” before “b” before “Ann”" in lost.reason


def test_a_concept_does_not_need_itself() -> None:
    (lost,) = resolve_cycles([edge("a", "a")], {})
    assert lost.status == "suppressed"
    assert "itself" in lost.reason


def test_a_persons_edge_wins_over_a_stronger_one() -> None:
    resolved = resolve_cycles([edge("a", "b", 0.99), edge("b", "a", 0.5)], {}, {("b", "a")})
    assert in_force(resolved) == {("b", "a")}


def test_people_who_contradict_themselves_are_told() -> None:
    both = {("a", "b"), ("b", "a")}
    resolved = resolve_cycles([edge("a", "b", 1.0), edge("b", "a", 1.0)], {}, both)
    (lost,) = [e for e in resolved if not e.in_force]
    assert "you stated both" in lost.reason


def test_rejected_edges_take_no_part() -> None:
    rejected = Prerequisite("a", "b", 0.99, "rejected")
    resolved = resolve_cycles([rejected, edge("b", "a", 0.1)], {})
    assert in_force(resolved) == {("b", "a")}


def test_a_chain_of_five_thousand_is_no_matter() -> None:
    chain = [edge(f"c{i:05}", f"c{i + 1:05}") for i in range(5000)]
    resolved = resolve_cycles([*chain, edge("c05000", "c00000", 0.1)], {})
    assert sum(e.in_force for e in resolved) == 5000


NAMES = st.sampled_from("abcdefgh")
EDGES = st.lists(
    st.builds(edge, NAMES, NAMES, st.floats(0.01, 1.0)),
    max_size=40,
    unique_by=lambda e: (e.concept_id, e.prerequisite_id),
)


@given(EDGES)
def test_what_is_in_force_is_acyclic_and_nothing_is_lost(edges: list[Prerequisite]) -> None:
    resolved = resolve_cycles(edges, {})
    assert nx.is_directed_acyclic_graph(nx.DiGraph(list(in_force(resolved))))
    assert len(resolved) == len(edges)


@given(EDGES)
def test_every_suppressed_edge_would_close_a_cycle_of_stronger_ones(
    edges: list[Prerequisite],
) -> None:
    resolved = resolve_cycles(edges, {})
    for lost in resolved:
        if not lost.in_force:
            stronger = nx.DiGraph()
            stronger.add_nodes_from([lost.concept_id, lost.prerequisite_id])
            stronger.add_edges_from(
                (e.concept_id, e.prerequisite_id)
                for e in resolved
                if e.in_force and e.weight >= lost.weight
            )
            assert nx.has_path(stronger, lost.prerequisite_id, lost.concept_id)


@given(EDGES, st.randoms())
def test_the_order_of_edges_does_not_matter(edges: list[Prerequisite], random: object) -> None:
    shuffled = list(edges)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert resolve_cycles(shuffled, {}) == resolve_cycles(edges, {})


def test_mutual_strength_makes_corequisites() -> None:
    edges = [edge("a", "b", 0.8), edge("b", "a", 0.6), edge("c", "d", 0.8), edge("d", "c", 0.2)]
    assert mutual_pairs(edges) == [("a", "b", 0.6)]


def test_an_edge_that_follows_from_others_is_inherited() -> None:
    marked = mark_inherited([edge("a", "b", 0.9), edge("b", "c", 0.9), edge("a", "c", 0.6)])
    assert [(e.concept_id, e.prerequisite_id) for e in marked if not e.direct] == [("a", "c")]


def test_a_stated_edge_stays_direct() -> None:
    edges = [edge("a", "b", 0.9), edge("b", "c", 0.9), edge("a", "c", 0.6)]
    assert all(e.direct for e in mark_inherited(edges, {("a", "c")}))


def test_weak_middle_steps_carry_no_need() -> None:
    marked = mark_inherited([edge("a", "b", 0.9), edge("b", "c", 0.2), edge("a", "c", 0.6)])
    assert all(e.direct for e in marked)
