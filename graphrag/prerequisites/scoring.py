"""The score of any pair of concepts, for measuring the relation against gold pairs."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from graphrag.concepts.linking import Linker
from graphrag.domain import Prerequisite
from graphrag.errors import QueryError
from graphrag.prerequisites.signals import Signals
from graphrag.prerequisites.weighing import STATED, probability, relevance

# Where precision and recall balance on labelled courses: about half of the F1 that is reached,
# as for any probabilities (Lipton, Elkan and Naryanaswamy, ECML 2014, theorem 1).
PAIR_THRESHOLD = 0.44
_TOWARDS, _AWAY = 0.5, 0.15
_FIRST = 10.0  # above any relevance


class PairScorer:
    """Scores pairs (concept, prerequisite), whether or not the graph lists them.

    What was stated (people's decisions, prerequisite lists) holds with all that follows from
    it. Everything else is the probability that the signals give, raised a little towards how
    strongly the edges in force carry the pair, and lowered by how strongly they carry its
    reverse.
    """

    def __init__(
        self,
        signals: Signals,
        stated: Iterable[tuple[int, int]],
        edges: Iterable[Prerequisite] = (),
    ) -> None:
        self._signals = signals
        self._linker = Linker(signals.concepts)
        self._number = {concept.id: i for i, concept in enumerate(signals.concepts)}
        self._needs: dict[int, set[int]] = {}
        for concept, other in stated:
            self._needs.setdefault(concept, set()).add(other)
        self._closures: dict[int, set[int]] = {}
        self._edges: dict[int, list[tuple[int, float]]] = {}
        for edge in edges:
            if edge.in_force:
                pair = (self._number[edge.prerequisite_id], edge.weight)
                self._edges.setdefault(self._number[edge.concept_id], []).append(pair)
        self._carried: dict[int, dict[int, float]] = {}

    def score(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """The probability that the second of each pair (ids or names) is needed for the first;
        0 where one of them is no concept here. At least ``PAIR_THRESHOLD`` counts as yes."""
        numbers = [(self._find(concept), self._find(other)) for concept, other in pairs]
        known = [i for i, (a, b) in enumerate(numbers) if a is not None and b is not None]
        scores = [0.0] * len(pairs)
        if not known:
            return scores
        columns = np.array([numbers[i] for i in known], dtype=np.int64)
        found = probability(self._signals.features(columns[:, 0], columns[:, 1]))
        for i, (a, b), value in zip(known, columns.tolist(), found.tolist(), strict=True):
            carried, reverse = self._strength(a, b), self._strength(b, a)
            value = max(0.0, value + _TOWARDS * max(0.0, carried - value) - _AWAY * reverse)
            if b in self._closure(a):
                value = max(value, STATED)
            elif a in self._closure(b) or a == b:
                value = min(value, 1.0 - STATED)
            scores[i] = value
        return scores

    def nearest(self, concepts: Sequence[str], k: int) -> dict[str, list[str]]:
        """For each concept id the ids of the ``k`` most relevant others, best first, before
        cycles are resolved: what was listed, then what the signals rank highest."""
        found: dict[str, list[str]] = {}
        n = len(self._signals.concepts)
        for concept in concepts:
            a = self._number[concept]
            others = np.array([i for i in range(n) if i != a], dtype=np.int64)
            features = self._signals.features(np.full(len(others), a), others)
            scores = np.round(relevance(features) + _FIRST * features["stated"], 9)
            order = np.argsort(-scores, kind="stable")[:k]
            found[concept] = [self._signals.concepts[int(i)].id for i in others[order]]
        return found

    def _find(self, name: str) -> int | None:
        if name in self._number:
            return self._number[name]
        try:
            return self._number[self._linker.resolve(name).id]
        except QueryError:
            return None

    def _strength(self, concept: int, other: int) -> float:
        """The product of the weights on the strongest path between two concepts, or 0."""
        known = self._carried.get(concept)
        if known is None:
            known = self._carried[concept] = _strongest_paths(concept, self._edges)
        return known.get(other, 0.0)

    def _closure(self, concept: int) -> set[int]:
        known = self._closures.get(concept)
        if known is None:
            known = _reach(concept, self._needs)
            self._closures[concept] = known
        return known


def _strongest_paths(
    start: int, edges: Mapping[int, Sequence[tuple[int, float]]]
) -> dict[int, float]:
    """For all that can be reached the product of the weights on the strongest path."""
    best: dict[int, float] = {}
    heap = [(-1.0, start)]
    while heap:
        negative, node = heapq.heappop(heap)
        if node not in best:
            best[node] = -negative
            for other, weight in edges.get(node, ()):
                if other not in best:
                    heapq.heappush(heap, (negative * weight, other))
    del best[start]
    return best


def _reach(start: int, needs: Mapping[int, set[int]]) -> set[int]:
    seen: set[int] = set()
    stack = [start]
    while stack:
        for other in needs.get(stack.pop(), ()):
            if other not in seen:
                seen.add(other)
                stack.append(other)
    return seen
