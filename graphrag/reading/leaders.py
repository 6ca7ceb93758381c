"""Dots that lead from an entry of a table of contents to its page."""

from __future__ import annotations

import re

_DOTS = re.compile(r"(?:(?:\. ?){3}\.|…\s?…)\Z")
_PAGE = "0123456789ivxlc"
_MAX_PAGE = 7


def ends_in_leaders(line: str) -> bool:
    """Whether a line ends in four dots or more, and in a page's number where there is one."""
    entry = line.rstrip()
    dots = entry.rstrip(_PAGE)
    return len(entry) - len(dots) <= _MAX_PAGE and bool(_DOTS.search(dots.rstrip()[-8:]))
