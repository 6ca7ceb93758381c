"""The part of the graph that a walk from given seeds reaches.

Walkers are followed hop by hop; where too few of them arrive, they are not followed further.
What a question costs grows with that part, not with the graph.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from graphrag.retrieval.steps import Edges, Nodes, Places, Ways, Weights, distinct


@dataclass(frozen=True, slots=True)
class Mass:
    """How many of the walkers are where."""

    rows: Nodes
    on_rows: Weights
    names: Nodes
    on_names: Weights


@dataclass(frozen=True, slots=True)
class Part:
    """The part of the graph that enough walkers reach; nodes ascending, edges by position."""

    rows: Nodes
    names: Nodes
    out: Edges
    back: Edges

    def place_of_row(self, row: int) -> int:
        return int(np.searchsorted(self.rows, row))

    def place_of_name(self, name: int) -> int:
        return int(np.searchsorted(self.names, name))


def explore(ways: Ways, seeds: Mass) -> Part:
    """Follow the walkers from the seeds, hop by hop, as long as there are enough of them."""
    rows = _Reached(len(ways.graph.numbers), seeds.rows, seeds.on_rows)
    names = _Reached(len(ways.graph.hashes), seeds.names, seeds.on_names)
    out, back = [], []
    for _ in range(ways.settings.hops):
        from_rows, from_names = ways.from_rows(rows.latest), ways.from_names(names.latest)
        out.append(from_rows)
        back.append(from_names)
        going = ways.settings.damping
        arriving = going * from_names.weight * names.mass.take(from_names.source)
        leaving = going * from_rows.weight * rows.mass.take(from_rows.source)
        rows.enter(from_names.target, arriving, ways.settings.least)
        names.enter(from_rows.target, leaving, ways.settings.least)
        names.narrow(ways.steps_of(names.latest), ways.settings.scatter)
        if not len(rows.latest) and not len(names.latest):
            break
    row_places, name_places = rows.places, names.places
    return Part(
        rows.nodes,
        names.nodes,
        _joined(out).within(row_places, name_places),
        _joined(back).within(name_places, row_places),
    )


class _Reached:
    """One side of the graph as it is explored. The arrays span the whole side, but only what
    is reached is ever touched: their cost is that of the part, not of the graph."""

    def __init__(self, size: int, seeds: Nodes, mass: Weights) -> None:
        self.mass = np.zeros(size)
        self.mass[seeds] = mass
        self.latest = seeds
        self._known = np.zeros(size, dtype=bool)
        self._known[seeds] = True
        self._all = [seeds]

    def enter(self, targets: Places, mass: Weights, least: float) -> None:
        """Make those the latest that are new and that at least so many walkers reach."""
        new = np.flatnonzero(~self._known.take(targets))
        targets, mass = targets.take(new), mass.take(new)
        nodes = distinct(targets)
        self.mass[nodes] = 0
        np.add.at(self.mass, targets, mass)
        self.latest = nodes[self.mass.take(nodes) >= least]
        self._known[self.latest] = True
        self._all.append(self.latest)

    def narrow(self, steps: Places, least: float) -> None:
        """Leave out of the latest, from which so many ``steps`` lead, those where fewer than
        ``least`` walkers are for each of the steps."""
        leads = self.mass.take(self.latest) >= least * steps
        self._known[self.latest[~leads]] = False
        self.latest = self._all[-1] = self.latest[leads]

    @property
    def nodes(self) -> Nodes:
        """All that were reached, ascending."""
        return np.sort(np.concatenate(self._all))

    @property
    def places(self) -> Places:
        """For each node of the side its position in ``nodes`` from 1, 0 where it has none."""
        nodes = self.nodes
        places = np.zeros(len(self._known), dtype=np.int32)
        places[nodes] = np.arange(1, len(nodes) + 1)
        return places


def _joined(parts: list[Edges]) -> Edges:
    return Edges(
        np.concatenate([part.source for part in parts]),
        np.concatenate([part.target for part in parts]),
        np.concatenate([part.weight for part in parts]),
    )
