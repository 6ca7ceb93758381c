"""Concepts that documents speak of and their syllabus lacks, for people to take or leave."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from graphrag.concepts.linking import keys_of
from graphrag.concepts.mentions import NameTrie
from graphrag.concepts.names import key_tokens
from graphrag.concepts.select import find_concepts
from graphrag.domain import Annotation, Concept, Document, Evidence

_SURE = 0.55  # so sure a concept must be without a syllabus
_FEWEST = 2  # mentions
_SHOWN = 2  # sentences


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A concept that the syllabus lacks, how often the documents name it, and at most two
    sentences that say what it is."""

    concept: Concept
    mentions: int
    evidence: tuple[Evidence, ...] = ()

    @property
    def importance(self) -> float:
        """How surely it is a concept, times the logarithm of how often it is named."""
        return self.concept.weight * math.log2(1 + self.mentions)


def missing_concepts(
    documents: Sequence[Document],
    annotations: Mapping[str, Annotation],
    present: Sequence[Concept],
) -> list[Suggestion]:
    """What would surely be a concept if there were no syllabus, and is none of those that are
    ``present``, by no spelling; the weightiest first, ties by id. Empty where nothing is given."""
    if not any(concept.given for concept in present):
        return []
    known = {key for concept in present for key in keys_of(concept)}
    missing = [
        concept
        for concept in find_concepts(documents, annotations, threshold=_SURE)
        if known.isdisjoint(keys_of(concept))
    ]
    trie = NameTrie(missing)
    counts: Counter[str] = Counter()
    for document in documents:
        counts.update(i for found in trie.find(document.text) for i in found.concept_ids)
    said = _definitions(documents, annotations)
    found = [
        Suggestion(concept, counts[concept.id], _shown(concept, said))
        for concept in missing
        if counts[concept.id] >= _FEWEST
    ]
    return sorted(found, key=lambda each: (-each.importance, each.concept.id))


def _definitions(
    documents: Sequence[Document], annotations: Mapping[str, Annotation]
) -> dict[tuple[str, ...], list[Evidence]]:
    """The sentences that say what a term is, by its normalised words, in reading order."""
    said: dict[tuple[str, ...], list[Evidence]] = {}
    for document in documents:
        for definition in annotations.get(document.id, Annotation()).definitions:
            term, sentence = definition.term, definition.sentence
            words = key_tokens(document.text[term.start : term.stop])
            quote = " ".join(document.text[sentence.start : sentence.stop].split())
            said.setdefault(words, []).append(Evidence("definition", 1.0, quote, document.id))
    return said


def _shown(
    concept: Concept, said: Mapping[tuple[str, ...], Sequence[Evidence]]
) -> tuple[Evidence, ...]:
    quotes = {e.sentence: e for key in sorted(keys_of(concept)) for e in said.get(key, ())}
    return tuple(quotes.values())[:_SHOWN]
