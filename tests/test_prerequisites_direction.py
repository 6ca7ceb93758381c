"""Direction, averaged over neighbours."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from scipy import sparse

from graphrag.prerequisites.direction import BASIC, DIRECT, TABLES, Direction, averaged_direction
from graphrag.prerequisites.lexical import Words
from graphrag.prerequisites.neighbours import leaning, neighbours


def direction(
    latent: Sequence[Sequence[float]],
    *,
    defined: tuple[int, int] | None = None,
    documents: Sequence[float] | None = None,
) -> Direction:
    """Of concepts with those latent vectors, of which one definition names another, or which
    spread over the documents by those ranks."""
    n = len(latent)
    tables = {k: sparse.csr_matrix((n, n)) for k in (*TABLES, "section", "front_matter")}
    if defined is not None:
        tables["definition"] = sparse.csr_matrix(([1.0], ([defined[0]], [defined[1]])), (n, n))
    basic = dict.fromkeys(BASIC, np.zeros(n))
    if documents is not None:
        basic["documents"] = np.array(documents)
    vectors = np.array(latent, np.float32).reshape(n, -1)
    near = leaning(neighbours(vectors), 0.3)
    words = Words(*[sparse.csr_matrix((n, 1))] * 3)
    return averaged_direction(near, vectors, np.zeros_like(vectors), tables, basic, words)


def of(found: Direction, concept: int, other: int) -> float:
    none = dict.fromkeys(DIRECT, np.zeros(1))
    return float(found.of(np.array([concept]), np.array([other]), none)[0])


APART = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]


def test_what_a_definition_names_comes_first_and_the_other_way_round_last() -> None:
    found = direction(APART, defined=(0, 1))
    assert of(found, 0, 1) == pytest.approx(1.5)
    assert of(found, 1, 0) == pytest.approx(-1.5)
    assert of(found, 0, 2) == 0.0


def test_what_spreads_further_comes_first() -> None:
    found = direction(APART, documents=[0.2, 0.9, 0.5])
    assert of(found, 0, 1) == pytest.approx(0.7)


def test_a_concept_stands_about_where_its_neighbour_stands() -> None:
    # Concepts 0 and 1 speak of the same, and only the definition of 0 names 2.
    found = direction([[1, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], defined=(0, 2))
    assert of(found, 0, 2) > of(found, 1, 2) > of(found, 3, 2) == 0.0


def test_no_pairs_have_no_direction() -> None:
    nothing = np.zeros(0, np.int64)
    found = direction(APART).of(nothing, nothing, dict.fromkeys(DIRECT, np.zeros(0)))
    assert found.shape == (0,)
