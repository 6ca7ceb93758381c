"""MathML to TeX: what school and university books use, the rest as plain text."""

from __future__ import annotations

from lxml import etree

from graphrag.reading.elements import raw_text
from graphrag.reading.names import names

Element = etree._Element

_MAX_DEPTH = 60
_SYMBOLS = {
    "×": r"\times ", "⋅": r"\cdot ", "·": r"\cdot ", "÷": r"\div ", "±": r"\pm ", "−": "-",
    "≤": r"\le ", "≥": r"\ge ", "≠": r"\ne ", "≈": r"\approx ", "∞": r"\infty ", "∑": r"\sum ",
    "∏": r"\prod ", "∫": r"\int ", "√": r"\surd ", "→": r"\to ", "⇒": r"\Rightarrow ",
    "∂": r"\partial ", "∇": r"\nabla ", "∈": r"\in ", "∉": r"\notin ", "⊂": r"\subset ",
    "⊆": r"\subseteq ", "∪": r"\cup ", "∩": r"\cap ", "∀": r"\forall ", "∃": r"\exists ",
    "α": r"\alpha ", "β": r"\beta ", "γ": r"\gamma ", "δ": r"\delta ", "ε": r"\varepsilon ",
    "θ": r"\theta ", "λ": r"\lambda ", "μ": r"\mu ", "π": r"\pi ", "ρ": r"\rho ",
    "σ": r"\sigma ", "τ": r"\tau ", "φ": r"\varphi ", "ω": r"\omega ", "Δ": r"\Delta ",
    "Σ": r"\Sigma ", "Ω": r"\Omega ", "\u2061": "", "\u2062": "", "\u2063": "", "\u2064": "",
}  # fmt: skip
_FUNCTIONS = names("sin cos tan cot sec csc log ln exp lim max min det arcsin arccos arctan")
_ACCENTS = {"¯": "bar", "‾": "bar", "→": "vec", "^": "hat", "ˆ": "hat", "~": "tilde", "˙": "dot"}


def to_tex(math: Element) -> str:
    """The TeX of a ``math`` element: its own annotation where it has one."""
    for note in math.iter():
        if not isinstance(note.tag, str) or _name(note) != "annotation":
            continue
        if note.text and "tex" in (note.get("encoding") or "").lower():
            return " ".join(note.text.split())
    if tex := (math.get("alttext") or "").strip():
        return " ".join(tex.split())
    return " ".join(_row(math, 0).split())


def _name(element: Element) -> str:
    return str(element.tag).rpartition("}")[2].lower()


def _children(element: Element) -> list[Element]:
    return [child for child in element if isinstance(child.tag, str)]


def _row(element: Element, depth: int) -> str:
    return "".join(_tex(child, depth + 1) for child in _children(element))


def _tex(element: Element, depth: int) -> str:
    if depth > _MAX_DEPTH:
        return " ".join(raw_text(element).split())
    name = _name(element)
    children = _children(element)
    if name in ("mi", "mo", "mn"):
        return tex_token("".join((element.text or "").split()))
    if name in ("mtext", "ms"):
        text = " ".join(raw_text(element).split())
        return rf"\text{{{text}}}" if text else " "
    if name in ("annotation", "annotation-xml", "mphantom", "none"):
        return ""
    if name == "mspace":
        return " "
    parts = [_tex(child, depth + 1) for child in children]
    if name == "mfenced":
        inner = (element.get("separators") or ",")[:1].join(parts)
        return f"{element.get('open') or '('}{inner}{element.get('close') or ')'}"
    if name == "msqrt":
        return rf"\sqrt{{{''.join(parts)}}}"
    if name == "mtable":
        return rf"\begin{{matrix}}{(chr(92) * 2).join(parts)}\end{{matrix}}"
    if name in ("mtr", "mlabeledtr"):
        return " & ".join(parts)
    return _arranged(name, parts)


def _arranged(name: str, parts: list[str]) -> str:
    """Elements whose children have fixed places."""
    match name, parts:
        case "mfrac", [above, below]:
            return rf"\frac{{{above}}}{{{below}}}"
        case "mroot", [body, degree]:
            return rf"\sqrt[{degree}]{{{body}}}"
        case "msup", [base, above]:
            return f"{base}^{{{above}}}"
        case "msub" | "munder", [base, below]:
            return f"{base}_{{{below}}}"
        case "mover", [base, above]:
            accent = _ACCENTS.get(above.strip())
            return rf"\{accent}{{{base}}}" if accent else f"{base}^{{{above}}}"
        case "msubsup" | "munderover", [base, below, above]:
            return f"{base}_{{{below}}}^{{{above}}}"
        case _:
            return "".join(parts)


def tex_token(text: str) -> str:
    """Letters and signs of a formula as TeX writes them."""
    if text in _FUNCTIONS:
        return rf"\{text} "
    return "".join(_SYMBOLS.get(character, character) for character in text)
