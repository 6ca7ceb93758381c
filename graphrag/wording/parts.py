"""Questions of several parts, cut so that each can be judged by itself."""

from __future__ import annotations

import re

from graphrag.wording.terms import content_words

_WH = r"(?:what|which|how|why|when|where|who|whom|whose|is|are|does|do|did|can|may|must|should)"
_JOINT = re.compile(
    rf"(?<=\?)\s+(?=\w)|\s*(?:,|;)?\s+(?:and|but also|as well as|and also)\s+(?={_WH}\b)",
    re.IGNORECASE,
)


def parts(question: str) -> list[str]:
    """The parts of a question, each a question; one part where it cannot be cut.

    "What does E1042 mean and how is it reset?" has two. A joint inside one clause ("the
    rank and the determinant") cuts nothing, nor does a part without a word of its own.
    """
    pieces = [piece.strip(" ,;") for piece in _JOINT.split(question)]
    pieces = [piece for piece in pieces if piece]
    if len(pieces) < 2 or not all(_asks(piece) for piece in pieces):
        return [question]
    return [piece if piece.endswith("?") else f"{piece}?" for piece in pieces]


def _asks(piece: str) -> bool:
    """Whether a piece says what it asks for: a word of content and a verb or more."""
    return bool(content_words(piece)) and len(piece.split()) >= 3
