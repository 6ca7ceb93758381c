"""Sets of names, written as one line of words, and what names of styles mean."""

from __future__ import annotations

import re

_QUOTE = re.compile(r"quot|block text|zitat|citation", re.IGNORECASE)


def names(line: str) -> frozenset[str]:
    """The words of a line as a set."""
    return frozenset(line.split())


def is_quote_style(name: str) -> bool:
    """Whether a paragraph style of a word processor is one for quotations: ``Quote``,
    ``Block Text`` and ``Intense Quote`` of Word, ``Quotations`` of LibreOffice."""
    return _QUOTE.search(name) is not None
