"""Ranked lists of several channels made one."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from graphrag.domain import Hit

# By these places (counted from 0) the first and second plain hit have come.
_PLACES_FOR_PLAIN = (2, 4)


def fuse(channels: Mapping[str, Sequence[Hit]], offset: int = 60) -> list[Hit]:
    """Merge ranked lists by reciprocal rank, best first.

    A chunk scores the sum, over the channels that found it, of
    ``1 / (offset + rank)``, rank counted from 1; ties go to the smaller id.
    Channel scores are never compared, so they need no common scale.

    Source: Cormack, Clarke and Büttcher, SIGIR 2009 (offset 60).
    """
    scores: defaultdict[str, list[float]] = defaultdict(list)
    for hits in channels.values():
        for hit in hits:
            scores[hit.chunk_id].append(1 / (offset + hit.rank))
    # Summed from the smallest, so that the order of the channels changes no digit.
    return ranked({chunk_id: sum(sorted(parts)) for chunk_id, parts in scores.items()})


def blend(
    similarities: Mapping[str, float], keyword_scores: Mapping[str, float], weight: float = 0.1
) -> list[Hit]:
    """Merge cosine similarities and BM25 scores into one list, best first.

    A chunk scores ``similarity + weight * bm25 / best bm25``; without keyword hit the
    second part is 0. ``similarities`` must hold every chunk that is to be ranked. Ties go
    to the smaller id.
    """
    best = max(keyword_scores.values(), default=0.0) or 1.0
    return ranked(
        {
            chunk_id: similarity + weight * keyword_scores.get(chunk_id, 0.0) / best
            for chunk_id, similarity in similarities.items()
        }
    )


def led_by(walked: Sequence[Hit], plain: Sequence[Hit]) -> list[Hit]:
    """The walk's hits on a logarithmic scale, then what only the other channels found.

    The first and second of the others come at the third and fifth place at the latest: a
    question may name something and still be answered by one passage.
    """
    hits = [replace(hit, score=math.log(hit.score)) for hit in walked]
    seen = {hit.chunk_id for hit in hits}
    last = hits[-1].score
    rest = [hit for hit in plain if hit.chunk_id not in seen]
    # One unit below the walk's last, and in the order that they came in.
    hits += [replace(hit, score=last - 1 - place / len(rest)) for place, hit in enumerate(rest, 1)]
    for hit, place in zip(plain, _PLACES_FOR_PLAIN, strict=False):
        now = next(i for i, other in enumerate(hits) if other.chunk_id == hit.chunk_id)
        if now > place:
            moved = replace(hits.pop(now), score=hits[place].score)
            hits.insert(place, moved)
    return [replace(hit, rank=rank) for rank, hit in enumerate(hits, 1)]


def ranked(scores: Mapping[str, float]) -> list[Hit]:
    """Hits by falling score, ties by the smaller id."""
    order = sorted(scores, key=lambda chunk_id: (-scores[chunk_id], chunk_id))
    return [Hit(chunk_id, rank, scores[chunk_id]) for rank, chunk_id in enumerate(order, 1)]
