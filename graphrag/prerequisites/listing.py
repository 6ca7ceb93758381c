"""Which few prerequisites each concept is shown to need."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graphrag.prerequisites.signals import Numbers, Signals
from graphrag.prerequisites.similarity import nearest
from graphrag.prerequisites.weighing import (
    LIKELY,
    LISTABLE,
    POSSIBLE,
    probability,
    relevance,
)

MOST_LISTED = 10
_POOL = 24


@dataclass(frozen=True, slots=True)
class Listed:
    """A proposed edge, by concept numbers, with its probability."""

    concept: int
    prerequisite: int
    weight: float


def propose(
    signals: Signals,
    closed: frozenset[int] = frozenset(),
    said: Collection[tuple[int, int]] = (),
) -> list[Listed]:
    """At most ten prerequisites for each concept, most relevant first.

    Candidates are what the concept's definitions, name, cues and links name, what its
    sections talk about, and its nearest neighbours; of two concepts only the clearly more
    basic one is a candidate for the other. Concepts in ``closed`` (their author listed all
    they need) get none, nor do those that the documents hardly speak of. Which of the two is
    the more basic is settled where a sentence has ``said`` it, as (concept, prerequisite).
    """
    pairs = _candidates(signals)
    if not len(pairs):
        return []
    concept, other = pairs[:, 0], pairs[:, 1]
    features = signals.features(concept, other)
    weights = probability(features)
    spelt, turned = _among(pairs, said), _among(pairs[:, ::-1], said)
    basic = (features["before"] > LISTABLE) & ~turned
    spoken = signals.spoken[concept] & signals.spoken[other]
    keep = basic & (spoken | (features["title"] > 0)) & (weights >= POSSIBLE) | spelt
    weights = np.where(spelt, np.maximum(weights, LIKELY), weights)
    near = np.round(relevance(features), 9)
    by_concept: dict[int, list[tuple[float, Listed]]] = defaultdict(list)
    for i in np.flatnonzero(keep):
        a, b = int(concept[i]), int(other[i])
        if a not in closed:
            by_concept[a].append((-near[i], Listed(a, b, round(float(weights[i]), 4))))
    return [
        listed
        for a in sorted(by_concept)
        for _, listed in sorted(by_concept[a], key=lambda e: (e[0], e[1].prerequisite))[
            :MOST_LISTED
        ]
    ]


def _among(pairs: Numbers, said: Collection[tuple[int, int]]) -> NDArray[np.bool_]:
    """Which of the pairs are said, shape (pairs,)."""
    if not said:
        return np.zeros(len(pairs), dtype=bool)
    return np.array([pair in said for pair in map(tuple, pairs.tolist())], dtype=bool)


def _candidates(signals: Signals) -> Numbers:
    """Pairs worth looking at, sorted, without doubles, shape (pairs, 2)."""
    n = len(signals.concepts)
    found = [np.zeros((0, 2), np.int64)]
    for kind in ("definition", "title", "cue", "link"):
        entries = signals.tables[kind].tocoo()
        found.append(np.stack([entries.row, entries.col], axis=1).astype(np.int64))
    for table in (signals.shares, signals.smoothed):
        for a in range(n):
            begin, stop = table.indptr[a], table.indptr[a + 1]
            order = np.argsort(-np.round(table.data[begin:stop], 9), kind="stable")[:_POOL]
            columns = table.indices[begin:stop][order].astype(np.int64)
            found.append(np.stack([np.full(len(columns), a), columns], axis=1))
    for queries in (signals.titles, signals.texts):
        numbers, products = nearest(queries, signals.titles, _POOL)
        rows = np.repeat(np.arange(n), numbers.shape[1])
        pairs = np.stack([rows, numbers.ravel()], axis=1)
        found.append(pairs[products.ravel() > 0])
    pairs = np.unique(np.concatenate(found), axis=0)
    different: Numbers = pairs[pairs[:, 0] != pairs[:, 1]]
    return different
