"""Definition dependency: a concept needs what its definition names.

The strength of a definition is that of its form: a glossary entry 1; ``A basis is ...``
0.8 with an article and 0.5 without; ``... is called a basis`` 0.8; a term set off 0.6; the
first sentence under a heading 0.4.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from graphrag.concepts.names import key_tokens
from graphrag.domain import Definition, DefinitionForm, Document, Mention
from graphrag.prerequisites.corpus import Corpus, Witness, sentence_text

_STRENGTHS: Mapping[DefinitionForm, float] = {
    "glossary": 1.0,
    "called": 0.8,
    "copula": 0.8,
    "bold": 0.6,
    "heading": 0.4,
}
# From which strength somebody says what a concept is: a term set off, "A basis is", "is called".
EXPLAINS = 0.6
_WITHOUT_ARTICLE = 0.5
_IN_GLOSSARY = 0.6
_AT_HOME = 1.5
_ARTICLES = frozenset({"a", "an", "the"})


def strength(document: Document, definition: Definition) -> float:
    """How surely the sentence says what the term is, 0 to 1."""
    if definition.form == "copula":
        before = document.text[definition.sentence.start : definition.term.start].split()
        if not before or before[-1].casefold() not in _ARTICLES:
            return _WITHOUT_ARTICLE
    return _STRENGTHS[definition.form]


def defined_terms(corpus: Corpus) -> Iterator[tuple[Document, Definition, int, Mention, float]]:
    """Each concept that a definition is of, with the strength.

    A concept that is only a part of the defined term has that part of the strength.
    """
    for document, annotation in zip(corpus.documents, corpus.annotations, strict=True):
        for definition in annotation.definitions:
            size = len(key_tokens(document.text[definition.term.start : definition.term.stop]))
            for concept, mention in corpus.mentions_in(document, definition.term):
                words = len(key_tokens(document.text[mention.start : mention.stop]))
                share = min(1.0, words / max(1, size))
                yield (
                    document,
                    definition,
                    concept,
                    mention,
                    strength(document, definition) * (share if share == 1.0 else 0.5 * share),
                )


def definition_witnesses(corpus: Corpus) -> list[Witness]:
    """For every concept named in a definition of another one."""
    found: list[Witness] = []
    for document, definition, concept, mention, score in defined_terms(corpus):
        for other, named in corpus.mentions_in(document, definition.sentence):
            inside = named.start >= definition.term.start and named.stop <= definition.term.stop
            if other != concept and not inside:
                found.append(
                    Witness(
                        "definition",
                        concept,
                        other,
                        score,
                        sentence_text(document, definition.sentence),
                        document.id,
                        mention.chunk_id,
                    )
                )
    return found


def best_definitions(corpus: Corpus) -> dict[int, tuple[str, float]]:
    """The chunk that explains each concept best, with how well it does, the earliest of equals.

    A definition in a document or section about the concept explains more than the line of a
    glossary: it counts half as much again, a glossary's three fifths.
    """
    place = {document.id: i for i, document in enumerate(corpus.documents)}
    best: dict[int, tuple[str, float]] = {}
    for document, definition, concept, mention, score in defined_terms(corpus):
        value = score * (_IN_GLOSSARY if definition.form == "glossary" else 1.0)
        if concept in corpus.topics[place[document.id]]:
            value *= _AT_HOME
        if value > best.get(concept, ("", 0.0))[1]:
            best[concept] = (mention.chunk_id, value)
    return best
