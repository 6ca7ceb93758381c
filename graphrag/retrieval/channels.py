"""What keyword and vector search find for one question, in numbers of chunks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from graphrag.domain import Hit
from graphrag.ports import Keys, KeywordIndex, VectorIndex, Vectors


@dataclass(frozen=True, slots=True)
class Query:
    """One question as the channels need it. ``vector`` has shape (dimension,)."""

    question: str
    vector: Vectors
    allowed: Keys | None
    depth: int


def keyword_hits(index: KeywordIndex, query: Query, ids: Mapping[int, str]) -> list[Hit]:
    """BM25, best first."""
    found = index.search(query.question, query.depth, allowed=query.allowed)
    return _hits(found, ids)


def vector_hits(index: VectorIndex, query: Query, ids: Mapping[int, str]) -> list[Hit]:
    """Cosine similarity, best first."""
    return _hits(index.search(query.vector, query.depth, allowed=query.allowed), ids)


def _hits(found: Sequence[tuple[int, float]], ids: Mapping[int, str]) -> list[Hit]:
    """Equal scores in the order of chunk ids: numbers tell in what order files came."""
    ordered = sorted(found, key=lambda pair: (-pair[1], ids[pair[0]]))
    return [Hit(ids[number], rank, score) for rank, (number, score) in enumerate(ordered, 1)]
