"""Which concepts a wrong answer may misuse, by the graph alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from graphrag.domain import Prerequisite
from graphrag.prerequisites.order import PrerequisiteOrder

_MOST = 160


@dataclass(frozen=True, slots=True)
class WrongAnswer:
    """A question, the answer given, and the ids of the concepts that each names."""

    question: str
    answer: str
    asked: tuple[str, ...] = ()
    named: tuple[str, ...] = ()


def targets(wrong: WrongAnswer, order: PrerequisiteOrder) -> list[str]:
    """Of the concepts asked about, those that no other of them rests on."""
    below = {key for concept_id in wrong.asked for key in order.ancestors(concept_id)}
    return [concept_id for concept_id in dict.fromkeys(wrong.asked) if concept_id not in below]


def suspects(wrong: WrongAnswer, order: PrerequisiteOrder, *, most: int = _MOST) -> dict[str, int]:
    """At most ``most`` suspects: concept id to the fewest steps below what was asked (one
    more than all others for what does not lie below), those named and the nearest first.

    Suspected are the concepts that what was asked rests on, what the answer or the
    question names besides, and the neighbours within two edges, since a graph drawn from
    documents misses some edges and turns others round. What was asked is not suspected,
    nor what surely builds on it unless the answer names it.
    """
    asked = targets(wrong, order)
    steps = _steps(asked, lambda key: (edge.prerequisite_id for edge in order.edges(key)))
    near = _steps(asked, lambda key: _neighbours(key, order), most=2)
    farthest = max(steps.values(), default=0) + 1
    spoken = [key for key in (*wrong.named, *wrong.asked) if key not in asked]
    keys = [*spoken, *sorted(steps, key=lambda key: (steps[key], key))]
    keys += sorted(near, key=lambda key: (near[key], key))
    later = {edge.concept_id for key in asked for edge in order.dependents(key) if _sure(edge)}
    unsuspected = set(asked) | (later - set(spoken))
    found: dict[str, int] = {}
    for key in keys:
        if key not in unsuspected and key not in found and len(found) < most:
            found[key] = steps.get(key, farthest)
    return found


def _sure(edge: Prerequisite) -> bool:
    return edge.status == "certain"


def _neighbours(key: str, order: PrerequisiteOrder) -> Iterable[str]:
    yield from (edge.prerequisite_id for edge in order.edges(key))
    yield from (edge.concept_id for edge in order.dependents(key))


def _steps(
    start: Sequence[str], onward: Callable[[str], Iterable[str]], *, most: int | None = None
) -> dict[str, int]:
    """Breadth first: key to the fewest steps from the start, at most ``most``."""
    steps = dict.fromkeys(start, 0)
    waiting = list(steps)
    for key in waiting:  # grows while it is walked
        if most is not None and steps[key] >= most:
            break
        for other in onward(key):
            if other not in steps:
                steps[other] = steps[key] + 1
                waiting.append(other)
    return steps
