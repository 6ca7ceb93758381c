"""Headings that stand in the text: lines set off as a whole, and phrases that begin
paragraphs, as in "**Scope.** This policy covers ..."."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby, pairwise

from graphrag.reading.names import names
from graphrag.reading.pieces import Piece

_MAX_WORDS = 8
_ENDS = (".", ":")
_NO_SECTION = names(
    "note notes tip warning caution important attention example hint danger remark info see also "
    "figure table fig tab source answer question theorem lemma proposition corollary definition "
    "proof reason remark axiom conjecture claim exercise problem solution"
)
"""What begins a paragraph of its own and tells nothing of the next one."""


def with_set_off_headings(pieces: Sequence[Piece]) -> list[Piece]:
    """The pieces, lines that are set off as a whole made headings where the document has none
    but its title: its author marked them by hand.

    At least two are needed, each with text below that is not set off.
    """
    tops = [piece for piece in pieces if piece.kind == "heading"]
    if len(tops) > 1 or (tops and pieces[0] is not tops[0]):
        return list(pieces)
    found = {
        at
        for at, (piece, below) in enumerate(pairwise(pieces))
        if _is_line_set_off(piece) and not _is_line_set_off(below) and below.kind != "heading"
    }
    if len(found) < 2:
        return list(pieces)
    level = tops[0].level + 1 if tops else 1
    return [
        replace(piece, kind="heading", level=level, entry="") if at in found else piece
        for at, piece in enumerate(pieces)
    ]


def with_run_in_entries(pieces: Sequence[Piece]) -> list[Piece]:
    """The pieces, each with the phrase that begins its paragraph or one before it as its
    entry, in sections where at least two paragraphs begin so.

    Such a phrase is set off, has at most eight words, ends in a full stop or a colon, and comes
    once in the document: what comes again is a label.
    """
    found: list[Piece] = []
    often = Counter(map(_run_in, pieces))
    for is_heading, group in groupby(pieces, lambda piece: piece.kind == "heading"):
        section = list(group)
        phrases = ["" if is_heading else _run_in(piece) for piece in section]
        phrases = [phrase if often[phrase] == 1 else "" for phrase in phrases]
        if sum(map(bool, phrases)) < 2:
            found.extend(section)
            continue
        current = ""
        for piece, phrase in zip(section, phrases, strict=True):
            current = "" if piece.entry else phrase or current
            found.append(replace(piece, entry=current) if current else piece)
    return found


def _is_line_set_off(piece: Piece) -> bool:
    """Whether a paragraph is one set-off line of a few words, begun as a title
    is, that ends no sentence."""
    text = piece.flow.text
    return (
        piece.kind == "paragraph"
        and piece.page is None
        and len(text.split()) <= _MAX_WORDS
        and piece.flow.terms in (((0, len(text)),), ((0, len(text) - 1),))
        and not text.endswith((".", ",", ";", "!", "?"))
        and any(map(str.isalpha, text))
        and not text[0].islower()
        and _tells_of_more(text)
    )


def _run_in(piece: Piece) -> str:
    """The phrase that begins a paragraph, without its mark; empty where there is none."""
    if piece.kind != "paragraph" or not piece.flow.terms or piece.flow.terms[0][0]:
        return ""
    text, stop = piece.flow.text, piece.flow.terms[0][1]
    stop += text.startswith(_ENDS, stop)
    phrase, rest = text[:stop], text[stop:]
    if not phrase.endswith(_ENDS) or not rest.strip() or len(phrase.split()) > _MAX_WORDS:
        return ""
    name = phrase.rstrip(".:")
    return name if ":" not in name and _tells_of_more(name) else ""


def _tells_of_more(phrase: str) -> bool:
    words = phrase.casefold().rstrip(".:").split()
    return bool(words) and words[0] not in _NO_SECTION
