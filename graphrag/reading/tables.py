"""Grids of cells, as in sheets and CSV files, to tables with their headings."""

from __future__ import annotations

import re
from collections.abc import Sequence

from graphrag.reading.builder import DocumentBuilder

_NUMBER = re.compile(r"[-+(]?[$€£¥]?\s*+\d[\d.,\s]*+(?:e[-+]?\d+)?\s*+%?\)?", re.IGNORECASE)
_PART_ROWS = 400


def add_grid(
    builder: DocumentBuilder, rows: Sequence[Sequence[str]], *, headed: bool | None
) -> None:
    """Add the rows as a table for each stretch that empty rows part.

    A stretch of one cell is a paragraph (a title above a table). ``headed`` tells whether
    the first row is a header; None: it is where it is full and holds no number. A long
    table is cut into parts of 400 rows, each with the header.
    """
    for stretch in _stretches(rows):
        bounds = _used_columns(stretch)
        titles = 0
        while titles < len(stretch) and _is_title(stretch[titles], *bounds[titles]):
            builder.add_paragraph(next(cell for cell in stretch[titles] if cell))
            titles += 1
        if titles == len(stretch):
            continue
        left, right = bounds[titles]
        stretch = [row[left:right] for row in stretch[titles:]]
        if right - left == 1:
            for row in stretch:
                builder.add_paragraph(row[0])
            continue
        header = headed if headed is not None else _looks_headed(stretch)
        head, body = (stretch[:1], stretch[1:]) if header else ([], stretch)
        for start in range(0, max(len(body), 1), _PART_ROWS):
            builder.add_table([*head, *body[start : start + _PART_ROWS]], header=header)


def _stretches(rows: Sequence[Sequence[str]]) -> list[list[list[str]]]:
    found: list[list[list[str]]] = []
    current: list[list[str]] = []
    for row in rows:
        cells = [cell.strip() for cell in row]
        if any(cells):
            current.append(cells)
        elif current:
            found.append(current)
            current = []
    if current:
        found.append(current)
    return found


def _used_columns(rows: Sequence[Sequence[str]]) -> list[tuple[int, int]]:
    """For each row the columns, from and to before, that it and those below it fill."""
    bounds: list[tuple[int, int]] = []
    left, right = len(max(rows, key=len)), 0
    for row in reversed(rows):
        filled = [i for i, cell in enumerate(row) if cell]
        left, right = min(left, filled[0]), max(right, filled[-1] + 1)
        bounds.append((left, right))
    return bounds[::-1]


def _is_title(row: Sequence[str], left: int, right: int) -> bool:
    """Whether a row has one cell and more than one column goes on below it."""
    return right - left > 1 and sum(bool(cell) for cell in row) == 1


def _looks_headed(rows: Sequence[Sequence[str]]) -> bool:
    first = rows[0]
    width = max(map(len, rows))
    if (
        len(rows) < 2
        or len(first) < width
        or not all(first)
        or any(_NUMBER.fullmatch(cell) for cell in first)
    ):
        return False
    return len(set(first)) == len(first)
