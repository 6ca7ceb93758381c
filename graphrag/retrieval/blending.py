"""Keyword and vector search in one score, which the passages in front then refine.

A question and its passages are worded otherwise, passages on one subject are worded alike.
So the question's vector is moved towards those of the passages that came out first, the
nearer the more, and the candidates are compared with it once more.

Source: Rocchio, Relevance feedback in information retrieval, 1971; with dense vectors,
Li et al., Pseudo relevance feedback with deep language models, TOIS 2023.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graphrag.domain import Hit
from graphrag.ports import VectorIndex, Vectors
from graphrag.retrieval.channels import Query
from graphrag.retrieval.fusion import blend, ranked

_DIGITS = 6  # sums differ beyond that with their order, and equal passages have to tie


@dataclass(frozen=True, slots=True)
class BlendSettings:
    """``keyword_weight`` of BM25 (as a share of the best) beside a cosine; ``feedback`` of
    the first ``passages`` beside the question itself (0: none); ``sharpness``: how much
    more the better of them count, per unit of score."""

    keyword_weight: float = 0.1
    feedback: float = 0.6
    passages: int = 5
    sharpness: float = 20.0


def blended(
    query: Query,
    keyword: Sequence[Hit],
    vector: Sequence[Hit],
    vectors: VectorIndex,
    numbers: Mapping[str, int],
    settings: BlendSettings,
) -> list[Hit]:
    """The hits of both channels by ``cosine + keyword_weight * BM25 share``, best first,
    ties by id."""
    known = {hit.chunk_id: hit.score for hit in vector}
    others = [hit.chunk_id for hit in keyword if hit.chunk_id not in known]
    found = vectors.similarities(query.vector, _numbers(others, numbers)).tolist()
    similarities = known | dict(zip(others, found, strict=True))
    return blend(similarities, _scores(keyword), settings.keyword_weight)


def with_feedback(
    query: Query,
    first: Sequence[Hit],
    keyword: Sequence[Hit],
    vectors: VectorIndex,
    numbers: Mapping[str, int],
    settings: BlendSettings,
) -> list[Hit]:
    """The hits that ``blended`` gave, the cosine now being that to the refined question."""
    if not settings.feedback or len(first) <= 1:
        return list(first)
    ids = [hit.chunk_id for hit in first]
    rows = vectors.vectors(_numbers(ids, numbers))
    asked = refined(query.vector, rows, np.array([hit.score for hit in first]), settings)
    # In float64: the last digits of float32 depend on what else is multiplied with them.
    cosines = rows.astype(np.float64) @ asked.astype(np.float64)
    again = dict(zip(ids, np.round(cosines, _DIGITS).tolist(), strict=True))
    return blend(again, _scores(keyword), settings.keyword_weight)


def refined(
    question: Vectors, rows: Vectors, scores: NDArray[np.float64], settings: BlendSettings
) -> Vectors:
    """The question's unit vector (d,), moved towards the first of the ``rows`` (n, d), which
    stand in falling order of ``scores`` (n,):
    ``question + feedback * sum_i softmax(sharpness * score_i) row_i``, as a unit vector."""
    first = slice(0, settings.passages)
    shares = np.exp(settings.sharpness * (scores[first] - scores[0]))
    moved = question + settings.feedback * (shares / shares.sum()) @ rows[first]
    unit: Vectors = (moved / np.linalg.norm(moved)).astype(np.float32)
    return unit


def by_keywords(keyword: Sequence[Hit]) -> list[Hit]:
    """The hits of BM25 alone, scores as shares of the best."""
    best = max((hit.score for hit in keyword), default=0.0) or 1.0
    return ranked({hit.chunk_id: hit.score / best for hit in keyword})


def _scores(hits: Sequence[Hit]) -> dict[str, float]:
    return {hit.chunk_id: hit.score for hit in hits}


def _numbers(ids: Sequence[str], numbers: Mapping[str, int]) -> NDArray[np.int64]:
    return np.array([numbers[chunk_id] for chunk_id in ids], dtype=np.int64)
