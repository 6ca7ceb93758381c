"""Ranked lists of several channels made one."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from graphrag.domain import Hit


def fuse(
    channels: Mapping[str, Sequence[Hit]],
    offset: int = 60,
    votes: Mapping[str, float] | None = None,
) -> list[Hit]:
    """Merge ranked lists by reciprocal rank, best first.

    A chunk scores the sum, over the channels that found it, of ``votes`` (of that channel,
    1 where not given) ``/ (offset + rank)``, rank counted from 1; ties go to the smaller id.
    Channel scores are never compared, so they need no common scale.

    Source: Cormack, Clarke and Büttcher, SIGIR 2009 (offset 60).
    """
    scores: defaultdict[str, list[float]] = defaultdict(list)
    for name, hits in channels.items():
        weight = (votes or {}).get(name, 1.0)
        for hit in hits:
            scores[hit.chunk_id].append(weight / (offset + hit.rank))
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


def on_log_scale(hits: Sequence[Hit]) -> list[Hit]:
    """The hits with the logarithms of their scores, which are above 0."""
    return [Hit(hit.chunk_id, hit.rank, math.log(hit.score), hit.path) for hit in hits]


def led_by(leading: Sequence[Hit], plain: Sequence[Hit]) -> list[Hit]:
    """The leading hits; then, one unit below the last of them and in the order that they
    came in, what only the others found."""
    seen = {hit.chunk_id for hit in leading}
    rest = [hit for hit in plain if hit.chunk_id not in seen]
    below, size = leading[-1].score - 1, len(leading)
    ahead = [Hit(hit.chunk_id, rank, hit.score, hit.path) for rank, hit in enumerate(leading, 1)]
    behind = [
        Hit(hit.chunk_id, size + place, below - place / len(rest), hit.path)
        for place, hit in enumerate(rest, 1)
    ]
    return ahead + behind


def by_votes(
    channels: Mapping[str, Sequence[Hit]],
    blended: Sequence[Hit],
    votes: Mapping[str, float],
    *,
    graph: bool,
) -> list[Hit]:
    """Reciprocal rank fusion of the channels; a chunk that the blend has moved down, for
    its authority or its neighbour, falls behind its equals. The walk has a vote on what
    the others found where it set out from names (``graph``). Paths are kept."""
    paths = {hit.chunk_id: hit.path for hit in channels.get("graph", ())}
    known = {hit.chunk_id for hit in blended}
    voting = {
        name: [hit for hit in hits if hit.chunk_id in known]
        for name, hits in channels.items()
        if graph or name != "graph"
    }
    lists = {**voting, "blend": blended} if len(voting) > 1 else {"blend": blended}
    return [
        Hit(hit.chunk_id, hit.rank, hit.score, paths.get(hit.chunk_id, ()))
        for hit in fuse(lists, votes=votes)
    ]


def spread(hits: Sequence[Hit], penalty: float) -> list[Hit]:
    """The hits with ``penalty`` taken from each that is the neighbour, in its document, of
    a better one: the two share sentences and say much the same. Best first, ties by id."""
    seen: set[tuple[str, int]] = set()
    scores: dict[str, float] = {}
    for hit in hits:
        document_id, _, ordinal = hit.chunk_id.rpartition("#")
        place = int(ordinal)
        beside = (document_id, place - 1) in seen or (document_id, place + 1) in seen
        scores[hit.chunk_id] = hit.score - (penalty if beside else 0.0)
        seen.add((document_id, place))
    return _ranked_with_paths(scores, hits)


def weighed(hits: Sequence[Hit], lacking: Mapping[str, float], weight: float) -> list[Hit]:
    """The hits with ``weight`` times what each chunk's document is ``lacking`` in authority
    taken off their scores: of two that are equal the one of more authority comes first."""
    scores = {hit.chunk_id: hit.score - weight * lacking[hit.chunk_id] for hit in hits}
    return _ranked_with_paths(scores, hits)


def ahead(hits: Sequence[Hit], shares: Mapping[str, float]) -> list[Hit]:
    """The hits of the greatest share first, equal ones in the order that they came in."""
    order = sorted(hits, key=lambda hit: -shares[hit.chunk_id])
    return [Hit(hit.chunk_id, rank, hit.score, hit.path) for rank, hit in enumerate(order, 1)]


def lacking_authority(authority: object) -> float:
    """What an authority from 0 to 1, as metadata give it, lacks to 1; 0 for any other value."""
    try:
        return min(max(1.0 - float(str(authority)), 0.0), 1.0)
    except ValueError:
        return 0.0


def ranked(scores: Mapping[str, float]) -> list[Hit]:
    """Hits by falling score, ties by the smaller id."""
    return [Hit(chunk_id, rank, scores[chunk_id]) for rank, chunk_id in _order(scores)]


def _ranked_with_paths(scores: Mapping[str, float], hits: Sequence[Hit]) -> list[Hit]:
    paths = {hit.chunk_id: hit.path for hit in hits}
    return [
        Hit(chunk_id, rank, scores[chunk_id], paths[chunk_id]) for rank, chunk_id in _order(scores)
    ]


def _order(scores: Mapping[str, float]) -> Iterator[tuple[int, str]]:
    order = sorted(scores, key=lambda chunk_id: (-scores[chunk_id], chunk_id))
    return enumerate(order, 1)
