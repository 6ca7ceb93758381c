"""How many candidates the cross-encoder reads, and what its word counts."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from graphrag.domain import Hit
from graphrag.retrieval.rerank import Reranked, RerankSettings, probability, rerank


class Scripted:
    """Gives each text the logit that it was told, 0 by default."""

    name = "scripted"

    def __init__(self, **logits: float) -> None:
        self._logits = logits
        self.read: list[str] = []

    def score(self, question: str, texts: Sequence[str]) -> list[float]:
        self.read.extend(texts)
        return [self._logits.get(text, 0.0) for text in texts]


def hits(n: int, step: float = 0.01) -> list[Hit]:
    return [Hit(f"c{i:02}", i, 1 - step * i) for i in range(1, n + 1)]


def run(reranker: Scripted, n: int, settings: RerankSettings, **options: object) -> Reranked:
    return rerank(reranker, "q", hits(n), list, weight=0.1, settings=settings, **options)  # type: ignore[arg-type]


def test_a_logit_is_added_to_the_score_by_its_weight() -> None:
    reranked = run(Scripted(c03=0.5), 3, RerankSettings())
    # c03 has .97 + .1 * .5 = 1.02, before c01 with .99 and c02 with .98.
    assert [(hit.chunk_id, round(hit.score, 6)) for hit in reranked.hits] == [
        ("c03", 1.02),
        ("c01", 0.99),
        ("c02", 0.98),
    ]
    assert reranked.logits == {"c01": 0.0, "c02": 0.0, "c03": 0.5}


def test_what_was_not_read_keeps_its_order_behind() -> None:
    reranked = run(Scripted(c02=9), 6, RerankSettings(candidates=3), k=2)
    assert [hit.chunk_id for hit in reranked.hits] == ["c02", "c01", "c03", "c04", "c05", "c06"]
    assert [hit.rank for hit in reranked.hits] == [1, 2, 3, 4, 5, 6]
    scores = [hit.score for hit in reranked.hits]
    assert scores == sorted(scores, reverse=True)


def test_at_least_k_candidates_are_read() -> None:
    reranker = Scripted()
    run(reranker, 10, RerankSettings(candidates=3), k=7)
    assert len(reranker.read) == 7


def test_reading_stops_when_the_order_has_settled() -> None:
    reranker = Scripted()
    run(reranker, 40, RerankSettings(candidates=40, slice=4, patience=8, reach=0.0), k=4)
    # The first four fill the places; the next eight do not change them.
    assert len(reranker.read) == 12


def test_a_candidate_that_comes_up_keeps_it_reading() -> None:
    reranker = Scripted(c10=5.0)
    run(reranker, 40, RerankSettings(candidates=40, slice=4, patience=8, reach=0.0), k=4)
    # c10 comes up in the third slice; c11 to c18 do not, which is seen after c20.
    assert len(reranker.read) == 20


def test_it_reads_on_while_a_clear_answer_could_still_come_up() -> None:
    reranker = Scripted()
    run(reranker, 40, RerankSettings(candidates=40, slice=4, patience=0, reach=2.05), k=4)
    # The fourth has .96. With .1 * 2.05 more c24, of .76, would come before it; c25 would not.
    assert len(reranker.read) == 24


@pytest.mark.parametrize("seconds, read", [(1.2, 8), (1.5, 12), (0.1, 4), (0.0, 40)])
def test_no_slice_is_begun_that_would_not_be_done_in_time(seconds: float, read: int) -> None:
    # A slice takes .5: two are done in 1.2, three in 1.5; what is shown is read in any case.
    times = (0.5 * place for place in range(99))
    reranker = Scripted()
    settings = RerankSettings(candidates=40, slice=4, patience=99, seconds=seconds)
    reranked = run(reranker, 40, settings, k=4, clock=lambda: next(times))
    assert len(reranker.read) == read
    assert reranked.in_time == (seconds == 0)


def test_once_the_time_is_spent_no_more_is_read_than_is_shown() -> None:
    times = (0.5 * place for place in range(99))
    reranker = Scripted()
    settings = RerankSettings(candidates=40, slice=4, patience=99, seconds=0.1)
    run(reranker, 40, settings, k=5, clock=lambda: next(times))
    assert len(reranker.read) == 5


def test_no_candidates_give_no_hits() -> None:
    assert run(Scripted(), 0, RerankSettings()).hits == []


@pytest.mark.parametrize("logit, expected", [(0, 0.5), (2, 0.8808), (-2, 0.1192), (-800, 0.0)])
def test_a_probability_is_the_logistic_of_the_logit(logit: float, expected: float) -> None:
    assert probability(logit) == pytest.approx(expected, abs=1e-4)
