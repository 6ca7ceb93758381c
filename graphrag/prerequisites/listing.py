"""Which few prerequisites each concept is shown to need, and which it may need."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graphrag.domain import EvidenceKind
from graphrag.prerequisites.listable import MOST_LISTED
from graphrag.prerequisites.signals import Numbers, Signals
from graphrag.prerequisites.similarity import nearest
from graphrag.prerequisites.weighing import (
    LIKELY,
    LISTABLE,
    NEEDED,
    NEEDED_SHOWN,
    POSSIBLE,
    UNSHOWN,
    probability,
    relevance,
)

_POOL = 24
# Evidence that has a sentence or a name to show.
_SHOWN: tuple[EvidenceKind, ...] = ("definition", "title", "cue", "link")


@dataclass(frozen=True, slots=True)
class Listed:
    """A proposed edge, by concept numbers, with its probability; an open one is close to the
    concept, but it is not settled which of the two comes first, or whether it is needed."""

    concept: int
    prerequisite: int
    weight: float
    open: bool = False


def propose(
    signals: Signals,
    closed: frozenset[int] = frozenset(),
    said: Collection[tuple[int, int]] = (),
) -> list[Listed]:
    """At most ten prerequisites for each concept, most relevant first, and with them those
    open pairs that are among the ten most relevant of both.

    Candidates are what the concept's definitions, name, cues and links name, what its
    sections talk about, and its nearest neighbours; of two concepts only the clearly more
    basic one is a candidate for the other. Where neither is, the pair is open, and so is one of
    a weight below ``UNSHOWN`` for which no sentence or name speaks. Concepts in ``closed``
    (their author listed all they need) get none, nor do those that the documents hardly speak
    of. Which of the two is the more basic is settled where a sentence has ``said`` it, as
    (concept, prerequisite).
    """
    pairs = _candidates(signals)
    if not len(pairs):
        return []
    concept, other = pairs[:, 0], pairs[:, 1]
    features = signals.features(concept, other)
    weights = probability(features)
    spelt, turned = _among(pairs, said), _among(pairs[:, ::-1], said)
    spoken = signals.spoken[concept] & signals.spoken[other]
    related = (spoken | (features["title"] > 0)) & (weights >= POSSIBLE) & ~turned
    shown = np.max([features[kind] for kind in _SHOWN], axis=0) > 0
    near_enough = features["need"] >= np.where(shown, NEEDED_SHOWN, NEEDED)
    sure = (features["before"] > LISTABLE) & (shown | (weights >= UNSHOWN)) & near_enough
    keep = sure & related | spelt
    unsettled = (features["before"] >= -LISTABLE) & related & ~keep
    weights = np.where(spelt, np.maximum(weights, LIKELY), weights)
    near = np.round(relevance(features), 9)
    by_concept: dict[int, list[tuple[float, Listed]]] = defaultdict(list)
    for i in np.flatnonzero(keep | unsettled):
        a, b = int(concept[i]), int(other[i])
        if a not in closed:
            found = Listed(a, b, round(float(weights[i]), 4), open=bool(unsettled[i]))
            by_concept[a].append((-near[i], found))
    return [listed for a in sorted(by_concept) for listed in _first(by_concept[a])]


def _first(ranked: list[tuple[float, Listed]]) -> list[Listed]:
    """Of one concept's candidates with their ranks the ten first ones that are settled, and
    those of the ten first that are open."""
    ranked.sort(key=lambda each: (each[0], each[1].prerequisite))
    settled = [listed for _, listed in ranked if not listed.open][:MOST_LISTED]
    return settled + [listed for _, listed in ranked[:MOST_LISTED] if listed.open]


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
    titles, texts, latent = signals.titles, signals.texts, signals.latent
    for queries, keys in ((titles, titles), (texts, titles), (texts, texts), (latent, latent)):
        numbers, products = nearest(queries, keys, _POOL)
        rows = np.repeat(np.arange(n), numbers.shape[1])
        pairs = np.stack([rows, numbers.ravel()], axis=1)
        found.append(pairs[products.ravel() > 0])
    pairs = np.concatenate(found)
    # One number for each pair: sorting rows of two takes several times as long.
    keys = np.unique(pairs[:, 0] * n + pairs[:, 1])
    concept, other = np.divmod(keys, max(1, n))
    different = concept != other
    candidates: Numbers = np.stack([concept[different], other[different]], axis=1)
    return candidates
