"""Which edges are in force: in a cycle the weakest gives way, and says to what it lost."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from graphrag.domain import Prerequisite

_MUTUAL = 0.5


class DynamicOrder:
    """An order of nodes that takes edges one by one and refuses those that close a cycle.

    Source: Pearce and Kelly, ACM Journal of Experimental Algorithmics 11, 2006.
    """

    def __init__(self, nodes: Iterable[str]) -> None:
        self._place = {node: i for i, node in enumerate(nodes)}
        self._after: dict[str, list[str]] = {node: [] for node in self._place}
        self._before: dict[str, list[str]] = {node: [] for node in self._place}

    def add(self, first: str, then: str) -> list[str]:
        """Put ``first`` before ``then``. Empty when that holds; else the path from ``then`` to
        ``first`` that stands against it, and nothing has changed."""
        if first == then:
            return [first]
        low, high = self._place[then], self._place[first]
        if low < high:
            forward, parents = self._reach(then, self._after, high, upward=True)
            if first in parents:
                return _path(parents, first)
            backward, _ = self._reach(first, self._before, low, upward=False)
            self._move(forward, backward)
        self._after[first].append(then)
        self._before[then].append(first)
        return []

    def _reach(
        self, start: str, neighbours: Mapping[str, list[str]], limit: int, *, upward: bool
    ) -> tuple[list[str], dict[str, str]]:
        parents = {start: start}
        stack = [start]
        while stack:
            node = stack.pop()
            for other in neighbours[node]:
                place = self._place[other]
                if other not in parents and (place <= limit if upward else place >= limit):
                    parents[other] = node
                    stack.append(other)
        return list(parents), parents

    def _move(self, forward: list[str], backward: list[str]) -> None:
        backward.sort(key=self._place.__getitem__)
        forward.sort(key=self._place.__getitem__)
        moved = backward + forward
        places = sorted(self._place[node] for node in moved)
        for node, place in zip(moved, places, strict=True):
            self._place[node] = place


def _path(parents: Mapping[str, str], end: str) -> list[str]:
    path = [end]
    while parents[path[-1]] != path[-1]:
        path.append(parents[path[-1]])
    return path[::-1]


def resolve_cycles(
    edges: Iterable[Prerequisite],
    names: Mapping[str, str],
    human: Collection[tuple[str, str]] = (),
) -> list[Prerequisite]:
    """All edges, sorted by concept and prerequisite, those suppressed that would close a cycle.

    Edges enter from the strongest to the weakest, people's first, ties by id; one that
    contradicts those already in is suppressed and names the path that it lost to. Rejected
    edges stay rejected.
    """
    edges = list(edges)
    nodes = sorted({e.concept_id for e in edges} | {e.prerequisite_id for e in edges})
    order = DynamicOrder(nodes)
    resolved: list[Prerequisite] = []

    def rank(edge: Prerequisite) -> tuple[bool, float, str, str]:
        pair = (edge.concept_id, edge.prerequisite_id)
        return (pair not in human, -edge.weight, *pair)

    for edge in sorted(edges, key=rank):
        if edge.status == "rejected":
            resolved.append(edge)
            continue
        path = order.add(edge.prerequisite_id, edge.concept_id)
        if not path:
            resolved.append(edge)
            continue
        reason = _reason(edge, path, names, human)
        resolved.append(replace(edge, status="suppressed", reason=reason))
    return sorted(resolved, key=lambda e: (e.concept_id, e.prerequisite_id))


def _reason(
    edge: Prerequisite,
    path: list[str],
    names: Mapping[str, str],
    human: Collection[tuple[str, str]],
) -> str:
    if len(path) == 1:
        return "a concept cannot need itself"
    chain = " before ".join(f"“{names.get(node, node)}”" for node in path)
    reason = f"contradicts stronger evidence for {chain}"
    if (edge.concept_id, edge.prerequisite_id) in human:
        reason += "; you stated both, so please reject one of them"
    return reason


def mutual_pairs(edges: Iterable[Prerequisite]) -> list[tuple[str, str, float]]:
    """Pairs that need each other with weights of at least 0.5 both ways: co-requisites, as
    (smaller id, larger id, smaller weight), sorted."""
    weights = {(e.concept_id, e.prerequisite_id): e.weight for e in edges if e.status != "rejected"}
    return [
        (a, b, min(weight, weights[b, a]))
        for (a, b), weight in sorted(weights.items())
        if a < b and weight >= _MUTUAL and weights.get((b, a), 0.0) >= _MUTUAL
    ]


def mark_inherited(
    edges: Iterable[Prerequisite], kept: Collection[tuple[str, str]] = ()
) -> list[Prerequisite]:
    """The edges with ``direct`` false where a third concept carries the need: A needs C and
    C needs B, both at least as surely as A needs B. Pairs in ``kept`` were stated and stay
    direct."""
    edges = list(edges)
    needs: dict[str, dict[str, float]] = {}
    for edge in edges:
        if edge.in_force:
            needs.setdefault(edge.concept_id, {})[edge.prerequisite_id] = edge.weight
    marked: list[Prerequisite] = []
    for edge in edges:
        inherited = (
            edge.in_force
            and (edge.concept_id, edge.prerequisite_id) not in kept
            and any(
                weight >= edge.weight
                and needs.get(middle, {}).get(edge.prerequisite_id, 0.0) >= edge.weight
                for middle, weight in needs[edge.concept_id].items()
                if middle != edge.prerequisite_id
            )
        )
        marked.append(replace(edge, direct=not inherited))
    return marked
