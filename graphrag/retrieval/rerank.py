"""The cross-encoder's say over the first candidates, for as long as it pays.

A cross-encoder reads one passage at a time: it knows an answer when it sees one, and does
not know that a passage matters for what it leads to. So its logit is added to the score
that a candidate came with instead of replacing it.
"""

from __future__ import annotations

import heapq
import math
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from graphrag.domain import Hit
from graphrag.ports import Reranker
from graphrag.retrieval.fusion import ranked


@dataclass(frozen=True, slots=True)
class RerankSettings:
    """At most ``candidates`` are read, ``slice`` at a time, and at least as many as will be
    shown, until another slice would take more than ``seconds`` in all (0: no limit) or the order
    is settled: ``patience`` candidates in a row did not come among those that will be shown, and
    of the others none would with ``reach``, the logit of a clear answer."""

    candidates: int = 24
    seconds: float = 0.0
    slice: int = 4
    patience: int = 4
    reach: float = 4.0


@dataclass(frozen=True, slots=True)
class Reranked:
    """``hits`` in the new order with their combined scores; ``logits`` of those read;
    ``in_time`` where the limit of seconds leaves enough for another slice."""

    hits: list[Hit]
    logits: dict[str, float]
    in_time: bool = True


def rerank(
    reranker: Reranker,
    question: str,
    hits: Sequence[Hit],
    text_of: Callable[[Sequence[str]], Sequence[str]],
    *,
    weight: float,
    k: int = 5,
    settings: RerankSettings | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> Reranked:
    """Order hits by ``score + weight * logit``; those that were not read keep their order
    behind those that were. ``text_of`` gives the texts of chunk ids."""
    settings = settings or RerankSettings()
    wanted = list(hits[: max(settings.candidates, k)])
    logits: dict[str, float] = {}
    scores: dict[str, float] = {}
    began, idle, in_time = clock(), 0, True
    while len(scores) < len(wanted):
        size = settings.slice if in_time else min(settings.slice, k - len(scores))
        part = wanted[len(scores) : len(scores) + size]
        ids = [hit.chunk_id for hit in part]
        read = reranker.score(question, text_of(ids))
        bar = _kth(scores.values(), k)
        for hit, logit in zip(part, read, strict=True):
            logits[hit.chunk_id] = logit
            scores[hit.chunk_id] = hit.score + weight * logit
            idle = 0 if scores[hit.chunk_id] > bar else idle + 1
        spent = clock() - began
        next_slice = spent * settings.slice / len(scores)
        in_time = not 0 < settings.seconds < spent + next_slice
        if len(scores) < k:
            continue
        hope = max((hit.score for hit in wanted[len(scores) :]), default=-math.inf)
        hopeless = hope + weight * settings.reach <= _kth(scores.values(), k)
        settled = hopeless and idle >= settings.patience
        if settled or not in_time:
            break
    first = ranked(scores)
    rest = [hit for hit in hits if hit.chunk_id not in scores]
    lowest = first[-1].score if first else 0.0
    behind = [
        Hit(hit.chunk_id, len(first) + place, min(lowest, hit.score), hit.path)
        for place, hit in enumerate(rest, 1)
    ]
    return Reranked([*first, *behind], logits, in_time)


def probability(logit: float) -> float:
    """The logistic function, safe for any logit."""
    if logit >= 0:
        return 1 / (1 + math.exp(-logit))
    return math.exp(logit) / (1 + math.exp(logit))


def _kth(scores: Iterable[float], k: int) -> float:
    best = heapq.nlargest(k, scores)
    return best[-1] if len(best) == k else -math.inf
