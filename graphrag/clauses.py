"""The parts of a document that no chunk crosses: sections, and in them the numbered clauses of
contracts, laws and specifications.

A number at the start of a paragraph is a clause's only where the numbers of a document
follow each other: ``4.1``, ``4.2``, ``4.2.1``, ``4.3``, ``5.1``; ``Article 1``, ``Article 2``;
``§ 12``, ``§ 12a``, ``§ 13``. A measure (``3.5 mm``) does not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

from graphrag.domain import Block

Number = tuple[int, ...]


_CLAUSE = re.compile(
    r"(?P<name>§\s?|(?:Clause|Article|Artikel|Section|Art\.|Rule)\s)?"
    r"(?:(?P<number>\d{1,3}(?:\.\d{1,3}){0,5})(?P<letter>[a-z]?)|(?P<roman>[IVXLC]{1,7}))[.):]?"
    r"(?:\s+(?=[^\W\d_a-z]|[\"“„«'(\[])|\s*$)"
)
_DEEP = re.compile(r"(\d{1,3}(?:\.\d{1,3}){2,5})[.)]?\s+(?=[a-z])")
_ITEM = re.compile(r"(\d{1,3}(?:\.\d{1,3}){0,5})[.)]?\s+\S")
_LINES = re.compile(r"([^\S\n]*)[^\n]+")
_LEADING = re.compile(r"\D{0,10}?(\d{1,3}(?:\.\d{1,3})*)\b")
_LEAST = 3  # clear numbers that follow each other, before they are believed
_TITLE_WORDS = 10
_ROMAN = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause's number. ``is_clear``: it can hardly be anything else, having dots or a name;
    ``is_named``: it is an article, a section, a §, which count on from chapter to chapter."""

    number: Number
    is_clear: bool = False
    is_named: bool = False


@dataclass(frozen=True, slots=True)
class Part:
    """Blocks in order, the path that they stand under, and where their clause begins, if they
    are one; ``lead`` is the block of the clause above that leads it in ("The seller shall:")."""

    blocks: Sequence[Block]
    path: tuple[str, ...]
    clause: int | None = None
    lead: Block | None = None


def structural_parts(text: str, blocks: Sequence[Block]) -> Iterator[Part]:
    """The parts in order; together they have every block."""
    blocks = _with_numbered_items(text, blocks)
    starts = _clause_starts(text, blocks)
    for section in _sections(blocks):
        yield from _clause_parts(text, section, starts)


def _sections(blocks: Sequence[Block]) -> Iterator[list[Block]]:
    """Runs of blocks under one heading path; a heading without text joins what follows, or
    what is before it where nothing follows."""
    section: list[Block] = []
    pending: list[Block] = []
    for _, run in groupby(blocks, key=lambda block: block.heading_path):
        pending.extend(run)
        if any(block.kind != "heading" for block in pending):
            if section:
                yield section
            section, pending = pending, []
    if section or pending:
        yield [*section, *pending]


def _with_numbered_items(text: str, blocks: Sequence[Block]) -> list[Block]:
    """The blocks, with each list that numbers clauses parted before each of them; Word keeps
    contracts as such lists."""
    found: list[Block] = []
    for block in blocks:
        inside = block.kind == "list" and any(
            (match := _CLAUSE.match(line[0].strip())) and _is_clear(match)
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


def _clause_starts(text: str, blocks: Sequence[Block]) -> dict[int, Clause]:
    """Offset of each block that begins a clause, to the clause."""
    starts: dict[int, Clause] = {}
    run: list[tuple[Block, Clause]] = []
    for block in blocks:
        clause = _clause(text, block)
        follows = clause is not None and bool(run) and _follows(run[-1][1].number, clause.number)
        # A list may number its items inside of a clause.
        if clause is None or not (follows or clause.is_clear or not run):
            continue
        if not follows:
            starts.update(_believed(run))
            run = []
        run.append((block, clause))
    return {**starts, **_believed(run)}


def _believed(run: Sequence[tuple[Block, Clause]]) -> dict[int, Clause]:
    """The clauses of numbers that follow each other; none where few of them are clear."""
    if sum(clause.is_clear for _, clause in run) < _LEAST:
        return {}
    return {block.start: clause for block, clause in run if block.kind != "heading"}


def _clause(text: str, block: Block) -> Clause | None:
    """The clause that the block begins; in a list, or before a title, a number without dots or
    name may be one."""
    if block.kind not in ("heading", "paragraph", "list"):
        return None
    found = _CLAUSE.match(text, block.start, block.stop)
    if found and found["roman"]:
        return Clause((_roman_value(found["roman"]),), True, True) if found["name"] else None
    if found and _is_clear(found):
        letter = (ord(found["letter"]) - ord("a") + 1,) if found["letter"] else ()
        return Clause((*_parts(found["number"]), *letter), True, bool(found["name"]))
    if found and block.kind == "paragraph" and _is_title(text, [block]):
        return Clause(_parts(found["number"]))
    if deep := _DEEP.match(text, block.start, block.stop):
        return Clause(_parts(deep[1]), True)
    item = _ITEM.match(text, block.start, block.stop) if block.kind == "list" else None
    return Clause(_parts(item[1])) if item else None


def _is_clear(found: re.Match[str]) -> bool:
    """Whether a number has a name or dots."""
    return bool(found["name"] or "." in (found["number"] or ""))


def _roman_value(written: str) -> int:
    values = [_ROMAN[sign] for sign in written]
    after = [*values[1:], 0]
    return sum(
        -own if own < following else own for own, following in zip(values, after, strict=True)
    )


def _parts(written: str) -> Number:
    return tuple(int(part) for part in written.split("."))


def _follows(before: Number, number: Number) -> bool:
    """Whether the number is the next in order: one deeper, or one further at any depth."""
    shared = 0
    while shared < min(len(before), len(number)) and before[shared] == number[shared]:
        shared += 1
    rest = number[shared:]
    if shared == len(before):
        return rest == (1,)
    return bool(rest) and rest[0] == before[shared] + 1 and set(rest[1:]) <= {1}


def _clause_parts(
    text: str, section: Sequence[Block], starts: Mapping[int, Clause]
) -> Iterator[Part]:
    """The section's blocks, clause by clause, each with its path: that of the headings whose
    number it bears, and the titles of the clauses that it stands under."""
    titles: list[tuple[Number, str]] = []
    leads: list[tuple[Number, Block]] = []
    part: list[Block] = []
    begin: Block | None = None
    for block in section:
        begun = starts.get(block.start)
        if begun and any(each.kind != "heading" for each in part) and not _is_title(text, part):
            yield _part(part, begin, starts, titles, leads)
            part = []
        if begun:
            begin = block
            leads = [each for each in leads if begun.number[: len(each[0])] == each[0]]
            if text[block.start : block.stop].rstrip().endswith(":"):
                leads.append((begun.number, block))
            titles = [each for each in titles if begun.number[: len(each[0])] == each[0]]
            if _is_title(text, [block]):
                titles.append((begun.number, " ".join(text[block.start : block.stop].split())))
        part.append(block)
    yield _part(part, begin, starts, titles, leads)


def _is_title(text: str, part: Sequence[Block]) -> bool:
    """Whether a part is nothing but the title of a clause, which joins what follows."""
    prose = [block for block in part if block.kind != "heading"]
    if len(prose) != 1 or prose[0].kind not in ("paragraph", "list"):
        return False
    words = text[prose[0].start : prose[0].stop].split()
    return len(words) <= _TITLE_WORDS and not words[-1].endswith((".", ";", ":", ","))


def _part(
    part: Sequence[Block],
    begin: Block | None,
    starts: Mapping[int, Clause],
    titles: Sequence[tuple[Number, str]],
    leads: Sequence[tuple[Number, Block]],
) -> Part:
    path = next(
        (b.heading_path for b in reversed(part) if b.kind != "heading"), part[-1].heading_path
    )
    if begin is None:
        return Part(part, path)
    clause = starts[begin.start]
    above = [name for name in path if clause.is_named or _bears(name, clause.number)]
    path = (*above, *(title for _, title in titles if title not in above))
    lead = next((block for _, block in reversed(leads) if block is not begin), None)
    return Part(part, path, begin.start, lead)


def _bears(heading: str, number: Number) -> bool:
    """Whether a clause of that number belongs under the heading; one without a number may
    hold any."""
    leading = _LEADING.match(heading)
    if leading is None:
        return True
    own = tuple(int(part) for part in leading[1].split("."))
    return number[: len(own)] == own
