"""Sets of names, written as one line of words, and what names of styles mean."""

from __future__ import annotations

import re

_DEFINITION_PART = re.compile(
    r"(?P<term>(?:definition|glossary)[ _-]?term\b|list heading)"
    r"|(?P<definition>definition(?:[ _-]?(?:description|definition|text))?(?: tight)?\Z"
    r"|list contents)",
    re.IGNORECASE,
)
_POWER = re.compile(r"[-+−]?(?:\d{1,3}|[a-z])")
_QUOTE = re.compile(r"quot|block text|zitat|citation", re.IGNORECASE)


def names(line: str) -> frozenset[str]:
    """The words of a line as a set."""
    return frozenset(line.split())


def is_quote_style(name: str) -> bool:
    """Whether a paragraph style of a word processor is one for quotations: ``Quote``,
    ``Block Text`` and ``Intense Quote`` of Word, ``Quotations`` of LibreOffice."""
    return _QUOTE.search(name) is not None


def definition_part(name: str) -> str:
    """``term`` or ``definition`` where a paragraph style of a word processor is one for lists
    of definitions (pandoc's, ``List Heading`` and ``List Contents`` of LibreOffice)."""
    found = _DEFINITION_PART.match(name)
    return (found.lastgroup or "") if found else ""


def is_power(raised: str) -> bool:
    """Whether raised text is an exponent, which needs its ``^``, and no mark of a note."""
    return _POWER.fullmatch(raised) is not None
