"""The rows of a table whose cells are parted by rules drawn on the page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from graphrag.reading.pdf_page import Line, Word
from graphrag.reading.pdf_rules import NEAR, Grid, Rule, grids

_MAX_CELL = 600
_PADDING = 8.0
_WIDE = 1.5
_SOFT = "\u00ad"
_Place = tuple[int, int]


def ruled_lines(lines: Sequence[Line], rules: Sequence[Rule]) -> list[Line]:
    """The lines of a page, those within a grid made into its rows, each with its cells.

    A grid has two columns and two rows at least, text in half of its cells, no word that
    lies across a border and no columns within a cell; a frame, a form or the lines of a
    chart are none.
    """
    for number, grid in enumerate(grids(rules)):
        inside = [i for i, line in enumerate(lines) if _is_inside(line, grid)]
        rows = _rows([lines[i] for i in inside], grid) if inside else None
        if rows is None:
            continue
        taken = set(inside)
        lines = [
            *lines[: inside[0]],
            *(replace(row, grid=number) for row in rows),
            *(line for i, line in enumerate(lines) if i > inside[0] and i not in taken),
        ]
    return list(lines)


def _is_inside(line: Line, grid: Grid) -> bool:
    middle = (line.bottom + line.top) / 2
    return (
        grid.xs[0] - NEAR <= line.left
        and line.right <= grid.xs[-1] + NEAR
        and grid.ys[-1] - NEAR <= middle <= grid.ys[0] + NEAR
    )


def _rows(lines: Sequence[Line], grid: Grid) -> list[Line] | None:
    """The grid's rows from the top; None where its text does not keep to the cells."""
    cells: dict[_Place, list[Word]] = {}
    widths: dict[_Place, float] = {}
    for line in lines:
        for word in _whole(line):
            place, left, right = _cell(word, grid)
            if word.left < left - word.size or word.right > right + word.size:
                return None
            cells.setdefault(place, []).append(word)
            widths[place] = right - left
    columns = sorted({column for _, column in cells})
    rows = sorted({row for row, _ in cells})
    if len(rows) < 2 or len(columns) < 2 or len(cells) * 2 < len(rows) * len(columns):
        return None
    if any(_has_columns(_base_lines(words)) for words in cells.values()):
        return None
    found: list[Line] = []
    for row in rows:
        lines_of = {
            column: _base_lines(cells[row, column]) for column in columns if (row, column) in cells
        }
        for part in _parts(lines_of, {c: widths[row, c] for c in lines_of}):
            texts = tuple(_text(part.get(column, ())) for column in columns)
            if any(len(text) > _MAX_CELL for text in texts):
                return None
            words = tuple(word for column in columns for word in part.get(column, ()))
            found.append(Line(words, lines[0].page, cells=texts))
    return found


def _cell(word: Word, grid: Grid) -> tuple[_Place, float, float]:
    """The cell that the middle of a word lies in, and its left and right edge.

    A cell may go over several columns, and over several rows: it is in the first of them.
    """
    height, middle = (word.bottom + word.top) / 2, (word.left + word.right) / 2
    row = next(
        (row for row, (_, foot) in enumerate(pairwise(grid.ys)) if height >= foot),
        len(grid.ys) - 2,
    )
    edges = _edges(grid, (grid.ys[row] + grid.ys[row + 1]) / 2)
    left = max((x for x in edges if x <= middle), default=edges[0])
    right = min((x for x in edges if x > middle), default=edges[-1])
    while row and not _is_parted(grid, grid.ys[row], (left + right) / 2):
        row -= 1
    return (row, grid.xs.index(left)), left, right


def _edges(grid: Grid, height: float) -> list[float]:
    """The column edges that are drawn at a height."""
    inner = [
        x
        for x in grid.xs[1:-1]
        if any(
            abs(rule.at - x) <= NEAR and rule.start - NEAR <= height <= rule.stop + NEAR
            for rule in grid.upright
        )
    ]
    return [grid.xs[0], *inner, grid.xs[-1]]


def _is_parted(grid: Grid, y: float, x: float) -> bool:
    """Whether a stroke parts the cells above and below a place."""
    return any(
        abs(rule.at - y) <= NEAR and rule.start - NEAR <= x <= rule.stop + NEAR
        for rule in grid.level
    )


def _base_lines(words: Sequence[Word]) -> list[list[Word]]:
    """The words of a cell line by line."""
    lines: list[list[Word]] = []
    for word in words:
        if lines and abs(lines[-1][-1].bottom - word.bottom) < 0.5 * max(word.size, 1.0):
            lines[-1].append(word)
        else:
            lines.append([word])
    return lines


def _has_columns(lines: Sequence[Sequence[Word]]) -> bool:
    """Whether two lines of a cell, or more, have wide gaps."""
    gaps = (
        any(word.left - before.right > _WIDE * word.size for before, word in pairwise(line))
        for line in lines
    )
    return sum(gaps) > 1


def _parts(
    lines: Mapping[int, Sequence[Sequence[Word]]], widths: Mapping[int, float]
) -> list[dict[int, list[Word]]]:
    """The rows that stand between two rules: one as a rule; one for each line where two or
    more columns have the same number of lines, and none was broken for its length."""
    counts = {len(each) for each in lines.values()} - {1}
    several = [column for column, each in lines.items() if len(each) > 1]
    is_stack = (
        len(counts) == 1
        and len(several) > 1
        and all(_may_be_rows(lines[column], widths[column]) for column in several)
        and sum(_are_rows(lines[column], widths[column]) for column in several) > 1
    )
    if not is_stack:
        return [
            {column: [word for line in each for word in line] for column, each in lines.items()}
        ]
    return [
        {column: list(each[min(i, len(each) - 1)]) for column, each in lines.items()}
        for i in range(counts.pop())
    ]


def _may_be_rows(lines: Sequence[Sequence[Word]], width: float) -> bool:
    return all(len(line) == 1 for line in lines) or _are_rows(lines, width)


def _are_rows(lines: Sequence[Sequence[Word]], width: float) -> bool:
    """Whether the lines of a cell are values below each other: one number each, or the
    first word of each line would have fitted in the line before."""
    if all(len(line) == 1 and any(map(str.isdigit, line[0].text)) for line in lines):
        return True
    return all(
        line[-1].right - line[0].left + following[0].right - following[0].left + line[0].size / 3
        < width - _PADDING
        for line, following in pairwise(lines)
    )


def _whole(line: Line) -> Sequence[Word]:
    """The words of a line, a hyphen at its end marked in the last."""
    if not line.hyphen:
        return line.words
    *others, last = line.words
    return [*others, replace(last, text=f"{last.text}{_SOFT}")]


def _text(words: Sequence[Word]) -> str:
    return " ".join(word.text for word in words).replace(f"{_SOFT} ", "").rstrip(_SOFT)
