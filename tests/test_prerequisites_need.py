"""Need, averaged over neighbours and told in deviations."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from graphrag.prerequisites.lexical import Words
from graphrag.prerequisites.need import TABLES, Need, averaged_need, drawn_pairs
from graphrag.prerequisites.neighbours import leaning, neighbours

NONE = {"smoothed": np.zeros(1), "length": np.zeros(1)}


def need(latent: list[list[float]], *, defined: tuple[int, int]) -> Need:
    """Of concepts with those latent vectors, titles that have nothing in common, and one
    definition that names another."""
    n = len(latent)
    tables = {kind: sparse.csr_matrix((n, n)) for kind in (*TABLES, "title")}
    tables["definition"] = sparse.csr_matrix(([1.0], ([defined[0]], [defined[1]])), shape=(n, n))
    vectors = np.array(latent, dtype=np.float32)
    empty = sparse.csr_matrix((n, 1))
    words = Words(empty, empty, empty)
    silent = np.zeros_like(vectors)
    near = leaning(neighbours(vectors), 0.3)
    return averaged_need(near, silent, vectors, silent, tables, np.zeros(n), words)


def of(found: Need, concept: int, other: int) -> float:
    return float(found.of(np.array([concept]), np.array([other]), NONE)[0])


def test_a_concept_is_likely_to_need_what_its_neighbour_needs() -> None:
    # Concepts 0 and 1 speak of the same things, 2 and 3 of others.
    found = need([[1, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], defined=(0, 2))
    assert of(found, 0, 2) > of(found, 1, 2) > of(found, 3, 2)


def test_what_has_no_neighbours_keeps_its_own_signals() -> None:
    found = need([[1, 0, 0], [0, 1, 0], [0, 0, 1]], defined=(0, 2))
    # 1.2 of the definition, less the usual mean of 2.6, in the usual deviation of 1.07.
    assert of(found, 0, 2) == pytest.approx((1.2 - 2.6) / 1.07)
    assert of(found, 2, 0) == pytest.approx(-2.6 / 1.07)


def test_few_pairs_hardly_move_the_mean_and_many_do() -> None:
    found = need([[1, 0], [0, 1]], defined=(0, 1))
    assert found.scaled(np.zeros(0)) == found
    few, many = found.scaled(np.full(50, -1.0)), found.scaled(np.full(500_000, -1.0))
    assert few.mean == pytest.approx(2.6 - 1.07 * 50 / 5_050, abs=1e-5)
    assert many.mean == pytest.approx(1.53, abs=0.02)
    assert many.deviation < 0.2 < few.deviation


@pytest.mark.parametrize("n", [0, 1, 2, 300])
def test_drawn_pairs_are_of_different_concepts_and_the_same_each_time(n: int) -> None:
    first, second = drawn_pairs(n)
    assert (first != second).all()
    assert ((first < n) & (second < n)).all()
    assert [first.tolist(), second.tolist()] == [each.tolist() for each in drawn_pairs(n)]


def test_a_corpus_without_concepts_needs_nothing() -> None:
    empty = Words(*[sparse.csr_matrix((0, 0))] * 3)
    none = np.zeros((0, 1), np.float32)
    tables = {kind: sparse.csr_matrix((0, 0)) for kind in (*TABLES, "title")}
    near = leaning(neighbours(none), 0.5)
    found = averaged_need(near, none, none, none, tables, np.zeros(0), empty)
    nothing = np.zeros(0, np.int64)
    features = dict.fromkeys(NONE, np.zeros(0))
    assert found.of(nothing, nothing, features).shape == (0,)
