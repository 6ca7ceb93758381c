"""Columns of a page in reading order, where its content jumps between them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from operator import attrgetter

from graphrag.reading.pdf_page import Line

_MIN_LINES = 6
_PROSE_WORDS = 4
_ALIGNED = 6.0
_LEVEL = 0.3  # how far base lines of one row are apart at most, in sizes


def in_reading_order(lines: Sequence[Line]) -> list[Line]:
    """The lines of a page, those of two columns of prose that share base lines parted.

    A run of lines is taken for two columns when at least six of them have a wide gap at
    one place and prose on both sides (four words or more); a table has short cells.
    A page of one column whose content jumps up is put in order from top to bottom.
    """
    gutter = _gutter(lines)
    if gutter is None:
        if _jumps_up(lines) and not _has_neighbours(lines):
            return _from_the_top(lines)
        return list(lines)
    ordered: list[Line] = []
    left: list[Line] = []
    right: list[Line] = []
    for line in lines:
        parts = _parted(line, gutter)
        if parts is None:
            ordered += [*left, *right, line]
            left, right = [], []
            continue
        left += parts[0]
        right += parts[1]
    return [*ordered, *left, *right]


def _jumps_up(lines: Sequence[Line]) -> bool:
    return any(_is_above(before, line) for before, line in pairwise(lines))


def _is_above(before: Line, line: Line) -> bool:
    """Whether a line stands above the one before it, and not in another column."""
    shared = min(before.right, line.right) - max(before.left, line.left)
    narrower = min(before.right - before.left, line.right - line.left)
    return line.bottom > before.top + 2 * line.size and shared > 0.5 * narrower


def _from_the_top(lines: Sequence[Line]) -> list[Line]:
    """The lines from top to bottom, but for what the content of the page has in one piece,
    such as columns side by side: a piece goes before those that it stands above as a whole."""
    found: list[_Piece] = []
    for piece in _pieces(lines):
        place = next((i for i, each in enumerate(found) if piece.foot > each.top), len(found))
        found.insert(place, piece)
    return _rows_from_the_left([line for piece in found for line in piece.lines])


def _rows_from_the_left(lines: Sequence[Line]) -> list[Line]:
    """The lines, those that follow each other on one base line from left to right."""
    rows: list[list[Line]] = []
    for line in lines:
        if rows and abs(rows[-1][-1].bottom - line.bottom) < _LEVEL * line.size:
            rows[-1].append(line)
        else:
            rows.append([line])
    return [line for row in rows for line in sorted(row, key=attrgetter("left"))]


@dataclass(frozen=True, slots=True)
class _Piece:
    """Lines, the height of the highest and of the lowest base line."""

    lines: tuple[Line, ...]
    top: float
    foot: float


def _pieces(lines: Sequence[Line]) -> Iterator[_Piece]:
    """Runs of lines that do not jump up, nor down across other lines."""
    heights = sorted(line.bottom for line in lines)
    start = 0
    for i in range(1, len(lines) + 1):
        if i == len(lines) or _is_break(lines[i - 1], lines[i], heights):
            run = tuple(lines[start:i])
            bases = [line.bottom for line in run]
            yield _Piece(run, max(bases), min(bases))
            start = i


def _is_break(before: Line, line: Line, heights: Sequence[float]) -> bool:
    near = 0.5 * line.size
    between = bisect_left(heights, before.bottom - near) - bisect_right(heights, line.bottom + near)
    return between > 0 or _is_above(before, line)


def _has_neighbours(lines: Sequence[Line]) -> bool:
    """Whether many lines stand side by side, as in columns."""
    ordered = sorted(lines, key=lambda line: line.bottom)
    beside = sum(
        abs(a.bottom - b.bottom) < 0.5 * a.size and (a.right < b.left or b.right < a.left)
        for a, b in pairwise(ordered)
    )
    return beside * 6 > len(lines)


def _gutter(lines: Sequence[Line]) -> float | None:
    """The left edge of the right column, or None on a page without columns."""
    starts: list[float] = []
    for line in lines:
        if (
            not line.cells
            and len(line.segments) == 2
            and all(len(s) >= _PROSE_WORDS for s in line.segments)
        ):
            starts.append(line.segments[1][0].left)
    if len(starts) < _MIN_LINES:
        return None
    starts.sort()
    middle = starts[len(starts) // 2]
    near = sum(abs(start - middle) < _ALIGNED for start in starts)
    return middle if near >= max(_MIN_LINES, 0.7 * len(starts)) else None


def _parted(line: Line, gutter: float) -> tuple[list[Line], list[Line]] | None:
    """A line's parts left and right of the gutter; None where it lies across."""
    edge = gutter - _ALIGNED
    if line.cells:
        if line.right <= gutter:
            return [line], []
        return ([], [line]) if line.left >= edge else None
    left = tuple(word for word in line.words if word.right <= edge + _ALIGNED)
    right = tuple(word for word in line.words if word.left >= edge)
    if len(left) + len(right) != len(line.words):
        return None
    if left and right and right[0].left - left[-1].right < line.size:
        return None
    return (
        [Line(left, line.page, line.hyphen and not right)] if left else [],
        [Line(right, line.page, line.hyphen)] if right else [],
    )
