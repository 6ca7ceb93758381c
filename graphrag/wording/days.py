"""Days as people write them, in the one form that compares: YYYY-MM-DD."""

from __future__ import annotations

import re

_MONTHS = "january february march april may june july august september october november december"
_SHORT = {month[:3]: number for number, month in enumerate(_MONTHS.split(), 1)}
_NAME = rf"({_MONTHS.replace(' ', '|')}|{'|'.join(_SHORT)}|sept)\.?"
_ISO = re.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ].*)?")
_DOTTED = re.compile(r"(\d{1,2})\.(\d{1,2})\.(\d{4})")  # day first wherever it is written so
_NAMED = re.compile(rf"(?:(\d{{1,2}})(?:st|nd|rd|th|\.)? )?{_NAME} (\d{{4}})", re.IGNORECASE)
_AMERICAN = re.compile(rf"{_NAME} (\d{{1,2}})(?:st|nd|rd|th)?,? (\d{{4}})", re.IGNORECASE)

DAY_IN_YEAR = re.compile(
    rf"\b(?:\d{{1,2}}(?:st|nd|rd|th)? (?:of )?{_NAME}|{_NAME} \d{{1,2}}(?:st|nd|rd|th)?)"
    r"(?:,? \d{4})?\b",
    re.IGNORECASE,
)
"""A day with its month by name, with or without the year, within a text."""


def iso_day(text: str) -> str:
    """``2 March 2024``, ``March 2, 2024``, ``2.3.2024`` and ``2024/3/2`` as 2024-03-02, ``March
    2024`` as 2024-03; empty for anything else, and for the ambiguous 02/03/2024."""
    plain = " ".join(text.split())
    if found := _ISO.fullmatch(plain):
        return _written(found[1], int(found[2]), found[3])
    if found := _DOTTED.fullmatch(plain):
        return _written(found[3], int(found[2]), found[1])
    if found := _NAMED.fullmatch(plain):
        return _written(found[3], _SHORT[found[2].lower()[:3]], found[1])
    if found := _AMERICAN.fullmatch(plain):
        return _written(found[3], _SHORT[found[1].lower()[:3]], found[2])
    return ""


def _written(year: str, month: int, day: str | None) -> str:
    if not 1 <= month <= 12 or (day is not None and not 1 <= int(day) <= 31):
        return ""
    return f"{year}-{month:02d}" + (f"-{int(day):02d}" if day else "")
