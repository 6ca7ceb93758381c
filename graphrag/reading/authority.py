"""The authority that metadata give a document: a number from 0 to 1."""

from __future__ import annotations

from graphrag.domain import MetadataValue


def reason_against_authority(value: MetadataValue | None, *, numbers_only: bool = False) -> str:
    """Why the value is no document's authority, or nothing.

    Words may mean something else to who wrote the document: they are no authority, and are
    only wrong with ``numbers_only``.
    """
    if value is None:
        return ""
    try:
        is_wrong = not 0 <= float(str(value)) <= 1
    except ValueError:
        is_wrong = numbers_only
    shown = value if isinstance(value, str) else "; ".join(value)
    return f"authority is {shown}; give a number from 0 to 1" if is_wrong else ""
