"""Cue sentences: ``X requires Y``, ``X is defined in terms of Y``, ``recall that Y ...``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from graphrag.concepts.names import key_tokens
from graphrag.domain import Cue, CueKind, Document, Span
from graphrag.prerequisites.corpus import Corpus, Witness, sentence_text

# How far a sentence of each kind speaks for a prerequisite; the others do not.
_SCORES: Mapping[CueKind, float] = {
    "requires": 1.0,
    "uses": 0.5,
    "used_for": 0.5,
    "derived_from": 0.6,
    "kind_of": 0.6,
    "part_of": 0.4,
}
# In these the object needs the subject: what is used, or is a part, comes first.
_REVERSED = frozenset({"used_for", "part_of"})


def cue_ends(corpus: Corpus) -> Iterator[tuple[Document, Cue, int, int, float]]:
    """Each cue with the numbers of its subject and object and how squarely it names them.

    Each end of a cue gives the concepts named in it that are not part of a longer name; the
    fit is the product of the shares of the ends' words that the names take.
    """
    for document, annotation in zip(corpus.documents, corpus.annotations, strict=True):
        for cue in annotation.cues:
            subjects = _named(corpus, document, cue.subject)
            objects = _named(corpus, document, cue.object) if subjects else {}
            for subject, first in subjects.items():
                for other, second in objects.items():
                    if subject != other:
                        yield document, cue, subject, other, first * second


def _named(corpus: Corpus, document: Document, span: Span) -> dict[int, float]:
    size = max(1, len(key_tokens(document.text[span.start : span.stop])))
    named: dict[int, float] = {}
    covered = -1
    for concept, mention in corpus.mentions_in(document, span):
        if mention.start < covered:
            continue
        covered = mention.stop
        words = len(key_tokens(document.text[mention.start : mention.stop]))
        named[concept] = max(named.get(concept, 0.0), min(1.0, words / size))
    return named


def cue_witnesses(corpus: Corpus) -> list[Witness]:
    """For every affirmed cue that speaks for a prerequisite."""
    found: list[Witness] = []
    for document, cue, subject, other, fit in cue_ends(corpus):
        score = _SCORES.get(cue.kind, 0.0)
        if cue.negated or not score:
            continue
        concept, needed = (other, subject) if cue.kind in _REVERSED else (subject, other)
        found.append(
            Witness(
                "cue",
                concept,
                needed,
                score * fit,
                sentence_text(document, cue.sentence),
                document.id,
                corpus.chunk_at(document.id, cue.sentence.start),
            )
        )
    return found


def denied(corpus: Corpus) -> set[tuple[int, int]]:
    """Pairs (concept, other) of which a sentence says that the one does not need the other."""
    return {
        (subject, other)
        for _, cue, subject, other, _ in cue_ends(corpus)
        if cue.negated and cue.kind in ("requires", "uses")
    }


def said(corpus: Corpus) -> set[tuple[int, int]]:
    """Pairs (concept, other) of which a sentence says in so many words that the one requires
    the other: both ends are named whole, and no sentence says the reverse or denies it."""
    pairs = {
        (subject, other)
        for _, cue, subject, other, fit in cue_ends(corpus)
        if cue.kind == "requires" and not cue.negated and fit == 1.0 and _inside(cue)
    }
    return {(a, b) for a, b in pairs if (b, a) not in pairs} - denied(corpus)


def _inside(cue: Cue) -> bool:
    """Whether the subject stands in the sentence itself: it may be the section's topic."""
    return cue.sentence.start <= cue.subject.start and cue.subject.stop <= cue.sentence.stop
