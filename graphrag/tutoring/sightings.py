"""Where concepts are named, and what a search result therefore speaks of."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import sqrt

from graphrag.domain import Mention, MentionKind

_KINDS: Mapping[MentionKind, float] = {
    "definition": 3.0,
    "heading": 3.0,
    "title": 2.0,
    "emphasis": 1.5,
    "text": 1.0,
}
_MOST = 4.0
# Ranks count as 1 / (offset + rank), as in reciprocal rank fusion but steeper.
_OFFSET = 4


@dataclass(frozen=True, slots=True)
class Sightings:
    """How much each chunk speaks of each concept that it names; ``spread`` is in how many
    chunks a concept is named, ``weight`` how much all of them speak of it."""

    named: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    spread: Mapping[str, int] = field(default_factory=dict)
    weight: Mapping[str, float] = field(default_factory=dict)

    def votes(self, ranking: Sequence[str]) -> dict[str, float]:
        """Concept id to how much a ranking of chunk ids, best first, speaks of it: the sum
        over the chunks of what they say of it / (offset + rank), less by the square root
        of what all chunks say, so that a concept of every page wins none."""
        votes: dict[str, float] = defaultdict(float)
        for rank, chunk_id in enumerate(ranking, 1):
            for concept_id, said in self.named.get(chunk_id, {}).items():
                votes[concept_id] += said / (_OFFSET + rank)
        return {key: value / sqrt(1 + self.weight[key]) for key, value in votes.items()}


def sightings(mentions: Iterable[Mention]) -> Sightings:
    """The sightings of a graph's mentions; one chunk says at most so much of a concept."""
    named: dict[str, dict[str, float]] = defaultdict(dict)
    for mention in mentions:
        said = named[mention.chunk_id]
        before = said.get(mention.concept_id, 0.0)
        said[mention.concept_id] = min(_MOST, before + _KINDS[mention.kind])
    spread: dict[str, int] = defaultdict(int)
    weight: dict[str, float] = defaultdict(float)
    for said in named.values():
        for concept_id, value in said.items():
            spread[concept_id] += 1
            weight[concept_id] += value
    return Sightings(named, spread, weight)
