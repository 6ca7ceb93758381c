"""Bringing each projection up to the catalog, by the change alone where it can take that."""

from __future__ import annotations

import numpy as np

from graphrag.errors import StoreError
from graphrag.ports import Catalog, GraphSnapshot, GraphStore, KeywordIndex, VectorIndex
from graphrag.serving import identity_of


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
    """Make the graph store show the catalog and nothing else."""
    revision = catalog.revision
    documents = tuple(
        (key, str(values["title"]), str(values["source"]), values)
        for key, values in catalog.metadata().items()
    )
    snapshot = GraphSnapshot(documents, tuple(catalog.chunks()), catalog.concept_graph())
    graph.replace(snapshot, revision)
