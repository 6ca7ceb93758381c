"""How contradicting documents are shown, as text and as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from graphrag.wording.terminal import printable

if TYPE_CHECKING:
    from graphrag.conflicts.compare import Conflict, ConflictReport
    from graphrag.conflicts.statements import Statement
    from graphrag.retrieval.filters import DocumentMetadata

_ABOUT = ("authority", "date", "valid_from", "valid_to", "supersedes")
_WHY = {
    "authority": "it has the higher authority",
    "date": "it is the younger one",
    "supersedes": "it supersedes the other",
    "validity": "only it is valid on that day",
}


def as_json(report: ConflictReport) -> dict[str, Any]:
    """The ``conflicts`` value."""
    return {
        "conflicts": [_value(each, report.about) for each in report.open],
        "settled": [_value(each, report.about) for each in report.settled],
    }


def _value(conflict: Conflict, metadata: DocumentMetadata) -> dict[str, Any]:
    return {
        "key": conflict.key,
        "winner": conflict.winner or None,
        "reason": conflict.reason,
        "sides": [_side(each, metadata[each.document_id]) for each in conflict.sides],
    }


def _side(statement: Statement, about: Mapping[str, object]) -> dict[str, Any]:
    return {
        "document": statement.document_id,
        "source": str(about["source"]),
        "heading_path": list(statement.heading_path),
        "page": statement.page,
        "kind": statement.kind,
        "value": statement.said,
        "quote": statement.quote,
        **{name: about.get(name) for name in _ABOUT},
    }


def show(report: ConflictReport) -> None:
    """The open conflicts, each side with its place, and how many are settled."""
    for conflict in report.open:
        print(printable(conflict.key))
        for side in conflict.sides:
            print(f"  {_line(side, report.about[side.document_id])}")
        print(f"  -> {_verdict(conflict)}\n")
    count = len(report.open)
    print(f"{count} {'conflict' if count == 1 else 'conflicts'} between documents in force")
    if report.settled:
        print(f"{len(report.settled)} more are settled by supersession or validity (see --json)")


def _line(side: Statement, about: Mapping[str, object]) -> str:
    place = " > ".join((side.document_id, *side.heading_path))
    page = f", page {side.page}" if side.page else ""
    known = [f"{name} {about[name]}" for name in _ABOUT if about.get(name)]
    beside = f" ({', '.join(known)})" if known else ""
    value = side.said if len(side.said) <= 60 else f"{side.said[:57]}..."
    return printable(f"{value}   {place}{page}{beside}")


def _verdict(conflict: Conflict) -> str:
    if not conflict.winner:
        return "nothing decides: equal authority, no later date; mend one, or give one authority"
    return printable(f"{conflict.winner} wins: {_WHY[conflict.reason]}")
