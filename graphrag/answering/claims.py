"""What a sentence claims, and what a passage offers to hold it against."""

from __future__ import annotations

import re
from dataclasses import dataclass

from graphrag.domain import Passage
from graphrag.tokens import fold
from graphrag.wording.formulas import segments
from graphrag.wording.numbers import Number, numbers
from graphrag.wording.references import without_reference_marks
from graphrag.wording.terms import content_words, identifiers
from graphrag.wording.units import Unit, units

_QUOTED = re.compile(r"[“\"«„]([^”\"»“]{8,}?)[”\"»]")
_OPENING = re.compile(r"^\s*(?:[-*•>]+\s+|#+\s+(?:\d{1,3}[.)]\s+)?|\d{1,3}[.)]\s+)")
_NAME = re.compile(
    r"(?<![.!?:|] )(?<!^)(?<![\w.-])(?:[A-Z][a-z]+|[A-Z]{2,})(?:[- ](?:[A-Z][a-z]+|[A-Z]{2,}))*"
)


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence without its citation marks, with what can be checked in it."""

    text: str
    numbers: tuple[Number, ...]
    identifiers: tuple[str, ...]
    names: tuple[str, ...]
    quotations: tuple[str, ...]
    content: frozenset[str]


def claim(sentence: str) -> Claim:
    """What a sentence claims; list marks and markup around it do not count."""
    text = _OPENING.sub("", sentence).strip()
    text = text.replace("**", "").replace("__", "")
    prose = " ".join(said for _, _, inside, said in segments(text) if not inside)
    names = [m.group() for m in _NAME.finditer(prose) if m.group().lower() not in _COMMON]
    return Claim(
        text,
        tuple(numbers(text)),
        tuple(identifiers(text)),
        tuple(dict.fromkeys(names)),
        tuple(match.group(1) for match in _QUOTED.finditer(text)),
        frozenset(content_words(text)),
    )


_COMMON = {"i", "it", "the", "a", "an", "this", "that", "these", "those", "if", "when", "then"}
_COMMON |= {"note", "step", "table", "figure", "section", "yes", "no"}


@dataclass(frozen=True, slots=True)
class Ground:
    """A passage prepared for checking: its text with context (as it is, folded, and without
    reference marks), its units and their windows."""

    text: str
    folded: str
    unmarked: str
    units: tuple[Unit, ...]
    windows: tuple[str, ...]


def ground(passage: Passage) -> Ground:
    """Prepare a passage; a window is a unit with its neighbours of the same block."""
    chunk = passage.chunk
    parts = units(chunk.text, kind=chunk.kind)
    windows = []
    for index, unit in enumerate(parts):
        near = [unit]
        if unit.kind != "row":
            near = [u for u in parts[max(0, index - 1) : index + 2] if u.block == unit.block]
        lead = f"{unit.lead} " if unit.lead else ""
        windows.append(lead + " ".join(u.text for u in near))
    text = f"{passage.title}\n{chunk.embedded_text}"
    return Ground(
        text,
        squeezed(text),
        squeezed(without_reference_marks(text)),
        tuple(parts),
        tuple(windows) or (chunk.text,),
    )


def squeezed(text: str) -> str:
    """A text folded, without markup, with plain quotation marks and single blanks."""
    plain = fold(text).replace("**", "").replace("`", "")
    plain = re.sub(r"[‘’´]", "'", re.sub(r"[“”„«»]", '"', plain))
    # Numbers in brackets are quoted in parentheses, so that none is taken for a citation.
    plain = plain.replace("[", "(").replace("]", ")")
    return re.sub(r"\s+", " ", plain)
