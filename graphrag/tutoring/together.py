"""What the documents say of two concepts in one sentence."""

from __future__ import annotations

import re
from collections.abc import Iterable

from graphrag.domain import Chunk, Concept, Relation
from graphrag.sentences import split_sentences
from graphrag.tutoring.signs import names_pattern

_FEWEST, _MOST = 5, 45
_ASIDE = re.compile(
    r"\b(?:mistakes?|pitfalls?|exercises?|problems|solutions|prerequisites?|references)\b",
    re.IGNORECASE,
)
_MARK = re.compile(r"^(?:[-*•]|\d{1,3}[.)])\s+")
_ENDS = '.!?:;)"”'
_WEIGHT = 0.6


def said_together(one: Concept, other: Concept, chunks: Iterable[Chunk]) -> Relation | None:
    """The shortest whole sentence that names both concepts, as a relation of the two;
    sentences of exercises, mistakes and lists only where there is no other. Names inside
    one another ("matrix" in "matrix inverse") count once. None where no sentence does."""
    patterns = names_pattern(one), names_pattern(other)
    found: list[tuple[bool, int, int, str, Chunk]] = []
    for number, chunk in enumerate(chunks):
        aside = bool(chunk.heading_path) and bool(_ASIDE.search(chunk.heading_path[-1]))
        for span in split_sentences(chunk.text):
            sentence = _MARK.sub("", " ".join(chunk.text[span.start : span.stop].split()))
            words = len(sentence.split())
            whole = _FEWEST <= words <= _MOST and "|" not in sentence and sentence[-1] in _ENDS
            if whole and _both(patterns, sentence):
                found.append((aside or sentence.endswith("?"), words, number, sentence, chunk))
    if not found:
        return None
    _, _, _, sentence, chunk = min(found, key=lambda each: each[:3])
    return Relation(one.id, "co_occurs", other.id, _WEIGHT, sentence, chunk.document_id, chunk.id)


def _both(patterns: tuple[re.Pattern[str], re.Pattern[str]], sentence: str) -> bool:
    """Whether each is named somewhere that the other is not."""
    spans = [[match.span() for match in pattern.finditer(sentence)] for pattern in patterns]
    return any(a[1] <= b[0] or b[1] <= a[0] for a in spans[0] for b in spans[1])
