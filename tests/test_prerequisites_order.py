"""The prerequisite relation as an order."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphrag.domain import Prerequisite, Status
from graphrag.errors import StoreError
from graphrag.prerequisites.order import PrerequisiteOrder


def edge(
    concept: str,
    prerequisite: str,
    weight: float = 0.9,
    status: Status = "likely",
    *,
    direct: bool = True,
) -> Prerequisite:
    return Prerequisite(concept, prerequisite, weight, status, direct=direct)


#  eigenvalue -> determinant -> matrix -> vector ; eigenvalue -> vector (inherited)
COURSE = [
    edge("eigenvalue", "determinant"),
    edge("determinant", "matrix", 0.95, "certain"),
    edge("matrix", "vector"),
    edge("eigenvalue", "vector", direct=False),
    edge("dot product", "vector"),
]


@st.composite
def acyclic_edges(draw: st.DrawFn) -> list[Prerequisite]:
    """Edges from larger to smaller numbers, so that there is no circle."""
    pairs = draw(st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)), max_size=40))
    weights = st.floats(0.01, 1.0)
    statuses = st.sampled_from(["certain", "likely", "possible", "suppressed", "rejected"])
    return [
        edge(
            f"c{max(pair)}",
            f"c{min(pair)}",
            draw(weights),
            draw(statuses),
            direct=draw(st.booleans()),
        )
        for pair in pairs
    ]


def test_closures_follow_chains_both_ways() -> None:
    order = PrerequisiteOrder(COURSE)
    assert order.ancestors("eigenvalue") == {"determinant", "matrix", "vector"}
    assert order.descendants("vector") == {"matrix", "determinant", "eigenvalue", "dot product"}
    assert order.ancestors("nobody") == frozenset()


def test_direct_needs_leave_out_inherited_ones() -> None:
    order = PrerequisiteOrder(COURSE)
    assert [need.prerequisite_id for need in order.direct("eigenvalue")] == ["determinant"]
    assert [need.prerequisite_id for need in order.edges("eigenvalue")] == ["determinant", "vector"]
    assert [need.concept_id for need in order.dependents("vector")] == ["dot product", "matrix"]


def test_edges_out_of_force_and_loops_are_left_out() -> None:
    order = PrerequisiteOrder(
        [edge("a", "b", status="suppressed"), edge("a", "c", status="rejected"), edge("a", "a")],
        concepts=["a", "b"],
    )
    assert order.ancestors("a") == frozenset()
    assert order.concepts == ["a", "b"]


def test_the_stronger_of_two_equal_edges_stays() -> None:
    order = PrerequisiteOrder([edge("a", "b", 0.3), edge("a", "b", 0.8), edge("a", "b", 0.5)])
    assert [need.weight for need in order.edges("a")] == [0.8]


def test_depth_is_the_longest_chain_below() -> None:
    order = PrerequisiteOrder(COURSE)
    assert dict(order.depths) == {
        "vector": 0,
        "dot product": 1,
        "matrix": 1,
        "determinant": 2,
        "eigenvalue": 3,
    }


def test_a_circle_is_refused_with_one_of_its_concepts() -> None:
    order = PrerequisiteOrder([edge("b", "a"), edge("c", "b"), edge("a", "c")])
    with pytest.raises(StoreError, match="circle at 'a'"):
        order.sort(["a", "b"])


def test_foundations_are_taken_as_known_but_for_what_is_known_to_lack() -> None:
    order = PrerequisiteOrder([*COURSE, edge("vector", "number", 0.4, "possible")])
    assert order.foundations({"determinant"}) == {"determinant", "matrix", "vector"}
    assert order.foundations({"determinant"}, lacking={"matrix"}) == {"determinant"}


def test_the_outer_fringe_is_what_can_be_learnt_now() -> None:
    order = PrerequisiteOrder(COURSE)
    assert order.outer_fringe(()) == ["vector"]
    assert order.outer_fringe({"vector"}) == ["dot product", "matrix"]
    assert order.inner_fringe({"vector", "matrix"}) == ["matrix"]


def test_weak_guesses_hold_nobody_back() -> None:
    order = PrerequisiteOrder([edge("a", "b", 0.3, "possible")])
    assert order.outer_fringe(()) == ["b"]
    assert order.outer_fringe((), minimum=0.4) == ["b", "a"]


def test_strengths_are_products_along_the_best_chain() -> None:
    order = PrerequisiteOrder([edge("a", "b", 0.5), edge("b", "c", 0.5), edge("a", "c", 0.2)])
    assert order.strengths("a") == {"b": 0.5, "c": 0.25}
    assert order.strengths("a", floor=0.3) == {"b": 0.5}


def test_a_chain_of_5000_concepts_is_walked() -> None:
    chain = [edge(f"c{i:04}", f"c{i - 1:04}") for i in range(1, 5000)]
    order = PrerequisiteOrder(chain)
    assert order.sort(order.ancestors("c4999")) == [f"c{i:04}" for i in range(4999)]


def test_a_hub_with_20000_prerequisites_is_walked() -> None:
    order = PrerequisiteOrder(edge("hub", f"c{i}") for i in range(20_000))
    assert len(order.ancestors("hub")) == 20_000


@given(acyclic_edges())
def test_sorting_puts_every_concept_after_all_that_it_needs(edges: list[Prerequisite]) -> None:
    order = PrerequisiteOrder(edges)
    place = {concept: index for index, concept in enumerate(order.sort(order.concepts))}
    assert len(place) == len(order.concepts)
    for concept in order.concepts:
        assert all(place[ancestor] < place[concept] for ancestor in order.ancestors(concept))


@given(acyclic_edges())
def test_ancestors_and_descendants_mirror_each_other(edges: list[Prerequisite]) -> None:
    order = PrerequisiteOrder(edges)
    for concept in order.concepts:
        assert all(concept in order.descendants(above) for above in order.ancestors(concept))
    assert order.counted_descendants() == {
        concept: len(order.descendants(concept)) for concept in order.concepts
    }


@given(acyclic_edges(), st.sets(st.sampled_from([f"c{i}" for i in range(13)])))
def test_fringes_hold_to_their_definitions(edges: list[Prerequisite], known: set[str]) -> None:
    order = PrerequisiteOrder(edges)
    outer, inner = set(order.outer_fringe(known)), set(order.inner_fringe(known))
    for concept in order.concepts:
        needs = {need.prerequisite_id for need in order.edges(concept)}
        assert (concept in outer) == (concept not in known and needs <= known)
        needed_by_known = any(
            concept in {need.prerequisite_id for need in order.edges(other)} for other in known
        )
        assert (concept in inner) == (concept in known and not needed_by_known)


@given(acyclic_edges())
def test_the_order_of_edges_does_not_matter(edges: list[Prerequisite]) -> None:
    order, turned = PrerequisiteOrder(edges), PrerequisiteOrder(list(reversed(edges)))
    assert order.sort(order.concepts) == turned.sort(turned.concepts)
