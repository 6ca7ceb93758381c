"""Links to what came before: ``[basis](03-basis.md)``; ``citations`` has those in words."""

from __future__ import annotations

import posixpath

from graphrag.domain import Document, Span
from graphrag.prerequisites.corpus import Corpus, Witness, sentence_text
from graphrag.prerequisites.explicit import link_key
from graphrag.sentences import split_sentences


def link_witnesses(corpus: Corpus) -> list[Witness]:
    """For every link from a document about one concept to an earlier one about another.

    A link to what comes later is a preview, not a prerequisite.
    """
    places: dict[str, int] = {}
    for i, document in enumerate(corpus.documents):
        places.setdefault(link_key(document, posixpath.basename(document.id)), i)
    found: list[Witness] = []
    for i, document in enumerate(corpus.documents):
        for link in document.links if corpus.topics[i] else ():
            if "://" in link.target or link.target.startswith(("#", "mailto:")):
                continue
            target = places.get(link_key(document, link.target))
            if target is None or target >= i:
                continue
            sentence = sentence_text(document, _around(document, link.start, link.stop))
            chunk_id = corpus.chunk_at(document.id, link.start)
            found += [
                Witness("link", concept, other, 0.5, sentence, document.id, chunk_id)
                for concept in corpus.topics[i]
                for other in corpus.topics[target]
                if other not in corpus.topics[i]
            ]
    return found


def _around(document: Document, start: int, stop: int) -> Span:
    """The sentence around a link, within its block."""
    for block in document.blocks:
        if block.start <= start and stop <= block.stop:
            for span in split_sentences(document.text, block.start, block.stop):
                if span.start <= start < span.stop:
                    return span
    return Span(start, stop)
