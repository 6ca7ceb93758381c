"""The learning path: what to learn, in which order, and why."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from graphrag.domain import Concept, Passage, Step
from graphrag.errors import QueryError
from graphrag.prerequisites.order import WEAK_PATH_MINIMUM, PrerequisiteOrder


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
    minimum: float = WEAK_PATH_MINIMUM,
    passage_for: Callable[[str], Passage | None] = no_passage,
    check_for: Callable[[str], str] = no_check,
) -> list[Step]:
    """The steps to the concept with id ``goal``, foundations first, the goal last.

    Who knows a concept is taken to know what it surely rests on, but for the ids in
    ``lacking``. A step's ``because`` are the edges by which an earlier or known concept
    supports it, strongest first: the direct ones, or the inherited ones where there is
    no direct one. Guesses below ``minimum`` are not followed (see
    ``PrerequisiteOrder.path_to``). ``passage_for`` and ``check_for`` give a concept's best
    passage and its question. Empty when the goal is known.

    Raises QueryError for a goal that is not among ``concepts``.
    """
    if goal not in concepts:
        raise QueryError(f"no concept {goal!r}; look for its name with `graphrag search`")
    mastered = order.foundations(known, lacking=lacking)
    path = order.path_to(goal, mastered, minimum=minimum)
    present = mastered | set(path)
    steps = []
    for concept_id in path:
        if concept_id not in concepts:
            continue
        needs = [edge for edge in order.edges(concept_id) if edge.prerequisite_id in present]
        steps.append(
            Step(
                concepts[concept_id],
                tuple([edge for edge in needs if edge.direct] or needs),
                passage_for(concept_id),
                check_for(concept_id),
            )
        )
    return steps
