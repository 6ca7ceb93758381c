"""What keyword and vector search find for one question, in numbers of chunks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graphrag.domain import Hit
from graphrag.ports import Keys, KeywordIndex, VectorIndex, Vectors

Ids = Callable[[Iterable[int]], Mapping[int, str]]
"""Numbers of chunks to the ids of those that are known."""
_TIED = 8  # times as many are asked of BM25: texts of one length that hold one word all tie


@dataclass(frozen=True, slots=True)
class Query:
    """One question as the channels need it. ``vector`` has shape (dimension,)."""

    question: str
    vector: Vectors
    allowed: Keys | None
    depth: int


def keyword_hits(index: KeywordIndex, query: Query, ids: Ids) -> list[Hit]:
    """BM25, best first."""

    def search(k: int) -> list[tuple[int, float]]:
        return index.search(query.question, k, allowed=query.allowed)

    return _hits(search, query.depth, ids, _TIED)


def vector_hits(index: VectorIndex, query: Query, ids: Ids) -> list[Hit]:
    """Cosine similarity, best first."""

    def search(k: int) -> list[tuple[int, float]]:
        return index.search(query.vector, k, allowed=query.allowed)

    return _hits(search, query.depth, ids)


def best(
    search: Callable[[int], Sequence[tuple[int, float]]], k: int, ids: Ids, times: int = 1
) -> list[tuple[int, float]]:
    """The ``k`` best that ``search`` finds, equal scores in the order of chunk ids.

    An index breaks ties by number, and numbers tell in what order files came; so where
    the ``k``-th ties with the next, all that tie are asked for. What has no id was added
    by another process a moment ago, and is left to the next question. So many ``times``
    ``k`` are asked for at first: more than once where ties are likely and more cost little.
    """
    asked = times * k + 1
    found = search(asked)
    while len(found) == asked and found[-1][1] == found[k - 1][1]:
        asked *= 2
        found = search(asked)
    tied = sum(1 for _, score in found[k:] if score == found[k - 1][1])
    return _by_id(found[: k + max(tied, 1)], ids)[:k]


def foremost(
    numbers: Keys, scores: NDArray[np.float64], k: int, ids: Ids
) -> list[tuple[int, float]]:
    """The ``k`` highest of ``scores`` (n,), k at least 1, with their ``numbers`` (n,), equal
    ones in the order of chunk ids; what has no id is left out."""
    return _by_id(_highest(numbers, scores, k), ids)[:k]


def nearest(
    numbers: Keys, scores: NDArray[np.float64], k: int, ids: Ids
) -> list[tuple[int, float]]:
    """As ``foremost``, but only where scores are equal ids are looked up, and needed."""
    found = _highest(numbers, scores, k)
    if len({score for _, score in found}) < len(found):
        return _by_id(found, ids)[:k]
    return sorted(found, key=lambda pair: -pair[1])[:k]


def _highest(numbers: Keys, scores: NDArray[np.float64], k: int) -> list[tuple[int, float]]:
    """The ``k`` highest scores, with all that are equal to the last of them, in no order."""
    if len(scores) > k:
        kept = scores >= np.partition(scores, len(scores) - k)[len(scores) - k]
        numbers, scores = numbers[kept], scores[kept]
    return list(zip(numbers.tolist(), scores.tolist(), strict=True))


def _by_id(found: Sequence[tuple[int, float]], ids: Ids) -> list[tuple[int, float]]:
    """Those that have an id, by falling score, equal ones in the order of their ids."""
    known = ids(number for number, _ in found)
    pairs = [pair for pair in found if pair[0] in known]
    return sorted(pairs, key=lambda pair: (-pair[1], known[pair[0]]))


def _hits(
    search: Callable[[int], Sequence[tuple[int, float]]], k: int, ids: Ids, times: int = 1
) -> list[Hit]:
    found = best(search, k, ids, times)
    known = ids(number for number, _ in found)
    return [Hit(known[number], rank, score) for rank, (number, score) in enumerate(found, 1)]
