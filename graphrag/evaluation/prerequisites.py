"""The prerequisite relation against gold pairs."""

from __future__ import annotations

import heapq
import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graphrag.concepts.names import name_key
from graphrag.domain import ConceptGraph
from graphrag.errors import QueryError, why_unread
from graphrag.evaluation.metrics import auc, precision_recall

PairScore = Callable[[str, str], float]


@dataclass(frozen=True, slots=True)
class GoldPair:
    """``prerequisite`` must be understood before ``concept`` (label true), or need not."""

    concept: str
    prerequisite: str
    label: bool = True


@dataclass(frozen=True, slots=True)
class PrerequisiteNumbers:
    """The numbers of ``evaluate prerequisites``; ``unknown`` are gold names that the graph
    does not have: their pairs count as predicted not to hold."""

    pairs: int
    precision: float
    recall: float
    f1: float
    auc: float
    certain_precision: float
    order_violations: int
    unknown: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """As it is printed (evaluate_prerequisites.schema.json)."""
        return {
            "pairs": self.pairs,
            "precision": self.precision,
            "recall": self.recall,
            "f1": self.f1,
            "auc": self.auc,
            "certain_precision": self.certain_precision,
            "order_violations": self.order_violations,
            "unknown": list(self.unknown),
        }


def load_pairs(path: Path) -> list[GoldPair]:
    """The gold pairs of a JSON Lines file {concept, prerequisite, label}.

    Raises QueryError naming the line of anything that is no pair.
    """
    try:
        lines = path.read_text(encoding="utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise QueryError(f"{path} cannot be read: {why_unread(error)}") from error
    pairs = [_pair(line, f"{path}:{n}") for n, line in enumerate(lines, 1) if line.strip()]
    if not pairs:
        raise QueryError(f"{path} holds no pair: give one JSON object a line")
    return pairs


def _pair(line: str, where: str) -> GoldPair:
    try:
        value = json.loads(line)
    except json.JSONDecodeError as error:
        raise QueryError(f"{where}: no JSON ({error.msg} at column {error.colno})") from error
    if not isinstance(value, dict):
        raise QueryError(f"{where}: a pair is an object {{concept, prerequisite, label}}")
    names = []
    for key in ("concept", "prerequisite"):
        name = value.get(key)
        if not isinstance(name, str) or not name.strip():
            raise QueryError(f"{where}: {key!r} must be the name or id of a concept, not {name!r}")
        names.append(name)
    label = value.get("label", 1)
    if label not in (0, 1, True, False):
        raise QueryError(f"{where}: 'label' must be 1 or 0, not {label!r}")
    return GoldPair(names[0], names[1], bool(label))


def evaluate_prerequisites(
    pairs: Sequence[GoldPair],
    graph: ConceptGraph,
    *,
    score: PairScore | None = None,
    threshold: float = 0.5,
    paths: Callable[[str], Sequence[str]] | None = None,
) -> PrerequisiteNumbers:
    """Judge the graph by gold pairs with and without the relation.

    A pair is predicted to hold if the graph demands it, directly or by way of others, or,
    with ``score``, if its score reaches the threshold; ``auc`` ranks by the score, else by
    the weight of the edge or of the path's weakest edge. Gold without a single negative
    label is taken as the complete set of direct edges between its concepts, and compared
    with the graph's direct edges. ``certain_precision`` is the share
    of true pairs among labelled ones shown as certain. ``order_violations`` counts positive
    pairs that a learning path (``paths``: a goal's concepts in order, by default an order of
    all the graph) puts the wrong way round. Raises QueryError if no name of the gold is a
    concept of the graph.
    """
    names = _Names(graph)
    strengths = _Strengths(graph)
    direct = {(p.concept_id, p.prerequisite_id): p for p in graph.prerequisites if p.in_force}
    truth: list[bool] = []
    predicted: list[bool] = []
    scores: list[float] = []
    certain: list[bool] = []
    for pair in pairs:
        concept, needed = names.find(pair.concept), names.find(pair.prerequisite)
        strength = strengths.of(concept).get(needed, 0.0)
        value = score(concept, needed) if score is not None else strength
        truth.append(pair.label)
        scores.append(value)
        predicted.append(value >= threshold if score is not None else strength > 0)
        edge = direct.get((concept, needed))
        if edge is not None and edge.status == "certain":
            certain.append(pair.label)
    if len(names.unknown) == len({name for p in pairs for name in (p.concept, p.prerequisite)}):
        raise QueryError(
            "no concept of the gold pairs is in the graph: give the syllabus with --concepts, or "
            f"check the names (such as {pairs[0].concept!r})"
        )
    precision, recall, f1 = precision_recall(predicted, truth)
    if all(truth):
        precision, recall, f1 = _as_complete(pairs, names, direct)
    return PrerequisiteNumbers(
        pairs=len(pairs),
        precision=precision,
        recall=recall,
        f1=f1,
        auc=auc(scores, truth),
        certain_precision=sum(certain) / len(certain) if certain else 0.0,
        order_violations=sum(_violated(pairs, names, strengths, paths)),
        unknown=tuple(sorted(names.unknown)),
    )


def _as_complete(
    pairs: Sequence[GoldPair], names: _Names, direct: Collection[tuple[str, str]]
) -> tuple[float, float, float]:
    gold = {(names.find(pair.concept), names.find(pair.prerequisite)) for pair in pairs}
    concepts = {concept for edge in gold for concept in edge}
    shown = {edge for edge in direct if edge[0] in concepts and edge[1] in concepts}
    every = sorted(gold | shown)
    return precision_recall([edge in shown for edge in every], [edge in gold for edge in every])


class _Names:
    """Gold names and ids to concept ids; what is not found is kept."""

    def __init__(self, graph: ConceptGraph) -> None:
        self._ids = {concept.id for concept in graph.concepts}
        self._by_key: dict[str, str] = {}
        for concept in graph.concepts:
            for name in (concept.id, concept.name, *concept.aliases):
                self._by_key.setdefault(name_key(name), concept.id)
        self.unknown: set[str] = set()

    def find(self, name: str) -> str:
        found = name if name in self._ids else self._by_key.get(name_key(name))
        if found is None:
            found = self._by_key.get(name_key(name.replace("_", " ")))
        if found is None:
            self.unknown.add(name)
            return f"?{name}"
        return found


class _Strengths:
    """For a concept, all that it needs with the weight of the best path's weakest edge."""

    def __init__(self, graph: ConceptGraph) -> None:
        self._needs: dict[str, list[tuple[str, float]]] = {}
        for edge in graph.prerequisites:
            if edge.in_force:
                found = self._needs.setdefault(edge.concept_id, [])
                found.append((edge.prerequisite_id, edge.weight))
        self._known: dict[str, dict[str, float]] = {}

    def of(self, concept: str) -> Mapping[str, float]:
        if concept not in self._known:
            self._known[concept] = _widest(concept, self._needs)
        return self._known[concept]


def _widest(start: str, needs: Mapping[str, Sequence[tuple[str, float]]]) -> dict[str, float]:
    """Best bottleneck from ``start`` to all below, visited in order of that (Dijkstra)."""
    best: dict[str, float] = {}
    heap = [(-1.0, start)]
    while heap:
        negative, concept = heapq.heappop(heap)
        if concept in best:
            continue
        best[concept] = -negative
        for needed, weight in needs.get(concept, ()):
            if needed not in best:
                heapq.heappush(heap, (-min(-negative, weight), needed))
    best.pop(start)
    return best


def _violated(
    pairs: Sequence[GoldPair],
    names: _Names,
    strengths: _Strengths,
    paths: Callable[[str], Sequence[str]] | None,
) -> Iterator[bool]:
    """For each positive pair whose concepts are both on a path, whether it is turned round.

    Without ``paths``, a pair is violated if the graph demands its reverse: then every
    path to the prerequisite teaches the concept first.
    """
    for pair in pairs:
        if not pair.label:
            continue
        concept, needed = names.find(pair.concept), names.find(pair.prerequisite)
        if paths is None:
            yield concept in strengths.of(needed)
            continue
        order = {name: position for position, name in enumerate(paths(concept))}
        if needed in order and concept in order:
            yield order[needed] > order[concept]
        else:
            backward = {name: position for position, name in enumerate(paths(needed))}
            yield concept in backward
