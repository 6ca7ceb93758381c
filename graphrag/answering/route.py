"""Which way a question is answered: by the graph's order, its paths, or by retrieval."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from graphrag.answering.phrasings import (
    ASKED,
    CLAUSE_END,
    GOAL,
    KNOWN,
    NEXT,
    OVERVIEW,
    PREREQUISITE,
    PROCEDURE,
    RELATIONSHIP,
)
from graphrag.domain import Route

_LONGEST = 500


class LinkedConcept(Protocol):
    """A concept found in a question; offsets in the question, ``exact`` spelling or not."""

    @property
    def concept_id(self) -> str: ...
    @property
    def start(self) -> int: ...
    @property
    def stop(self) -> int: ...
    @property
    def exact(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class Routed:
    """The route, the concepts it is about and those that the asker says are known.

    Of a prerequisite question the first target is the goal; a second one is the concept
    that may be needed for it ("do I need A before B?" gives B, A), or its rival ("A or B
    first?" gives A, B). Targets of other routes stand in the question's order.
    """

    route: Route
    targets: tuple[str, ...] = ()
    known: tuple[str, ...] = ()


def route(question: str, linked: Sequence[LinkedConcept]) -> Routed:
    """The route of a question, given the concepts that were found in it.

    Tutoring routes need the concepts that they are about: a question that only sounds like
    one but names no concept is a lookup, as is a procedure ("what must be closed before
    the pump starts?"), and a text too long for a question. Concepts of overlapping spans
    give way to the longest.
    """
    concepts = _longest(linked)
    if len(question) > _LONGEST:
        # The patterns look for words in any distance: their time grows with its fourth power.
        return Routed("lookup", _ids(concepts))
    known_spans = _known_spans(question)
    known = _inside(concepts, known_spans)
    others = [concept for concept in concepts if concept not in known]
    relates = RELATIONSHIP.search(question) is not None
    if relates and len(_ids(concepts)) >= 2 and not PREREQUISITE.search(question):
        return Routed("relationship", _ids(concepts))
    looks_ahead = NEXT.search(question) and known and not GOAL.search(question)
    looks_back = PREREQUISITE.search(question) and not PROCEDURE.search(question)
    if looks_back and others and not looks_ahead:
        return Routed("prerequisite", _goal_first(question, others), _ids(known))
    if NEXT.search(question) and (known or not concepts or _asks_learning(question)):
        return Routed("next", _ids(others), _ids(known))
    if OVERVIEW.search(question) and not any(c.exact and _is_object(question, c) for c in concepts):
        return Routed("overview", _ids(concepts))
    return Routed("lookup", _ids(concepts), ())


def _longest(linked: Sequence[LinkedConcept]) -> list[LinkedConcept]:
    kept: list[LinkedConcept] = []
    for concept in sorted(linked, key=lambda c: (c.start - c.stop, not c.exact, c.start)):
        if all(concept.stop <= other.start or concept.start >= other.stop for other in kept):
            kept.append(concept)
    return sorted(kept, key=lambda c: (c.start, c.concept_id))


def _ids(concepts: Sequence[LinkedConcept]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(concept.concept_id for concept in concepts))


def _known_spans(question: str) -> list[tuple[int, int]]:
    spans = []
    for match in KNOWN.finditer(question):
        claimed = match.group()[:2].lower() in ("i ", "we", "i'")
        if claimed and ASKED.search(question[: match.start()]):
            continue
        end = CLAUSE_END.search(question, match.end())
        spans.append((match.end(), end.start() if end else len(question)))
    return spans


def _inside(
    concepts: Sequence[LinkedConcept], spans: Sequence[tuple[int, int]]
) -> list[LinkedConcept]:
    return [c for c in concepts if any(a <= c.start and c.stop <= b for a, b in spans)]


def _goal_first(question: str, concepts: Sequence[LinkedConcept]) -> tuple[str, ...]:
    """The concept after "before", "for" or "to" leads, unless rivals are weighed."""
    if re.search(r"\bor\b.*\b(?:first|before|earlier)\b|\border\b", question, re.IGNORECASE):
        return _ids(concepts)
    for match in GOAL.finditer(question):
        after = [c for c in concepts if c.start >= match.end()]
        if after:
            return _ids([*after, *(c for c in concepts if c.start < match.end())])
    return _ids(concepts)


def _asks_learning(question: str) -> bool:
    return (
        re.search(
            r"\b(?:learn|study|tackle|unlock|master|ready|topics?|concepts?|lessons?|read)\b",
            question,
            re.IGNORECASE,
        )
        is not None
    )


def _is_object(question: str, concept: LinkedConcept) -> bool:
    """Whether the concept is what the question is about, and no word such as "concept"."""
    named = question[concept.start : concept.stop].lower()
    return (
        re.fullmatch(r"(?:main |key )?(?:themes?|topics?|concepts?|ideas?|courses?)", named) is None
    )
