"""The graph as one question sees it: steps between passages and names, and how likely each is.

From a passage a step leads to a name that it mentions, rare ones rather, or that it bears
as its title; from a name to a passage that mentions it, near to the question rather, and
much rather to the passage that bears it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphrag.retrieval.name_graph import NameGraph
from graphrag.retrieval.sides import Nodes, Places, Reached, Side, Weights

Similarity = Callable[[Nodes], NDArray[np.float32]]
"""Rows of the graph to their similarity to the question."""
_LEAST_TOTAL = 1e-300  # in place of 0, by which nothing can be divided
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
    """Steps with their probabilities; ``source`` and ``target`` are places on their sides, or,
    ``within`` a part of the graph, positions."""

    source: Places
    target: Places
    weight: Weights

    def within(self, sources: Places, targets: Places) -> Edges:
        """The edges between nodes that have a position, by positions; the two arrays give it
        for every place, counted from 1 (0: none)."""
        source, target = sources.take(self.source), targets.take(self.target)
        kept = ((source > 0) & (target > 0)).nonzero()[0]
        return Edges(source.take(kept) - 1, target.take(kept) - 1, self.weight.take(kept))

    def carry(self, mass: Weights, size: int) -> Weights:
        """The mass that arrives at each of ``size`` targets."""
        weights = mass.take(self.source)
        weights *= self.weight
        arrived = np.bincount(self.target, weights=weights, minlength=size)
        return arrived.astype(np.float64, copy=False)


@dataclass(frozen=True, slots=True)
class Ways:
    """The graph as one question sees it: where a walker may go, and how likely."""

    graph: NameGraph
    similarity: Similarity
    allowed: Allowed | None
    settings: WalkSettings

    def sides(self) -> tuple[Side, Side]:
        """Rows, each of which pulls by its closeness, and names, by their rarity, hubs not."""
        rows = Side(len(self.graph.numbers), lambda new: self.closeness(self.similarity(new)))
        return rows, Side(len(self.graph.hashes), self._rarity_or_hub)

    def from_rows(self, rows: Reached, names: Side) -> Edges:
        """From passages to the names that they mention and bear."""
        mentioned, place = self.graph.mentions.gather(rows.nodes)
        own, own_place = self.graph.titles.gather(rows.nodes)
        targets = names.see(np.concatenate((mentioned, own)))
        target, own_target = targets[: len(mentioned)], targets[len(mentioned) :]
        weight = names.pull.take(target)
        open_ = weight.nonzero()[0]
        if len(open_) < len(weight):
            target, place, weight = target.take(open_), place.take(open_), weight.take(open_)
        total = np.bincount(place, weights=weight, minlength=len(rows.nodes))
        count = np.maximum(np.bincount(place, minlength=len(rows.nodes)), 1)
        average = np.where(total > 0, total / count, 1.0)
        average *= self.settings.own_pull
        place = np.concatenate((place, own_place))
        weight = np.concatenate((weight, average.take(own_place)))
        return _edges(rows, place, np.concatenate((target, own_target)), weight)

    def from_names(self, names: Reached, rarity: Weights, rows: Side) -> Edges:
        """From names, of such a rarity (0 for hubs), to the passages that mention or bear
        them."""
        near = rarity.nonzero()[0]
        if len(near) < len(rarity):
            mentioning, place = self.graph.mentioned_in.gather(names.nodes.take(near))
            place = near.take(place)
        else:
            mentioning, place = self.graph.mentioned_in.gather(names.nodes)
        titled, titled_place = self.graph.titled.gather(names.nodes)
        target = np.concatenate((mentioning, titled))
        pull = np.ones(len(target))
        pull[len(mentioning) :] = self.settings.title_pull
        place = np.concatenate((place, titled_place))
        if self.allowed is not None:
            kept = self.allowed(target)
            target, place, pull = target[kept], place[kept], pull[kept]
        places = rows.see(target)
        pull *= rows.pull.take(places)
        return _edges(names, place, places, pull)

    def steps_of(self, names: Nodes, rarity: Weights) -> Places:
        """How many steps lead from each name of such a rarity (0 for hubs)."""
        steps: Places = self.graph.titled.counts(names)
        steps += np.where(rarity == 0, 0, self.graph.mentioned_in.counts(names))
        return steps

    def closeness(self, similarities: NDArray[np.float32]) -> Weights:
        """How strongly a row of each similarity draws: ``exp(sharpness * similarity)``."""
        closeness: Weights = np.exp(self.settings.sharpness * similarities.astype(np.float64))
        return closeness

    def rarity(self, names: Nodes) -> Weights:
        frequency = self.graph.frequency.take(names)
        return _rarity(len(self.graph.numbers), frequency, self.settings.rarity)

    def _rarity_or_hub(self, names: Nodes) -> Weights:
        """The rarity of each name, 0 where it is a hub."""
        passages = len(self.graph.numbers)
        limit = min(_most_passages(passages, self.settings), passages)
        known = _rarities(passages, limit, self.settings.rarity)
        return known.take(self.graph.frequency.take(names), mode="clip")


def is_hub(graph: NameGraph, names: Nodes, settings: WalkSettings) -> NDArray[np.bool_]:
    """Whether each name stands in so many passages that it leads nowhere."""
    limit = _most_passages(len(graph.numbers), settings)
    hubs: NDArray[np.bool_] = graph.frequency.take(names) > limit
    return hubs


def _most_passages(passages: int, settings: WalkSettings) -> int:
    """The most passages in which a name may stand that is no hub."""
    return int(max(settings.hub, 0.01 * passages))


@lru_cache(maxsize=4)
def _rarities(passages: int, limit: int, power: float) -> Weights:
    """The rarity of names by the number of passages, 0 to ``limit``, in which they stand; one
    more at the end, 0."""
    rarities = np.zeros(limit + 2)
    rarities[:-1] = _rarity(passages, np.arange(limit + 1), power)
    return rarities


def _rarity(passages: int, frequency: NDArray[np.integer[Any]], power: float) -> Weights:
    rarity: Weights = np.log1p(passages / np.maximum(frequency, 1)) ** power
    return rarity


def _edges(nodes: Reached, place: Places, target: Places, weight: Weights) -> Edges:
    """Edges from the nodes at ``place``, weights as shares of each node's total."""
    total = np.bincount(place, weights=weight, minlength=len(nodes.nodes))
    total = np.maximum(total, _LEAST_TOTAL)
    return Edges(nodes.places.take(place), target, weight / total.take(place))
