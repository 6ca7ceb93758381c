"""The learning path: what to learn, in which order, and why."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping

from graphrag.domain import Concept, Passage, Prerequisite, Step
from graphrag.errors import QueryError
from graphrag.prerequisites.order import PrerequisiteOrder

# A step must be this probable to be needed for the goal.
NEEDED = 0.6


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
    """The steps to the concept with id ``goal``, foundations first, the goal last.

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
    return [
        Step(
            concepts[concept_id],
            _reasons(order.edges(concept_id), present) if depths.get(concept_id) else (),
            passage_for(concept_id),
            check_for(concept_id),
        )
        for concept_id in order.sort(taught)
        if concept_id in concepts
    ]


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
