"""The graph channel: a walk over names, then the question put again to where it led.

"When did the mother of Lothair II die?" is near to passages on Lothair, and the walk leads
to Ermengarde. With her name in place of his, the question is near to the passage that
answers it, also where that passage bears another title. The rest of a question without
its names ("when did the mother of ... die?") is what a second passage must match, so it
counts as much as the whole in where the walkers go.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from graphrag.domain import Hit
from graphrag.ports import Keys, VectorIndex, Vectors
from graphrag.retrieval.channels import Query, best
from graphrag.retrieval.links import link_question, with_names_replaced
from graphrag.retrieval.name_graph import NameGraph
from graphrag.retrieval.walk import Nodes, Start, Walked, WalkSettings, is_hub, walk

Embed = Callable[[Sequence[str]], Vectors]
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
    walk: WalkSettings = field(default_factory=WalkSettings)


@dataclass(frozen=True, slots=True)
class GraphFound:
    """The graph channel's hits, and the ``names`` that the question was found to name."""

    hits: list[Hit]
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GraphSearch:
    """What the graph channel works on. ``nearest``, where it is known, are the passages
    nearest to the question, best first, at least ``settings.walk.near`` of them."""

    graph: NameGraph
    vectors: VectorIndex
    embed: Embed
    ids: Mapping[int, str]
    settings: HopSettings
    nearest: Sequence[tuple[int, float]] | None = None

    def search(self, query: Query) -> GraphFound:
        """Passages that the question's names lead to, best first, with their paths."""
        names = link_question(self.graph, query.question)
        keys = [self.graph.key(name) for name in names]
        walked = self._walk(query, names, keys)
        scores = dict(zip(self.graph.numbers[walked.rows].tolist(), walked.scores, strict=True))
        paths: dict[int, tuple[str, ...]] = {}
        if names and scores:
            scores, paths = self._hop(query, keys, walked, scores)
        # What has no id was removed by another process a moment ago.
        known = (number for number in scores if number in self.ids)
        order = sorted(known, key=lambda number: (-scores[number], self.ids[number]))
        hits = []
        for rank, number in enumerate(order[: query.depth], 1):
            path = paths.get(number) or self._path(walked, number)
            hits.append(Hit(self.ids[number], rank, float(scores[number]), path))
        return GraphFound(hits, tuple(keys))

    def _walk(self, query: Query, names: Sequence[int], keys: Sequence[str]) -> Walked:
        vector = query.vector
        rest = with_names_replaced(query.question, keys, "")
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
        self, query: Query, keys: Sequence[str], walked: Walked, scores: Mapping[int, float]
    ) -> tuple[dict[int, float], dict[int, tuple[str, ...]]]:
        """The scores with those of the second questions, and the paths of what only those
        found. They are put to the passages that the walk has reached, or that name where it
        led: the whole collection, searched once for each, gave the same answers."""
        bridges = self._bridges(walked, keys)
        total = sum(scores.values())
        if not bridges:
            return dict(scores), {}
        questions = [
            with_names_replaced(query.question, keys, self.graph.key(name).title())
            for name in bridges
        ]
        added: defaultdict[int, float] = defaultdict(float)
        paths: dict[int, tuple[str, ...]] = {}
        mass = sum(bridges.values())
        reached = np.sort(self.graph.numbers[walked.rows])
        for name, vector in zip(bridges, self.embed(questions), strict=True):
            among = np.union1d(reached, self._naming(name, query.allowed))
            near = self._near(vector, self.settings.passages, among)
            if not near:
                continue
            path = walked.path_to_name(name)
            closeness = np.exp(
                self.settings.sharpness * (np.array([score for _, score in near]) - near[0][1])
            )
            shares = bridges[name] / mass * closeness / closeness.sum()
            for (number, _), share in zip(near, shares.tolist(), strict=True):
                added[number] += share
                if number not in scores:
                    paths.setdefault(number, path)
        weight = self.settings.weight
        return {
            number: (1 - weight) * scores.get(number, 0.0) / total + weight * added.get(number, 0.0)
            for number in scores.keys() | added.keys()
        }, paths

    def _naming(self, name: int, allowed: Keys | None) -> Keys:
        """The passages that mention or bear a name."""
        rows = np.concatenate((self.graph.mentioned_in[name], self.graph.titled[name]))
        numbers: Keys = self.graph.numbers[rows]
        return numbers[_among(numbers, allowed)]

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

    def _path(self, walked: Walked, number: int) -> tuple[str, ...]:
        rows = self.graph.rows_of(np.array([number], dtype=np.int64))
        return walked.path(int(rows[0])) if len(rows) else ()


def _among(numbers: Keys, allowed: Keys | None) -> NDArray[np.bool_]:
    if allowed is None or not len(allowed):
        return np.full(len(numbers), allowed is None)
    places = np.minimum(np.searchsorted(allowed, numbers), len(allowed) - 1)
    among: NDArray[np.bool_] = allowed[places] == numbers
    return among
