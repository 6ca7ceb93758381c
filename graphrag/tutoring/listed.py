"""What a concept may need, in the order in which a person should look at it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from graphrag.domain import ConceptGraph, Prerequisite
from graphrag.prerequisites.listable import LISTED, MOST_LISTED


def listed_for(
    graph: ConceptGraph, concept_id: str, *, k: int = MOST_LISTED
) -> tuple[Prerequisite, ...]:
    """The first ``k`` of all that the concept needs and may need, see ``listed``."""
    return listed(graph, concepts=[concept_id], k=k).get(concept_id, ())


def listed(
    graph: ConceptGraph, *, concepts: Iterable[str] | None = None, k: int = MOST_LISTED
) -> Mapping[str, tuple[Prerequisite, ...]]:
    """Concept id to the first ``k`` of all that it needs and may need: certain, likely,
    possible and open, inherited ones included.

    What somebody lists comes first, then what is nearest in meaning; ties by id. Concepts that
    need nothing are left out, as are all but ``concepts`` where these are given.
    """
    wanted = None if concepts is None else frozenset(concepts)
    found: dict[str, list[Prerequisite]] = {}
    for edge in (*graph.prerequisites, *graph.open):
        if (edge.in_force or edge.status == "open") and (
            wanted is None or edge.concept_id in wanted
        ):
            found.setdefault(edge.concept_id, []).append(edge)
    return {key: tuple(sorted(edges, key=_first)[:k]) for key, edges in found.items()}


def _first(edge: Prerequisite) -> tuple[bool, float, str]:
    scores = {each.kind: each.score for each in edge.evidence}
    stated = any(kind in scores for kind in LISTED)
    return not stated, -scores.get("similarity", 0.0), edge.prerequisite_id
