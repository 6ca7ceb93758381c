"""Reference marks that other texts carry."""

from __future__ import annotations

import re

# Marks of other texts: "[12]" behind a word, "[passage 3]" and "【1】" anywhere.
_REFERENCE_MARK = re.compile(
    r"(?<=[\w.,;:!?)\]\"'”]) ?\[\^?\d{1,3}\](?!\()|【\d[^】]*】"
    r"| ?\[\s*(?:passages?|sources?|refs?\.?|citations?)[\s#]*\d[^\]]*\]",
    re.IGNORECASE,
)
_OPENING_MARK = re.compile(r"^\s*\[\^?\d{1,3}\]\s+")
_NUMBERS = re.compile(r"\[(\s*\^?\d{1,3}(?:\s*(?:[,;&–-]|and)\s*\d{1,3})*\s*)\]")
_FORMULA = re.compile(r"\$\$.+?\$\$|\$[^$\n]+\$|`[^`\n]+`", re.DOTALL)


def without_reference_marks(text: str) -> str:
    """A text as it can be quoted: marks such as ``[12]`` point to what is not ours, so they
    go, and other numbers in brackets (``[2, 3]``) come in parentheses, so that none is
    taken for a citation. Formulas stay as they are."""
    pieces = []
    last = 0
    for formula in _FORMULA.finditer(text):
        pieces += [_unmarked(text[last : formula.start()], last == 0), formula.group()]
        last = formula.end()
    pieces.append(_unmarked(text[last:], last == 0))
    return "".join(pieces).strip()


def _unmarked(text: str, opens: bool) -> str:
    if opens:
        text = _OPENING_MARK.sub("", text)
    return _NUMBERS.sub(r"(\1)", _REFERENCE_MARK.sub("", text))
