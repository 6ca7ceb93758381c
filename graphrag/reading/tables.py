"""Grids of cells, as in sheets and CSV files, to tables with their headings."""

from __future__ import annotations

import re
from collections.abc import Sequence

from graphrag.reading.builder import DocumentBuilder

_NUMBER = re.compile(r"[-+(]?[$€£¥]?\s*\d[\d.,\s]*(?:e[-+]?\d+)?\s*%?\)?", re.IGNORECASE)
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
        stretch = _trimmed(stretch)
        while stretch and sum(bool(cell) for cell in stretch[0]) == 1 and _width(stretch) > 1:
            builder.add_paragraph(next(cell for cell in stretch[0] if cell))
            stretch = _trimmed(stretch[1:])
        if not stretch:
            continue
        if _width(stretch) == 1:
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


def _trimmed(rows: list[list[str]]) -> list[list[str]]:
    """Rows of one width without empty columns at either side."""
    width = max((len(row) for row in rows), default=0)
    full = [[*row, *[""] * (width - len(row))] for row in rows]
    used = [i for i in range(width) if any(row[i] for row in full)]
    return [row[used[0] : used[-1] + 1] for row in full] if used else []


def _width(rows: Sequence[Sequence[str]]) -> int:
    return max((len(row) for row in rows), default=0)


def _looks_headed(rows: Sequence[Sequence[str]]) -> bool:
    first = rows[0]
    if len(rows) < 2 or not all(first) or any(_NUMBER.fullmatch(cell) for cell in first):
        return False
    return len(set(first)) == len(first)
