"""How the walkers came to a passage: the names on the strongest way there."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from graphrag.retrieval.name_graph import NameGraph
from graphrag.retrieval.reach import Mass, Part
from graphrag.retrieval.sides import Places, Weights
from graphrag.retrieval.steps import Edges


@dataclass(frozen=True, slots=True)
class Trail:
    """What is needed to say how the walkers came to a node: ``to_rows`` and ``to_names`` have
    the step that brought most of them to each."""

    graph: NameGraph
    part: Part
    mass: Mass
    seeds: frozenset[int]
    to_rows: Places
    to_names: Places

    def path(self, place: int | None, name: int | None) -> tuple[str, ...]:
        """Back from the row at ``place`` (or from ``name``) over the strongest steps, to a
        name of the question or to a passage that the vectors found; at most four names."""
        keys: list[str] = []
        passed: set[int] = set()
        while len(keys) < 4 and (place is not None or name is not None):
            if name is None and place is not None:
                name = self._name_before(place, passed)
            if name is None:
                break
            passed.add(name)
            keys.append(self.graph.key(int(self.part.names[name])))
            if int(self.part.names[name]) in self.seeds:
                break
            place, name = self._row_before(name, place), None
        return tuple(reversed(keys))

    def _name_before(self, place: int, passed: set[int]) -> int | None:
        name = int(self.to_rows[place])
        if name in passed:
            return _strongest(self.part.back, place, self.mass.on_names, passed)
        return None if name < 0 else name

    def _row_before(self, name: int, place: int | None) -> int | None:
        row = int(self.to_names[name])
        if row == place:
            return _strongest(self.part.out, name, self.mass.on_rows, {row})
        return None if row < 0 else row


def trail_of(graph: NameGraph, part: Part, mass: Mass, seeds: frozenset[int]) -> Trail:
    to_rows = _strongest_of_all(part.back, mass.on_names, len(part.rows))
    to_names = _strongest_of_all(part.out, mass.on_rows, len(part.names))
    return Trail(graph, part, mass, seeds, to_rows, to_names)


def _strongest_of_all(edges: Edges, mass: Weights, size: int) -> Places:
    """For each of ``size`` targets the source that sends most to it, ties to the first, -1
    where none sends anything."""
    flow = edges.weight * mass[edges.source]
    most = np.zeros(size)
    np.maximum.at(most, edges.target, flow)
    # Backwards, so that of equal ones the first is written last.
    best = np.flatnonzero((flow > 0) & (flow == most[edges.target]))[::-1]
    sources = np.full(size, -1)
    sources[edges.target[best]] = edges.source[best]
    return sources


def _strongest(edges: Edges, target: int, mass: Weights, without: set[int]) -> int | None:
    """The source, not among ``without``, that sends most to the target, ties to the first."""
    here = np.flatnonzero(edges.target == target)
    sources = edges.source[here]
    flow = edges.weight[here] * mass[sources]
    for place in np.argsort(-flow, kind="stable").tolist():
        if flow[place] > 0 and int(sources[place]) not in without:
            return int(sources[place])
    return None
