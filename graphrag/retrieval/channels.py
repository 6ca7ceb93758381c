"""What each channel finds for one question, in numbers of chunks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graphrag.domain import Hit
from graphrag.ports import Keys, KeywordIndex, VectorIndex, Vectors
from graphrag.retrieval.links import link_question
from graphrag.retrieval.name_graph import NameGraph
from graphrag.retrieval.walk import Nodes, Start, WalkSettings, walk


@dataclass(frozen=True, slots=True)
class Query:
    """One question as the channels need it. ``vector`` has shape (dimension,)."""

    question: str
    vector: Vectors
    allowed: Keys | None
    depth: int


@dataclass(frozen=True, slots=True)
class Walk:
    """The graph channel's hits; ``names`` are those that the question was found to name."""

    hits: list[Hit]
    names: tuple[str, ...]


def keyword_hits(index: KeywordIndex, query: Query, ids: Mapping[int, str]) -> list[Hit]:
    """BM25, best first."""
    found = index.search(query.question, query.depth, allowed=query.allowed)
    return _hits(found, ids)


def vector_hits(index: VectorIndex, query: Query, ids: Mapping[int, str]) -> list[Hit]:
    """Cosine similarity, best first."""
    return _hits(index.search(query.vector, query.depth, allowed=query.allowed), ids)


def graph_hits(
    graph: NameGraph,
    vectors: VectorIndex,
    query: Query,
    ids: Mapping[int, str],
    settings: WalkSettings,
) -> Walk:
    """The walk over names, best first, each hit with the names that led to it."""
    names = link_question(graph, query.question)
    near = vectors.search(query.vector, settings.near, allowed=query.allowed)
    numbers = np.array(sorted(number for number, _ in near), dtype=np.int64)
    rows = graph.rows_of(numbers)

    def similarity(asked: Nodes) -> NDArray[np.float32]:
        return vectors.similarities(query.vector, graph.numbers[asked])

    def allowed(asked: Nodes) -> NDArray[np.bool_]:
        return _among(graph.numbers[asked], query.allowed)

    walked = walk(
        graph,
        Start(np.array(names, dtype=np.int32), rows, similarity(rows)),
        similarity,
        allowed=None if query.allowed is None else allowed,
        settings=settings,
    )
    # Sums over rows in another order differ in their last digits; ids must decide such ties.
    best = sorted(
        (-float(f"{score:.9e}"), ids[int(graph.numbers[row])], int(row))
        for row, score in zip(
            walked.rows[: 2 * query.depth], walked.scores[: 2 * query.depth], strict=True
        )
    )
    hits = [
        Hit(chunk_id, rank, -score, walked.path(row))
        for rank, (score, chunk_id, row) in enumerate(best[: query.depth], 1)
    ]
    return Walk(hits, tuple(graph.key(name) for name in names))


def _hits(found: Sequence[tuple[int, float]], ids: Mapping[int, str]) -> list[Hit]:
    """Equal scores in the order of chunk ids: numbers tell in what order files came."""
    ordered = sorted(found, key=lambda pair: (-pair[1], ids[pair[0]]))
    return [Hit(ids[number], rank, score) for rank, (number, score) in enumerate(ordered, 1)]


def _among(numbers: Keys, allowed: Keys | None) -> NDArray[np.bool_]:
    if allowed is None or not len(allowed):
        return np.full(len(numbers), allowed is None)
    places = np.minimum(np.searchsorted(allowed, numbers), len(allowed) - 1)
    among: NDArray[np.bool_] = allowed[places] == numbers
    return among
