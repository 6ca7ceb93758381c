"""The words of a corpus, cut once for all who walk over them."""

from __future__ import annotations

from graphrag.concepts.names import token_spans, without_formulas
from graphrag.domain import Document

Words = list[tuple[int, int, str]]

_MOST_KEPT = 4_000_000  # words, some 600 MB; beyond, texts are cut anew each time


class Texts:
    """Cuts documents into words outside formulas, and keeps them while there is room."""

    def __init__(self) -> None:
        self._kept: dict[str, Words] = {}
        self._room = _MOST_KEPT

    def words(self, document: Document) -> Words:
        """(start, stop, normalised word) of a document, in order."""
        known = self._kept.get(document.id)
        if known is None:
            known = token_spans(without_formulas(document.text))
            if len(known) <= self._room:
                self._room -= len(known)
                self._kept[document.id] = known
        return known
