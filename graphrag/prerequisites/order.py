"""The prerequisite relation as an order: closures, depths, fringes.

Terms are those of knowledge space theory (Doignon and Falmagne, *Knowledge Spaces*, 1999):
the outer fringe of what is known is what can be learnt next, the inner fringe what was
learnt last. Everything here is iterative, so a chain of any length is fine.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Collection, Iterable, Mapping

from graphrag.domain import Prerequisite
from graphrag.errors import StoreError

_NOTHING: Mapping[str, Prerequisite] = {}


class PrerequisiteOrder:
    """The prerequisites in force, ready to be walked in both directions.

    Edges that are not in force and edges from a concept to itself are left out; of two
    edges between the same concepts the stronger one stays. ``concepts`` adds concepts
    that no edge touches. Ids that are not known have no neighbours and depth 0.
    """

    def __init__(self, prerequisites: Iterable[Prerequisite], concepts: Iterable[str] = ()) -> None:
        self._needs: dict[str, dict[str, Prerequisite]] = {}
        self._serves: dict[str, dict[str, Prerequisite]] = {}
        self._depths: dict[str, int] | None = None
        for concept_id in concepts:
            self._needs.setdefault(concept_id, {})
        for edge in prerequisites:
            self._put(edge)

    def _put(self, edge: Prerequisite) -> None:
        concept_id, prerequisite_id = edge.concept_id, edge.prerequisite_id
        if not edge.in_force or concept_id == prerequisite_id:
            return
        needs = self._needs.setdefault(concept_id, {})
        present = needs.get(prerequisite_id)
        if present is not None and present.weight >= edge.weight:
            return
        needs[prerequisite_id] = edge
        self._needs.setdefault(prerequisite_id, {})
        self._serves.setdefault(prerequisite_id, {})[concept_id] = edge

    @property
    def concepts(self) -> list[str]:
        """All concept ids, sorted."""
        return sorted(self._needs)

    def __contains__(self, concept_id: object) -> bool:
        return concept_id in self._needs

    # --- neighbours -------------------------------------------------------------------

    def needs(self, concept_id: str) -> Collection[Prerequisite]:
        """All that the concept needs, inherited needs included, in no order: for large hubs."""
        return self._needs.get(concept_id, _NOTHING).values()

    def edges(self, concept_id: str) -> list[Prerequisite]:
        """All that the concept needs, inherited needs included, strongest first."""
        needs = self._needs.get(concept_id)
        return sorted(needs.values(), key=_strongest_need) if needs else []

    def direct(self, concept_id: str) -> list[Prerequisite]:
        """What the concept needs directly, strongest first, ties by id."""
        return [edge for edge in self.edges(concept_id) if edge.direct]

    def dependents(self, concept_id: str) -> list[Prerequisite]:
        """The edges of those that directly need the concept, strongest first, ties by id."""
        serves = self._serves.get(concept_id, {}).values()
        return sorted((edge for edge in serves if edge.direct), key=_strongest_service)

    # --- closures ---------------------------------------------------------------------

    def ancestors(self, concept_id: str) -> frozenset[str]:
        """All that must be understood before the concept, without itself."""
        return _reach(concept_id, self._needs)

    def descendants(self, concept_id: str) -> frozenset[str]:
        """All that the concept must be understood for, without itself."""
        return _reach(concept_id, self._serves)

    def counted_descendants(self) -> dict[str, int]:
        """Each concept's number of descendants, all at once. Raises StoreError for a circle."""
        upwards = sorted(self.depths, key=self.depth, reverse=True)
        bits = {concept_id: 1 << place for place, concept_id in enumerate(upwards)}
        above: dict[str, int] = {}  # one bit a descendant
        for concept_id in upwards:
            reached = 0
            for key in self._serves.get(concept_id, ()):
                reached |= above[key] | bits[key]
            above[concept_id] = reached
        return {concept_id: reached.bit_count() for concept_id, reached in above.items()}

    def foundations(
        self, known: Collection[str], *, lacking: Collection[str] = ()
    ) -> frozenset[str]:
        """What is known, with all that it rests on by certain and likely edges.

        The walk stops at concepts in ``lacking``: those are known not to be known.
        """
        absent = set(lacking)
        reached = {concept_id for concept_id in known if concept_id not in absent}
        waiting = list(reached)
        while waiting:
            for prerequisite_id, edge in self._needs.get(waiting.pop(), {}).items():
                fresh = prerequisite_id not in reached and prerequisite_id not in absent
                if fresh and edge.status != "possible":
                    reached.add(prerequisite_id)
                    waiting.append(prerequisite_id)
        return frozenset(reached)

    def strengths(self, concept_id: str, *, floor: float = 0.05) -> dict[str, float]:
        """How surely the concept rests on each ancestor: the largest product of edge
        weights along a chain, from ``floor`` to 1, ancestors below ``floor`` left out."""
        found = _strongest_chains(concept_id, self._needs, lambda edge: edge.weight, floor)
        found.pop(concept_id, None)
        return found

    # --- order ------------------------------------------------------------------------

    @property
    def depths(self) -> Mapping[str, int]:
        """Concept id to the length of the longest chain below it; foundations are 0.

        Raises StoreError when the relation runs in a circle.
        """
        if self._depths is None:
            self._depths = _longest_chains(self._needs, self._serves)
        return self._depths

    def depth(self, concept_id: str) -> int:
        """Length of the longest chain of prerequisites below the concept."""
        return self.depths.get(concept_id, 0)

    def sort(self, ids: Iterable[str]) -> list[str]:
        """The ids, each after all that it needs: by depth, ties by id."""
        depths = self.depths
        by_id = sorted(set(ids))
        return sorted(by_id, key=lambda concept_id: depths.get(concept_id, 0))

    # --- fringes ----------------------------------------------------------------------

    def outer_fringe(self, known: Collection[str], *, minimum: float = 0.0) -> list[str]:
        """What is unknown and has all its prerequisites known, foundations first.

        ``possible`` edges below ``minimum`` hold nobody back.
        """
        mastered = set(known)
        return self.sort(
            concept_id
            for concept_id, needs in self._needs.items()
            if concept_id not in mastered
            and all(key in mastered or _weak(edge, minimum) for key, edge in needs.items())
        )

    def inner_fringe(self, known: Collection[str], *, minimum: float = 0.0) -> list[str]:
        """What is known and needed by nothing else that is known, foundations first."""
        mastered = set(known)
        return self.sort(
            concept_id
            for concept_id in mastered & self._needs.keys()
            if not any(
                key in mastered and not _weak(edge, minimum)
                for key, edge in self._serves.get(concept_id, {}).items()
            )
        )


def _strongest_need(edge: Prerequisite) -> tuple[float, str]:
    return (-edge.weight, edge.prerequisite_id)


def _strongest_service(edge: Prerequisite) -> tuple[float, str]:
    return (-edge.weight, edge.concept_id)


def _weak(edge: Prerequisite, minimum: float) -> bool:
    return edge.status == "possible" and edge.weight < minimum


def _reach(start: str, neighbours: Mapping[str, Mapping[str, Prerequisite]]) -> frozenset[str]:
    reached: set[str] = set()
    waiting = [start]
    while waiting:
        next_to = neighbours.get(waiting.pop())
        if next_to:  # most of a hub's neighbours lead nowhere
            fresh = next_to.keys() - reached
            reached |= fresh
            waiting.extend(fresh)
    reached.discard(start)
    return frozenset(reached)


def _strongest_chains(
    start: str,
    needs: Mapping[str, Mapping[str, Prerequisite]],
    trust: Callable[[Prerequisite], float],
    floor: float,
) -> dict[str, float]:
    """Dijkstra over products: id to the largest product of trusts along a chain."""
    best = {start: 1.0}
    waiting = [(-1.0, start)]
    while waiting:
        negative, concept_id = heapq.heappop(waiting)
        if -negative < best[concept_id]:
            continue
        for key, edge in needs.get(concept_id, {}).items():
            present = best.get(key, 0.0)
            if present >= -negative:
                continue
            strength = -negative * trust(edge)
            if strength >= floor and strength > present:
                best[key] = strength
                heapq.heappush(waiting, (-strength, key))
    return best


def _longest_chains(
    needs: Mapping[str, Mapping[str, Prerequisite]],
    serves: Mapping[str, Mapping[str, Prerequisite]],
) -> dict[str, int]:
    missing = {concept_id: len(edges) for concept_id, edges in needs.items()}
    depths = {concept_id: 0 for concept_id, count in missing.items() if not count}
    ready = list(depths)
    for concept_id in ready:  # grows while it is walked
        for key in serves.get(concept_id, ()):
            depths[key] = max(depths.get(key, 0), depths[concept_id] + 1)
            missing[key] -= 1
            if not missing[key]:
                ready.append(key)
    if len(ready) < len(missing):
        circle = min(key for key, count in missing.items() if count)
        raise StoreError(
            f"the prerequisites in force run in a circle at {circle!r}; "
            "reject one of its edges with `graphrag review`"
        )
    return depths
