"""A question that takes for granted, or asks, what the documents do not say, or deny."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from graphrag.answering.claims import claim
from graphrag.answering.denial import denial
from graphrag.answering.polarity import negates
from graphrag.answering.signals import Signals
from graphrag.domain import Citation, Passage
from graphrag.wording.expects import is_aside
from graphrag.wording.premise import is_said, premise, taken_for_granted
from graphrag.wording.references import without_reference_marks
from graphrag.wording.units import units

# A longer unit is no sentence: what it denies may be anything.
_LONGEST = 60
# By how many logits leaving out the words that no passage holds, and those that only the
# closest excerpts lack, must raise the relevance, before the answer says that they are missing.
_NOWHERE, _ABSENT = 0.8, 2.5
_NAMED = 3
_WHY = re.compile(r"^\W*why\s", re.IGNORECASE)


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
    return Doubt(f"The documents do not say in so many words that {_put(question, taken)}")


def _put(question: str, taken: str) -> str:
    """What is taken for granted as a clause, of "why" as a question: where its verb belongs in
    a statement is a guess, good enough for comparing words only."""
    why = _WHY.match(question)
    if why is None:
        return f"{taken}."
    asked = question[why.end() :].strip()
    return f"it is so: “{asked[:1].upper()}{asked[1:]}”"


def near_miss(measured: Signals, *, relating: bool = False) -> Doubt | None:
    """The warning that the closest passages may not be what was asked for, with what they
    lack: words without which the question would be nearer to them, or the kind of thing
    (a length, a person, a date) that it wants. None where nothing of it is missing.

    Where two things are being related, a word that no passage holds is always missing: the
    other thing alone brings the question as near."""
    if measured.nowhere and (relating or measured.estranged > _NOWHERE):
        return Doubt(_closest(f"mention {_listed(measured.nowhere)}"))
    if measured.absent and measured.estranged > _ABSENT:
        return Doubt(_closest(f"mention {_listed(measured.absent)}"))
    if measured.quantity > 1:
        return Doubt(_closest("name the person, the date, the price or the number asked for"))
    if measured.quantity:
        return Doubt(_closest("give a number or a measure of the kind asked for"))
    return None


def unsure() -> Doubt:
    """The warning that the closest passages may not answer a question, for no single reason."""
    return Doubt("The documents may not answer this. The closest passages say:")


def _closest(lack: str) -> str:
    return f"The documents may not answer this: the closest passages do not {lack}. They say:"


def _listed(words: Sequence[str]) -> str:
    quoted = [f"“{word}”" for word in words[:_NAMED]]
    return " or ".join([", ".join(quoted[:-1]), quoted[-1]] if len(quoted) > 1 else quoted)


def _denied(question: str, passages: Sequence[Passage]) -> Doubt | None:
    """The doubt about a statement that a sentence denies. What a question denies
    itself may well be affirmed of another case."""
    taken = claim(taken_for_granted(question))
    if not taken.text or negates(taken.text):
        return None
    found = denial(taken, passages)
    if found is None or len(found[1].split()) > _LONGEST:
        return None
    number, against = found
    chunk = passages[number - 1].chunk
    words = " ".join(without_reference_marks(against).split())
    return Doubt(
        f"The documents deny what the question takes for granted. They say: “{words}” [{number}].",
        Citation(number, chunk.document_id, chunk.id, against, True),
    )
