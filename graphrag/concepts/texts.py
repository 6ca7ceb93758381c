"""The words of a corpus, cut once for all who walk over them."""

from __future__ import annotations

from graphrag.concepts.names import token_spans, without_formulas
from graphrag.domain import Document

Words = list[tuple[int, int, str]]

_MOST_KEPT = 4_000_000  # words, some 600 MB; beyond, texts are cut anew each time
_MOST_HELD = 500_000  # from one corpus to the next


class Texts:
    """Cuts documents into words outside formulas, and keeps them while there is room."""

    def __init__(self) -> None:
        self._held: dict[str, Words] = {}
        self._kept: dict[str, Words] = {}
        self._room = _MOST_KEPT

    def words(self, document: Document) -> Words:
        """(start, stop, normalised word) of a document, in order."""
        text = document.text
        known = self._kept.get(text)
        if known is None:
            known = self._held.get(text)
            if known is None:
                known = token_spans(without_formulas(text))
            if len(known) <= self._room:
                self._room -= len(known)
                self._kept[text] = known
        return known

    def rest(self) -> None:
        """The corpus is done with: hold of its texts a part for the next one, which may have
        most of them too, and let go of the others."""
        self._held, room = {}, _MOST_HELD
        for text, words in self._kept.items():
            if len(words) <= room:
                room -= len(words)
                self._held[text] = words
        self._kept, self._room = {}, _MOST_KEPT
