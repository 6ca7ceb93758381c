"""Sets of names, written as one line of words."""

from __future__ import annotations


def names(line: str) -> frozenset[str]:
    """The words of a line as a set."""
    return frozenset(line.split())
