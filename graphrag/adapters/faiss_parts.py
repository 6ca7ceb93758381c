"""Segments of the vector index in use: what is alive in them, and how each is searched."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphrag.adapters import faiss_coarse, segments
from graphrag.adapters.faiss_segment import VectorSegment
from graphrag.ports import Keys, Vectors

_DIGITS = 6  # scores that differ by less are equal: models are no more exact
_APART = 4e-6  # how far float32 scores of length 1 lie apart where no rounding makes them tie


@dataclass(frozen=True, slots=True)
class Part:
    """A segment in use: its file's name and checksum, which rows are alive (n,), how many
    those are, and its coarse stand-in where it has one."""

    name: str
    checksum: int
    segment: VectorSegment
    alive: NDArray[np.bool_]
    count: int
    coarse: Any = None

    def without(self, gone: NDArray[np.int64]) -> Part:
        """The part with the sorted numbers ``gone`` dead."""
        places = segments.places_of(self.segment.numbers, gone)
        if not self.alive[places].any():
            return self
        alive = self.alive.copy()
        alive[places] = False
        return replace(self, alive=alive, count=living(alive))


def living(alive: NDArray[np.bool_]) -> int:
    return int(np.count_nonzero(alive))


def whole(segment: VectorSegment, name: str = "", checksum: int = -1, coarse: Any = None) -> Part:
    """A part of which everything is alive."""
    size = len(segment.numbers)
    return Part(name, checksum, segment, np.ones(size, dtype=bool), size, coarse)


def search(
    part: Part, query: Vectors, k: int, allowed: Keys | None
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Numbers and inner products of at least the ``k`` best of the part, k at least 1, by
    rounded score and number; very likely the best where the part has a binary stand-in."""
    segment, eligible, count = part.segment, None, part.count
    if allowed is not None:
        rows = segments.places_of(segment.numbers, np.asarray(allowed, dtype=np.int64))
        rows = rows[part.alive[rows]]
        if 4 * len(rows) <= len(segment.numbers):
            return segment.numbers[rows], segment.products_of(query, rows)
        eligible, count = np.zeros(len(segment.numbers), dtype=bool), len(rows)
        eligible[rows] = True
    elif count < len(part.alive):
        eligible = part.alive
    if part.coarse is not None:
        products = partial(segment.products_of, query)
        found = faiss_coarse.best(part.coarse, query, k, eligible, products)
        if found is not None:
            return segment.numbers[found[0]], found[1]
    wanted = min(2 * k + 8, count)
    while wanted:
        numbers, scores = segment.best(query, wanted, eligible)
        # A tie across the border of what was fetched could hide a smaller number.
        if wanted == count or scores[k - 1] > scores[-1] + _apart(scores):
            return numbers, scores
        wanted = min(4 * wanted, count)
    return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.float32)


def similarities(part: Part, query: Vectors, keys: Keys, out: NDArray[np.float32]) -> None:
    """Put into ``out`` the exact inner products of those ``keys`` (any order) that the part
    holds; the two have one shape, (m,) with m at least 1."""
    here, places = _found(part, keys)
    # Multiplying all rows in a row is faster than fetching more than a part of them.
    if 4 * len(places) > len(part.segment.numbers):
        out[here] = part.segment.products(query)[places]
    elif len(places):
        out[here] = part.segment.products_of(query, places)


def vectors(part: Part, keys: Keys, out: Vectors) -> None:
    """Put into ``out`` (m, dimension) the vectors of those ``keys`` (m,) that it holds."""
    here, places = _found(part, keys)
    if isinstance(here, slice):
        part.segment.vectors_of(places, out)
    elif len(places):
        out[here] = part.segment.vectors_of(places)


def _found(part: Part, keys: Keys) -> tuple[slice | NDArray[np.int64], NDArray[np.int64]]:
    """Positions in ``keys`` of those that the part holds, and the rows where they are."""
    known = part.segment.numbers
    if known[-1] - known[0] == len(known) - 1:  # without a gap, as a first ingest leaves them
        places = np.clip(keys - known[0], 0, len(known) - 1)
    else:
        places = known.searchsorted(keys)
        np.minimum(places, len(known) - 1, out=places)
    held = known[places] == keys
    if part.count < len(known):
        held &= part.alive[places]
    if held.all():
        return slice(None), places
    here = np.flatnonzero(held)
    return here, places[here]


def foremost(numbers: NDArray[np.int64], scores: NDArray[np.float32], k: int) -> NDArray[np.int64]:
    """The numbers whose exact scores may be among the ``k`` highest."""
    if len(scores) <= k:
        return numbers
    least = np.partition(scores, -k)[-k]
    near: NDArray[np.bool_] = scores >= least - _apart(scores)
    return numbers[near]


def _apart(scores: NDArray[np.float32]) -> float:
    return _APART * max(1.0, float(np.abs(scores).max()))


def best(
    numbers: NDArray[np.int64], vectors: Vectors, query: Vectors, k: int
) -> list[tuple[int, float]]:
    """The ``k`` highest inner products of vectors (n, dimension) with the query, best first,
    ties by number; summed in float64, so that neither the way in which they were found nor
    how many were looks through in the last digit that counts."""
    exact = np.einsum("ij,j->i", vectors.astype(np.float64), query.astype(np.float64))
    rounded = np.round(exact, _DIGITS)
    order = np.lexsort((numbers, -rounded))[:k]
    return list(zip(numbers[order].tolist(), rounded[order].tolist(), strict=True))
