"""Rules drawn on a PDF page, and the grids that they make: tables with all their borders."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import pypdfium2.raw as pdfium_c

_MAX_OBJECTS = 3_000
_MAX_RULES = 600
_MAX_SEGMENTS = 200
_THICK = 3.0
_SHORTEST = 4.0
NEAR = 2.5
_SEGMENT_LINE, _SEGMENT_MOVE = pdfium_c.FPDF_SEGMENT_LINETO, pdfium_c.FPDF_SEGMENT_MOVETO


@dataclass(frozen=True, slots=True)
class Rule:
    """A straight stroke in points: at ``at``, across it, from ``start`` to ``stop``."""

    upright: bool
    at: float
    start: float
    stop: float


def page_rules(page: Any) -> list[Rule]:
    """The upright and level strokes of a page (a ``PdfPage``), thin bars among them.

    A page with more than 3,000 drawn objects, or 600 strokes, is a drawing and has none.
    """
    count = pdfium_c.FPDFPage_CountObjects(page.raw)
    found: list[Rule] = []
    drawn = 0
    for i in range(count):
        item = pdfium_c.FPDFPage_GetObject(page.raw, i)
        if pdfium_c.FPDFPageObj_GetType(item) != pdfium_c.FPDF_PAGEOBJ_PATH:
            continue
        drawn += 1
        if drawn > _MAX_OBJECTS:
            return []
        found.extend(_rules_of(item))
    return found if len(found) <= _MAX_RULES else []


# --- strokes ---------------------------------------------------------------------------------


def _rules_of(item: Any) -> Iterator[Rule]:
    left, bottom, right, top = (ctypes.c_float() for _ in range(4))
    if not pdfium_c.FPDFPageObj_GetBounds(item, left, bottom, right, top):
        return
    bar = _bar(left.value, bottom.value, right.value, top.value)
    if bar is not None:
        yield bar
        return
    if right.value - left.value <= _THICK or not _is_stroked(item):
        return
    yield from _strokes(item)


def _bar(left: float, bottom: float, right: float, top: float) -> Rule | None:
    """A box that is thin enough for a rule."""
    width, height = right - left, top - bottom
    if height <= _THICK and width >= max(_SHORTEST, 3 * height):
        return Rule(False, (bottom + top) / 2, left, right)
    if width <= _THICK and height >= max(_SHORTEST, 3 * width):
        return Rule(True, (left + right) / 2, bottom, top)
    return None


def _is_stroked(item: Any) -> bool:
    fill, stroke = ctypes.c_int(), ctypes.c_int()
    return bool(pdfium_c.FPDFPath_GetDrawMode(item, fill, stroke) and stroke.value)


def _strokes(item: Any) -> Iterator[Rule]:
    """The straight segments of a path, in the page's own points."""
    count = pdfium_c.FPDFPath_CountSegments(item)
    if not 0 < count <= _MAX_SEGMENTS:
        return
    matrix = pdfium_c.FS_MATRIX()
    pdfium_c.FPDFPageObj_GetMatrix(item, matrix)
    before = first = (0.0, 0.0)
    x, y = ctypes.c_float(), ctypes.c_float()
    for i in range(count):
        segment = pdfium_c.FPDFPath_GetPathSegment(item, i)
        pdfium_c.FPDFPathSegment_GetPoint(segment, x, y)
        point = (
            matrix.a * x.value + matrix.c * y.value + matrix.e,
            matrix.b * x.value + matrix.d * y.value + matrix.f,
        )
        kind = pdfium_c.FPDFPathSegment_GetType(segment)
        if kind == _SEGMENT_MOVE:
            first = point
        elif kind == _SEGMENT_LINE and (rule := _between(before, point)):
            yield rule
        if pdfium_c.FPDFPathSegment_GetClose(segment) and (rule := _between(point, first)):
            yield rule
        before = point


def _between(one: tuple[float, float], other: tuple[float, float]) -> Rule | None:
    (left, right), (bottom, top) = (sorted(pair) for pair in zip(one, other, strict=True))
    return _bar(left, bottom, right, top)


# --- grids -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Grid:
    """Column edges from the left, row edges from the top, and the strokes between."""

    xs: list[float]
    ys: list[float]
    upright: list[Rule]
    level: list[Rule]


def grids(rules: Sequence[Rule]) -> Iterator[Grid]:
    """The grids of two columns and two rows or more that strokes make."""
    for group in _connected(rules):
        upright = [rule for rule in group if rule.upright]
        level = [rule for rule in group if not rule.upright]
        xs = _merged([rule.at for rule in upright])
        ys = _merged([rule.at for rule in level])
        if level and upright:
            # Many tables have no border at their left and right ends, or at head and foot.
            xs = _merged([*xs, min(r.start for r in level), max(r.stop for r in level)])
            ys = _merged([*ys, min(r.start for r in upright), max(r.stop for r in upright)])
        if len(xs) > 2 and len(ys) > 2:
            yield Grid(xs, ys[::-1], upright, level)


def _connected(rules: Sequence[Rule]) -> list[list[Rule]]:
    """Strokes that cross or meet each other, in groups."""
    groups: list[tuple[list[Rule], list[float]]] = []
    for rule in rules:
        box = _box(rule)
        near = [group for group in groups if _overlap(group[1], box)]
        merged: list[Rule] = [rule]
        for group in near:
            merged = [*group[0], *merged]
            box = [*map(min, box[:2], group[1][:2]), *map(max, box[2:], group[1][2:])]
        groups = [group for group in groups if group not in near]
        groups.append((merged, box))
    return [rules_of for rules_of, _ in groups]


def _box(rule: Rule) -> list[float]:
    if rule.upright:
        return [rule.at, rule.start, rule.at, rule.stop]
    return [rule.start, rule.at, rule.stop, rule.at]


def _overlap(one: Sequence[float], other: Sequence[float]) -> bool:
    return (
        one[0] <= other[2] + NEAR
        and other[0] <= one[2] + NEAR
        and one[1] <= other[3] + NEAR
        and other[1] <= one[3] + NEAR
    )


def _merged(places: Sequence[float]) -> list[float]:
    """Places in order, those within 2.5 points of each other taken for one."""
    found: list[float] = []
    for place in sorted(places):
        if not found or place > found[-1] + NEAR:
            found.append(place)
    return found
