"""What is made of the texts of a corpus by themselves: kept for all who walk over them, and in
part for the next corpus, which may have most of them too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any, TypeVar

from graphrag.concepts.names import token_spans, without_formulas
from graphrag.domain import Document

Words = list[tuple[int, int, str]]
# The words of each name to all on which the places where it is found depend beside the text.
Names = Mapping[tuple[str, ...], object]
Made = TypeVar("Made")

_MOST_KEPT = 4_000_000  # words, some 600 MB; beyond, texts are cut anew each time
_MOST_HELD = 500_000  # from one corpus to the next
_MOST_CHANGED = 300  # names; beyond, it is no dearer to look for all of them


@dataclass(slots=True)
class _Text:
    """A text's words, and what was made of it for whom: by which names, or of what."""

    words: Words
    vocabulary: frozenset[str] | None = None
    by_names: dict[str, tuple[int, Any]] = field(default_factory=dict)

    def holds_any(self, names: frozenset[tuple[str, ...]]) -> bool:
        """Whether all words of one of the names are among its own."""
        if not names:
            return False
        if self.vocabulary is None:
            self.vocabulary = frozenset(map(itemgetter(2), self.words))
        return any(self.vocabulary.issuperset(name) for name in names)


class Texts:
    """Cuts documents into words outside formulas, and keeps them while there is room."""

    def __init__(self) -> None:
        self._held: dict[str, _Text] = {}
        self._kept: dict[str, _Text] = {}
        self._room = _MOST_KEPT
        self._names: dict[str, tuple[int, Names]] = {}

    def words(self, document: Document) -> Words:
        """(start, stop, normalised word) of a document, in order."""
        return self._text(document).words

    def _text(self, document: Document) -> _Text:
        text = document.text
        known = self._kept.get(text)
        if known is None:
            known = self._held.get(text)
            if known is None:
                known = _Text(token_spans(without_formulas(text)))
            if len(known.words) <= self._room:
                self._room -= len(known.words)
                self._kept[text] = known
        return known

    def by_names(
        self, purpose: str, names: Names, make: Callable[[str, Words], Made]
    ) -> Callable[[Document], Made]:
        """``make`` of texts, for a ``make`` that sees of all names only those whose words a
        text holds. What was made for the same purpose by the names of before is given
        again, but for texts that hold a name that came, went or changed."""
        number, before = self._names.get(purpose, (0, {}))
        changed = frozenset(name for name, _ in before.items() ^ names.items())
        few = number > 0 and len(changed) <= _MOST_CHANGED
        self._names[purpose] = (number + 1, names)

        def of(document: Document) -> Made:
            text = self._text(document)
            version, made = text.by_names.get(purpose, (0, None))
            kept = few and version == number and not text.holds_any(changed)
            if not kept and version != number + 1:
                made = make(document.text, text.words)
            text.by_names[purpose] = (number + 1, made)
            return made  # type: ignore[no-any-return]

        return of

    def rest(self) -> None:
        """The corpus is done with: hold of its texts a part for the next one, and let go of
        the others."""
        self._held, room = {}, _MOST_HELD
        for text, known in self._kept.items():
            if len(known.words) <= room:
                room -= len(known.words)
                self._held[text] = known
        self._kept, self._room = {}, _MOST_KEPT
