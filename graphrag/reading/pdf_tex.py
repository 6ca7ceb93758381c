"""A formula set on a PDF page to TeX: its signs and strokes, read by where they stand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter

from graphrag.reading.pdf_signs import AXIS, Sign, line_of, rows_of, size_of, without

ROW_END = " \\\\\n"
_TALL = 1.5  # a delimiter of more than this many sizes holds something built up
_NEAR = 0.7  # what belongs above or below a bar follows within so many sizes
_TOUCHING = 2.5
_CLOSING = {"(": ")", "[": "]", "{": "}", "⟨": "⟩", "⌊": "⌋", "⌈": "⌉", "|": "|", "‖": "‖"}
_ACCENTS = {
    "ˆ": "hat", "^": "hat", "˜": "tilde", "~": "tilde", "¯": "bar", "ˉ": "bar", "˙": "dot",
    "¨": "ddot", "ˇ": "check", "˘": "breve", "⃗": "vec", "→": "vec",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Bar:
    """A level stroke: of a fraction, of a root, over an expression."""

    at: float
    start: float
    stop: float

    def covers(self, sign: Sign) -> bool:
        return self.start - 1 <= sign.middle <= self.stop + 1


def tex_of(signs: Iterable[Sign], bars: Iterable[Bar]) -> str:
    """The TeX of a formula, rows parted by ``\\\\``. Letters stay the Unicode characters that
    they are; fractions, roots, scripts, limits, accents and matrices become commands."""
    found = _pieces_joined(list(signs))
    waiting = sorted(bars, key=lambda bar: bar.stop - bar.start)
    while waiting:
        bar, *waiting = waiting
        found = _with_bar(found, bar, waiting)
    found = _with_accents(found)
    while (inner := _innermost(found)) is not None:
        found = _with_delimiters(found, *inner)
    return ROW_END.join(line_of(row) for row in rows_of(found))


def _joined(text: str, parts: Sequence[Sign], size: float) -> Sign:
    """What was built of the parts, centred on the axis."""
    bottom, top = min(part.bottom for part in parts), max(part.top for part in parts)
    left, right = min(part.left for part in parts), max(part.right for part in parts)
    base = (bottom + top) / 2 - AXIS * size
    return Sign(text, left, right, bottom, top, base, size, built=True)


def _pieces_joined(signs: Sequence[Sign]) -> list[Sign]:
    """The signs, tall delimiters that are made of pieces one above the other as one each."""
    found: list[Sign] = []
    for sign in signs:
        other = next(
            (
                each
                for each in found
                if each.built
                and sign.built
                and each.text == sign.text
                and abs(each.left - sign.left) < _TOUCHING
                and each.bottom - 1 <= sign.top
                and sign.bottom - 1 <= each.top
            ),
            None,
        )
        if other is None:
            found.append(sign)
        else:
            found = [*without(found, [other]), _joined(sign.text, [other, sign], sign.size)]
    return found


# --- bars ------------------------------------------------------------------------------------


def _with_bar(signs: list[Sign], bar: Bar, others: Sequence[Bar]) -> list[Sign]:
    """The signs, those around a bar made into a fraction, a root or an overline."""
    root = next(
        (
            sign
            for sign in signs
            if sign.text == "√"
            and abs(sign.right - bar.start) < _TOUCHING
            and abs(sign.top - bar.at) < _TOUCHING
        ),
        None,
    )
    below = without(_stacked(signs, bar, others, up=False), [root] if root else [])
    if root is not None:
        return _with_root(signs, root, below)
    above = _stacked(signs, bar, others, up=True)
    if above and below:
        text = f"\\frac{{{_nested(above)}}}{{{_nested(below)}}}"
        size = size_of([*above, *below])
        built = replace(_joined(text, [*above, *below], size), left=bar.start, right=bar.stop)
        return [*without(signs, [*above, *below]), replace(built, base=bar.at - AXIS * size)]
    if below and bar.at - max(sign.top for sign in below) < 0.4 * size_of(below):
        over = _joined(f"\\overline{{{_nested(below)}}}", below, size_of(below))
        return [*without(signs, below), replace(over, base=_size_base(below))]
    return signs


def _with_root(signs: list[Sign], root: Sign, below: Sequence[Sign]) -> list[Sign]:
    """The signs, a root and what stands below its bar made into one; its degree stands in it."""
    degree = [
        sign
        for sign in signs
        if sign.size < 0.8 * root.size
        and root.left - 1 <= sign.middle < root.middle
        and root.bottom < sign.base < root.top + 0.3 * root.size
    ]
    shown = f"[{_nested(degree)}]" if degree else ""
    parts = [root, *degree, *below]
    built = _joined(f"\\sqrt{shown}{{{_nested(below)}}}", parts, root.size)
    base = _size_base(below) if below else built.base
    return [*without(signs, parts), replace(built, base=base)]


def _stacked(signs: Sequence[Sign], bar: Bar, others: Sequence[Bar], *, up: bool) -> list[Sign]:
    """The signs above or below a bar, up to the next bar or a gap."""
    way = 1 if up else -1
    walls = [
        other.at
        for other in others
        if other.start - 1 <= (bar.start + bar.stop) / 2 <= other.stop + 1
        and (other.at - bar.at) * way > 0
    ]
    wall = min(walls, key=lambda at: abs(at - bar.at), default=None)
    beyond = [
        sign
        for sign in signs
        if bar.covers(sign)
        and ((sign.bottom + sign.top) / 2 - bar.at) * way > 0
        and (wall is None or (wall - (sign.bottom + sign.top) / 2) * way > 0)
    ]
    found: list[Sign] = []
    edge = bar.at
    for sign in sorted(beyond, key=lambda sign: sign.bottom if up else -sign.top):
        near, far = (sign.bottom, sign.top) if up else (sign.top, sign.bottom)
        if (near - edge) * way > _NEAR * sign.size:
            break
        found.append(sign)
        edge = max(edge, far) if up else min(edge, far)
    return found


def _nested(signs: Sequence[Sign]) -> str:
    """What stands within something built."""
    return tex_of(signs, ()) if signs else ""


def _size_base(signs: Sequence[Sign]) -> float:
    size = size_of(signs)
    return next(sign.base for sign in signs if sign.size == size)


# --- accents and delimiters ------------------------------------------------------------------


def _with_accents(signs: list[Sign]) -> list[Sign]:
    found = list(signs)
    for accent in signs:
        command = _ACCENTS.get(accent.text)
        if command is None:
            continue
        under = [
            sign
            for sign in found
            if sign is not accent and sign.left - 1 <= accent.middle <= sign.right + 1
            and sign.text[0].isalnum() and not sign.built and accent.top > sign.top - 1
        ]  # fmt: skip
        if under:
            letter = min(under, key=lambda sign: abs(sign.middle - accent.middle))
            shown = replace(letter, text=f"\\{command}{{{letter.text}}}", top=accent.top)
            found = [*without(found, [accent, letter]), shown]
    return found


def _innermost(signs: Sequence[Sign]) -> tuple[Sign, Sign | None] | None:
    """The last tall delimiter that opens and the one that closes it, which may lack."""
    tall = [s for s in signs if s.built and s.top - s.bottom > _TALL * s.size]
    opens = [s for s in tall if s.text in _CLOSING and s.text not in "|‖"]
    for opening in sorted(opens, key=attrgetter("left"), reverse=True):
        closing = [
            sign
            for sign in tall
            if sign.text == _CLOSING[opening.text] and sign.left > opening.left
        ]
        if closing or opening.text == "{":
            return opening, min(closing, key=attrgetter("left"), default=None)
    return None


def _with_delimiters(signs: Sequence[Sign], opening: Sign, closing: Sign | None) -> list[Sign]:
    right = closing.left if closing else float("inf")
    inner = [
        sign
        for sign in signs
        if opening.right - 1 <= sign.middle < right
        and opening.bottom - sign.size < (sign.bottom + sign.top) / 2 < opening.top + sign.size
    ]
    rows = rows_of(inner) if inner else []
    if len(rows) > 1:
        name = {"(": "pmatrix", "[": "bmatrix"}.get(opening.text, "cases")
        body = " \\\\ ".join(line_of(row, cells=True) for row in rows)
        text = f"\\begin{{{name}}} {body} \\end{{{name}}}"
    else:
        signed = {"{": "\\{", "}": "\\}"}
        ends = [signed.get(each.text, each.text) if each else "" for each in (opening, closing)]
        text = f"{ends[0]}{line_of(rows[0]) if rows else ''}{ends[1]}"
    parts = [opening, *inner, *((closing,) if closing else ())]
    built = _joined(text, [opening, *((closing,) if closing else inner)], opening.size)
    built = replace(built, right=max(part.right for part in parts))
    return [*without(signs, parts), built]
