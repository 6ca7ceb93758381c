"""The marks of list items that a PDF page has as drawings: browsers print bullets so."""

from __future__ import annotations

import ctypes
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Any

import pypdfium2.raw as pdfium_c

from graphrag.reading.pdf_page import Line, Word

_MAX_OBJECTS = 3_000
_MAX_MARKS = 300
_SMALLEST, _LARGEST = 2.0, 9.0  # points
_SQUARE = 1.25  # how much longer than the other one of its sides may be
_NEAR, _FAR = 0.2, 1.6  # how far the text begins behind its mark, in sizes
_BULLET = "•"


@dataclass(frozen=True, slots=True)
class Mark:
    """A small disc or square that is drawn; its box in points."""

    left: float
    right: float
    bottom: float
    top: float

    @property
    def middle(self) -> float:
        return (self.bottom + self.top) / 2


def with_marks(lines: Sequence[Line], page: Any) -> list[Line]:
    """The lines of a page (a ``PdfPage``), those that begin right behind a mark at half their
    height with a bullet in front. A page with more than 300 marks is a drawing."""
    marks = list(_marks(page))
    if not marks or len(marks) > _MAX_MARKS:
        return list(lines)
    heights = sorted(marks, key=attrgetter("middle"))
    middles = [mark.middle for mark in heights]
    found = []
    for line in lines:
        level = heights[bisect_left(middles, line.bottom) : bisect_right(middles, line.top)]
        mark = next((each for each in level if _is_before(each, line)), None)
        found.append(line if mark is None else _marked(line, mark))
    return found


def _is_before(mark: Mark, line: Line) -> bool:
    return _NEAR * line.size < line.left - mark.right < _FAR * line.size


def _marked(line: Line, mark: Mark) -> Line:
    bullet = Word(_BULLET, mark.left, mark.right, line.bottom, line.top)
    return replace(line, words=(bullet, *line.words))


def _marks(page: Any) -> Iterator[Mark]:
    """What is drawn small and as wide as it is high."""
    box = [ctypes.c_float() for _ in range(4)]
    for i in range(min(_MAX_OBJECTS, pdfium_c.FPDFPage_CountObjects(page.raw))):
        item = pdfium_c.FPDFPage_GetObject(page.raw, i)
        if pdfium_c.FPDFPageObj_GetType(item) != pdfium_c.FPDF_PAGEOBJ_PATH:
            continue
        if not pdfium_c.FPDFPageObj_GetBounds(item, *box):
            continue
        left, bottom, right, top = (side.value for side in box)
        shorter, longer = sorted((right - left, top - bottom))
        if shorter >= _SMALLEST and longer <= min(_LARGEST, _SQUARE * shorter):
            yield Mark(left, right, bottom, top)
