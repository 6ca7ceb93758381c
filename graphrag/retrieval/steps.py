"""The graph as one question sees it: steps between passages and names, and how likely each is.

From a passage a step leads to a name that it mentions, rare ones rather, or that it bears
as its title; from a name to a passage that mentions it, near to the question rather, and
much rather to the passage that bears it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphrag.retrieval.name_graph import NameGraph

Weights = NDArray[np.float64]
Places = NDArray[np.integer[Any]]
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
    passage; what fewer than ``least`` of the walkers would reach is left out, and so is a
    name from which, on average, fewer than ``scatter`` would come to each of its passages;
    ``near``: how many of the nearest passages are seeds."""

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
    scatter: float = 5e-6
    near: int = 50


@dataclass(frozen=True, slots=True)
class Edges:
    """Steps with their probabilities; ``source`` and ``target`` are nodes of the graph, or,
    ``within`` a part of it, positions."""

    source: Places
    target: Places
    weight: Weights

    def within(self, sources: Places, targets: Places) -> Edges:
        """The edges between nodes that have a position, by positions; the two arrays give it
        for every node of the graph, counted from 1 (0: none)."""
        source, target = sources[self.source], targets[self.target]
        kept = (source > 0) & (target > 0)
        return Edges(source[kept] - 1, target[kept] - 1, self.weight[kept])

    def carry(self, mass: Weights, size: int) -> Weights:
        """The mass that arrives at each of ``size`` targets."""
        arrived = np.bincount(self.target, weights=self.weight * mass[self.source], minlength=size)
        return arrived.astype(np.float64, copy=False)


@dataclass(frozen=True, slots=True)
class Closeness:
    """How strongly each row draws: ``exp(sharpness * similarity)``, once for every row that
    is asked for. ``known`` has them for the whole graph, 0 where it is not known yet."""

    similarity: Similarity
    sharpness: float
    known: Weights

    def __getitem__(self, rows: Nodes) -> Weights:
        unknown = distinct(rows[self.known[rows] == 0])
        if len(unknown):
            self.known[unknown] = self.of(self.similarity(unknown))
        return self.known[rows]

    def of(self, similarities: NDArray[np.float32]) -> Weights:
        closeness: Weights = np.exp(self.sharpness * similarities.astype(np.float64))
        return closeness


def distinct(nodes: Places) -> Nodes:
    """The nodes, each once, ascending."""
    ordered = np.sort(nodes).astype(np.int32, copy=False)
    first = np.ones(len(ordered), dtype=bool)
    np.not_equal(ordered[1:], ordered[:-1], out=first[1:])
    return ordered[first]


@dataclass(frozen=True, slots=True)
class Ways:
    """The graph as one question sees it: where a walker may go, and how likely."""

    graph: NameGraph
    closeness: Closeness
    allowed: Allowed | None
    settings: WalkSettings

    def from_rows(self, rows: Nodes) -> Edges:
        """From passages to the names that they mention and bear."""
        mentioned, place = self.graph.mentions.gather(rows)
        open_ = ~self._is_hub(mentioned)
        mentioned, place = mentioned[open_], place[open_]
        own, own_place = self.graph.titles.gather(rows)
        weight = self.rarity(mentioned)
        total = np.bincount(place, weights=weight, minlength=len(rows))
        count = np.maximum(np.bincount(place, minlength=len(rows)), 1)
        average = np.where(total > 0, total / count, 1.0)
        place = np.concatenate((place, own_place))
        weight = np.concatenate((weight, self.settings.own_pull * average[own_place]))
        return _edges(rows, place, np.concatenate((mentioned, own)), weight)

    def from_names(self, names: Nodes) -> Edges:
        """From names to the passages that mention or bear them."""
        near = names[~self._is_hub(names)]
        mentioning, place = self.graph.mentioned_in.gather(near)
        place = np.searchsorted(names, near)[place].astype(np.int32)
        titled, titled_place = self.graph.titled.gather(names)
        target = np.concatenate((mentioning, titled))
        pull = np.ones(len(target))
        pull[len(mentioning) :] = self.settings.title_pull
        place = np.concatenate((place, titled_place))
        if self.allowed is not None:
            kept = self.allowed(target)
            target, place, pull = target[kept], place[kept], pull[kept]
        return _edges(names, place, target, pull * self.closeness[target])

    def steps_of(self, names: Nodes) -> Places:
        """How many steps lead from each name."""
        graph = self.graph
        mentions = np.where(self._is_hub(names), 0, graph.mentioned_in.counts(names))
        steps: Places = mentions + graph.titled.counts(names)
        return steps

    def rarity(self, names: Nodes) -> Weights:
        share = len(self.graph.numbers) / np.maximum(self.graph.frequency[names], 1)
        rarity: Weights = np.log1p(share) ** self.settings.rarity
        return rarity

    def _is_hub(self, names: Nodes) -> NDArray[np.bool_]:
        return is_hub(self.graph, names, self.settings)


def is_hub(graph: NameGraph, names: Nodes, settings: WalkSettings) -> NDArray[np.bool_]:
    """Whether each name stands in so many passages that it leads nowhere."""
    hubs: NDArray[np.bool_] = graph.frequency[names] > max(settings.hub, 0.01 * len(graph.numbers))
    return hubs


def _edges(nodes: Nodes, place: Nodes, target: Nodes, weight: Weights) -> Edges:
    """Edges from ``nodes[place]``, weights as shares of each node's total."""
    total = np.bincount(place, weights=weight, minlength=len(nodes))[place]
    return Edges(nodes[place], target, weight / np.where(total > 0, total, 1.0))
