"""Which concepts a wrong answer may misuse, by the graph and by what a search speaks of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field

from graphrag.domain import Prerequisite
from graphrag.prerequisites.order import PrerequisiteOrder
from graphrag.tutoring.bearing import Bearing
from graphrag.tutoring.sightings import Sightings

_MOST, _MOST_FOUND = 160, 60
# What more than this share of the passages names is no topic of a question.
_EVERYWHERE = 0.12


@dataclass(frozen=True, slots=True)
class WrongAnswer:
    """A question, the answer given, and the ids of the concepts that each names; of those
    ``asked`` about, some may be ``guessed`` from what a search for the question finds."""

    question: str
    answer: str
    asked: tuple[str, ...] = ()
    named: tuple[str, ...] = ()
    guessed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Searched:
    """What a search finds: the ids of chunks, best first, for question and answer together
    (``whole``) and for the answer alone, with where the graph's concepts are named, and how
    the sentences of the best of them bear on the answer."""

    whole: Sequence[str] = ()
    alone: Sequence[str] = ()
    seen: Sightings = field(default_factory=Sightings)
    bearing: Bearing = field(default_factory=Bearing)


def asked_about(linked: Sequence[str], seen: Sightings, found: Sequence[str]) -> tuple[str, ...]:
    """The concepts that a question asks about: those ``linked`` in it; where it names none,
    or only such as many passages name, also what the chunks ``found`` for it speak of most."""
    most = _EVERYWHERE * len(seen.named)
    if any(seen.spread.get(key, 0) <= most for key in linked):
        return tuple(linked)
    votes = seen.votes(found)
    likeliest = sorted(votes, key=lambda key: (-votes[key], key))[:1]
    return tuple(dict.fromkeys([*linked, *likeliest]))


def suspected(
    wrong: WrongAnswer,
    order: PrerequisiteOrder,
    concepts: Collection[str],
    searched: Searched,
    *,
    most_found: int = _MOST_FOUND,
) -> dict[str, int]:
    """The suspects by the graph (see ``suspects``), with their steps below what was asked,
    and farther off than these at most ``most_found`` that a search speaks of most: what the
    graph does not hold may be misused all the same. What the question names is never
    suspected for being found."""
    place = {key: steps for key, steps in suspects(wrong, order).items() if key in concepts}
    votes: Counter[str] = Counter()
    for ranking in (searched.whole, searched.alone):
        votes.update(searched.seen.votes(ranking))
    farthest = max(place.values(), default=0) + 1
    for key in sorted(votes, key=lambda key: (-votes[key], key))[:most_found]:
        if key in concepts and (key not in wrong.asked or key in wrong.guessed):
            place.setdefault(key, farthest)
    return place


def targets(wrong: WrongAnswer, order: PrerequisiteOrder) -> list[str]:
    """Of the concepts asked about, those that no other of them rests on."""
    below = {key for concept_id in wrong.asked for key in order.ancestors(concept_id)}
    return [concept_id for concept_id in dict.fromkeys(wrong.asked) if concept_id not in below]


def topic(named: Sequence[str], order: PrerequisiteOrder) -> str | None:
    """The concept that a question is about, of the ids of those that it names, in its order:
    one that no other of them rests on ("Do these vectors form a basis?" is on the basis); of
    several the one with the longest chain of needs, ties to the first. None without any."""
    found = targets(WrongAnswer("", "", tuple(named)), order)
    return max(found, key=order.depth, default=None)


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
