"""The part of the graph that a walk from given seeds reaches.

Walkers are followed hop by hop; where too few of them arrive, they are not followed further.
What a question costs grows with that part, not with the graph.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from graphrag.retrieval.sides import Nodes, Weights
from graphrag.retrieval.steps import Edges, Ways


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
    settings, (rows, names) = ways.settings, ways.sides()
    rows.start(seeds.rows, seeds.on_rows)
    names.start(seeds.names, seeds.on_names)
    out, back = [], []
    for _ in range(settings.hops):
        from_rows = ways.from_rows(rows.latest, names)
        from_names = ways.from_names(names.latest, names.pull.take(names.latest.places), rows)
        out.append(from_rows)
        back.append(from_names)
        arriving = settings.damping * from_names.weight * names.walkers(from_names.source)
        leaving = settings.damping * from_rows.weight * rows.walkers(from_rows.source)
        rows.enter(from_names.target, arriving, settings.least)
        names.enter(from_rows.target, leaving, settings.least)
        latest = names.latest
        steps = ways.steps_of(latest.nodes, names.pull.take(latest.places))
        names.narrow(names.walkers(latest.places) >= settings.scatter * steps)
        if not len(rows.latest.nodes) and not len(names.latest.nodes):
            break
    reached_rows, row_positions = rows.reached()
    reached_names, name_positions = names.reached()
    return Part(
        reached_rows,
        reached_names,
        _joined(out).within(row_positions, name_positions),
        _joined(back).within(name_positions, row_positions),
    )


def _joined(parts: list[Edges]) -> Edges:
    return Edges(
        np.concatenate([part.source for part in parts]),
        np.concatenate([part.target for part in parts]),
        np.concatenate([part.weight for part in parts]),
    )
