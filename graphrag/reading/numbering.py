"""Headings that a plain line shows by its number or its form."""

from __future__ import annotations

import re

_NUMBERED = re.compile(
    r"(?P<number>(?:[A-Z]\.)?\d{1,3}(?:\.\d{1,3}){0,5})(?P<dot>\.?)\s{1,8}(?P<title>\S.{0,150})"
)
_NAMED = re.compile(
    r"(?P<kind>chapter|part|appendix|section|annex|article|lesson|unit|book)\s+"
    r"(?P<number>\d{1,3}(?:\.\d{1,3}){0,4}|[IVXLC]{1,7}|[A-Z])\b(?P<dot>[.:]?)\s*"
    r"(?P<title>.{0,150})",
    re.IGNORECASE,
)
_PARAGRAPH = re.compile(
    r"§\s?(?P<number>\d{1,3}(?:\.\d{1,3}){0,4}[a-z]?)(?P<dot>[.:]?)\s*(?P<title>.{0,150})"
)
_NAMED_LEVELS = {"part": 1, "book": 1, "section": 2, "article": 2}


def numbered_level(line: str) -> int | None:
    """The level that a heading's number shows: ``4.2.1 Title`` is 3, ``Chapter 2`` is 1.

    None for a line that does not look like a numbered heading. A number without parts or
    without a dot after it needs a capital, so that items and prose are seldom headings.
    """
    if found := _NAMED.fullmatch(line):
        number = found["number"]
        if number.isalpha() and found["kind"].islower():
            return None
        if not found["dot"] and found["title"] and not _is_title(found["title"], any_case=False):
            return None
        return _NAMED_LEVELS.get(found["kind"].lower(), 1) + number.count(".")
    if found := _PARAGRAPH.fullmatch(line):
        is_heading = not found["title"] or _is_title(found["title"], any_case=False)
        return 2 + found["number"].count(".") if is_heading else None
    found = _NUMBERED.fullmatch(line)
    if not found:
        return None
    depth = found["number"].count(".") + 1
    is_clear = depth > 1 and (found["dot"] or not found["title"][0].isalnum())
    return depth if _is_title(found["title"], any_case=bool(is_clear)) else None


def is_bare_number(line: str) -> bool:
    """Whether a line is a number with its kind and no title: ``CHAPTER IV``."""
    found = _NAMED.fullmatch(line)
    return found is not None and not found["title"]


def without_number(heading: str) -> str:
    """A heading without its leading number: ``4.2.1. Title`` gives ``Title``."""
    return re.sub(r"^(?:[A-Z]\.)?\d{1,3}(?:\.\d{1,3})*\.?\s+", "", heading)


def _is_title(text: str, *, any_case: bool) -> bool:
    first = text.lstrip("\"'“‘(`")[:1]
    ends_like_prose = text.rstrip().endswith((".", ";", ",", ":")) and len(text.split()) > 3
    begins_well = any_case or first.isupper() or not first.isascii() or first == "_"
    return begins_well and not ends_like_prose


def is_shouted(line: str) -> bool:
    """Whether a line is a heading in capitals: ``INTRODUCTION AND SCOPE``."""
    letters = [c for c in line if c.isalpha()]
    return (
        len(letters) >= 4
        and len(line) <= 80
        and all(c.isupper() for c in letters)
        and not line.endswith((".", ",", ";", "!"))
        and len(letters) * 2 > len(line)
    )
