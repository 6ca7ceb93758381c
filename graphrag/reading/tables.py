"""Grids of cells, as in sheets and CSV files, to tables with their headings."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby

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
    for stretch in [part for each in _stretches(rows) for part in _side_by_side(each)]:
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


def _side_by_side(rows: list[list[str]]) -> list[list[list[str]]]:
    """The tables that stand beside each other: two columns each or more, with two empty
    columns between, or one where they do not begin and end in the same rows."""
    width = max(map(len, rows))
    used = [[bool(cell) for cell in row] + [False] * (width - len(row)) for row in rows]
    filled = [any(row[column] for row in used) for column in range(width)]
    runs: list[tuple[int, int]] = []
    for is_filled, run in groupby(range(width), key=filled.__getitem__):
        columns = list(run)
        if is_filled:
            runs.append((columns[0], columns[-1] + 1))
    parts = runs[:1]
    for left, right in runs[1:]:
        before = parts[-1]
        heights = [_height(used, *run) for run in (before, (left, right))]
        is_apart = left - before[1] > 1 or heights[0] != heights[1]
        if is_apart and min(before[1] - before[0], right - left) > 1 and len(rows) > 1:
            parts.append((left, right))
        else:
            parts[-1] = (before[0], right)
    if len(parts) < 2:
        return [rows]
    cut = [[row[left:right] for row in rows] for left, right in parts]
    return [stretch for part in cut for stretch in _stretches(part)]


def _height(used: Sequence[Sequence[bool]], left: int, right: int) -> tuple[int, int]:
    """The first and the last row that columns fill."""
    rows = [number for number, row in enumerate(used) if any(row[left:right])]
    return rows[0], rows[-1]


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
    width = max(map(len, rows))
    # A column without any cell is a gap.
    filled = [any(len(row) > column and row[column] for row in rows) for column in range(width)]
    first = [cell for cell, is_filled in zip(rows[0], filled, strict=False) if is_filled]
    if (
        len(rows) < 2
        or len(first) < sum(filled)
        or not all(first)
        or any(_NUMBER.fullmatch(cell) for cell in first)
    ):
        return False
    return len(set(first)) == len(first)
