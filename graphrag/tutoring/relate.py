"""How two concepts are related: the few paths that explain most."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import log

from graphrag.domain import ConceptGraph, Evidence, Relation, RelationKind
from graphrag.tutoring.explaining import is_bare

# What a step says: a typed relation explains, being named together hardly does.
_KIND_COSTS: Mapping[RelationKind, float] = {
    "kind_of": 1.0,
    "part_of": 1.0,
    "derived_from": 1.0,
    "requires": 1.0,
    "corequisite": 1.1,
    "used_for": 1.1,
    "uses": 1.1,
    "contrasts": 1.2,
    "co_occurs": 3.0,
}
_PHRASES: Mapping[RelationKind, str] = {
    "requires": "{0} requires {1}",
    "uses": "{0} uses {1}",
    "part_of": "{0} is part of {1}",
    "kind_of": "{0} is a kind of {1}",
    "contrasts": "{0} contrasts with {1}",
    "derived_from": "{0} is derived from {1}",
    "used_for": "{0} is used for {1}",
    "co_occurs": "{0} and {1} are treated together",
    "corequisite": "{0} and {1} are best learnt together",
}
# What is said of two concepts in one sentence explains, though less than a typed relation.
_TOGETHER = 1.8


@dataclass(frozen=True, slots=True)
class Explaining:
    """What makes a path a good explanation.

    ``unsure``: the cost of doubt, times -ln(weight). ``silent``: the cost of a step
    without a sentence. ``hub``: the cost of passing through a concept, times
    ln(degree / mean degree) where that is above 0. ``again``: what passing through a
    concept of an earlier path costs. ``reach``: paths dearer than this many times the best are
    left out. ``longest``: most steps in a path.
    """

    unsure: float = 0.5
    silent: float = 0.8
    hub: float = 1.4
    again: float = 2.0
    reach: float = 2.5
    longest: int = 8


DEFAULT_EXPLAINING = Explaining()


@dataclass(frozen=True, slots=True)
class RelationPath:
    """A chain of relations from one concept to another; each step reads in its own
    direction ("B requires A"), whichever way the path goes. ``concept_ids`` are the
    concepts passed, both ends included; ``cost`` is lower for better explanations."""

    steps: tuple[Relation, ...]
    concept_ids: tuple[str, ...]
    cost: float


@dataclass(slots=True)
class _Roads:
    """Each pair's relations, cheapest first, with their costs."""

    between: dict[str, dict[str, list[tuple[float, Relation]]]] = field(default_factory=dict)

    def put(self, relation: Relation, cost: float) -> None:
        for one, other in (
            (relation.source_id, relation.target_id),
            (relation.target_id, relation.source_id),
        ):
            self.between.setdefault(one, {}).setdefault(other, []).append((cost, relation))

    def tolls(self, weight: float) -> dict[str, float]:
        degrees = {concept_id: len(roads) for concept_id, roads in self.between.items()}
        mean = sum(degrees.values()) / max(1, len(degrees))
        return {key: weight * max(0.0, log(degree / mean)) for key, degree in degrees.items()}


def relate(
    source_id: str,
    target_id: str,
    graph: ConceptGraph,
    *,
    k: int = 3,
    explaining: Explaining = DEFAULT_EXPLAINING,
) -> list[RelationPath]:
    """At most ``k`` paths between two concepts, the best explanation first.

    Typed relations with a sentence and a high weight are cheap; passing through a hub,
    through a concept of an earlier path, or by mere co-occurrence is dear. Further
    relations that join the two concepts directly count as paths of their own. Empty when
    nothing joins them, or both are the same.
    """
    roads = _roads(graph, explaining)
    if source_id == target_id or source_id not in roads.between:
        return []
    tolls = roads.tolls(explaining.hub)
    paths: list[RelationPath] = []
    while len(paths) < k:
        path = _cheapest(source_id, target_id, roads, tolls, explaining.longest)
        if path is None or (paths and path.cost > explaining.reach * paths[0].cost):
            break
        if any(path.concept_ids == other.concept_ids and len(path.steps) > 1 for other in paths):
            break
        paths.append(path)
        if len(path.steps) == 1:
            _close(roads, source_id, target_id)
        for concept_id in path.concept_ids[1:-1]:
            tolls[concept_id] = tolls.get(concept_id, 0.0) + explaining.again
    return paths


def in_words(relation: Relation, names: Mapping[str, str]) -> str:
    """The relation as a clause between the concepts' names."""
    ends = (relation.source_id, relation.target_id)
    return _PHRASES[relation.kind].format(*(names.get(end, end) for end in ends))


def all_relations(graph: ConceptGraph) -> list[Relation]:
    """The typed edges of the graph, prerequisites in force among them as ``requires``
    with the sentence of their strongest evidence, names aside (a guess is no requirement
    yet: it counts as ``co_occurs``); one a pair and kind, sorted."""
    best: dict[tuple[str, str, str], Relation] = {}
    for relation in (*_requirements(graph), *graph.relations):
        key = (relation.source_id, relation.kind, relation.target_id)
        present = best.get(key)
        if present is None or _worth(relation) > _worth(present):
            best[key] = relation
    return [best[key] for key in sorted(best)]


def _worth(relation: Relation) -> tuple[bool, float]:
    return bool(relation.sentence), relation.weight


def _requirements(graph: ConceptGraph) -> Iterable[Relation]:
    for edge in graph.prerequisites:
        if edge.in_force and edge.direct:
            spoken = [each for each in edge.evidence if each.sentence and each.kind != "title"]
            best = max(spoken, key=_telling, default=None)
            yield Relation(
                edge.concept_id,
                "co_occurs" if edge.status == "possible" else "requires",
                edge.prerequisite_id,
                edge.weight,
                best.sentence if best else "",
                best.document_id if best else "",
                best.chunk_id if best else "",
            )


def _telling(evidence: Evidence) -> tuple[bool, float]:
    """Sentences before the bare items of a list of prerequisites, then by score."""
    return not is_bare(evidence), evidence.score


def _roads(graph: ConceptGraph, explaining: Explaining) -> _Roads:
    roads = _Roads()
    for relation in all_relations(graph):
        if relation.source_id == relation.target_id:
            continue
        doubt = -log(min(1.0, max(0.01, relation.weight)))
        silence = 0.0 if relation.sentence else explaining.silent
        told = relation.kind == "co_occurs" and relation.sentence and "|" not in relation.sentence
        cost = _TOGETHER if told else _KIND_COSTS[relation.kind]
        roads.put(relation, cost + explaining.unsure * doubt + silence)
    for neighbours in roads.between.values():
        for choices in neighbours.values():
            choices.sort(key=lambda choice: (choice[0], choice[1].kind, choice[1].source_id))
    return roads


def _close(roads: _Roads, source_id: str, target_id: str) -> None:
    """Take away the relation just used; co-occurrence adds nothing to a typed one."""
    for one, other in ((source_id, target_id), (target_id, source_id)):
        rest = [
            choice for choice in roads.between[one].pop(other)[1:] if choice[1].kind != "co_occurs"
        ]
        if rest:
            roads.between[one][other] = rest


def _cheapest(
    source_id: str, target_id: str, roads: _Roads, tolls: Mapping[str, float], longest: int
) -> RelationPath | None:
    """Dijkstra with the toll of each concept passed; ties by the concepts' ids."""
    waiting: list[tuple[float, tuple[str, ...]]] = [(0.0, (source_id,))]
    settled: set[str] = set()
    while waiting:
        cost, way = heapq.heappop(waiting)
        here = way[-1]
        if here == target_id:
            return RelationPath(_steps(way, roads), way, round(cost, 6))
        if here in settled:
            continue
        settled.add(here)
        if len(way) > longest:
            continue
        toll = 0.0 if here == source_id else tolls.get(here, 0.0)
        for key, choices in roads.between.get(here, {}).items():
            if key not in settled:
                heapq.heappush(waiting, (cost + toll + choices[0][0], (*way, key)))
    return None


def _steps(way: Sequence[str], roads: _Roads) -> tuple[Relation, ...]:
    return tuple(roads.between[one][other][0][1] for one, other in pairwise(way))
