"""Columns of a page in reading order, where its content jumps between them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from graphrag.reading.pdf_page import Line

_MIN_LINES = 6
_PROSE_WORDS = 4
_ALIGNED = 6.0


def in_reading_order(lines: Sequence[Line]) -> list[Line]:
    """The lines of a page, those of two columns of prose that share base lines parted.

    A run of lines is taken for two columns when at least six of them have a wide gap at
    one place and prose on both sides (four words or more); a table has short cells.
    A page of one column whose content jumps up is put in order from top to bottom.
    """
    gutter = _gutter(lines)
    if gutter is None:
        if _jumps_up(lines) and not _has_neighbours(lines):
            return sorted(lines, key=lambda line: (-round(line.bottom / 2), line.left))
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
    """Whether a line stands above the one before it, and not in another column."""
    for before, line in pairwise(lines):
        if line.bottom > before.top + 2 * line.size:
            shared = min(before.right, line.right) - max(before.left, line.left)
            if shared > 0.5 * min(before.right - before.left, line.right - line.left):
                return True
    return False


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
