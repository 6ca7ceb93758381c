"""Lines of a PDF to blocks: paragraphs, lists, code and tables, across pages."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from graphrag.reading.builder import DocumentBuilder, ListItem
from graphrag.reading.inline import Run
from graphrag.reading.pdf_headings import Heading
from graphrag.reading.pdf_page import Line
from graphrag.reading.pdf_table import Table, table_at

_BULLET = re.compile(r"[•◦▪‣·●○■□➢➤✓⁃–—*\uf000-\uf0ff\x80-\x9f]|[-o]")
_NUMBER = re.compile(r"\(?(?:\d{1,3}|[a-z]|[ivx]{1,5})[.)]|\[\d{1,3}\]")
_REFERENCE = re.compile(r"\[\d{1,3}\]")
_NEAR_LINES = 40
_AROUND = 20
_ALIGNED = 2.0
_ENDS = (".", "!", "?", ":", ";", "”", '"', ")", "]")


@dataclass(frozen=True, slots=True)
class _Metrics:
    """The document's usual distance of base lines, the right edge of the column that each
    line (by its identity) stands in, and the words."""

    leading: float
    rights: Mapping[int, float]
    vocabulary: frozenset[str]


def add_pages(
    builder: DocumentBuilder,
    pages: Sequence[Sequence[Line]],
    headings: Mapping[tuple[int, int], Heading],
) -> None:
    """Add the blocks of all pages in order; a paragraph may go over a page's end."""
    metrics = _measure(pages)
    group: list[Line] = []
    items: list[list[Line]] = []
    above: Table | None = None

    def end_group() -> None:
        nonlocal group
        if group:
            if items and _is_marked(group[0]):
                items.append(group)
            else:
                end_list()
                if _is_marked(group[0]):
                    items.append(group)
                else:
                    _add_paragraph(builder, group, metrics)
        group = []

    def end_list() -> None:
        if items:
            builder.page = items[0][0].page
            builder.add_list(_list_items(items, metrics))
            items.clear()

    for page, lines in enumerate(pages):
        i = 0
        while i < len(lines):
            line = lines[i]
            heading = headings.get((page, i))
            table = None if heading else table_at(lines, i)
            if heading or table or line.formula or _is_code(lines, i, group):
                end_group()
                end_list()
                builder.page = line.page
            if heading:
                above = None
                builder.add_heading(heading.level, heading.text)
                i += heading.lines
            elif table:
                table = _with_header(table, above if not i else None)
                builder.add_table(table.rows, header=table.header)
                above = table
                i += table.lines
            elif line.formula:
                builder.add_formula(line.text)
                above = None
                i += 1
            elif _is_code(lines, i, group):
                stop = i
                while stop < len(lines) and lines[stop].mono and (page, stop) not in headings:
                    stop += 1
                builder.add_code(_code(lines[i:stop]))
                i = stop
            else:
                if group and not _continues(group, line, metrics):
                    end_group()
                group.append(line)
                above = None
                i += 1
    end_group()
    end_list()


def _with_header(table: Table, above: Table | None) -> Table:
    """A table at the top of a page, with the header of the one that it goes on with."""
    if (
        above is None
        or not above.header
        or table.header
        or len(above.rows[0]) != len(table.rows[0])
    ):
        return table
    return Table([above.rows[0], *table.rows], table.lines, header=True)


def _measure(pages: Sequence[Sequence[Line]]) -> _Metrics:
    gaps: Counter[float] = Counter()
    vocabulary: set[str] = set()
    rights: dict[int, float] = {}
    for lines in pages:
        for before, line in pairwise(lines):
            gap = before.bottom - line.bottom
            if 0 < gap < 3 * line.size:
                gaps[round(gap / max(line.size, 1), 1)] += len(line.text)
        rights.update(_rights(lines))
        vocabulary.update(
            word.text.strip(".,;:()").lower() for line in lines for word in line.words
        )
    leading = max(gaps, key=lambda gap: (gaps[gap], -gap), default=1.2)
    return _Metrics(leading, rights, frozenset(vocabulary))


def _rights(lines: Sequence[Line]) -> dict[int, float]:
    """Where the lines around each line end that stand above or below it, but for a tenth."""
    found = {}
    for i, line in enumerate(lines):
        around = lines[max(0, i - _AROUND) : i + _AROUND + 1]
        ends = sorted(o.right for o in around if o.left < line.right and o.right > line.left)
        found[id(line)] = ends[int(len(ends) * 0.9)] if ends else line.right
    return found


def _is_marked(line: Line) -> bool:
    """Whether a line opens an item of a list."""
    first = line.words[0].text
    if len(line.words) < 2:
        return False
    return bool(_BULLET.fullmatch(first) or (_NUMBER.fullmatch(first) and not line.bold))


def _is_code(lines: Sequence[Line], i: int, group: Sequence[Line]) -> bool:
    """Lines all in a fixed-width font, but for one that is a word at a paragraph's end."""
    if not lines[i].mono:
        return False
    follows = i + 1 < len(lines) and lines[i + 1].mono
    return follows or not group or lines[i].left > group[-1].left + lines[i].size


def _continues(group: Sequence[Line], line: Line, metrics: _Metrics) -> bool:
    """Whether a line goes on with the paragraph of the lines before it."""
    last = group[-1]
    column_right = metrics.rights.get(id(line), line.right)
    is_full = last.right > column_right - 2 * last.size
    if _is_marked(line) and not (is_full and _is_prose_number(group, line, metrics)):
        return False
    if not any(abs(one - other) <= 0.1 * one for one in last.sizes for other in line.sizes):
        return False
    if last.hyphen:
        return True
    gap = last.bottom - line.bottom
    same_line = abs(gap) < 0.3 * last.size and line.page == last.page
    if same_line:
        return True
    ended = last.text.endswith(_ENDS)
    if line.page != last.page or gap <= 0:
        return not ended and (line.text[:1].islower() or line.text[:1] in "(“")
    if _is_label(last) and (_is_label(line) or line.text.startswith("Fig")):
        return True
    goes_on = not ended and line.text[:1].islower()
    if gap > max(metrics.leading * (1.7 if goes_on else 1.3), 1.05) * last.size:
        return False
    if last.bold and not line.bold and len(group) == 1 and len(last.words) <= 8:
        return False
    in_item = _is_marked(group[0])
    if in_item and abs(line.left - group[0].words[1].left) < _ALIGNED:
        return True
    indented = line.left > last.left + 0.8 * last.size
    if indented and not (len(group) == 1 and in_item):
        # A hanging indent goes on where the line before is full.
        return len(group) == 1 and not ended
    back = line.left < last.left - (0.15 if in_item else 0.8) * last.size
    if back and (len(group) > 1 or (in_item and not is_full)):
        return False
    near = group[-_NEAR_LINES:]
    right = max(*(x.right for x in near), column_right if not in_item else 0)
    is_short = last.right < right - 0.2 * (right - min(x.left for x in near))
    return not (is_short and ended and line.text[:1].isupper())


def _is_prose_number(group: Sequence[Line], line: Line, metrics: _Metrics) -> bool:
    """Whether a number at the beginning of a line belongs to the running text: "(see
    1. above", "shown by [12]"; a list begins after an end, with an indent or a gap."""
    last = group[-1]
    if _is_marked(group[0]) or _BULLET.fullmatch(line.words[0].text):
        return False
    close = 0 < last.bottom - line.bottom < metrics.leading * 1.15 * last.size
    aligned = abs(line.left - last.left) < _ALIGNED
    is_reference = bool(_REFERENCE.fullmatch(line.words[0].text))
    return close and aligned and (is_reference or not last.text.endswith(_ENDS))


def _is_label(line: Line) -> bool:
    """A line of letters that name points in a figure."""
    return len(line.words) <= 6 and all(len(word.text) <= 2 for word in line.words)


def _add_paragraph(builder: DocumentBuilder, group: Sequence[Line], metrics: _Metrics) -> None:
    builder.page = group[0].page
    builder.add_paragraph(_runs(group, metrics))


def _list_items(items: Sequence[Sequence[Line]], metrics: _Metrics) -> list[ListItem]:
    lefts = sorted({round(item[0].left / 6) for item in items})
    depths: dict[int, int] = {}
    for left in lefts:
        near = [known for known in depths if left - known <= 1]
        depths[left] = depths[near[-1]] if near else len(set(depths.values()))
    found = []
    for item in items:
        marker = item[0].words[0].text
        first = Line(item[0].words[1:], item[0].page, item[0].hyphen)
        found.append(
            ListItem(
                _runs([first, *item[1:]], metrics),
                min(depths[round(item[0].left / 6)], 5),
                _shown_marker(marker),
            )
        )
    return found


def _shown_marker(marker: str) -> str:
    if _BULLET.fullmatch(marker):
        return "-"
    return marker if _REFERENCE.fullmatch(marker) else f"{marker.strip('().')}."


def _runs(group: Sequence[Line], metrics: _Metrics) -> list[Run]:
    """The words of lines as runs; bold and italic words are terms where others are not."""
    styled = [word.bold or word.italic for line in group for word in line.words]
    plain_exists = not all(styled)
    runs: list[Run] = []
    joined = True
    for number, line in enumerate(group):
        for word in line.words:
            term = plain_exists and (word.bold or word.italic)
            if not joined:
                runs.append(Run(" ", term and runs[-1].term))
            runs.append(Run(word.text, term))
            joined = False
        following = group[number + 1].words[0].text if number + 1 < len(group) else ""
        if following and (mended := _mended(runs[-1].text, following, line.hyphen, metrics)):
            runs[-1] = Run(mended, runs[-1].term)
            joined = True
    return runs


def _mended(word: str, following: str, hyphen: bool, metrics: _Metrics) -> str:
    """What stands before the next line's word where both are one word, else nothing.

    The hyphen stays where the document has the compound elsewhere on one line.
    """
    if not hyphen and not (word.endswith(("-", "‐")) and len(word) > 1 and word[-2].isalpha()):
        return ""
    stem = word if hyphen else word[:-1]
    compound = f"{stem}-{following}".strip(".,;:()").lower()
    whole = f"{stem}{following}".strip(".,;:()").lower()
    if compound in metrics.vocabulary and whole not in metrics.vocabulary:
        return f"{stem}-"
    if following[:1].islower() and (hyphen or whole in metrics.vocabulary):
        return stem
    return stem if hyphen and whole in metrics.vocabulary else f"{stem}-"


def _code(lines: Sequence[Line]) -> str:
    """Fixed-width lines with their indentation and blank lines."""
    left = min(line.left for line in lines)
    text = []
    before: Line | None = None
    for line in lines:
        if before and 0 < before.bottom - line.bottom > 1.8 * line.size:
            text.append("")
        first = line.words[0]
        width = max((first.right - first.left) / max(len(first.text), 1), 1.0)
        pieces = [" " * round((line.left - left) / width)]
        for previous, word in zip((None, *line.words), line.words, strict=False):
            if previous:
                pieces.append(" " * max(1, round((word.left - previous.right) / width)))
            pieces.append(word.text)
        text.append("".join(pieces) + "-" * line.hyphen)
        before = line
    return "\n".join(text)
