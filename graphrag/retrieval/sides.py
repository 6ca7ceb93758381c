"""One side of the graph, passages or names, as a walk comes to see it.

A question sees a few thousand nodes of perhaps a million. Each gets a place, in the order in
which they are seen, and all that is known of them stands in short arrays by place. Only the
array of the places spans the whole side: what is read of it is what lies all over memory.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Weights = NDArray[np.float64]
Places = NDArray[np.integer[Any]]
Nodes = NDArray[np.int32]
_FEWEST = 5e-324  # the smallest number above 0


@dataclass(frozen=True, slots=True)
class Reached:
    """Some nodes, ascending, with their places."""

    nodes: Nodes
    places: Places

    def where(self, kept: NDArray[np.bool_]) -> Reached:
        """Those that are kept, by a mask (n,)."""
        return Reached(self.nodes[kept], self.places[kept])


class Side:
    """``nodes`` (n,) in the order in which they were seen, and what each draws: ``pull`` (n,),
    as ``pull_of`` gives it once for each. ``latest`` are those that walkers reached last."""

    def __init__(self, size: int, pull_of: Callable[[Nodes], Weights]) -> None:
        self._place = np.zeros(size, dtype=np.int32)  # counted from 1, 0: not seen
        self._pull_of = pull_of
        self._mass = np.zeros(0)  # below 0 where it was not reached
        self.nodes: Nodes = np.zeros(0, dtype=np.int32)
        self.pull: Weights = np.zeros(0)
        self.latest = Reached(self.nodes, np.zeros(0, dtype=np.intp))

    def see(self, nodes: Nodes) -> Places:
        """The place of each of the nodes, any of which may be new."""
        places = self._place.take(nodes)
        unseen = nodes[places == 0]
        if len(unseen):
            new, first = distinct(unseen), len(self.nodes)
            self._place[new] = np.arange(first + 1, first + len(new) + 1)
            self.nodes = np.concatenate((self.nodes, new))
            self.pull = np.concatenate((self.pull, self._pull_of(new)))
            self._mass = np.concatenate((self._mass, np.full(len(new), -1.0)))
            places = self._place.take(nodes)
        # As numpy counts: with other integers each look-up would convert them.
        found: Places = places.astype(np.intp)
        found -= 1
        return found

    def start(self, nodes: Nodes, mass: Weights) -> None:
        """Let so many walkers set out from the nodes, which ascend."""
        places = self.see(nodes)
        self._mass[places] = mass
        self.latest = Reached(nodes, places)

    def walkers(self, places: Places) -> Weights:
        """How many walkers were at each place when it was reached."""
        return self._mass.take(places)

    def enter(self, targets: Places, mass: Weights, least: float) -> None:
        """Make those targets the latest that are new and that at least so many walkers, more
        than none, reach."""
        new = (self._mass.take(targets) < 0).nonzero()[0]
        arrived = np.bincount(targets.take(new), weights=mass.take(new), minlength=len(self.nodes))
        places = (arrived >= max(least, _FEWEST)).nonzero()[0]
        nodes = self.nodes.take(places)
        order = nodes.argsort()
        self._mass[places] = arrived.take(places)
        self.latest = Reached(nodes.take(order), places.take(order))

    def narrow(self, kept: NDArray[np.bool_]) -> None:
        """Leave those of the latest out that are not kept."""
        self._mass[self.latest.places[~kept]] = -1.0
        self.latest = self.latest.where(kept)

    def reached(self) -> tuple[Nodes, Places]:
        """All that were reached, ascending; and for each place the position among them,
        counted from 1, 0 where it was not reached."""
        places = (self._mass >= 0).nonzero()[0]
        nodes = self.nodes.take(places)
        order = nodes.argsort()
        positions = np.zeros(len(self.nodes), dtype=np.intp)
        positions[places.take(order)] = np.arange(1, len(places) + 1)
        return nodes.take(order), positions


def distinct(nodes: Places) -> Nodes:
    """The nodes, each once, ascending."""
    ordered = np.sort(nodes).astype(np.int32, copy=False)
    first = np.ones(len(ordered), dtype=bool)
    np.not_equal(ordered[1:], ordered[:-1], out=first[1:])
    return ordered[first]
