"""The concept graph from all that the catalog holds."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import TypedDict

import numpy as np
from numpy.typing import NDArray

from graphrag.collecting import without_collections
from graphrag.concepts.texts import Texts
from graphrag.domain import (
    Annotation,
    Chunk,
    ConceptGraph,
    Decision,
    Document,
    GivenConcept,
    Prerequisite,
)
from graphrag.ports import Catalog, Embedder
from graphrag.prerequisites.build import GRAPH_RULES, build_concept_graph
from graphrag.prerequisites.testimony import Described, Hearing, ModelWitness

_DERIVED_FROM = "concept graph derived from"


@dataclass(frozen=True, slots=True)
class Derived:
    """A concept graph, the vectors of names that it took, and what a witness said of it."""

    graph: ConceptGraph
    titles: TitleVectors
    hearing: Hearing | None


def derive_concepts(
    catalog: Catalog,
    embedder: Callable[[], Embedder],
    witness: ModelWitness | None = None,
    texts: Texts | None = None,
    *,
    early: Future[Derived] | None = None,
) -> Hearing | None:
    """Make concepts, mentions, evidence and prerequisites anew from all that is stored,
    unless they already show it; gives what the ``witness`` said, where it was heard.
    ``texts`` may hold the words of texts from the last time, and holds them for the next.
    ``early`` comes to the same graph, and was begun before all was stored.

    The result is a function of the catalog's documents, given concepts and decisions, and of
    what the witness says. Raises GenerationError where it cannot be had.
    """
    inputs = _inputs(catalog, witness)
    if catalog.value(_DERIVED_FROM) == _state(catalog, inputs):
        return None
    with without_collections():
        if early is not None:
            made = early.result()
        else:
            made = derived(concept_graph_inputs(catalog, embedder), witness, texts)
        made.titles.keep()
        catalog.put_concept_graph(made.graph)
    catalog.drop_unused_embeddings(made.titles.keys)
    catalog.put_value(_DERIVED_FROM, _state(catalog, inputs))
    return made.hearing


def derived(
    material: ConceptGraphInputs, witness: ModelWitness | None, texts: Texts | None
) -> Derived:
    """The concept graph of that material; nothing is written yet."""
    said: list[Hearing] = []

    def hear(edges: Sequence[Prerequisite], described: Described) -> list[Prerequisite]:
        if witness is None:
            return list(edges)
        moved, hearing = witness.heard(edges, described)
        said.append(hearing)
        return moved

    with without_collections():
        graph = build_concept_graph(**material, hear=hear, texts=texts)
    if texts is not None:
        texts.rest()
    return Derived(graph, material["embed"], said[0] if said else None)


class ConceptGraphInputs(TypedDict):
    """The arguments of ``build_concept_graph``."""

    documents: list[Document]
    chunks: list[Chunk]
    annotations: dict[str, Annotation]
    given: Sequence[GivenConcept]
    decisions: Sequence[Decision]
    chunk_vectors: Mapping[str, NDArray[np.float32]]
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
        "chunk_vectors": chunk_vectors(catalog, embedder, chunks),
        "embed": TitleVectors(catalog, embedder),
    }


def _inputs(catalog: Catalog, witness: ModelWitness | None) -> str:
    """The rules, what people gave, and who is asked, as a short hash."""
    asked = () if witness is None else (witness.model, witness.most)
    given = repr((GRAPH_RULES, catalog.given_concepts(), catalog.decisions(), *asked))
    return hashlib.blake2b(given.encode("utf-8", "replace"), digest_size=8).hexdigest()


def _state(catalog: Catalog, inputs: str) -> str:
    return f"{catalog.revision} {inputs}"


def chunk_vectors(
    catalog: Catalog, embedder: Callable[[], Embedder], chunks: Sequence[Chunk]
) -> dict[str, NDArray[np.float32]]:
    """The stored vectors of the chunks, by their ids."""
    if not chunks:
        return {}
    keys = {chunk.id: embedding_key(chunk) for chunk in chunks}
    fingerprint = embedder().identity.fingerprint
    vectors = catalog.embeddings(fingerprint, list(dict.fromkeys(keys.values())))
    return {chunk_id: vectors[key] for chunk_id, key in keys.items() if key in vectors}


@dataclass(slots=True)
class TitleVectors:
    """Concept names to unit vectors. ``keep`` puts new ones into the catalog, so that none is
    embedded twice."""

    catalog: Catalog
    embedder: Callable[[], Embedder]
    keys: set[str] = field(default_factory=set)
    _fresh: dict[str, NDArray[np.float32]] = field(default_factory=dict)

    def __call__(self, titles: Sequence[str]) -> NDArray[np.float32]:
        embedder = self.embedder()
        if not titles:
            return np.zeros((0, embedder.identity.dimension), np.float32)
        keys = {title: _text_key(title) for title in titles}
        self.keys.update(keys.values())
        stored = self.catalog.embeddings(embedder.identity.fingerprint, list(keys.values()))
        known = {**stored, **self._fresh}
        missing = [title for title, key in keys.items() if key not in known]
        if missing:
            vectors = embedder.embed_passages(missing)
            self._fresh |= {keys[title]: row for title, row in zip(missing, vectors, strict=True)}
            known |= self._fresh
        return np.stack([known[keys[title]] for title in titles])

    def keep(self) -> None:
        """Store the vectors that were not stored yet."""
        if self._fresh:
            fingerprint = self.embedder().identity.fingerprint
            self.catalog.put_embeddings(
                fingerprint, list(self._fresh), np.stack(list(self._fresh.values()))
            )
            self._fresh = {}


def embedding_key(chunk: Chunk) -> str:
    """A hash of what is embedded: equal texts are embedded once, wherever they stand."""
    return _text_key(chunk.embedded_text)


def _text_key(text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
