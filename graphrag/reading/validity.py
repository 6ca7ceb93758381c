"""The days from which and to which a document holds, as its metadata give them."""

from __future__ import annotations

import re
from collections.abc import Mapping

from graphrag.domain import MetadataValue
from graphrag.wording.days import iso_day

_COMPARABLE = re.compile(r"\d{4}(?:-\d\d(?:-\d\d(?:[T ].*)?)?)?")
_LIMITS = ("valid_from", "valid_to")


def comparable_day(written: str) -> str:
    """The day with its year first, as filters compare days; empty where it is none."""
    plain = written.strip()
    return plain if _COMPARABLE.fullmatch(plain) else iso_day(plain)


def reason_against_validity(metadata: Mapping[str, MetadataValue]) -> str:
    """Why no day can be compared with the limits, or nothing. A limit that is no day would
    hide a document, or show it, by its first letters."""
    limits = {}
    for key in _LIMITS:
        written = metadata.get(key)
        if written is None or written == "":
            continue
        day = comparable_day(written) if isinstance(written, str) else ""
        if not day:
            shown = written if isinstance(written, str) else "; ".join(written)
            return f"{key} is '{shown}'; write a day as YYYY-MM-DD"
        limits[key] = day
    if len(limits) == len(_LIMITS):
        first, last = (limits[key][:10] for key in _LIMITS)
        if last < first[: len(last)]:
            return f"valid_to {last} is before valid_from {first}; it would never hold"
    return ""
