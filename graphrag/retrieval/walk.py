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

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graphrag.retrieval.name_graph import NameGraph

Weights = NDArray[np.float64]
Nodes = NDArray[np.int32]
Similarity = Callable[[Nodes], NDArray[np.float32]]
"""Rows of the graph to their similarity to the question."""
Allowed = Callable[[Nodes], NDArray[np.bool_]]
"""Whether each of some rows may be entered."""


@dataclass(frozen=True, slots=True)
class WalkSettings:
    """``damping``: how likely the walker goes on; ``iterations`` of the power method;
    ``name_share``: how many of the walkers start at names; ``rarity``: power of the inverse
    document frequency; ``sharpness``: how strongly similarity rules, per unit of cosine;
    ``title_pull``: weight of a title against a mention; ``own_pull``: weight of a passage's
    own title against its average mention; ``hub``: names in more passages than this, and in
    more than one in a hundred, are no way to anywhere; ``hops`` from a seed to the farthest
    passage; what fewer than ``least`` of the walkers would reach is left out; ``near``: how
    many of the nearest passages are seeds."""

    damping: float = 0.9
    iterations: int = 15
    name_share: float = 0.6
    rarity: float = 1.5
    sharpness: float = 10.0
    title_pull: float = 30.0
    own_pull: float = 2.0
    hub: int = 50
    hops: int = 8
    least: float = 1e-5
    near: int = 50


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
    _trail: _Trail

    def path(self, row: int) -> tuple[str, ...]:
        """The keys of the names that led from a seed to the passage, in order."""
        return self._trail.path(int(np.searchsorted(self._trail.part.rows, row)), None)

    def path_to_name(self, name: int) -> tuple[str, ...]:
        """The keys of the names that led from a seed to the name, itself the last."""
        return self._trail.path(None, int(np.searchsorted(self._trail.part.names, name)))


def walk(
    graph: NameGraph,
    start: Start,
    similarity: Similarity,
    *,
    allowed: Allowed | None = None,
    settings: WalkSettings | None = None,
) -> Walked:
    """Walk from ``start``, only over rows that are ``allowed``."""
    ways = _Ways(graph, similarity, allowed, settings or WalkSettings())
    seeds = ways.seeds(start)
    part = _explore(ways, seeds)
    mass = _circulate(part, seeds, ways.settings)
    trail = _Trail(graph, part, mass, frozenset(start.names.tolist()))
    rows, names = _ranked(part.rows, mass.on_rows), _ranked(part.names, mass.on_names)
    return Walked(*rows, *names, trail)


def _ranked(nodes: Nodes, mass: Weights) -> tuple[Nodes, Weights]:
    # Sums come out a little otherwise in another order: passages that say the same have to
    # tie, in whatever order they came into the index.
    mass = mass.astype(np.float32).astype(np.float64)
    order = np.lexsort((nodes, -mass))
    order = order[mass[order] > 0]
    return nodes[order], mass[order]


@dataclass(frozen=True, slots=True)
class _Mass:
    """How many of the walkers are where."""

    rows: Nodes
    on_rows: Weights
    names: Nodes
    on_names: Weights


@dataclass(frozen=True, slots=True)
class _Edges:
    """Steps with their probabilities; ``source`` and ``target`` are nodes of the graph, or,
    ``within`` a part of it, positions; the latter are sorted by target."""

    source: Nodes
    target: Nodes
    weight: Weights

    def within(self, sources: Nodes, targets: Nodes) -> _Edges:
        """The edges between those (ascending) nodes, ends as positions in them."""
        place = np.minimum(np.searchsorted(targets, self.target), max(len(targets) - 1, 0))
        kept = targets[place] == self.target if len(targets) else np.zeros(0, dtype=bool)
        source, target = np.searchsorted(sources, self.source[kept]), place[kept]
        order = np.argsort(target, kind="stable")
        return _Edges(
            source[order].astype(np.int32), target[order].astype(np.int32), self.weight[kept][order]
        )

    def carry(self, mass: Weights, size: int) -> Weights:
        """The mass that arrives at each of ``size`` targets."""
        arrived = np.bincount(self.target, weights=self.weight * mass[self.source], minlength=size)
        return arrived.astype(np.float64)


@dataclass(frozen=True, slots=True)
class _Ways:
    """The graph as one question sees it: where a walker may go, and how likely."""

    graph: NameGraph
    similarity: Similarity
    allowed: Allowed | None
    settings: WalkSettings

    def seeds(self, start: Start) -> _Mass:
        """A distribution over names and rows together."""
        names, rows = np.unique(start.names).astype(np.int32), start.rows
        name_share = self.settings.name_share if len(names) else 0.0
        on_names, on_rows = self._rarity(names), self._closeness(start.similarities)
        order = np.argsort(rows, kind="stable")
        return _Mass(
            rows[order],
            (1 - name_share) * (on_rows / max(on_rows.sum(), 1e-300))[order],
            names,
            name_share * on_names / max(on_names.sum(), 1e-300),
        )

    def from_rows(self, rows: Nodes) -> _Edges:
        """From passages to the names that they mention and bear."""
        mentioned, place = self.graph.mentions.gather(rows)
        open_ = ~self._is_hub(mentioned)
        mentioned, place = mentioned[open_], place[open_]
        own, own_place = self.graph.titles.gather(rows)
        weight = self._rarity(mentioned)
        total = np.bincount(place, weights=weight, minlength=len(rows))
        count = np.maximum(np.bincount(place, minlength=len(rows)), 1)
        average = np.where(total > 0, total / count, 1.0)
        place = np.concatenate((place, own_place))
        weight = np.concatenate((weight, self.settings.own_pull * average[own_place]))
        return _edges(rows, place, np.concatenate((mentioned, own)), weight)

    def from_names(self, names: Nodes) -> _Edges:
        """From names to the passages that mention or bear them."""
        near = names[~self._is_hub(names)]
        mentioning, place = self.graph.mentioned_in.gather(near)
        place = np.searchsorted(names, near)[place].astype(np.int32)
        titled, titled_place = self.graph.titled.gather(names)
        target = np.concatenate((mentioning, titled))
        pull = np.ones(len(target))
        pull[len(mentioning) :] = self.settings.title_pull
        place = np.concatenate((place, titled_place)).astype(np.int32)
        if self.allowed is not None:
            kept = self.allowed(target)
            target, place, pull = target[kept], place[kept], pull[kept]
        return _edges(names, place, target, pull * self._closeness(self.similarity(target)))

    def _rarity(self, names: Nodes) -> Weights:
        share = len(self.graph.numbers) / np.maximum(self.graph.frequency[names], 1)
        rarity: Weights = np.log1p(share) ** self.settings.rarity
        return rarity

    def _closeness(self, similarities: NDArray[np.float32]) -> Weights:
        closeness: Weights = np.exp(self.settings.sharpness * similarities.astype(np.float64))
        return closeness

    def _is_hub(self, names: Nodes) -> NDArray[np.bool_]:
        return is_hub(self.graph, names, self.settings)


def is_hub(graph: NameGraph, names: Nodes, settings: WalkSettings) -> NDArray[np.bool_]:
    """Whether each name stands in so many passages that it leads nowhere."""
    hubs: NDArray[np.bool_] = graph.frequency[names] > max(settings.hub, 0.01 * len(graph.numbers))
    return hubs


def _edges(nodes: Nodes, place: Nodes, target: Nodes, weight: Weights) -> _Edges:
    """Edges from ``nodes[place]``, weights as shares of each node's total."""
    total = np.bincount(place, weights=weight, minlength=len(nodes))[place]
    return _Edges(nodes[place], target, weight / np.where(total > 0, total, 1.0))


@dataclass(frozen=True, slots=True)
class _Part:
    """The part of the graph that enough walkers reach; nodes ascending, edges by position."""

    rows: Nodes
    names: Nodes
    out: _Edges
    back: _Edges


def _explore(ways: _Ways, seeds: _Mass) -> _Part:
    """Follow the walkers from the seeds, hop by hop, as long as there are enough of them."""
    rows, names = seeds.rows, seeds.names
    new_rows, on_rows, new_names, on_names = rows, seeds.on_rows, names, seeds.on_names
    out, back = [], []
    for _ in range(ways.settings.hops):
        from_rows, from_names = ways.from_rows(new_rows), ways.from_names(new_names)
        out.append(from_rows)
        back.append(from_names)
        arrived = ways.settings.damping * from_names.weight
        arrived *= on_names[np.searchsorted(new_names, from_names.source)]
        left = ways.settings.damping * from_rows.weight
        left *= on_rows[np.searchsorted(new_rows, from_rows.source)]
        new_rows, on_rows = _newcomers(from_names.target, arrived, rows, ways.settings.least)
        new_names, on_names = _newcomers(from_rows.target, left, names, ways.settings.least)
        rows, names = np.union1d(rows, new_rows), np.union1d(names, new_names)
        if not len(new_rows) and not len(new_names):
            break
    return _Part(
        rows,
        names,
        _joined(out).within(rows, names),
        _joined(back).within(names, rows),
    )


def _newcomers(targets: Nodes, mass: Weights, known: Nodes, least: float) -> tuple[Nodes, Weights]:
    """Nodes that are not yet known and that enough walkers reach, with their number."""
    nodes, place = np.unique(targets, return_inverse=True)
    arrived = np.bincount(place, weights=mass, minlength=len(nodes)).astype(np.float64)
    kept = (arrived >= least) & ~np.isin(nodes, known)
    return nodes[kept], arrived[kept]


def _joined(parts: list[_Edges]) -> _Edges:
    return _Edges(
        np.concatenate([part.source for part in parts]),
        np.concatenate([part.target for part in parts]),
        np.concatenate([part.weight for part in parts]),
    )


def _circulate(part: _Part, seeds: _Mass, settings: WalkSettings) -> _Mass:
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
    return _Mass(part.rows, on_rows, part.names, on_names)


@dataclass(frozen=True, slots=True)
class _Trail:
    """What is needed to say how the walkers came to a row."""

    graph: NameGraph
    part: _Part
    mass: _Mass
    seeds: frozenset[int]

    def path(self, place: int | None, name: int | None) -> tuple[str, ...]:
        """Back from the row at ``place`` (or from ``name``) over the strongest steps, to a
        name of the question or to a passage that the vectors found; at most four names."""
        keys: list[str] = []
        passed: set[int] = set()
        while len(keys) < 4 and (place is not None or name is not None):
            if name is None and place is not None:
                name = _strongest(self.part.back, place, self.mass.on_names, passed)
            if name is None:
                break
            passed.add(name)
            keys.append(self.graph.key(int(self.part.names[name])))
            if int(self.part.names[name]) in self.seeds:
                break
            without = set() if place is None else {place}
            place, name = _strongest(self.part.out, name, self.mass.on_rows, without), None
        return tuple(reversed(keys))


def _strongest(edges: _Edges, target: int, mass: Weights, without: set[int]) -> int | None:
    """The source that sends most to the target, ties to the first."""
    first, stop = np.searchsorted(edges.target, (target, target + 1))
    sources = edges.source[first:stop]
    flow = edges.weight[first:stop] * mass[sources]
    for place in np.argsort(-flow, kind="stable").tolist():
        if flow[place] > 0 and int(sources[place]) not in without:
            return int(sources[place])
    return None
