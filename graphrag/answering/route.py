"""Which way a question is answered: by the graph's order, its paths, or by retrieval."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, Protocol

from graphrag.answering.phrasings import (
    AFTER,
    ASKED,
    BEGIN,
    CHECK,
    CLAUSE_END,
    COMPARE,
    DEPENDENTS,
    DOING_AFTER,
    GAINED,
    GOAL,
    KNOWN,
    MORE_BASIC,
    NEXT,
    ORDER,
    OVERVIEW,
    PREREQUISITE,
    PROCEDURE,
    READY,
    RELATING,
    RELATIONSHIP,
    SKIPPED,
    START,
    WAY_TO,
    WHY,
    WITHOUT,
)
from graphrag.answering.talk import (
    IN_ORDER,
    LEARNER,
    LEARNING,
    OF_LEARNING,
    OF_TALK,
    OF_WEIGHING,
    ONWARDS,
)
from graphrag.domain import Route
from graphrag.wording.general import general
from graphrag.wording.terms import content_words

LONGEST_ROUTED = 500
"""Longer texts, in characters, are no questions to find a route for."""
Manner = Literal[
    "", "begin", "ready", "start", "why", "compare", "without", "order", "dependents", "check"
]


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

    ``manner`` says what is asked of a prerequisite (whether one is ``ready`` for the goal,
    or may ``start`` it, which a machine may be as well; ``why`` the goal needs the second
    target; whether it does, ``compare``, or can do ``without``; in which ``order`` several
    are learnt) or of what comes next (only ``dependents`` of the concepts named; where to
    ``begin`` with a subject that may be the documents', see ``subject``). A lookup
    may ask for a question to ``check`` what is known of a concept. ``qualified`` are
    the words right before the concepts of a question on a relationship: ``fourier`` in
    "Fourier coefficients" where just coefficients are known.
    """

    route: Route
    targets: tuple[str, ...] = ()
    known: tuple[str, ...] = ()
    manner: Manner = ""
    qualified: tuple[str, ...] = ()


def route(question: str, linked: Sequence[LinkedConcept]) -> Routed:
    """The route of a question, given the concepts that were found in it.

    Tutoring routes need the concepts that they are about: a question that only sounds like
    one but names no concept is a lookup, as is a procedure ("what must be closed before
    the pump starts?"), and a text too long for a question. Concepts of overlapping spans
    give way to the longest.
    """
    concepts = longest(linked)
    if len(question) > LONGEST_ROUTED:
        # The patterns look for words in any distance: their time grows with its fourth power.
        return Routed("lookup", ids_of(concepts))
    known = told_known(question, concepts)
    wording = [match.span() for match in MORE_BASIC.finditer(question)]
    others = _outside([concept for concept in concepts if concept not in known], wording)
    if RELATIONSHIP.search(question) and not PREREQUISITE.search(question):
        related = ids_of(_outside(concepts, [m.span() for m in RELATING.finditer(question)]))
        if len(related) >= 2:
            return Routed("relationship", related, qualified=qualifiers(question, concepts))
    looks_ahead = NEXT.search(question) and known and not GOAL.search(question)
    if CHECK.search(question) and others:
        return Routed("lookup", ids_of(others), (), "check")
    wanted = PREREQUISITE.search(question) or _is_way_to(question, others)
    looks_back = wanted and not PROCEDURE.search(question)
    manner = _manner(question, len(ids_of(others)))
    if len(ids_of(others)) == 1 and _names_no_concept(question, others):
        return Routed("lookup", ids_of(concepts))
    if manner in ("order", "start") and _rest(question, others):
        return Routed("lookup", ids_of(concepts))
    if others and not looks_ahead and (looks_back or manner):
        return Routed("prerequisite", _targets(question, others, manner), ids_of(known), manner)
    gained = known and GAINED.search(question) and not asks_learning(question)
    depending: Manner = "dependents" if DEPENDENTS.search(question) or gained else ""
    beside = [word for word in _outside_words(question, concepts) if word not in OF_TALK]
    if (DOING_AFTER.search(question) and not asks_learning(question)) or (
        AFTER.search(question) and beside
    ):
        return Routed("lookup", ids_of(concepts))
    ahead = NEXT.search(question) and (known or depending or asks_learning(question))
    if ahead and concepts:
        return Routed("next", ids_of(others), ids_of(known), depending)
    if not concepts and _is_of_learning(question):
        if NEXT.search(question) or BEGIN.search(question):
            return Routed("next")
    elif not concepts and BEGIN.search(question) and LEARNER.search(question):
        return Routed("next", manner="begin")
    if concepts and _is_talk_of_learning(question, concepts):
        if not others or (ONWARDS.search(question) and not GOAL.search(question)):
            return Routed("next", (), ids_of(concepts))
        manner = "order" if len(ids_of(others)) > 1 and IN_ORDER.search(question) else ""
        return Routed("prerequisite", _targets(question, others, manner), ids_of(known), manner)
    if OVERVIEW.search(question) and not any(c.exact and _is_object(question, c) for c in concepts):
        return Routed("overview", ids_of(concepts))
    return Routed("lookup", ids_of(concepts), ())


def _manner(question: str, named: int) -> Manner:
    """What is asked of a prerequisite, with so many concepts beside those that are known."""
    if named > 1:
        if ORDER.search(question) and PREREQUISITE.search(question):
            return "order"
        if WITHOUT.search(question):
            return "without"
        if WHY.search(question):
            return "why"
        if COMPARE.search(question):
            return "compare"
    if READY.search(question):
        return "ready"
    return "start" if START.search(question) else ""


def _names_no_concept(question: str, concepts: Sequence[LinkedConcept]) -> bool:
    """Whether two things are weighed, as in "Can I learn X without Y?", and one is no concept:
    only sentences can tell of it."""
    if not (WITHOUT.search(question) or COMPARE.search(question)):
        return False
    return len(_rest(question, concepts)) > 0


def _rest(question: str, concepts: Sequence[LinkedConcept]) -> list[str]:
    """The words beside the concepts that have nothing to do with weighing them."""
    return [word for word in _outside_words(question, concepts) if word not in OF_WEIGHING]


def _outside_words(question: str, concepts: Sequence[LinkedConcept]) -> list[str]:
    return content_words(_blanked(question, concepts))


def _blanked(question: str, concepts: Sequence[LinkedConcept]) -> str:
    """The question without the concepts that it names, given in its order."""
    spans = [(0, 0), *((c.start, c.stop) for c in concepts), (len(question), len(question))]
    return " ".join(question[stop:start] for (_, stop), (start, _) in pairwise(spans))


def qualifiers(question: str, concepts: Sequence[LinkedConcept]) -> tuple[str, ...]:
    """The words of content that stand right before the concepts."""
    before = (question[: concept.start].split()[-1:] for concept in concepts)
    said = (term for words in before for term in content_words(" ".join(words)))
    return tuple(dict.fromkeys(term for term in said if term not in general()))


def _is_way_to(question: str, concepts: Sequence[LinkedConcept]) -> bool:
    """Whether the way to one of the concepts is asked for."""
    return any(WAY_TO.search(question[: concept.start]) for concept in concepts)


def _is_talk_of_learning(question: str, concepts: Sequence[LinkedConcept]) -> bool:
    """Whether a question, the concepts aside, has no word but those of talk about learning,
    and one at least that is of nothing else, or asks for an order of several concepts."""
    if any(word not in OF_TALK for word in _outside_words(question, concepts)):
        return False
    several = len(ids_of(concepts)) > 1 and IN_ORDER.search(question)
    talk = _blanked(question, concepts)
    begins = BEGIN.search(talk) and LEARNER.search(talk)
    return bool(several or LEARNING.search(talk) or begins)


def _is_of_learning(question: str) -> bool:
    """Whether a question speaks of nothing but learning."""
    words = content_words(question)
    return all(word in OF_LEARNING or word.isdigit() for word in words)


def longest(linked: Sequence[LinkedConcept]) -> list[LinkedConcept]:
    """The concepts in the question's order, of overlapping spans the longest."""
    kept: list[LinkedConcept] = []
    for concept in sorted(linked, key=lambda c: (c.start - c.stop, not c.exact, c.start)):
        if all(concept.stop <= other.start or concept.start >= other.stop for other in kept):
            kept.append(concept)
    return sorted(kept, key=lambda c: (c.start, c.concept_id))


def ids_of(concepts: Sequence[LinkedConcept]) -> tuple[str, ...]:
    """The ids of concepts, each once."""
    return tuple(dict.fromkeys(concept.concept_id for concept in concepts))


def told_known(question: str, concepts: Sequence[LinkedConcept]) -> list[LinkedConcept]:
    """The concepts that the asker says are known."""
    return _inside(concepts, _known_spans(question))


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


def _outside(
    concepts: Sequence[LinkedConcept], spans: Sequence[tuple[int, int]]
) -> list[LinkedConcept]:
    return [c for c in concepts if all(c.stop <= a or b <= c.start for a, b in spans)]


def _targets(question: str, concepts: Sequence[LinkedConcept], manner: Manner) -> tuple[str, ...]:
    """The goal first: "X without Y" and "X before Y" ask of X, "skip Y and learn X" too."""
    if manner == "without" and SKIPPED.search(question):
        return ids_of(concepts)[::-1]
    return ids_of(concepts) if manner == "without" else goal_first(question, concepts)


def goal_first(question: str, concepts: Sequence[LinkedConcept]) -> tuple[str, ...]:
    """The concept after "before", "for" or "to" leads, unless rivals are weighed."""
    if re.search(r"\bor\b.*\b(?:first|before|earlier)\b|\border\b", question, re.IGNORECASE):
        return ids_of(concepts)
    for match in GOAL.finditer(question):
        after = [c for c in concepts if c.start >= match.end()]
        if after:
            return ids_of([*after, *(c for c in concepts if c.start < match.end())])
    return ids_of(concepts)


def asks_learning(question: str) -> bool:
    """Whether a question speaks of learning in so many words."""
    return (
        re.search(
            r"\b(?:learn|study|tackle|understand|grasp|unlock|master|ready|topics?|concepts?|lessons?"
            r"|read)\b",
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
