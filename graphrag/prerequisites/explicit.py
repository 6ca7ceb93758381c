"""Prerequisites that documents list: sections of that name, run-in lines, front matter."""

from __future__ import annotations

import posixpath
import re

from graphrag.concepts.prerequisite_sections import StatedNeed, stated_needs
from graphrag.domain import Document
from graphrag.prerequisites.corpus import Corpus, Witness


def explicit_witnesses(corpus: Corpus) -> list[Witness]:
    """For every entry of a list of prerequisites whose ends are both known concepts.

    The entry belongs to the concept of the heading above the list, else to the document's.
    """
    by_target = _documents_by_target(corpus)
    found: list[Witness] = []
    for document, own in zip(corpus.documents, corpus.topics, strict=True):
        for need in stated_needs(document):
            topics = own
            if need.topic is not None:
                topics = corpus.topics_of(need.topic, document.id) or own
            needed = _needed(corpus, document, need, by_target) if topics else []
            found += [
                _witness(corpus, document, need, concept, other)
                for concept in topics
                for other in needed
                if other not in topics
            ]
    return found


def _witness(
    corpus: Corpus, document: Document, need: StatedNeed, concept: int, other: int
) -> Witness:
    sentence = " ".join(need.sentence.split())
    if need.span is None:
        return Witness("front_matter", concept, other, 1.0, sentence, document.id)
    chunk_id = corpus.chunk_at(document.id, need.span.start)
    score = 0.8 if need.loose else 1.0
    return Witness("section", concept, other, score, sentence, document.id, chunk_id)


def _needed(
    corpus: Corpus, document: Document, need: StatedNeed, by_target: dict[str, tuple[int, ...]]
) -> list[int]:
    for name in need.names:
        exact = corpus.concept_named(name, document.id)
        if exact is not None:
            return [exact]
    if need.target:
        linked = by_target.get(link_key(document, need.target))
        if linked is not None:
            return list(linked)
    named = corpus.named_in(need.name, document.id)
    if named:
        best = max(named.values())
        return sorted(i for i, share in named.items() if need.loose or share == best)
    if need.span is not None and need.loose:
        return sorted({i for i, _ in corpus.mentions_in(document, need.span)})
    return []


def _documents_by_target(corpus: Corpus) -> dict[str, tuple[int, ...]]:
    """Where links can point, mapped to the concepts of the document that is there."""
    targets: dict[str, tuple[int, ...]] = {}
    for document, topics in zip(corpus.documents, corpus.topics, strict=True):
        if topics:
            targets.setdefault(_without_ending(document.id), topics)
    return targets


def link_key(document: Document, target: str) -> str:
    """A relative link as the id of the document that it points at, without ending."""
    path = target.split("#", maxsplit=1)[0].split("?", maxsplit=1)[0]
    joined = posixpath.normpath(posixpath.join(posixpath.dirname(document.id), path))
    return _without_ending(joined)


def _without_ending(path: str) -> str:
    return re.sub(r"\.[A-Za-z]{1,5}$", "", path)
