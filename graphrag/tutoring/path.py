"""The learning path: what to learn, in which order, and why."""

from __future__ import annotations

import heapq
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping

from graphrag.domain import Concept, Passage, Prerequisite, Step
from graphrag.errors import QueryError
from graphrag.prerequisites.order import PrerequisiteOrder

# A step must be this probable to be needed for the goal.
NEEDED = 0.6
_LAST = "\U0010ffff"
# Over more foundations than these a path stays by depth: it is too long to be read as lessons,
# and arranging it would take longer than finding it.
_ARRANGED = 2_000


def no_passage(concept_id: str) -> Passage | None:
    """For paths without prose."""
    return None


def no_check(concept_id: str) -> str:
    """For paths without questions."""
    return ""


def learning_path(
    goal: str,
    order: PrerequisiteOrder,
    concepts: Mapping[str, Concept],
    known: Collection[str],
    *,
    lacking: Collection[str] = (),
    unexplained: Collection[str] = (),
    minimum: float = NEEDED,
    passage_for: Callable[[str], Passage | None] = no_passage,
    check_for: Callable[[str], str] = no_check,
) -> list[Step]:
    """The steps to the concept with id ``goal``, foundations first, the goal last, and where
    that leaves a choice in the order in which their passages are read (``in_reading_order``).

    Who knows a concept is taken to know what it surely rests on, but for the ids in
    ``lacking``. What is on the path is needed for the goal with a probability of at least
    ``minimum`` (see ``needed_for``); what is ``unexplained`` is no step, though what it
    rests on may be. A step's ``because`` are the edges by which an earlier
    or known concept supports it, strongest first: the direct ones, or the inherited ones
    where there is no direct one; guesses give no reason beside a surer one.
    ``passage_for`` and ``check_for`` give a concept's best passage and its question. Empty
    when the goal is known.

    Raises QueryError for a goal that is not among ``concepts``.
    """
    if goal not in concepts:
        raise QueryError(f"no concept {goal!r}; look for its name with `graphrag search`")
    mastered = order.foundations(known, lacking=lacking)
    if goal in mastered:
        return []
    needed = needed_for(goal, order, mastered, minimum=minimum)
    taught = [key for key in needed if key == goal or key not in unexplained]
    present = mastered.union(taught)
    depths = order.depths
    passages = {key: passage_for(key) for key in taught if key in concepts}
    places = {key: _place(passage) for key, passage in passages.items() if passage}
    return [
        Step(
            concepts[key],
            _reasons(order.edges(key), present) if depths.get(key) else (),
            passages[key],
            check_for(key),
        )
        for key in in_reading_order(goal, passages, places, order)
    ]


def in_reading_order(
    goal: str, ids: Collection[str], places: Mapping[str, str], order: PrerequisiteOrder
) -> list[str]:
    """The ids, of the goal and of what it rests on, each after all that it needs: of those that
    may come, always the one whose place in the documents is first, ties by id; what has no
    place comes last.

    So what one lesson explains stays together, and lessons are not gone back to without need.
    By depth, ties by id, where the goal rests on more than two thousand concepts.
    """
    if len(ids) > _ARRANGED or len(foundations := order.ancestors(goal)) > _ARRANGED:
        return order.sort(ids)
    needing: dict[str, list[str]] = defaultdict(list)
    missing: dict[str, int] = {}
    for key in (goal, *foundations):
        needs = order.needs(key)
        missing[key] = len(needs)
        for edge in needs:
            needing[edge.prerequisite_id].append(key)
    # What is no step holds up none.
    ranks = {key: places.get(key, _LAST) if key in ids else "" for key in missing}
    free = [(ranks[key], key) for key, count in missing.items() if not count]
    heapq.heapify(free)
    found: list[str] = []
    while free:
        _, key = heapq.heappop(free)
        if key in ids:
            found.append(key)
        for other in needing[key]:
            missing[other] -= 1
            if not missing[other]:
                heapq.heappush(free, (ranks[other], other))
    return found


def _place(passage: Passage) -> str:
    """A key by which passages sort as they are read, numbers in names by their value."""
    return re.sub(r"\d+", lambda number: number.group().zfill(12), passage.chunk.id)


def needed_for(
    goal: str, order: PrerequisiteOrder, known: Collection[str], *, minimum: float = NEEDED
) -> dict[str, float]:
    """What the goal needs and the known lacks, with the probability that it is needed, the
    goal itself among it; what is less probable than ``minimum`` is left out and not looked
    behind, nor is what is known.

    A prerequisite is needed unless it fails to be needed by each concept that needs it
    (noisy or): 1 - product over these of (1 - probability of the concept * weight). Certain
    edges count as 1, so that a long chain of them stays whole; a ``possible`` one counts
    only if it is direct and its concept has no surer one. Each concept is looked at once,
    from the goal down.
    """
    depths = order.depths
    missed: dict[str, float] = {goal: 0.0}
    waiting: dict[int, list[str]] = defaultdict(list)  # by depth
    waiting[order.depth(goal)].append(goal)
    needed: dict[str, float] = {}
    for depth in range(order.depth(goal), -1, -1):
        for concept_id in waiting[depth]:
            probability = 1 - missed[concept_id]
            if probability < minimum:
                continue
            needed[concept_id] = probability
            if not depth:
                continue
            for edge in _trusted(order.needs(concept_id)):
                key = edge.prerequisite_id
                if key in known:
                    continue
                if key not in missed:
                    missed[key] = 1.0
                    waiting[depths[key]].append(key)
                weight = 1.0 if edge.status == "certain" else edge.weight
                missed[key] *= 1 - probability * weight
    return needed


def _trusted(edges: Iterable[Prerequisite]) -> list[Prerequisite]:
    """The sure edges, or else the direct guesses."""
    sure = [edge for edge in edges if edge.status != "possible"]
    return sure or [edge for edge in edges if edge.direct]


def _reasons(edges: list[Prerequisite], present: Collection[str]) -> tuple[Prerequisite, ...]:
    """The edges to what is present: direct ones before inherited, sure ones before guesses."""
    edges = [edge for edge in edges if edge.prerequisite_id in present]
    direct = [edge for edge in edges if edge.direct] or edges
    return tuple(_trusted(direct) or direct)
