"""A question that takes for granted what the documents do not say, or deny."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from graphrag.answering.claims import claim, ground
from graphrag.answering.polarity import negates
from graphrag.answering.support import contradicting
from graphrag.domain import Citation, Passage
from graphrag.wording.expects import is_aside
from graphrag.wording.premise import is_said, premise, taken_for_granted
from graphrag.wording.references import without_reference_marks
from graphrag.wording.units import units

# A longer unit is no sentence: what it denies may be anything.
_LONGEST = 60


@dataclass(frozen=True, slots=True)
class Doubt:
    """A line that doubts a question, and what says otherwise, if a passage does."""

    text: str
    citation: Citation | None = None


def doubted(question: str, passages: Sequence[Passage]) -> Doubt | None:
    """The doubt about a question that rests on what the passages say the opposite of, or,
    of all things, with a measure or in so many words, do not say; None for others.

    Lists of mistakes say a thing only to deny it: they do not count.
    """
    denied = _denied(question, passages)
    if denied is not None:
        return denied
    taken = premise(question)
    said = (
        f"{unit.lead} {unit.text}"
        for passage in passages
        if not is_aside(passage.chunk.heading_path)
        for unit in units(passage.chunk.text, kind=passage.chunk.kind)
    )
    if not taken or is_said(taken, said):
        return None
    return Doubt(f"The documents do not say in so many words that {taken}.")


def _denied(question: str, passages: Sequence[Passage]) -> Doubt | None:
    """The doubt about a statement that the nearest sentence denies. What a question denies
    itself may well be affirmed of another case."""
    taken = claim(taken_for_granted(question))
    if not taken.text or negates(taken.text):
        return None
    grounds = {
        number: ground(passage)
        for number, passage in enumerate(passages, start=1)
        if not is_aside(passage.chunk.heading_path)
    }
    against = contradicting(taken, list(grounds.values()))
    if not against or len(against.split()) > _LONGEST:
        return None
    number = next(n for n, g in grounds.items() if any(against == u.text for u in g.units))
    chunk = passages[number - 1].chunk
    words = " ".join(without_reference_marks(against).split())
    return Doubt(
        f"The documents deny what the question takes for granted. They say: “{words}” [{number}].",
        Citation(number, chunk.document_id, chunk.id, against, True),
    )
