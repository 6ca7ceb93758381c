"""Which of a concept's candidates are kept."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy import sparse

from graphrag.prerequisites.listable import MOST_LISTED
from graphrag.prerequisites.listing import Listed, _first, propose
from graphrag.prerequisites.weighing import RELEVANCE


def test_open_pairs_are_kept_as_far_as_they_are_among_the_ten_nearest() -> None:
    # Odd numbers are open; the nearest comes last, so 29, 28, ..., 20 are the ten nearest.
    ranked = [(-float(i), Listed(99, i, 0.5, open=bool(i % 2))) for i in range(30)]
    kept = _first(ranked)
    settled = [each.prerequisite for each in kept if not each.open]
    assert settled == [28, 26, 24, 22, 20, 18, 16, 14, 12, 10]
    assert len(settled) == MOST_LISTED
    assert [each.prerequisite for each in kept if each.open] == [29, 27, 25, 23, 21]


def test_of_equally_near_ones_the_smaller_number_comes_first() -> None:
    kept = _first([(-0.5, Listed(0, 3, 0.5)), (-0.5, Listed(0, 2, 0.5)), (-0.7, Listed(0, 9, 0.5))])
    assert [each.prerequisite for each in kept] == [9, 2, 3]


def signals(*, need: float, definition: float) -> Any:
    """Two concepts, the second far more basic than the first, which needs it so much."""
    none = sparse.csr_matrix((2, 2))

    def features(concept: Any, other: Any) -> dict[str, Any]:
        found = {name: np.zeros(len(concept)) for name in (*RELEVANCE, "title", "cue", "link")}
        found["before"] = np.where(concept == 0, 9.0, -9.0)
        found["need"] = np.full(len(concept), need)
        found["definition"] = np.full(len(concept), definition)
        return found

    alike = np.ones((2, 1), np.float32)
    return SimpleNamespace(
        concepts=("first", "second"),
        tables=dict.fromkeys(("definition", "title", "cue", "link"), none),
        shares=none,
        smoothed=none,
        titles=alike,
        texts=alike,
        latent=alike,
        spoken=np.ones(2, dtype=bool),
        features=features,
    )


@pytest.mark.parametrize(
    ("need", "definition", "settled"),
    [(2.6, 0.0, True), (2.4, 0.0, False), (2.4, 0.8, True), (0.9, 0.8, False)],
)
def test_what_is_only_more_basic_stays_open(need: float, definition: float, settled: bool) -> None:
    [found] = propose(signals(need=need, definition=definition))
    assert (found.concept, found.prerequisite) == (0, 1)
    assert found.open != settled
