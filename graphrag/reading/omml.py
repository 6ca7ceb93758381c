"""Formulas of Office files (OMML) to TeX."""

from __future__ import annotations

from graphrag.reading.elements import Element, local_name, raw_text
from graphrag.reading.mathml import tex_token

_MAX_DEPTH = 60
_VALUE = "{http://schemas.openxmlformats.org/officeDocument/2006/math}val"
_OPERATORS = {"∑": r"\sum", "∏": r"\prod", "∫": r"\int", "∮": r"\oint", "⋃": r"\bigcup",
              "⋂": r"\bigcap", "": r"\int"}  # fmt: skip
_ACCENTS = {"̂": "hat", "̃": "tilde", "̅": "bar", "⃗": "vec", "̇": "dot", "̈": "ddot"}


def omml_to_tex(element: Element) -> str:
    """The TeX of an ``oMath`` element."""
    return " ".join(_row(element, 0).split())


def _row(element: Element | None, depth: int) -> str:
    if element is None:
        return ""
    return "".join(_tex(child, depth + 1) for child in element if isinstance(child.tag, str))


def _child(element: Element, name: str) -> Element | None:
    return next((c for c in element if isinstance(c.tag, str) and local_name(c) == name), None)


def _tex(element: Element, depth: int) -> str:
    if depth > _MAX_DEPTH:
        return raw_text(element)
    name = local_name(element)
    if name in ("r", "t"):
        return "".join(tex_token(t) for t in raw_text(element))
    if name.endswith("pr"):
        return ""

    def part(key: str) -> str:
        return _row(_child(element, key), depth + 1)

    match name:
        case "f":
            return rf"\frac{{{part('num')}}}{{{part('den')}}}"
        case "ssup":
            return f"{part('e')}^{{{part('sup')}}}"
        case "ssub":
            return f"{part('e')}_{{{part('sub')}}}"
        case "ssubsup":
            return f"{part('e')}_{{{part('sub')}}}^{{{part('sup')}}}"
        case "rad":
            degree = part("deg")
            return rf"\sqrt[{degree}]{{{part('e')}}}" if degree else rf"\sqrt{{{part('e')}}}"
        case "nary":
            sign = _OPERATORS.get(_property(element, "narypr", "chr"), r"\int")
            below, above = part("sub"), part("sup")
            limits = (f"_{{{below}}}" if below else "") + (f"^{{{above}}}" if above else "")
            return f"{sign}{limits} {part('e')}"
        case "d":
            inner = ", ".join(
                _row(c, depth + 1)
                for c in element
                if isinstance(c.tag, str) and local_name(c) == "e"
            )
            opening = _property(element, "dpr", "begchr") or "("
            return f"{opening}{inner}{_property(element, 'dpr', 'endchr') or ')'}"
        case "acc":
            accent = _ACCENTS.get(_property(element, "accpr", "chr"), "hat")
            return rf"\{accent}{{{part('e')}}}"
        case "func":
            return f"{part('fname')} {part('e')}"
        case "limlow":
            return f"{part('e')}_{{{part('lim')}}}"
        case "limupp":
            return f"{part('e')}^{{{part('lim')}}}"
        case "m":
            return rf"\begin{{matrix}}{_rows(element, depth)}\end{{matrix}}"
        case _:
            return _row(element, depth)


def _rows(matrix: Element, depth: int) -> str:
    rows = [row for row in matrix if isinstance(row.tag, str) and local_name(row) == "mr"]
    return r" \\ ".join(
        " & ".join(_row(cell, depth + 1) for cell in row if isinstance(cell.tag, str))
        for row in rows
    )


def _property(element: Element, holder: str, name: str) -> str:
    properties = _child(element, holder)
    found = _child(properties, name) if properties is not None else None
    return (found.get(_VALUE) or "") if found is not None else ""
