"""Tables in a PDF: lines whose parts stand below each other in columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from graphrag.reading.pdf_page import Line, Word

_MIN_ROWS = 3
_MAX_CELL = 200


@dataclass(frozen=True, slots=True)
class Table:
    """A table made of the next ``lines`` lines."""

    rows: list[list[str]]
    lines: int
    header: bool


def table_at(lines: Sequence[Line], start: int) -> Table | None:
    """The table that begins with a line, or None.

    It needs three rows of two or more parts whose left or right ends, or middles, agree
    with the columns of the rows around them. A line with one part belongs to the row
    above where it stands in a column other than the first and close below.
    """
    if len(lines[start].segments) < 2:
        return None
    columns = [_extent(segment) for segment in lines[start].segments]
    stop = start + 1
    full_rows = 1
    while stop < len(lines):
        line = lines[stop]
        gap = lines[stop - 1].bottom - line.bottom
        if line.page != lines[start].page or not -0.5 * line.size < gap < 4 * line.size:
            break
        extents = [_extent(segment) for segment in line.segments]
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
    while stop > start and len(lines[stop - 1].segments) < 2 and full_rows < stop - start:
        last = _extent(lines[stop - 1].segments[0])
        if last[0] > columns[0][1]:
            break
        stop -= 1
    if full_rows < _MIN_ROWS or len(columns) < 2:
        return None
    rows = _rows(lines[start:stop], columns)
    if any(len(cell) > _MAX_CELL for row in rows for cell in row) or len(rows) < 2:
        return None
    return Table(rows, stop - start, header=_has_header(lines[start:stop], rows))


def _extent(segment: Sequence[Word]) -> tuple[float, float]:
    return segment[0].left, segment[-1].right


def _width(columns: Sequence[tuple[float, float]]) -> float:
    return columns[-1][1] - columns[0][0]


def _fit(
    columns: list[tuple[float, float]], extents: Sequence[tuple[float, float]]
) -> list[tuple[float, float]] | None:
    """The columns widened by a row's parts, or None where a part lies across two."""
    widened = list(columns)
    for left, right in extents:
        touched = [i for i, (a, b) in enumerate(widened) if left < b and right > a]
        if len(touched) > 1:
            return None
        if touched:
            a, b = widened[touched[0]]
            widened[touched[0]] = (min(a, left), max(b, right))
        elif len(extents) > 1:
            widened.append((left, right))
            widened.sort()
        else:
            return None
    return widened


def _rows(lines: Sequence[Line], columns: Sequence[tuple[float, float]]) -> list[list[str]]:
    rows: list[list[str]] = []
    before: Line | None = None
    for line in lines:
        cells = [""] * len(columns)
        for segment in line.segments:
            left, right = _extent(segment)
            column = max(
                range(len(columns)),
                key=lambda i: min(right, columns[i][1]) - max(left, columns[i][0]),
            )
            cells[column] = " ".join([cells[column], *(word.text for word in segment)]).strip()
        close = before is not None and before.bottom - line.bottom < 1.5 * line.size
        if rows and close and not cells[0]:
            rows[-1] = [f"{a} {b}".strip() for a, b in zip(rows[-1], cells, strict=True)]
        else:
            rows.append(cells)
        before = line
    return rows


def _has_header(lines: Sequence[Line], rows: Sequence[Sequence[str]]) -> bool:
    """A bold first line, or words above numbers."""
    if lines[0].bold and not all(line.bold for line in lines):
        return True
    if not all(rows[0]):
        return False
    digits = sum(any(c.isdigit() for c in cell) for cell in rows[0])
    below = sum(any(c.isdigit() for c in cell) for row in rows[1:] for cell in row)
    return digits == 0 and below > 0
