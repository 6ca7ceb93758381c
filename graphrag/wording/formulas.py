"""Formulas brought to one spelling, so that two of them can be compared sign by sign."""

from __future__ import annotations

import re
from collections.abc import Iterator

_TEX = re.compile(
    r"\$\$(.+?)\$\$|\$([^$\n]+(?:\n[^$\n]+)*)\$|\\\[(.+?)\\\]|\\\((.+?)\\\)", re.DOTALL
)
# Digits are never given back: a long number could be cut into operands in 2 to the power of its
# length ways, and a search that fails would try each.
_OPERAND = (
    r"(?:[-−]?\d++(?:\.\d++)?+|(?:det|rank|dim|tr|ker|cos|sin|Nul|Col|span)\b"
    r"|\b(?!(?:on|in|is|of|to|or|if|as|at|an|by|it|we|be|so|no|am|do|up|us|my|a|I)\b)[A-Za-z]{1,2}\b"
    r"|[λμσθπαβ]|[()|'ᵀ⁻¹²³⁰ⁿ*/·×^_]|\[|\])"
)
# "Ax = b", "P^2 = P", "ad - bc = 0": a formula without marks has a sign between its letters.
_PLAIN = re.compile(
    rf"(?<![\w\\|])(?:{_OPERAND}\s?)+(?:(?:=|<|>|≤|≥|≠|\+|[-−](?=\s))\s?(?:{_OPERAND}\s?)+)+"
)
_RELATION = re.compile(r"[=<>≤≥≠+]|\^")
_TOKEN = re.compile(r"\\[A-Za-z]+|\\.|\d+(?:\.\d+)?|[A-Za-z]|\S", re.DOTALL)
_SPACING = r"""
\, \; \: \! \quad \qquad \left \right \bigl \bigr \Bigl \Bigr \big \Big \mathbf \mathrm \mathbb
\mathcal \boldsymbol \operatorname \text \vec \displaystyle \limits ~ &
"""
_DROPPED = frozenset([*_SPACING.split(), r"\ "])
_SAME = {
    r"\tfrac": r"\frac", r"\dfrac": r"\frac", r"\le": r"\leq", "≤": r"\leq", r"\ge": r"\geq",
    "≥": r"\geq", r"\ne": r"\neq", "≠": r"\neq", "·": r"\cdot", "×": r"\times", "−": "-",
    "–": "-", "λ": r"\lambda", "μ": r"\mu", "σ": r"\sigma", "θ": r"\theta", "π": r"\pi",
    "α": r"\alpha", "β": r"\beta", r"\Vert": r"\|", r"\lVert": r"\|", r"\rVert": r"\|",
    "‖": r"\|", r"\vert": "|", r"\lvert": "|", r"\rvert": "|", r"\ldots": r"\dots",
    r"\cdots": r"\dots", "…": r"\dots", r"\to": r"\rightarrow", "→": r"\rightarrow",
    "∈": r"\in", "√": r"\sqrt", r"\top": "T", r"\colon": ":",
}  # fmt: skip
_RAISED = {"ᵀ": "^T", "⁻¹": "^{-1}", "⁻": "^-", "²": "^2", "³": "^3", "⁰": "^0", "ⁿ": "^n"}
_FUNCTIONS = re.compile(r"(?<![\\A-Za-z])(det|dim|cos|sin|ker|min|max)(?![A-Za-z])")


def segments(text: str) -> Iterator[tuple[int, int, bool, str]]:
    """A text cut into prose and formulas: start, stop, whether it is a formula, its inside.

    Formulas stand between TeX marks (``$``, ``$$``, ``\\(``, ``\\[``), or without marks where
    a sign joins short operands ("Ax = b").
    """
    position = 0
    for match in _TEX.finditer(text):
        yield from _plain_segments(text, position, match.start())
        inside = next(group for group in match.groups() if group is not None)
        yield match.start(), match.end(), True, inside
        position = match.end()
    yield from _plain_segments(text, position, len(text))


def _plain_segments(text: str, start: int, stop: int) -> Iterator[tuple[int, int, bool, str]]:
    position = start
    for match in _PLAIN.finditer(text, start, stop):
        said = match.group()
        if not _RELATION.search(said) or not re.search(r"[A-Za-zλμσθ]", said):
            continue
        if position < match.start():
            yield position, match.start(), False, text[position : match.start()]
        yield match.start(), match.end(), True, said
        position = match.end()
    if position < stop:
        yield position, stop, False, text[position:stop]


def formula_signs(formula: str) -> list[str]:
    """The signs of a formula in one spelling: fonts, blanks and needless braces left out.

    ``\\tfrac23 n^{3}`` and ``\\frac{2}{3} n^3`` are the same, as are ``A\\mathbf{x}`` and ``Ax``.
    """
    for raised, plain in _RAISED.items():
        formula = formula.replace(raised, plain)
    formula = _FUNCTIONS.sub(r"\\\1", re.sub(r"\\operatorname\{(\w+)\}", r"\\\1 ", formula))
    formula = re.sub(r"(?<=\\frac)(\d)(\d)", r"{\1}{\2}", re.sub(r"\\[td]frac", r"\\frac", formula))
    signs = [_SAME.get(sign, sign) for sign in _TOKEN.findall(formula)]
    signs = [sign for sign in signs if sign not in _DROPPED]
    found: list[str] = []
    for index, sign in enumerate(signs):
        lone = signs[index - 1 : index + 2]
        if sign == "{" and signs[index + 2 : index + 3] == ["}"]:
            continue
        if sign == "}" and len(lone) > 1 and signs[max(index - 2, 0) : index - 1] == ["{"]:
            continue
        found.append(sign)
    while found and found[-1] in (".", ",", ";", ":"):
        found.pop()
    return found
