"""Pieces of a document, before they have a place in its text."""

from __future__ import annotations

from dataclasses import dataclass

from graphrag.domain import BlockKind
from graphrag.reading.inline import Flow


@dataclass(frozen=True, slots=True)
class Piece:
    """What becomes a block; ``level`` is 0 but for headings, ``entry`` the term told of."""

    kind: BlockKind
    flow: Flow
    level: int = 0
    page: int | None = None
    language: str | None = None
    entry: str = ""
