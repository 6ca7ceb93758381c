"""Learning paths, learners, and diagnoses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from graphrag.domain.concepts import Concept, Prerequisite
from graphrag.domain.retrieval import Passage


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a learning path: the concept, the edges that put it here, its passage,
    and a question from the documents to check oneself with, where there is one."""

    concept: Concept
    because: tuple[Prerequisite, ...] = ()
    passage: Passage | None = None
    check: str = ""


@dataclass(frozen=True, slots=True)
class Belief:
    """How well a learner knows a concept: probability from 0 to 1, when that was last
    shown (seconds since the epoch) and the evidence for it in words."""

    concept: str
    probability: float
    updated: float
    because: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Learner:
    """A person's state of knowledge; a concept that is absent is unknown."""

    name: str
    beliefs: Mapping[str, Belief] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Implicated:
    """An upstream concept that a wrong answer points at, with quotes that show it."""

    concept: Concept
    score: float
    quotes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Agreement:
    """A sentence of the documents that says what an answer says, and its passage."""

    sentence: str
    passage: Passage


@dataclass(frozen=True, slots=True)
class Diagnosed:
    """What an answer shows: the upstream concepts that it implicates, likeliest first, or
    the sentence that it ``agrees`` with; then it implicates none."""

    implicated: tuple[Implicated, ...] = ()
    agrees: Agreement | None = None
