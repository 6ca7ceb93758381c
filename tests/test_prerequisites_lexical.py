"""Inner products of picked rows, however many are picked."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from graphrag.prerequisites import lexical
from graphrag.prerequisites.lexical import row_products


@pytest.mark.parametrize("pairs", [0, 1, 40, 2000])
@pytest.mark.parametrize("spread", [1, 7, 1 << 20])
def test_rows_are_multiplied_alike_whether_few_pairs_are_asked_for_or_most(
    pairs: int, spread: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lexical, "_FEWEST_ROWS", 1)
    monkeypatch.setattr(lexical, "_ENTRIES", spread * 50)
    generator = np.random.default_rng(pairs)
    left = sparse.random_array((30, 50), density=0.3, rng=generator, format="csr")
    right = sparse.random_array((40, 50), density=0.2, rng=generator, format="csr")
    a, b = generator.integers(0, 30, pairs), generator.integers(0, 40, pairs)
    expected = np.sum(left.toarray()[a] * right.toarray()[b], axis=1)
    assert row_products(left, a, right, b) == pytest.approx(expected, abs=1e-12)
