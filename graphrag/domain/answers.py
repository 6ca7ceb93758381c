"""Questions, answers and refusals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from graphrag.domain.retrieval import Passage

Route = Literal["prerequisite", "next", "relationship", "lookup", "overview"]
RefusalReason = Literal["no passages", "below the floor", "the model declined"]


@dataclass(frozen=True, slots=True)
class Citation:
    """A claim's pointer to a passage: ``number`` as printed, counted from 1."""

    number: int
    document_id: str
    chunk_id: str
    quote: str
    supported: bool


@dataclass(frozen=True, slots=True)
class Answer:
    """What was written, by whom, from which passages, with its checked citations.

    ``warnings`` says what was struck and why, in sentences for people.
    """

    question: str
    route: Route
    text: str
    citations: tuple[Citation, ...]
    passages: tuple[Passage, ...]
    writer: str
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why there is no answer; ``text`` says it to people and names the nearest miss.

    ``warnings`` says what a writer wrote that was struck, where nothing of it was left.
    """

    question: str
    route: Route
    text: str
    reason: RefusalReason
    passages: tuple[Passage, ...] = ()
    writer: str = ""
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Question:
    """A case of a frozen question set; ``relevant`` empty means a refusal is right."""

    id: str
    question: str
    relevant: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()
    type: str = ""
