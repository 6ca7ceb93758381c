"""Reference marks that other texts carry."""

from __future__ import annotations

import re

# Marks of other texts: "[12]" behind a word, "[passage 3]" and "【1】" anywhere.
_REFERENCE_MARK = re.compile(
    r"(?<=[\w.,;:!?)\]\"'”]) ?\[\^?\d{1,3}\](?!\()|^\s*\[\^?\d{1,3}\]\s+|【\d[^】]*】"
    r"| ?\[\s*(?:passages?|sources?|refs?\.?|citations?)[\s#]*\d[^\]]*\]",
    re.IGNORECASE,
)
_FORMULA = re.compile(r"\$\$.+?\$\$|\$[^$\n]+\$", re.DOTALL)


def without_reference_marks(text: str) -> str:
    """A text as it can be quoted: marks such as ``[12]`` point to what is not ours, so they
    go; brackets in formulas stay."""
    formulas = [match.span() for match in _FORMULA.finditer(text)]
    pieces = []
    last = 0
    for match in _REFERENCE_MARK.finditer(text):
        if any(start <= match.start() < stop for start, stop in formulas):
            continue
        pieces.append(text[last : match.start()])
        last = match.end()
    return "".join([*pieces, text[last:]]).strip()
