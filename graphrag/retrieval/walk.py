"""The graph channel: a directed walk over passages and names that knows the question.

A walker starts at the names of the question and at the passages nearest to it. From a
passage it goes to a name that the passage mentions, rare ones rather, or to the passage's
own title; from a name to a passage that mentions it, near to the question rather, and much
rather to the passage that bears the name as its title. How often it visits a passage is
that passage's score: one hop away from the question, two, or more.

It is personalised PageRank (Haveliwala, WWW 2002) on a bipartite graph whose weights depend
on the question. Only the part of the graph that the seeds reach is touched.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graphrag.retrieval.name_graph import NameGraph
from graphrag.retrieval.reach import Mass, Part, explore
from graphrag.retrieval.sides import Nodes, Weights
from graphrag.retrieval.steps import Allowed, Similarity, WalkSettings, Ways
from graphrag.retrieval.trail import Trail, trail_of


@dataclass(frozen=True, slots=True)
class Start:
    """Where the walkers set out: the question's ``names``, and the ``rows`` of the passages
    nearest to it with their ``similarities``."""

    names: Nodes
    rows: Nodes
    similarities: NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Walked:
    """Rows of the graph with the share of the walkers that were at each, best first, ties
    by row, and so for names; ``path`` explains one of them."""

    rows: Nodes
    scores: Weights
    names: Nodes
    name_scores: Weights
    _trail: Trail

    def path(self, row: int) -> tuple[str, ...]:
        """The keys of the names that led from a seed to the passage, in order."""
        return self._trail.path(self._trail.part.place_of_row(row), None)

    def path_to_name(self, name: int) -> tuple[str, ...]:
        """The keys of the names that led from a seed to the name, itself the last."""
        return self._trail.path(None, self._trail.part.place_of_name(name))


def walk(
    graph: NameGraph,
    start: Start,
    similarity: Similarity,
    *,
    allowed: Allowed | None = None,
    settings: WalkSettings | None = None,
) -> Walked:
    """Walk from ``start``, only over rows that are ``allowed``."""
    settings = settings or WalkSettings()
    ways = Ways(graph, similarity, allowed, settings)
    seeds = _seeds(ways, start)
    part = explore(ways, seeds)
    mass = _circulate(part, seeds, settings)
    trail = trail_of(graph, part, mass, frozenset(start.names.tolist()))
    rows, names = _ranked(part.rows, mass.on_rows), _ranked(part.names, mass.on_names)
    return Walked(*rows, *names, trail)


def _ranked(nodes: Nodes, mass: Weights) -> tuple[Nodes, Weights]:
    """Those nodes, which ascend, that any walkers are at, best first, ties by node."""
    # Sums come out a little otherwise in another order: passages that say the same have to
    # tie, in whatever order they came into the index.
    mass = mass.astype(np.float32).astype(np.float64)
    order = np.argsort(-mass, kind="stable")
    order = order[mass[order] > 0]
    return nodes[order], mass[order]


def _seeds(ways: Ways, start: Start) -> Mass:
    """A distribution over names and rows together."""
    names, rows = np.unique(start.names).astype(np.int32), start.rows
    name_share = ways.settings.name_share if len(names) else 0.0
    on_names, on_rows = ways.rarity(names), ways.closeness(start.similarities)
    order = np.argsort(rows, kind="stable")
    return Mass(
        rows[order],
        (1 - name_share) * (on_rows / max(on_rows.sum(), 1e-300))[order],
        names,
        name_share * on_names / max(on_names.sum(), 1e-300),
    )


def _circulate(part: Part, seeds: Mass, settings: WalkSettings) -> Mass:
    """The walkers after all iterations."""
    start_rows, start_names = np.zeros(len(part.rows)), np.zeros(len(part.names))
    start_rows[np.searchsorted(part.rows, seeds.rows)] = seeds.on_rows
    start_names[np.searchsorted(part.names, seeds.names)] = seeds.on_names
    on_rows, on_names, going = start_rows, start_names, settings.damping
    for _ in range(settings.iterations):
        on_rows, on_names = (
            (1 - going) * start_rows + going * part.back.carry(on_names, len(part.rows)),
            (1 - going) * start_names + going * part.out.carry(on_rows, len(part.names)),
        )
    return Mass(part.rows, on_rows, part.names, on_names)
