"""Neighbours, and averages over them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from graphrag.prerequisites.neighbours import leaning, neighbours
from graphrag.prerequisites.similarity import unit


def test_a_row_leans_on_those_that_point_its_way() -> None:
    # The third looks another way: it has no neighbour, and is none.
    near = leaning(neighbours(np.array([[1, 0], [1, 0], [0, 1]], np.float32)), 0.3)
    assert near.toarray() == pytest.approx(np.array([[0.7, 0.3, 0], [0.3, 0.7, 0], [0, 0, 1]]))


def test_the_nearer_of_two_neighbours_lends_more() -> None:
    vectors = unit(np.array([[1, 0], [1, 0.1], [1, 1]], np.float32))
    row = neighbours(vectors).toarray()[0]
    assert row[1] > row[2] > 0.0 == row[0]


@given(arrays.arrays(np.float32, (7, 3), elements=st.floats(-1, 1, width=16)))
def test_rows_are_averages(vectors: np.ndarray) -> None:
    near = leaning(neighbours(unit(vectors)), 0.5).toarray()
    assert near.sum(axis=1) == pytest.approx(np.ones(7))
    assert (near >= 0.0).all()


def test_no_concepts_have_no_neighbours() -> None:
    assert leaning(neighbours(np.zeros((0, 1), np.float32)), 0.5).shape == (0, 0)
