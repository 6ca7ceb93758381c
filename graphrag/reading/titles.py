"""Which heading of a document is its title."""

from __future__ import annotations

import re
from collections.abc import Sequence

from graphrag.reading.names import names
from graphrag.reading.numbering import numbered_level
from graphrag.reading.pieces import Piece

_MAX_BEFORE_TITLE = 1000
_WORD = re.compile(r"[^\W\d_]{3,}")
_UNNAMED = names("readme index untitled document home main")
"""Names of files that name nothing: such a file is called by its first heading."""


def is_same_title(title: str, heading: str) -> bool:
    """Whether a title and a heading name the same thing, case and ornaments aside."""
    return re.sub(r"\W+", "", title).casefold() == re.sub(r"\W+", "", heading).casefold()


def leading_heading(pieces: Sequence[Piece], title: str) -> int | None:
    """Index of the first heading if it is the title and none other is higher."""
    found = _headings(pieces)
    if not found or not is_same_title(title, pieces[found[0]].flow.text):
        return None
    level = pieces[found[0]].level
    return found[0] if all(pieces[at].level >= level for at in found) else None


def title_heading(pieces: Sequence[Piece], name: str, *, first_leads: bool) -> int | None:
    """Index of the first heading if it may be the title: the first piece and above all others,
    or of the first level with little before it and above all others too.

    Of several headings of the first level the first is the title where the format says so
    (``first_leads``) and it has no number, and where it is no chapter like the others: the
    file's name has a word of it or names nothing, or nothing but a subtitle stands below.
    """
    found = _headings(pieces)
    if not found:
        return None
    first, *others = found
    level = pieces[first].level
    if all(pieces[other].level > level for other in others):
        before = sum(len(piece.flow.text) for piece in pieces[:first])
        return first if first == 0 or (level == 1 and before < _MAX_BEFORE_TITLE) else None
    before = sum(len(piece.flow.text) for piece in pieces[:first])
    text = pieces[first].flow.text
    if level > 1 or before >= _MAX_BEFORE_TITLE or numbered_level(text) is not None:
        return None
    leads = first_leads or _is_named_after(name, text) or _is_bare(pieces[first + 1 : others[0]])
    return first if leads else None


def _headings(pieces: Sequence[Piece]) -> list[int]:
    return [at for at, piece in enumerate(pieces) if piece.kind == "heading"]


def _is_named_after(name: str, heading: str) -> bool:
    """Whether a file is called by the heading, or by nothing that tells."""
    words = set(_WORD.findall(name.casefold()))
    is_unnamed = bool(words) and words <= _UNNAMED
    return is_unnamed or not words.isdisjoint(_WORD.findall(heading.casefold()))


def _is_bare(below: Sequence[Piece]) -> bool:
    """Whether nothing stands below a heading but a line or two that are no sentences."""
    return len(below) <= 2 and all(
        piece.kind == "paragraph" and not piece.flow.text.endswith((".", "!", "?", ":", "。"))
        for piece in below
    )
