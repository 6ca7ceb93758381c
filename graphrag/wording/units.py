"""A passage's units: sentences, list items, table rows, code and headings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from graphrag.domain import Span
from graphrag.sentences import split_sentences

# Sentences that one quotation may run through.
_JOINED = 4

UnitKind = Literal["sentence", "item", "row", "code", "formula", "heading"]


@dataclass(frozen=True, slots=True)
class Unit:
    """A piece of a passage that can be quoted whole: exactly ``passage[start:stop]``.

    ``lead`` is what a reader needs in front of it: a table's header row, or the sentence
    that opens a list. ``block`` numbers the block that the unit stands in, from 0.
    """

    kind: UnitKind
    start: int
    stop: int
    text: str
    lead: str = ""
    block: int = 0


_ITEM = re.compile(r"^\s*(?:[-*•]|\d{1,3}[.)]|[a-z][.)])\s+")
_ROW = re.compile(r"^\s*\|.*\|\s*$")
_RULE = re.compile(r"^\s*\|?[\s:|-]+\|?\s*$")
_FENCE = re.compile(r"^\s*(`{3,}|~{3,})")
# A closing mark, what closes behind it, and reference marks such as [12].
_CLOSED = re.compile(r"[.!?:;。！？…$|]['\")”]*(?:\[\^?\d{1,3}\])*$")
# Indented, closed as statements are, behind a prompt ("$ ls", "# apt update", "sqlite> ..."), or
# opened by a keyword.
_CODE_LINE = re.compile(
    r"^(?: {4}|\t)|[;{}]\s*$|^\s*(?:[$#%] \S|(?:\w[\w.:@~-]{0,20})?>{1,3} ?\S"
    r"|def |class |import |#!|return\b)"
)
# An assignment or a call: code where several lines are so, for one may be a formula.
_STATEMENT = re.compile(r"^\s*(?:[\w.,\[\] ]{1,40} [-+*/]?= \S|[\w.]+\(.*\)\s*(?:#.*)?$)")
# A session at a prompt, with what was printed; "$ x $ is a formula" is none.
_SESSION = re.compile(r"\s*(?:>>> \S|\$ [a-z./][^$]*$)")
# A line that has a sentence in it, or goes on in what follows: "To stop it, type".
_RUNS_ON = re.compile(
    r"[a-z)]{3}[.!?]\s+[A-Z]"
    r"|\b(?:type|run|use|say|write|enter|is|are|with|by|to|of|that|as|follows|like)$"
)


def _trim(text: str, start: int, stop: int) -> tuple[int, int] | None:
    while start < stop and text[start].isspace():
        start += 1
    while stop > start and text[stop - 1].isspace():
        stop -= 1
    return (start, stop) if stop > start else None


def units(text: str, *, kind: str = "prose") -> list[Unit]:
    """The units of a passage in order; ``kind`` is the chunk's own.

    Headings are single short lines without a closing mark; a table's rule line belongs to
    no unit, and its header row is the lead of its other rows.
    """
    if kind == "code":
        span = _trim(text, 0, len(text))
        return [Unit("code", *span, text[span[0] : span[1]])] if span else []
    found: list[Unit] = []
    lead = ""
    for number, (start, stop) in enumerate(_blocks(text)):
        block = list(_block_units(text, start, stop, number, lead))
        found.extend(block)
        last = block[-1].text if block else ""
        lead = last if last.endswith(":") or _RUNS_ON.search(last) else ""
    return found


def _blocks(text: str) -> Iterator[tuple[int, int]]:
    """Stretches between blank lines; a fenced stretch is one, whatever it holds."""
    start: int | None = None
    fence = ""
    position = 0
    for line in text.splitlines(keepends=True):
        mark = _FENCE.match(line)
        if mark and not fence:
            fence = mark.group(1)
        elif mark and fence and line.strip().startswith(fence):
            fence = ""
        if line.strip() or fence:
            start = position if start is None else start
        elif start is not None:
            yield start, position
            start = None
        position += len(line)
    if start is not None:
        yield start, position


def _block_units(text: str, start: int, stop: int, number: int, lead: str) -> Iterator[Unit]:
    block = text[start:stop]
    lines = block.splitlines(keepends=True)
    whole = _trim(text, start, stop)
    if whole is None:
        return
    if block.lstrip().startswith("$$") and block.rstrip().endswith("$$"):
        yield Unit("formula", *whole, text[whole[0] : whole[1]], lead, number)
    elif _FENCE.match(block) or _looks_like_code(lines) or (lead and _is_typed(lines)):
        yield Unit("code", *whole, text[whole[0] : whole[1]], lead, number)
    elif _ROW.match(lines[0]) and all(_ROW.match(line) for line in lines if line.strip()):
        yield from _rows(text, start, lines, number)
    elif any(_ITEM.match(line) for line in lines):
        yield from _items(text, start, lines, number, lead)
    elif len(lines) == 1 and _is_heading(block) and not text[stop:].lstrip().startswith("$$"):
        yield Unit("heading", *whole, text[whole[0] : whole[1]], "", number)
    else:
        for span in _quotable_sentences(text, start, stop):
            yield Unit("sentence", span.start, span.stop, text[span.start : span.stop], "", number)


def _quotable_sentences(text: str, start: int, stop: int) -> Iterator[Span]:
    """Sentences, those joined that a quotation runs through ('"Go! …" or "Stop! …" is said.')."""
    spans = split_sentences(text, start, stop)
    while spans:
        joined = (Span(spans[0].start, span.stop) for span in spans[:_JOINED])
        closed = (n for n, span in enumerate(joined, 1) if _closes_quotes(text, span))
        count = next(closed, 1)
        yield Span(spans[0].start, spans[count - 1].stop)
        spans = spans[count:]


def _closes_quotes(text: str, span: Span) -> bool:
    piece = text[span.start : span.stop]
    return piece.count('"') % 2 == 0 and piece.count("“") <= piece.count("”")


def _looks_like_code(lines: list[str]) -> bool:
    marked = sum(
        bool(_CODE_LINE.search(line.rstrip("\n"))) and not (_ITEM.match(line) or "$" in line[1:])
        for line in lines
    )
    stated = sum(bool(_STATEMENT.match(line.rstrip("\n"))) and "$" not in line for line in lines)
    session = _SESSION.match(lines[0].rstrip()) is not None
    return session or marked * 2 > len(lines) or (stated > 1 and stated * 2 > len(lines))


def _is_typed(lines: list[str]) -> bool:
    """Lines to be typed, or shown, behind a colon: none is a sentence, an item or a row."""
    return not any(
        _CLOSED.search(line.rstrip()) or _ITEM.match(line) or _ROW.match(line) or "$" in line
        for line in lines
        if line.strip()
    )


def _is_heading(line: str) -> bool:
    words = line.split()
    bare = line.rstrip()
    return len(words) <= 12 and not (_CLOSED.search(bare) or _RUNS_ON.search(bare))


def _rows(text: str, start: int, lines: list[str], number: int) -> Iterator[Unit]:
    header = ""
    position = start
    for index, line in enumerate(lines):
        span = _trim(text, position, position + len(line))
        position += len(line)
        if span is None or _RULE.match(line):
            continue
        row = text[span[0] : span[1]]
        if index == 0 and len(lines) > 1 and _RULE.match(lines[1]):
            header = row
            continue
        yield Unit("row", *span, row, header, number)


def _items(text: str, start: int, lines: list[str], number: int, lead: str) -> Iterator[Unit]:
    position = start
    opened: tuple[int, int] | None = None
    opening = lead
    for line in lines:
        if _ITEM.match(line):
            if opened:
                yield from _close(text, opened, number, opening)
                before = text[opened[0] : opened[1]].strip()
                if not _ITEM.match(before):
                    opening = before if before.endswith(":") else ""
            opened = (position, position + len(line))
        else:
            opened = (opened[0] if opened else position, position + len(line))
        position += len(line)
    if opened:
        yield from _close(text, opened, number, opening)


def _close(text: str, span: tuple[int, int], number: int, lead: str) -> Iterator[Unit]:
    trimmed = _trim(text, *span)
    if trimmed is None:
        return
    piece = text[trimmed[0] : trimmed[1]]
    if _ITEM.match(piece):
        yield Unit("item", *trimmed, piece, lead, number)
        return
    for sentence in _quotable_sentences(text, *trimmed):
        start, stop = sentence.start, sentence.stop
        yield Unit("sentence", start, stop, text[start:stop], "", number)
