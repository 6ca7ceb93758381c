"""Tables in a PDF: lines whose parts stand below each other in columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from graphrag.reading.pdf_page import Line, Word

_MIN_ROWS = 3
_MIN_PROJECTED = 4
_MAX_CELL = 200
_MAX_ROWS = 400
_GUTTER = 0.45
_WORD_SPACE = 0.7  # times the size: no gap between the words of a sentence is wider
_ALIGNED = 2.0

# Left and right end in points.
_Extent = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Table:
    """A table made of the next ``lines`` lines."""

    rows: list[list[str]]
    lines: int
    header: bool


def table_at(lines: Sequence[Line], start: int) -> Table | None:
    """The table that begins with a line, or None.

    It needs three rows of two or more parts that stand in common columns. A line with one
    part belongs to it where that stands in one column. A bold line right above is its
    header where its words stand over the columns.
    """
    line = lines[start]
    if line.cells:
        return _grid_at(lines, start)
    if line.bold and start + 1 < len(lines) and line.bottom > lines[start + 1].bottom:
        stop, columns = _region(lines, start + 1)
        if stop and _is_close(line, lines[start + 1]) and _heads(line, columns):
            return _table(lines[start:stop], columns, header=True)
    stop, columns = _region(lines, start)
    if not stop and _has_gap(line) and start + 1 < len(lines):
        # The widest cell of a column may all but touch the next one.
        stop, columns = _region(lines, start + 1)
        if len(_parts(line, columns)) != len(columns) or not _is_close(line, lines[start + 1]):
            return None
    return _table(lines[start:stop], columns, header=None) if stop else None


def _grid_at(lines: Sequence[Line], start: int) -> Table:
    """The rows of the grid of rules that begins with a line."""
    stop = start
    while stop < len(lines) and lines[stop].cells and lines[stop].grid == lines[start].grid:
        stop += 1
    rows = [list(line.cells) for line in lines[start:stop]]
    return Table(rows, stop - start, _has_header(lines[start:stop], rows))


def _region(lines: Sequence[Line], start: int) -> tuple[int, list[_Extent]]:
    """Where the table that begins with a line ends, and its columns; 0 for no table."""
    if len(lines[start].segments) < 2:
        return 0, []
    columns = [_extent(segment) for segment in lines[start].segments]
    stop = start + 1
    full_rows = 1
    while stop < min(len(lines), start + _MAX_ROWS):
        line = lines[stop]
        gap = lines[stop - 1].bottom - line.bottom
        if line.page != lines[start].page or not -0.5 * line.size < gap < 4 * line.size:
            break
        extents = [_extent(part) for part in _parts(line, columns)]
        fitting = _fit(columns, extents)
        if fitting is None:
            break
        if len(extents) == 1:
            if gap > 1.6 * line.size or extents[0][1] - extents[0][0] > 0.6 * _width(columns):
                break
        else:
            full_rows += 1
        columns = fitting
        stop += 1
    while stop > start and len(_parts(lines[stop - 1], columns)) < 2:
        if _extent(lines[stop - 1].segments[0])[0] > columns[0][1]:
            break
        stop -= 1
    if full_rows < _MIN_ROWS or len(columns) < 2:
        return 0, []
    if full_rows >= _MIN_PROJECTED:
        columns = _projected(lines[start:stop], columns)
    return stop, columns


def _is_close(line: Line, below: Line) -> bool:
    return line.page == below.page and line.bottom - below.bottom < 3 * line.size


def _has_gap(line: Line) -> bool:
    return any(_is_gap(before, word) for before, word in pairwise(line.words))


def _is_gap(before: Word, word: Word) -> bool:
    """Whether two words stand further apart than those of a sentence."""
    return word.left - before.right > _WORD_SPACE * max(word.size, 1.0)


def _parts(line: Line, columns: Sequence[_Extent]) -> list[Sequence[Word]]:
    """A line's segments, parted also at smaller gaps where a column begins."""
    found: list[Sequence[Word]] = []
    for segment in line.segments:
        start = 0
        for i, (before, word) in enumerate(pairwise(segment), 1):
            begins = any(abs(word.left - left) < _ALIGNED for left, _ in columns)
            if begins and _is_gap(before, word):
                found.append(segment[start:i])
                start = i
        found.append(segment[start:])
    return found


def _table(
    lines: Sequence[Line], columns: Sequence[_Extent], *, header: bool | None
) -> Table | None:
    rows = _rows(lines, columns)
    if any(len(cell) > _MAX_CELL for row in rows for cell in row) or len(rows) < 2:
        return None
    return Table(rows, len(lines), _has_header(lines, rows) if header is None else header)


def _extent(segment: Sequence[Word]) -> _Extent:
    return segment[0].left, segment[-1].right


def _width(columns: Sequence[_Extent]) -> float:
    return columns[-1][1] - columns[0][0]


def _fit(columns: list[_Extent], extents: Sequence[_Extent]) -> list[_Extent] | None:
    """The columns widened by a row's parts; None for a lone part that lies across two or
    beside all of them. Columns that a part of a full row joins become one."""
    widened = list(columns)
    for left, right in extents:
        touched = [i for i, (a, b) in enumerate(widened) if left < b and right > a]
        if len(extents) == 1 and len(touched) != 1:
            return None
        joined = [widened[i] for i in touched] + [(left, right)]
        widened = [column for i, column in enumerate(widened) if i not in touched]
        widened.append((min(a for a, _ in joined), max(b for _, b in joined)))
        widened.sort()
    return widened if len(widened) > 1 else None


def _projected(lines: Sequence[Line], columns: list[_Extent]) -> list[_Extent]:
    """Columns by the gaps that no row's words cross, where they are more."""
    extents = sorted((word.left, word.right) for line in lines for word in line.words)
    gutter = _GUTTER * lines[0].size
    found: list[_Extent] = []
    for left, right in extents:
        if found and left < found[-1][1] + gutter:
            found[-1] = (found[-1][0], max(found[-1][1], right))
        else:
            found.append((left, right))
    return found if len(found) > len(columns) else columns


def _heads(line: Line, columns: Sequence[_Extent]) -> bool:
    """Whether a line's words stand over most of the columns, in their order."""
    over = [_column(word.left, word.right, columns) for word in line.words]
    inside = columns[0][0] - line.size <= line.left and line.right <= columns[-1][1] + 4 * line.size
    return inside and over == sorted(over) and len(set(over)) * 4 >= len(columns) * 3


def _column(left: float, right: float, columns: Sequence[_Extent]) -> int:
    """The column that an extent lies in most, else the nearest."""
    return max(
        range(len(columns)), key=lambda i: min(right, columns[i][1]) - max(left, columns[i][0])
    )


def _rows(lines: Sequence[Line], columns: Sequence[_Extent]) -> list[list[str]]:
    rows: list[list[str]] = []
    before: Line | None = None
    for line in lines:
        cells = [""] * len(columns)
        for word in line.words:
            column = _column(word.left, word.right, columns)
            cells[column] = f"{cells[column]} {word.text}".strip()
        gap = before.bottom - line.bottom if before else 0.0
        if rows and _goes_on(rows[-1], cells, gap / max(line.size, 1.0)):
            rows[-1] = [f"{a} {b}".strip() for a, b in zip(rows[-1], cells, strict=True)]
        else:
            rows.append(cells)
        before = line
    return rows


def _goes_on(row: Sequence[str], cells: Sequence[str], gap: float) -> bool:
    """Whether cells belong to the row before: on its base line, or few and close below."""
    if abs(gap) < 0.3:
        return True
    filled = sum(bool(cell) for cell in cells)
    return gap < 1.5 and not cells[0] and filled * 2 <= sum(bool(cell) for cell in row)


def _has_header(lines: Sequence[Line], rows: Sequence[Sequence[str]]) -> bool:
    """A bold first line, or words above numbers."""
    if lines[0].bold and not all(line.bold for line in lines):
        return True
    if not all(rows[0]):
        return False
    digits = sum(any(c.isdigit() for c in cell) for cell in rows[0])
    below = sum(any(c.isdigit() for c in cell) for row in rows[1:] for cell in row)
    return digits == 0 and below > 0
