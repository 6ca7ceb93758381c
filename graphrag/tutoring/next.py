"""What can be learnt now, what it opens up, and what is worth a review."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from graphrag.domain import Belief, Concept, Prerequisite
from graphrag.prerequisites.order import PrerequisiteOrder

# Possible edges weaker than this hold nobody back from what has a surer need.
_HOLDING = 0.5


@dataclass(frozen=True, slots=True)
class Ready:
    """A concept whose prerequisites are all known: what it rests on, what becomes ready
    once it is known too, and how many concepts need it in the end."""

    concept: Concept
    unlocks: tuple[Concept, ...] = ()
    rests_on: tuple[Prerequisite, ...] = ()
    serves: int = 0


@dataclass(frozen=True, slots=True)
class Review:
    """A known concept that is worth a look, and why, in words."""

    concept: Concept
    because: str
    probability: float | None = None


def ready_to_learn(
    order: PrerequisiteOrder,
    concepts: Mapping[str, Concept],
    known: Collection[str],
    *,
    k: int = 10,
    lacking: Collection[str] = (),
    unexplained: Collection[str] = (),
    told: Mapping[str, float] | None = None,
    minimum: float = _HOLDING,
) -> list[Ready]:
    """The outer fringe of what is known, at most ``k``: first what rests on something
    known, then what has most standing (see ``standing``), and by id.

    Who knows a concept is taken to know its foundations, but for the ids in ``lacking``.
    Guesses hold back only where a concept has no surer need. What neither rests on
    something known nor serves anything is listed only where nothing else is ready: the
    documents say too little of it to tell. What is ``unexplained`` is never offered;
    ``told`` is how much the documents say of a concept.
    """
    told = told or {}
    mastered = order.foundations(known, lacking=lacking)
    held = {
        key: _held_by(key, order, mastered, minimum)
        for key in order.concepts
        if key in concepts and key not in mastered
    }
    offered = [key for key in held if not held[key] and key not in unexplained]
    ready = [_ready(key, order, concepts, mastered, held) for key in offered]
    ready = [item for item in ready if item.rests_on or item.serves] or ready
    ready.sort(
        key=lambda item: (
            not item.rests_on,
            -standing(item.concept, item.serves, told.get(item.concept.id, 0.0)),
            item.concept.id,
        )
    )
    return ready[:k]


def standing(concept: Concept, serves: int, told: float) -> float:
    """What a concept is worth learning: how surely it is one, times ln(2 + how many concepts
    need it), times ln(2 + how much the documents say of it)."""
    return concept.weight * math.log(2 + serves) * math.log(2 + told)


def _ready(
    concept_id: str,
    order: PrerequisiteOrder,
    concepts: Mapping[str, Concept],
    mastered: frozenset[str],
    held: Mapping[str, Collection[str]],
) -> Ready:
    opened = [
        concepts[edge.concept_id]
        for edge in order.dependents(concept_id)
        if held.get(edge.concept_id) == {concept_id}
    ]
    rests_on = tuple(edge for edge in order.direct(concept_id) if edge.prerequisite_id in mastered)
    serves = len(order.descendants(concept_id))
    return Ready(concepts[concept_id], tuple(opened), rests_on, serves)


def _held_by(
    concept_id: str, order: PrerequisiteOrder, mastered: Collection[str], minimum: float
) -> frozenset[str]:
    """What the concept needs and is not known yet: by its surer edges, or where it has none
    by its direct guesses."""
    edges = order.edges(concept_id)
    surer = [edge for edge in edges if edge.status != "possible" or edge.weight >= minimum]
    needs = surer or [edge for edge in edges if edge.direct]
    return frozenset(key for edge in needs if (key := edge.prerequisite_id) not in mastered)


def to_review(
    order: PrerequisiteOrder,
    concepts: Mapping[str, Concept],
    known: Collection[str],
    *,
    beliefs: Mapping[str, Belief] | None = None,
    k: int = 10,
    minimum: float = _HOLDING,
) -> list[Review]:
    """What the learner has shown but no longer surely knows, least sure first, then what
    was learnt last and supports nothing known yet (the inner fringe); at most ``k``. Who
    knows a concept is taken to know what lies between it and its foundations.

    ``beliefs`` are those that were shown directly (``learner.shown_at``).
    """
    beliefs = beliefs or {}
    half_known = {
        key: belief for key, belief in beliefs.items() if key in concepts and key not in known
    }
    doubtful = [
        Review(concepts[key], "; ".join(belief.because), belief.probability)
        for key, belief in sorted(
            half_known.items(), key=lambda item: (item[1].probability, item[0])
        )
    ]
    fringe = [
        Review(
            concepts[key],
            "learnt last: nothing else that is known rests on it yet",
            beliefs[key].probability if key in beliefs else None,
        )
        for key in order.inner_fringe(order.foundations(known), minimum=minimum)
        if key in concepts and key in known
    ]
    fringe.sort(key=lambda item: 1.0 if item.probability is None else item.probability)
    return [*doubtful, *fringe][:k]
