"""Keyword and vector search in one score, refined by the passages in front."""

from __future__ import annotations

import numpy as np
import pytest

from graphrag.adapters.memory_projections import MemoryVectorIndex
from graphrag.domain import Hit
from graphrag.ports import Vectors
from graphrag.retrieval.blending import BlendSettings, blended, by_keywords, refined, with_feedback
from graphrag.retrieval.channels import Query

NUMBERS = {"a#0": 1, "b#0": 2, "c#0": 3}


def unit(*values: float) -> Vectors:
    vector = np.array(values, dtype=np.float32)
    return vector / np.linalg.norm(vector)


def run(settings: BlendSettings, keyword: list[Hit]) -> list[Hit]:
    """The question is (1, 0, 0); a is nearest, c is like a, b is as near as c."""
    index = MemoryVectorIndex(dimension=3, fingerprint="f")
    rows = np.stack([unit(1, 0.5, 0), unit(1, 0, 1), unit(1, 1, 0)])
    index.update([1, 2, 3], rows, [], 1)
    query = Query("q", unit(1, 0, 0), None, 10)
    near = [Hit("a#0", 1, 0.8944), Hit("b#0", 2, 0.7071), Hit("c#0", 3, 0.7071)]
    first = blended(query, keyword, near, index, NUMBERS, settings)
    return with_feedback(query, first, keyword, index, NUMBERS, settings)


def test_a_passage_like_the_first_overtakes_one_that_was_as_near() -> None:
    plain = run(BlendSettings(feedback=0.0), [])
    assert [hit.chunk_id for hit in plain] == ["a#0", "b#0", "c#0"]
    assert [hit.chunk_id for hit in run(BlendSettings(passages=1), [])] == ["a#0", "c#0", "b#0"]


def test_the_share_of_the_best_keyword_score_is_added() -> None:
    hits = run(
        BlendSettings(keyword_weight=1.0, feedback=0.0), [Hit("c#0", 1, 4), Hit("b#0", 2, 2)]
    )
    assert {hit.chunk_id: round(hit.score, 3) for hit in hits} == {
        "c#0": 1.707,  # .7071 + 4 / 4
        "b#0": 1.207,  # .7071 + 2 / 4
        "a#0": 0.894,
    }


def test_a_question_moves_towards_the_first_passages_by_their_shares() -> None:
    settings = BlendSettings(feedback=1.0, passages=2, sharpness=1.0)
    rows = np.eye(3, dtype=np.float32)
    moved = refined(rows[2], rows, np.array([np.log(3.0), 0.0, -9.0]), settings)
    # Shares 3/4 and 1/4, the third passage has none: (.75, .25, 1), made a unit vector.
    assert moved.tolist() == pytest.approx((np.array([0.75, 0.25, 1]) / 1.2748).tolist(), abs=1e-4)


def test_nothing_found_gives_nothing() -> None:
    index = MemoryVectorIndex(dimension=3, fingerprint="f")
    query, settings = Query("q", unit(1, 0, 0), None, 10), BlendSettings()
    assert blended(query, [], [], index, {}, settings) == []
    assert with_feedback(query, [], [], index, {}, settings) == []


def test_keywords_alone_score_by_their_share_of_the_best() -> None:
    assert by_keywords([Hit("a#0", 1, 8.0), Hit("b#0", 2, 2.0)])[1] == Hit("b#0", 2, 0.25)
