"""What a walk sees of one side of the graph."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from graphrag.retrieval.sides import Nodes, Side, Weights


def nodes(*numbers: int) -> Nodes:
    return np.array(numbers, dtype=np.int32)


def tenths(some: Nodes) -> Weights:
    return some / 10


def test_a_node_keeps_its_place_and_what_it_draws_is_asked_once() -> None:
    asked: list[list[int]] = []

    def pull(new: Nodes) -> Weights:
        asked.append(new.tolist())
        return tenths(new)

    side = Side(9, pull)
    first = side.see(nodes(7, 2, 7))
    again = side.see(nodes(2, 5, 7))
    assert asked == [[2, 7], [5]]
    assert side.nodes.take(first).tolist() == [7, 2, 7]
    assert side.nodes.take(again).tolist() == [2, 5, 7]
    assert side.pull.take(again).tolist() == [0.2, 0.5, 0.7]
    assert first[0] == again[2]


def test_nodes_that_too_few_walkers_reach_may_be_reached_later() -> None:
    side = Side(9, tenths)
    side.start(nodes(4), np.array([1.0]))
    targets = side.see(nodes(8, 1, 8, 4))
    side.enter(targets, np.array([0.25, 0.25, 0.25, 9.0]), 0.5)  # 8: .5, 1: .25, 4 was reached
    assert side.latest.nodes.tolist() == [8]
    assert side.walkers(side.see(nodes(4, 8))).tolist() == [1.0, 0.5]
    side.enter(side.see(nodes(1)), np.array([0.5]), 0.5)
    assert side.latest.nodes.tolist() == [1]
    assert side.reached()[0].tolist() == [1, 4, 8]


def test_what_is_narrowed_away_is_not_reached_and_the_others_have_a_position() -> None:
    side = Side(9, tenths)
    side.enter(side.see(nodes(6, 3, 5)), np.array([1.0, 1.0, 1.0]), 0.5)
    assert side.latest.nodes.tolist() == [3, 5, 6]
    side.narrow(np.array([True, False, True]))
    assert side.latest.nodes.tolist() == [3, 6]
    reached, positions = side.reached()
    assert reached.tolist() == [3, 6]
    assert positions.take(side.see(nodes(3, 5, 6))).tolist() == [1, 0, 2]


@given(st.lists(st.lists(st.integers(0, 30), max_size=8), max_size=6))
def test_places_tell_nodes_apart(batches: list[list[int]]) -> None:
    side = Side(31, tenths)
    for batch in batches:
        places = side.see(nodes(*batch))
        assert [int(side.nodes[place]) for place in places] == batch
    assert sorted(side.nodes.tolist()) == sorted({node for batch in batches for node in batch})
