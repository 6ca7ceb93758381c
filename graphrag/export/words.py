"""What all writers share: safe text, the edges to show, a learner's state."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import reduce
from html import escape
from operator import or_
from typing import Literal

from graphrag.domain import ConceptGraph, Evidence, Learner, Prerequisite, Relation
from graphrag.prerequisites.order import PrerequisiteOrder

State = Literal["known", "shaky", "ready", "later", "unknown"]

KNOWN = 0.7
_HALF_KNOWN = 0.3
# What XML 1.0 cannot hold at all, not even escaped.
_UNWRITABLE = re.compile("[^\\t\\n\\r\\x20-\\ud7ff\\ue000-\\ufffd\\U00010000-\\U0010ffff]")


def markup(text: str) -> str:
    """The text for XML or HTML, in elements or quoted attributes; what XML cannot hold
    becomes U+FFFD."""
    return escape(_UNWRITABLE.sub("\ufffd", text), quote=True)


def shown_edges(graph: ConceptGraph) -> list[Prerequisite]:
    """The direct prerequisites in force between concepts of the graph, sorted."""
    ids = {concept.id for concept in graph.concepts}
    return sorted(
        (
            edge
            for edge in graph.prerequisites
            if edge.in_force
            and edge.direct
            and edge.concept_id in ids
            and edge.prerequisite_id in ids
            and edge.concept_id != edge.prerequisite_id
        ),
        key=edge_key,
    )


def skeleton(graph: ConceptGraph, *, most: int = 3) -> list[Prerequisite]:
    """The edges that a drawing can show and still be read, sorted: of each concept's needs
    the ``most`` strongest certain and likely ones (the strongest guess where there is none
    of these), without those that follow from the others."""
    needs: dict[str, list[Prerequisite]] = {}
    for edge in shown_edges(graph):
        needs.setdefault(edge.concept_id, []).append(edge)
    kept: list[Prerequisite] = []
    for edges in needs.values():
        edges.sort(key=lambda edge: (edge.status == "possible", -edge.weight, edge.prerequisite_id))
        sure = [edge for edge in edges if edge.status != "possible"]
        kept.extend(sure[:most] or edges[:1])
    order = PrerequisiteOrder(kept)
    bits = {key: 1 << place for place, key in enumerate(order.sort(order.concepts))}
    below: dict[str, int] = {}  # one bit an ancestor
    drawn: list[Prerequisite] = []
    for key in bits:
        edges = order.edges(key)
        inherited = reduce(or_, (below[edge.prerequisite_id] for edge in edges), 0)
        below[key] = reduce(or_, (bits[edge.prerequisite_id] for edge in edges), inherited)
        drawn.extend(edge for edge in edges if not inherited & bits[edge.prerequisite_id])
    return sorted(drawn, key=edge_key)


def edge_key(edge: Prerequisite) -> tuple[str, str, str]:
    """Sorts prerequisites."""
    return edge.concept_id, edge.prerequisite_id, edge.status


def relation_key(relation: Relation) -> tuple[str, str, str, str]:
    """Sorts relations."""
    return relation.source_id, relation.kind, relation.target_id, relation.chunk_id


def best_evidence(edge: Prerequisite) -> Evidence | None:
    """The strongest evidence that has a sentence, else the strongest."""
    return max(
        edge.evidence, key=lambda evidence: (bool(evidence.sentence), evidence.score), default=None
    )


def states(graph: ConceptGraph, learner: Learner | None) -> Mapping[str, State]:
    """Each concept's state for the learner: ``known``, ``shaky`` (half known), ``ready``
    (all it needs is known) or ``later``; ``unknown`` is what no edge touches, since nothing
    says when to learn it, and without a learner everything."""
    if learner is None:
        return {concept.id: "unknown" for concept in graph.concepts}
    known = {key for key, belief in learner.beliefs.items() if belief.probability >= KNOWN}
    order = PrerequisiteOrder(shown_edges(graph), (concept.id for concept in graph.concepts))
    ready = set(order.outer_fringe(known))
    found: dict[str, State] = {}
    for concept in graph.concepts:
        belief = learner.beliefs.get(concept.id)
        if concept.id in known:
            found[concept.id] = "known"
        elif belief is not None and belief.probability >= _HALF_KNOWN:
            found[concept.id] = "shaky"
        elif not order.edges(concept.id) and not order.dependents(concept.id):
            found[concept.id] = "unknown"
        else:
            found[concept.id] = "ready" if concept.id in ready else "later"
    return found
