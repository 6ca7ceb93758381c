"""Numbered clauses of contracts, laws and specifications: where each begins, and under what.

A number at the start of a paragraph is a clause's only where the numbers of a document
follow each other: ``4.1``, ``4.2``, ``4.2.1``, ``4.3``, ``5.1``. A measure (``3.5 mm``) does not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from graphrag.domain import Block

Number = tuple[int, ...]

_CLAUSE = re.compile(
    r"(?:§\s?|(?:Clause|Article|Section|Art\.)\s)?(\d{1,3}(?:\.\d{1,3}){1,5})[.)]?\s+[^\W\d_a-z]"
    r"|(?:§\s?|(?:Clause|Article|Section|Art\.)\s)?(\d{1,3}(?:\.\d{1,3}){1,5})[.)]?\s+[\"“'(\[]"
)
_ITEM = re.compile(r"(\d{1,3}(?:\.\d{1,3}){0,5})[.)]?\s+\S")
_LINES = re.compile(r"([^\S\n]*)[^\n]+")
_LEADING = re.compile(r"\D{0,10}?(\d{1,3}(?:\.\d{1,3})*)\b")
_LEAST = 3  # numbers with dots that follow each other, before they are believed
_TITLE_WORDS = 10


def with_numbered_items(text: str, blocks: Sequence[Block]) -> list[Block]:
    """The blocks, with each list that numbers clauses parted before each of them; Word keeps
    contracts as such lists."""
    found: list[Block] = []
    for block in blocks:
        inside = block.kind == "list" and any(
            _CLAUSE.match(line[0].strip())
            for line in _LINES.finditer(text, block.start, block.stop)
        )
        found.extend(_items(text, block) if inside else [block])
    return found


def _items(text: str, block: Block) -> list[Block]:
    starts = [
        line.end(1)
        for line in _LINES.finditer(text, block.start, block.stop)
        if _ITEM.match(text, line.end(1), line.end())
    ]
    borders = [block.start, *(start for start in starts if start > block.start), block.stop]
    return [replace(block, start=start, stop=stop) for start, stop in pairwise(borders)]


def clause_starts(text: str, blocks: Sequence[Block]) -> dict[int, Number]:
    """Offset of each block that begins a clause, to the clause's number."""
    found = [
        (block, tuple(int(part) for part in written.split(".")))
        for block in blocks
        if (written := _number(text, block))
    ]
    starts: dict[int, Number] = {}
    run: list[tuple[Block, Number]] = []
    for (block, number), following in pairwise([*found, (None, ())]):
        if block is None:
            break
        run.append((block, number))
        if not _follows(number, following[1]):
            if sum(len(own) > 1 for _, own in run) >= _LEAST:
                starts.update({each.start: own for each, own in run if each.kind != "heading"})
            run = []
    return starts


def _number(text: str, block: Block) -> str:
    """The number that the block begins with; in a list one without dots counts too."""
    if block.kind not in ("heading", "paragraph", "list"):
        return ""
    match = _CLAUSE.match(text, block.start, block.stop)
    if match is None and block.kind == "list":
        match = _ITEM.match(text, block.start, block.stop)
    return next((number for number in match.groups() if number), "") if match else ""


def _follows(before: Number, number: Number) -> bool:
    """Whether the number is the next in order: one deeper, or one further at any depth."""
    shared = 0
    while shared < min(len(before), len(number)) and before[shared] == number[shared]:
        shared += 1
    rest = number[shared:]
    if shared == len(before):
        return rest == (1,)
    return bool(rest) and rest[0] == before[shared] + 1 and set(rest[1:]) <= {1}


def clause_parts(
    text: str, section: Sequence[Block], starts: Mapping[int, Number]
) -> Iterator[tuple[list[Block], tuple[str, ...]]]:
    """The section's blocks, clause by clause, each with its path: that of the headings whose
    number it bears, and the titles of the clauses that it stands under."""
    titles: list[tuple[Number, str]] = []
    part: list[Block] = []
    number: Number = ()
    for block in section:
        begun = starts.get(block.start, ())
        if begun and any(each.kind != "heading" for each in part) and not _is_title(text, part):
            yield part, _path(part, number, titles)
            part = []
        if begun:
            number = begun
            titles = [each for each in titles if begun[: len(each[0])] == each[0]]
            if _is_title(text, [block]):
                titles.append((begun, " ".join(text[block.start : block.stop].split())))
        part.append(block)
    if part:
        yield part, _path(part, number, titles)


def _is_title(text: str, part: Sequence[Block]) -> bool:
    """Whether a part is nothing but the title of a clause, which joins what follows."""
    prose = [block for block in part if block.kind != "heading"]
    if len(prose) != 1 or prose[0].kind not in ("paragraph", "list"):
        return False
    words = text[prose[0].start : prose[0].stop].split()
    return len(words) <= _TITLE_WORDS and not words[-1].endswith((".", ";", ":", ","))


def _path(
    part: Sequence[Block], number: Number, titles: Sequence[tuple[Number, str]]
) -> tuple[str, ...]:
    path = part[-1].heading_path
    if not number:
        return path
    above = [name for name in path if _bears(name, number)]
    return (*above, *(title for _, title in titles if title not in above))


def _bears(heading: str, number: Number) -> bool:
    """Whether a clause of that number belongs under the heading; one without a number may
    hold any."""
    leading = _LEADING.match(heading)
    if leading is None:
        return True
    own = tuple(int(part) for part in leading[1].split("."))
    return number[: len(own)] == own
