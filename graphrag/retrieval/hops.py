"""The graph channel: a walk over names, then the question put again to where it led.

"When did the mother of Lothair II die?" is near to passages on Lothair, and the walk leads
to Ermengarde. With her name in place of his, the question is near to the passage that
answers it, also where that passage bears another title. The rest of a question without
its names ("when did the mother of ... die?") is what a second passage must match, so it
counts as much as the whole in where the walkers go.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from graphrag.domain import Hit
from graphrag.ports import Keys, VectorIndex, Vectors
from graphrag.retrieval.channels import Ids, Query, best, foremost, nearest
from graphrag.retrieval.links import around_names, link_question, with_names_replaced
from graphrag.retrieval.name_graph import NameGraph
from graphrag.retrieval.relations import (
    ReadChunks,
    RelationSettings,
    Visits,
    related,
    relation_words,
)
from graphrag.retrieval.sides import Nodes, distinct
from graphrag.retrieval.steps import WalkSettings, is_hub
from graphrag.retrieval.walk import Start, Walked, walk

Embed = Callable[[Sequence[str]], Vectors]
_DIGITS = 6  # of similarities: passages that say the same are to tie
_APART = 1e-5  # more than an inner product in float32 is off
_LEAST_WORDS = 3  # what is left of a question must still ask something


@dataclass(frozen=True, slots=True)
class HopSettings:
    """The question is put again with each of the ``bridges`` that most walkers passed;
    ``weight`` is the share of the score that the ``passages`` nearest to those questions
    divide among them, ``sharpness`` how much the nearest gets of it."""

    bridges: int = 5
    passages: int = 20
    sharpness: float = 30.0
    weight: float = 0.2
    relations: RelationSettings = field(default_factory=RelationSettings)
    walk: WalkSettings = field(default_factory=WalkSettings)


@dataclass(frozen=True, slots=True)
class GraphFound:
    """The graph channel's hits, and the ``names`` that the question was found to name."""

    hits: list[Hit]
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Scored:
    """Passages with their scores, in any order, and the paths of some of them."""

    numbers: Keys
    scores: NDArray[np.float64]
    paths: Mapping[int, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class GraphSearch:
    """What the graph channel works on. ``nearest``, where it is known, are the passages
    nearest to the question, best first, at least ``settings.walk.near`` of them; ``read``
    gives the texts in which relations are looked for."""

    graph: NameGraph
    vectors: VectorIndex
    embed: Embed
    ids: Ids
    settings: HopSettings
    read: ReadChunks
    nearest: Sequence[tuple[int, float]] | None = None

    def search(self, query: Query) -> GraphFound:
        """Passages that the question's names lead to, best first, with their paths."""
        names = link_question(self.graph, query.question)
        keys = [self.graph.key(name) for name in names]
        pieces = around_names(query.question, keys)
        walked = self._walk(query, names, pieces)
        found = _Scored(self.graph.numbers[walked.rows], walked.scores, {})
        if names and len(walked.rows):
            found = self._relate(query, names, walked, self._hop(query, keys, pieces, walked))
        first = foremost(found.numbers, found.scores, query.depth, self.ids)
        rows = self.graph.rows_of(np.array([number for number, _ in first], dtype=np.int64))
        ids = self.ids(number for number, _ in first)
        hits = [
            Hit(ids[number], rank, score, found.paths.get(number) or walked.path(row))
            for rank, ((number, score), row) in enumerate(zip(first, rows.tolist(), strict=True), 1)
        ]
        return GraphFound(hits, tuple(keys))

    def _walk(self, query: Query, names: Sequence[int], pieces: Sequence[str]) -> Walked:
        vector = query.vector
        rest = with_names_replaced(pieces, "")
        if names and len(rest.split()) >= _LEAST_WORDS:
            vector = (vector + self.embed([rest])[0]) / 2
        near = self.settings.walk.near
        found = dict(
            self._near(query.vector, near, query.allowed)
            if self.nearest is None
            else self.nearest[:near]
        )
        numbers = np.array(sorted(found), dtype=np.int64)
        rows = self.graph.rows_of(numbers)
        close = np.array(
            [found[number] for number in self.graph.numbers[rows].tolist()], dtype=np.float32
        )

        def similarity(asked: Nodes) -> NDArray[np.float32]:
            return self.vectors.similarities(vector, self.graph.numbers[asked])

        def allowed(asked: Nodes) -> NDArray[np.bool_]:
            return _among(self.graph.numbers[asked], query.allowed)

        return walk(
            self.graph,
            Start(np.array(names, dtype=np.int32), rows, close),
            similarity,
            allowed=None if query.allowed is None else allowed,
            settings=self.settings.walk,
        )

    def _hop(
        self, query: Query, keys: Sequence[str], pieces: Sequence[str], walked: Walked
    ) -> _Scored:
        """The scores with those of the second questions, and the paths of what only those
        found. They are put to the passages that the walk has reached, or that name where it
        led: the whole collection, searched once for each, gave the same answers."""
        bridges = self._bridges(walked, keys)
        if not bridges:
            return _Scored(self.graph.numbers[walked.rows], walked.scores, {})
        questions = [with_names_replaced(pieces, self.graph.key(name).title()) for name in bridges]
        naming = [self._naming(name, query.allowed) for name in bridges]
        rows = distinct(np.concatenate((walked.rows, *naming)))
        numbers, reached = self.graph.numbers[rows], np.searchsorted(rows, walked.rows)
        vectors, asked = self.vectors.vectors(numbers), self.embed(questions)
        products = vectors @ asked.T
        among = np.zeros(len(rows), dtype=bool)
        among[reached] = True
        weight, mass = self.settings.weight, sum(bridges.values())
        scores, added = np.zeros(len(rows)), np.zeros(len(rows))
        scores[reached] = (1 - weight) * walked.scores / walked.scores.sum()
        paths: dict[int, tuple[str, ...]] = {}
        for place, name in enumerate(bridges):
            put_to = among.copy()
            put_to[np.searchsorted(rows, naming[place])] = True
            likely = self._likely(np.flatnonzero(put_to), products[:, place])
            near = self._nearest_of(numbers[likely], vectors[likely], asked[place])
            if not near:
                continue
            similarities = np.array([similarity for _, similarity in near])
            closeness = np.exp(self.settings.sharpness * (similarities - similarities[0]))
            places = np.searchsorted(numbers, [number for number, _ in near])
            added[places] += bridges[name] / mass * closeness / closeness.sum()
            new = numbers[places[~among[places]]].tolist()
            paths = dict.fromkeys(new, walked.path_to_name(name)) | paths
        kept = scores + weight * added > 0
        return _Scored(numbers[kept], (scores + weight * added)[kept], paths)

    def _relate(
        self, query: Query, names: Sequence[int], walked: Walked, found: _Scored
    ) -> _Scored:
        """The scores with what stands beside the question's relations."""
        settings, graph = self.settings.relations, self.graph
        words = relation_words(query.question, [graph.key(name) for name in names])
        if not words or not settings.weight:
            return found
        rows = graph.rows_of(found.numbers)
        visits = Visits(np.zeros(len(graph.numbers)), np.zeros(len(graph.frequency)))
        visits.rows[rows] = found.scores / found.scores.sum()
        visits.names[walked.names] = walked.name_scores
        sent = related(graph, names, words, visits, ids=self.ids, read=self.read, settings=settings)
        weight = settings.weight
        return replace(found, scores=(1 - weight) * visits.rows[rows] + weight * sent[rows])

    def _likely(self, places: Keys, products: NDArray[np.float32]) -> Keys:
        """Those of the places that may be among the nearest by their inner products, which
        may be a little off."""
        found, most = products.take(places), self.settings.passages
        if len(found) <= most:
            return places
        least = np.partition(found, -most)[-most]
        likely: Keys = places[found >= least - _APART]
        return likely

    def _nearest_of(
        self, numbers: Keys, vectors: Vectors, asked: Vectors
    ) -> list[tuple[int, float]]:
        """The passages whose vectors (n, dimension) are nearest to a second question's.

        Summed in float64: the last digits of float32 depend on what else is multiplied with
        them, and so would what they are rounded to.
        """
        exact = np.einsum("ij,j->i", vectors.astype(np.float64), asked.astype(np.float64))
        return nearest(numbers, np.round(exact, _DIGITS), self.settings.passages, self.ids)

    def _naming(self, name: int, allowed: Keys | None) -> Nodes:
        """The rows of the passages that mention or bear a name."""
        rows = np.concatenate((self.graph.mentioned_in[name], self.graph.titled[name]))
        return rows[_among(self.graph.numbers[rows], allowed)]

    def _near(self, vector: Vectors, k: int, allowed: Keys | None) -> list[tuple[int, float]]:
        return best(lambda n: self.vectors.search(vector, n, allowed=allowed), k, self.ids)

    def _bridges(self, walked: Walked, keys: Sequence[str]) -> dict[int, float]:
        """The names that most walkers passed and that the question does not hold."""
        near = walked.names[: 8 * self.settings.bridges]
        open_ = ~is_hub(self.graph, near, self.settings.walk)
        bridges: dict[int, float] = {}
        for name, mass in zip(
            near[open_].tolist(), walked.name_scores[: len(near)][open_].tolist(), strict=True
        ):
            key = self.graph.key(name)
            if not any(f" {key} " in f" {known} " for known in keys):
                bridges[name] = mass
            if len(bridges) == self.settings.bridges:
                break
        return bridges


def _among(numbers: Keys, allowed: Keys | None) -> NDArray[np.bool_]:
    if allowed is None or not len(allowed):
        return np.full(len(numbers), allowed is None)
    places = np.minimum(np.searchsorted(allowed, numbers), len(allowed) - 1)
    among: NDArray[np.bool_] = allowed[places] == numbers
    return among
