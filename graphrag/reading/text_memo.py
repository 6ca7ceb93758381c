"""The head of a memo of the RFC series: who wrote it, when, and under which number."""

from __future__ import annotations

import re
from collections.abc import Sequence

from graphrag.domain import MetadataValue
from graphrag.wording.days import iso_day

_GAP = re.compile(r" {3,}")
_NUMBER = re.compile(r"Request for Comments: (\d{1,5})", re.IGNORECASE)
_DRAFT = re.compile(r"Internet[- ]Draft\b", re.IGNORECASE)
_AUTHOR = re.compile(r"(?:[A-Z][\w'-]*\.[ -]?)+(?:[a-z]+ )?[A-Z][^\W\d_][\w' -]*")
_HEAD_GROUPS = 2


def memo_metadata(groups: Sequence[list[str]]) -> dict[str, MetadataValue]:
    """``number``, ``author`` and ``date`` out of the two columns at the head of a memo; empty
    for any other text.

    The right column names the authors, as ``A. Author``, each above an organisation, and ends
    in the date.
    """
    lines = [line for group in groups[:_HEAD_GROUPS] for line in group]
    head = "\n".join(lines)
    number = _NUMBER.search(head)
    if not number and not _DRAFT.search(head):
        return {}
    right = [parts[-1].strip() for line in lines if len(parts := _GAP.split(line.strip())) > 1]
    found: dict[str, MetadataValue] = {"number": number[1]} if number else {}
    authors = [part.removesuffix(", Ed.") for part in right]
    named = tuple(part for part in authors if _AUTHOR.fullmatch(part))
    if named:
        found["author"] = named if len(named) > 1 else named[0]
    days = [day for part in right if (day := iso_day(part))]
    if days:
        found["date"] = days[0]
    return found
