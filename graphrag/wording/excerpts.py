"""Passages cut into excerpts that can be scored and quoted one by one."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from threading import Lock

from graphrag.domain import Passage
from graphrag.tokens import fold
from graphrag.wording.entries import term_begun, terms_above
from graphrag.wording.units import Unit, units

_PLAIN = str.maketrans("“”„‘’–—\u00a0", '"""\'\'-- ')
_MARKS = re.compile(r"[*`]+")

Score = Callable[[str, Sequence[str]], Sequence[float]]


@dataclass(frozen=True, slots=True)
class Excerpt:
    """One unit of a numbered passage; ``text`` is how a cross-encoder reads it: under its
    title, headings and lead. ``term`` names the entry in which it stands, if any."""

    number: int
    unit: Unit
    text: str
    term: str = ""


def excerpts(passages: Sequence[tuple[int, Passage]]) -> list[Excerpt]:
    """The units of numbered passages in order, headings left out, each wording once."""
    found = []
    seen: set[str] = set()
    for number, passage in passages:
        chunk = passage.chunk
        headings = {_folded(heading) for heading in (passage.title, *chunk.heading_path)}
        header = _header_above(chunk.context)
        pieces = units(chunk.text, kind=chunk.kind)
        for unit, term in zip(pieces, terms_above(pieces, term_begun(chunk.context)), strict=True):
            key = _wording(unit)
            if unit.kind == "heading" or key in seen or key in headings:
                continue
            seen.add(key)
            lead = f"{unit.lead}\n" if unit.lead else ""
            text = f"{chunk.context}\n{lead}{unit.text}"
            if unit.kind == "row" and not unit.lead:
                unit = replace(unit, lead=header)
            found.append(Excerpt(number, unit, text, term))
    return found


def _header_above(context: str) -> str:
    """The header of a table within which a passage begins, as its context gives it."""
    lines = context.split("\n")
    below = pairwise(lines)
    return next((row for row, rule in below if row.startswith("|") and rule.startswith("| -")), "")


def _wording(unit: Unit) -> str:
    """What tells one wording from another: in prose neither the shape of quotation marks and
    dashes nor emphasis does."""
    text = _folded(unit.text)
    return text if unit.kind in ("code", "formula") else _MARKS.sub("", text.translate(_PLAIN))


def _folded(text: str) -> str:
    return " ".join(fold(text).split())


class RememberedScore:
    """A cross-encoder that does not read the same pair twice.

    The floor and the writer score the same excerpts for the same question. Keeps the last
    ``most`` pairs; safe in several threads.
    """

    def __init__(self, score: Score, *, most: int = 2048) -> None:
        self._score = score
        self._most = most
        self._known: OrderedDict[tuple[str, str], float] = OrderedDict()
        self._lock = Lock()

    def __call__(self, question: str, texts: Sequence[str]) -> list[float]:
        """One logit a text, in order."""
        with self._lock:
            found = {text: self._known.get((question, text)) for text in texts}
        missing = [text for text, value in found.items() if value is None]
        fresh = self._score(question, missing) if missing else []
        values = {text: value for text, value in found.items() if value is not None}
        values.update(zip(missing, map(float, fresh), strict=True))
        with self._lock:
            for text, value in values.items():
                self._known[question, text] = value
                self._known.move_to_end((question, text))
            while len(self._known) > self._most:
                self._known.popitem(last=False)
        return [values[text] for text in texts]
