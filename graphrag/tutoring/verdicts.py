"""Yes or no to a learner: whether one is ready for a concept, and whether it needs another."""

from __future__ import annotations

import heapq
from collections.abc import Collection, Mapping, Sequence

from graphrag.domain import EvidenceKind, Prerequisite, Step
from graphrag.prerequisites.order import PrerequisiteOrder

_SHOWN = 5
# What a document says in so many words, and not what is counted over it.
_SAID: frozenset[EvidenceKind] = frozenset({"stated", "section", "front_matter", "cue"})


def readiness(
    goal: str, steps: Sequence[Step], known: Collection[str], names: Mapping[str, str]
) -> str:
    """Whether one is ready for the concept ``goal``, and what is missing, in a sentence.

    ``steps`` are those of the learning path (empty when the goal is known), ``known`` the
    ids of what is known.
    """
    name = f"**{names[goal]}**"
    if not steps:
        return f"Yes: {name} is known already."
    direct = [edge.prerequisite_id for edge in steps[-1].because]
    if len(steps) == 1:
        if not direct:
            return f"Yes: these documents name nothing that has to be known before {name}."
        return f"Yes: {name} needs {_bold(direct, names)}, all known."
    missing = [step.concept.id for step in steps[:-1]]
    near = [key for key in direct if key in missing] or missing
    further = len(missing) - len(near)
    below = f", and {further} that these rest on" if further else ""
    if known:
        return f"Not yet: for {name} you still need {_bold(near, names)}{below}."
    return (
        f"Not as far as is known here: {name} needs {_bold(near, names)}{below}; "
        "nothing is noted as known."
    )


def _bold(ids: Sequence[str], names: Mapping[str, str]) -> str:
    return listed([f"**{names[key]}**" for key in ids])


def comparison(goal: str, other: str, order: PrerequisiteOrder, names: Mapping[str, str]) -> str:
    """Whether the concept ``goal`` needs ``other``, in a sentence that begins with yes or no."""
    if other in order.ancestors(goal):
        return f"Yes: **{names[goal]}** builds on **{names[other]}**."
    if goal in order.ancestors(other):
        return f"No, the other way round: **{names[other]}** builds on **{names[goal]}**."
    return f"No: neither of **{names[goal]}** and **{names[other]}** needs the other here."


def possible_without(
    goal: str, other: str, order: PrerequisiteOrder, names: Mapping[str, str]
) -> str:
    """Whether the concept ``goal`` can be learnt without ``other``, in a sentence."""
    if other in order.ancestors(goal):
        return f"No: **{names[goal]}** builds on **{names[other]}**."
    if goal in order.ancestors(other):
        return f"Yes: it is **{names[other]}** that builds on **{names[goal]}**."
    return f"Yes: **{names[goal]}** does not need **{names[other]}** here."


def sequence(ids: Sequence[str], order: PrerequisiteOrder, names: Mapping[str, str]) -> str:
    """In which order several concepts are learnt, in a sentence."""
    related = any(one in order.ancestors(other) for one in ids for other in ids)
    if not related:
        return f"{_bold(ids, names)} do not need one another here: begin with any of them."
    first, *then = (f"**{names[key]}**" for key in order.sort(ids))
    return f"First {first}, then {', then '.join(then)}."


def listed(names: Sequence[str]) -> str:
    """``a, b and c``; of long lists the first ones and how many more there are."""
    if len(names) > _SHOWN + 1:
        return f"{', '.join(names[:_SHOWN])} and {len(names) - _SHOWN} more"
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def chain_of_needs(goal: str, other: str, order: PrerequisiteOrder) -> list[Prerequisite]:
    """The direct edges by which ``goal`` rests on ``other``, the goal's own first: of all
    chains the one whose product of weights is largest, less a tenth for each step; ties by
    id. Empty where there is none."""
    best = {goal: 1.0}
    waiting: list[tuple[float, str, list[Prerequisite]]] = [(-1.0, goal, [])]
    while waiting:
        negative, here, way = heapq.heappop(waiting)
        if here == other:
            return way
        if -negative < best[here]:
            continue
        for edge in order.direct(here):
            sure = -negative * edge.weight * 0.9
            if sure > best.get(edge.prerequisite_id, 0.0):
                best[edge.prerequisite_id] = sure
                heapq.heappush(waiting, (-sure, edge.prerequisite_id, [*way, edge]))
    return []


def is_said(concept_id: str, order: PrerequisiteOrder) -> bool:
    """Whether a document says in so many words that the concept needs something."""
    edges = order.edges(concept_id)
    return any(each.kind in _SAID for edge in edges for each in edge.evidence)
