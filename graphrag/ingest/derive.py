"""The concept graph from all that the catalog holds."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypedDict

import numpy as np
from numpy.typing import NDArray

from graphrag.collecting import without_collections
from graphrag.concepts.texts import Texts
from graphrag.domain import (
    Annotation,
    Chunk,
    Decision,
    Document,
    GivenConcept,
    Prerequisite,
)
from graphrag.ports import Catalog, Embedder
from graphrag.prerequisites.build import build_concept_graph
from graphrag.prerequisites.testimony import Described, Hearing, ModelWitness

_DERIVED_FROM = "concept graph derived from"


def derive_concepts(
    catalog: Catalog,
    embedder: Callable[[], Embedder],
    witness: ModelWitness | None = None,
    texts: Texts | None = None,
) -> Hearing | None:
    """Make concepts, mentions, evidence and prerequisites anew from all that is stored,
    unless they already show it; gives what the ``witness`` said, where it was heard.
    ``texts`` may hold the words of texts from the last time, and holds them for the next.

    The result is a function of the catalog's documents, given concepts and decisions, and of
    what the witness says. Raises GenerationError where it cannot be had.
    """
    inputs = _inputs(catalog, witness)
    if catalog.value(_DERIVED_FROM) == _state(catalog, inputs):
        return None
    said: list[Hearing] = []

    def hear(edges: Sequence[Prerequisite], described: Described) -> list[Prerequisite]:
        if witness is None:
            return list(edges)
        moved, hearing = witness.heard(edges, described)
        said.append(hearing)
        return moved

    with without_collections():
        material = concept_graph_inputs(catalog, embedder)
        catalog.put_concept_graph(build_concept_graph(**material, hear=hear, texts=texts))
    if texts is not None:
        texts.rest()
    catalog.drop_unused_embeddings(material["embed"].keys)
    catalog.put_value(_DERIVED_FROM, _state(catalog, inputs))
    return said[0] if said else None


class ConceptGraphInputs(TypedDict):
    """The arguments of ``build_concept_graph``."""

    documents: list[Document]
    chunks: list[Chunk]
    annotations: dict[str, Annotation]
    given: Sequence[GivenConcept]
    decisions: Sequence[Decision]
    chunk_vectors: dict[str, NDArray[np.float32]]
    embed: TitleVectors


def concept_graph_inputs(catalog: Catalog, embedder: Callable[[], Embedder]) -> ConceptGraphInputs:
    """What the concept graph is made from, as it is stored now."""
    chunks = catalog.chunks()
    return {
        "documents": catalog.documents(),
        "chunks": chunks,
        "annotations": catalog.annotations(),
        "given": catalog.given_concepts(),
        "decisions": catalog.decisions(),
        "chunk_vectors": _chunk_vectors(catalog, embedder, chunks),
        "embed": TitleVectors(catalog, embedder),
    }


def _inputs(catalog: Catalog, witness: ModelWitness | None) -> str:
    """What people gave, and who is asked, as a short hash."""
    asked = () if witness is None else (witness.model, witness.most)
    given = repr((catalog.given_concepts(), catalog.decisions(), *asked))
    return hashlib.blake2b(given.encode("utf-8", "replace"), digest_size=8).hexdigest()


def _state(catalog: Catalog, inputs: str) -> str:
    return f"{catalog.revision} {inputs}"


def _chunk_vectors(
    catalog: Catalog, embedder: Callable[[], Embedder], chunks: Sequence[Chunk]
) -> dict[str, NDArray[np.float32]]:
    if not chunks:
        return {}
    keys = {chunk.id: embedding_key(chunk) for chunk in chunks}
    fingerprint = embedder().identity.fingerprint
    vectors = catalog.embeddings(fingerprint, list(dict.fromkeys(keys.values())))
    return {chunk_id: vectors[key] for chunk_id, key in keys.items() if key in vectors}


@dataclass(slots=True)
class TitleVectors:
    """Concept names to unit vectors, kept in the catalog so that none is embedded twice."""

    catalog: Catalog
    embedder: Callable[[], Embedder]
    keys: set[str] = field(default_factory=set)

    def __call__(self, titles: Sequence[str]) -> NDArray[np.float32]:
        embedder = self.embedder()
        if not titles:
            return np.zeros((0, embedder.identity.dimension), np.float32)
        fingerprint = embedder.identity.fingerprint
        keys = {title: _text_key(title) for title in titles}
        self.keys.update(keys.values())
        known = dict(self.catalog.embeddings(fingerprint, list(keys.values())))
        missing = [title for title, key in keys.items() if key not in known]
        if missing:
            vectors = embedder.embed_passages(missing)
            self.catalog.put_embeddings(fingerprint, [keys[title] for title in missing], vectors)
            known |= {keys[title]: row for title, row in zip(missing, vectors, strict=True)}
        return np.stack([known[keys[title]] for title in titles])


def embedding_key(chunk: Chunk) -> str:
    """A hash of what is embedded: equal texts are embedded once, wherever they stand."""
    return _text_key(chunk.embedded_text)


def _text_key(text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
