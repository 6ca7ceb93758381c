"""Terms that authors set off where they introduce them, told from words set off to stress."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from graphrag.concepts.names import name_key
from graphrag.domain import Annotation, Document, Span

_ARTICLES = frozenset({"the", "a", "an", "called", "as"})
_REACH = 8
_LONGEST = 4  # words; a longer stretch is stressed
# Of what they set off, short courses introduce two in five to nine in ten names on the spot, and
# nearly all names once; manuals introduce at most one in three, and long books of mixed customs
# set off a fifth and more of the names again and again.
_INTRODUCED, _ONCE = 0.4, 0.9
_FEWEST = 5
_LEANING = 100  # names; a document with few of its own leans on the corpus

# The terms of a document, and whether each is a noun that is introduced on the spot.
Terms = Mapping[Span, bool]


@dataclass(frozen=True, slots=True)
class _Name:
    """A name that is set off in a running sentence, and whether it is introduced on the spot,
    and whether as a noun."""

    key: str
    place: Span
    introduced: bool
    noun: bool


def set_off_terms(
    documents: Sequence[Document], annotations: Mapping[str, Annotation]
) -> dict[str, Terms]:
    """By document id the terms that it sets off; only for documents with that custom.

    It is the custom where two fifths of the different names that are set off in running
    sentences are introduced on the spot, by an article (``An **assignment** binds``) or by a
    sentence that says what they are called or what they are, and nine in ten are set off once.
    Then the others are terms too (``In **meiosis** a cell gives four``). A document with few
    such names goes by the whole corpus.
    """
    found = {d.id: _set_off(d, annotations.get(d.id, Annotation())) for d in documents}
    everything = [name for names in found.values() for name in names]
    times = Counter(name.key for name in everything)
    usual = _customs(everything, times)
    if len(times) < _FEWEST:
        return {}
    return {
        document_id: {name.place: name.noun for name in names}
        for document_id, names in found.items()
        if _has_custom(_customs(names, times), usual, len({name.key for name in names}))
    }


def _customs(names: Sequence[_Name], times: Mapping[str, int]) -> tuple[float, float]:
    """The shares of the different names that are introduced on the spot, and set off once."""
    keys = {name.key for name in names}
    introduced = {name.key for name in names if name.introduced}
    once = sum(times[key] == 1 for key in keys)
    return len(introduced) / max(1, len(keys)), once / max(1, len(keys))


def _has_custom(own: tuple[float, float], usual: tuple[float, float], names: int) -> bool:
    leaning = [
        (names * mine + _LEANING * all_ours) / (names + _LEANING)
        for mine, all_ours in zip(own, usual, strict=True)
    ]
    return leaning[0] >= _INTRODUCED and leaning[1] >= _ONCE


def is_introduced(document: Document, term: Span) -> bool:
    """Whether an article, *called* or *as* stands before the term."""
    before = document.text[max(0, term.start - _REACH) : term.start].replace("(", " ").split()
    return bool(before) and before[-1].casefold() in _ARTICLES


def _set_off(document: Document, annotation: Annotation) -> list[_Name]:
    told = {d.term for d in annotation.definitions if d.form in ("copula", "called")}
    nouns = {(phrase.stop, phrase.key) for phrase in annotation.phrases}
    found = []
    for term in (d.term for d in annotation.definitions if d.form == "bold"):
        name = document.text[term.start : term.stop]
        if len(name.split()) <= _LONGEST:
            key = name_key(name)
            introduced = term in told or is_introduced(document, term)
            noun = introduced and (" " in key or (term.stop, key) in nouns)
            found.append(_Name(key, term, introduced, noun))
    return found
