"""Bringing each projection up to the catalog, by the change alone where it can take that."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from graphrag.errors import StoreError
from graphrag.ports import (
    Catalog,
    GraphChange,
    GraphSnapshot,
    GraphStore,
    KeywordIndex,
    VectorIndex,
)
from graphrag.serving import identity_of
from graphrag.wording.encodable import encodable

_LARGEST_CHANGE = 0.5  # of the documents: beyond, the graph is made anew


def heal_keywords(catalog: Catalog, index: KeywordIndex) -> None:
    """Give the keyword index the texts that it lacks."""
    changes = catalog.changes_since(index.revision)
    added = {each.number: each.chunk.embedded_text for each in changes.added}
    index.update(added, changes.removed, changes.revision)


def heal_vectors(catalog: Catalog, index: VectorIndex) -> None:
    """Give the vector index the vectors that it lacks. Raises StoreError where the catalog
    has lost some."""
    changes = catalog.changes_since(index.revision)
    keys = [each.embedding_key for each in changes.added]
    known = catalog.embeddings(index.fingerprint, keys)
    missing = sum(key not in known for key in keys)
    if missing:
        raise StoreError(
            f"{missing} of {len(keys)} vectors are missing in the catalog; run 'graphrag verify'"
        )
    vectors = np.array([known[key] for key in keys], dtype=np.float32)
    identity = identity_of(catalog)
    dimension = identity.dimension if identity else 0
    index.update(
        [each.number for each in changes.added],
        vectors.reshape(len(keys), dimension),
        changes.removed,
        changes.revision,
    )


def heal_graph(catalog: Catalog, graph: GraphStore) -> None:
    """Make the graph store show the catalog and nothing else: by what changed, where that
    is known and little, else whole."""
    revision = catalog.revision
    change = _graph_change(catalog, graph.revision)
    if change is None or not graph.update(change, revision):
        graph.replace(_snapshot(catalog), revision)


def _graph_change(catalog: Catalog, shown: int) -> GraphChange | None:
    """What the store at that revision lacks; None where everything is the better answer."""
    touched = catalog.touched_since(shown) if shown else None
    if touched is None:
        return None
    totals = catalog.counts()
    if len(touched.documents) + len(touched.removed) > _LARGEST_CHANGE * totals["documents"]:
        return None
    if any(encodable(key) != key for key in (*touched.documents, *touched.removed)):
        # The store spells lone surrogates out, and so might take it for another document.
        return None
    return GraphChange(_snapshot(catalog, touched.documents), touched.removed, totals)


def _snapshot(catalog: Catalog, ids: Sequence[str] | None = None) -> GraphSnapshot:
    """What the catalog shows, of those documents only where ids are given."""
    documents = tuple(
        (key, str(values["title"]), str(values["source"]), values)
        for key, values in catalog.metadata(ids).items()
    )
    chunks = catalog.chunks(None if ids is None else catalog.chunks_of(ids))
    return GraphSnapshot(documents, tuple(chunks), catalog.concept_graph(ids))
