"""What the documents say of two concepts in one sentence."""

from __future__ import annotations

import re
from collections.abc import Iterable

from graphrag.domain import Chunk, Concept, Relation
from graphrag.sentences import bare, split_sentences
from graphrag.tutoring.signs import names_pattern, opens_with

_SAYS = re.compile(
    r"\s*(?:\([^)]*\)\s*)?(?::|(?:is|are|means?|consists?|states?|says?)\b|of\b[^.;:]{1,60}?\b(?:is|are)\b)"
)
_OF_THE_TEXT = re.compile(
    r"\b(?:this|the|next|previous|see) (?:lessons?|chapters?|sections?|exercises?|examples?)\b",
    re.IGNORECASE,
)
_FEWEST, _MOST = 5, 45
_WRONG = re.compile(r"\b(?:mistakes?|pitfalls?|misconceptions?|fallac(?:y|ies))\b", re.IGNORECASE)
_ASIDE = re.compile(
    r"\b(?:exercises?|problems|solutions|prerequisites?|references|overview|summary|syllabus)\b",
    re.IGNORECASE,
)
_ENDS = '.!?:;)"”'
_WEIGHT = 0.6


def said_together(one: Concept, other: Concept, chunks: Iterable[Chunk]) -> Relation | None:
    """The whole sentence that names both concepts best, as a relation of the two: one that
    opens with the name of one of them before others, then the shortest. Sentences of
    exercises and the tails of formulas come only where there is no other, mistakes never.
    Names inside one another ("matrix" in "matrix inverse") count once. None where no
    sentence does."""
    found: list[tuple[bool, int, int, int, str, Chunk]] = []
    for number, chunk in enumerate(chunks):
        heading = chunk.heading_path[-1] if chunk.heading_path else ""
        if _WRONG.search(heading):
            continue
        for span in split_sentences(chunk.text):
            sentence = bare(chunk.text[span.start : span.stop])
            words = len(sentence.split())
            whole = _FEWEST <= words <= _MOST and "|" not in sentence and sentence[-1] in _ENDS
            if whole and names_both(one, other, sentence):
                opens = opens_with_either(one, other, sentence)
                aside = bool(_ASIDE.search(heading)) or _is_aside(sentence, opens=opens)
                found.append((aside, -opens, words, number, sentence, chunk))
    if not found:
        return None
    *_, sentence, chunk = min(found, key=lambda each: each[:4])
    return Relation(one.id, "co_occurs", other.id, _WEIGHT, sentence, chunk.document_id, chunk.id)


def names_both(one: Concept, other: Concept, sentence: str) -> bool:
    """Whether each is named somewhere that the other is not, and not as a part of a
    hyphenated word ("state vector" in "steady-state vector")."""
    first, second = (_places(concept, sentence) for concept in (one, other))
    return any(a[1] <= b[0] or b[1] <= a[0] for a in first for b in second)


def _places(concept: Concept, sentence: str) -> list[tuple[int, int]]:
    spans = [match.span() for match in names_pattern(concept).finditer(sentence)]
    return [
        (start, stop)
        for start, stop in spans
        if sentence[start - 1 : start] != "-" and sentence[stop : stop + 1] != "-"
    ]


def opens_with_either(one: Concept, other: Concept, sentence: str) -> int:
    """2 if the sentence opens with the name of a concept and says what it is, 1 if it only
    opens with it, else 0."""
    best = 0
    for concept in (one, other):
        if opens_with(names_pattern(concept), sentence):
            named = min(stop for _, stop in _places(concept, sentence) or [(0, 0)])
            best = max(best, 2 if _SAYS.match(sentence, named) else 1)
    return best


def _is_aside(sentence: str, *, opens: int) -> bool:
    """A question, what goes on from a formula or list ("has rank 1, so ..."), or what tells
    of the text itself."""
    goes_on = sentence[0].islower() and not opens
    return sentence.endswith("?") or goes_on or bool(_OF_THE_TEXT.search(sentence))
