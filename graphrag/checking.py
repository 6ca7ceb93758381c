"""Whether a projection is what was written, and holds what the catalog says."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import astuple, replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar

import numpy as np

from graphrag.errors import ModelError, StoreError
from graphrag.ports import Catalog, Embedder, GraphStore
from graphrag.retrieval.name_files import arrays_of, check_names
from graphrag.retrieval.name_graph import NameGraph
from graphrag.retrieval.name_keeping import NameSource, names_anew

if TYPE_CHECKING:
    from graphrag.adapters.bm25_index import Bm25Index
    from graphrag.adapters.faiss_index import FaissIndex

_POLL_SECONDS = 0.1
_TOLD = 3  # faults of a damaged catalog


class Checked(Protocol):
    """A projection that knows the checksums of its files."""

    def check(self) -> None:
        """Read all files. Raises StoreError where one is not what was written."""


class Revised(Protocol):
    """A projection that knows the catalog revision that it shows."""

    @property
    def revision(self) -> int: ...


_Revised = TypeVar("_Revised", bound=Revised)


def check_catalog(catalog: Catalog, place: Path) -> None:
    """Read the catalog of the index at ``place`` whole. Raises StoreError where it is damaged:
    nothing can be made from that."""
    found = catalog.check()
    if found:
        more = f"; and {len(found) - _TOLD} more" if len(found) > _TOLD else ""
        raise StoreError(
            f"the catalog of {place} is damaged: put back a copy of the index, or ingest the "
            f"folders into a new one and put its decisions.txt there "
            f"({'; '.join(found[:_TOLD])}{more})"
        )


def readable(load: Callable[[Path], _Revised], path: Path) -> _Revised:
    """The projection at that path, once its revision could be read."""
    found = load(path)
    _ = found.revision
    return found


def shown_by(load: Callable[[Path], Revised | None], path: Path) -> int:
    """The revision that the projection at that path shows: 0 where there is none yet, -1
    where it cannot be opened."""
    try:
        found = load(path)
        return 0 if found is None else found.revision
    except (StoreError, ModelError):
        return -1


def made_within(load: Callable[[Path], Revised | None], path: Path, seconds: float) -> bool:
    """Whether there is a projection at that path, or another process makes one within so
    many seconds; where nobody can write there, it is not waited for."""
    until = time.monotonic() + seconds
    while (missing := shown_by(load, path) <= 0) and time.monotonic() < until:
        if not os.access(path.parent, os.W_OK):
            break
        time.sleep(_POLL_SECONDS)
    return not missing


def is_whole(load: Callable[[Path], Checked], path: Path) -> bool:
    """Whether the projection at that path can be opened, and every byte is as written."""
    try:
        load(path).check()
    except (StoreError, ModelError):
        return False
    return True


def names_whole(path: Path) -> bool:
    """Whether every byte of the names is as written, or there are none yet."""
    try:
        check_names(path)
    except StoreError:
        return False
    return True


def embed_lost(catalog: Catalog, embedder: Embedder) -> int:
    """Embed again, from their stored text, the chunks that lost their vector; how many."""
    fingerprint = embedder.identity.fingerprint
    lost = lost_texts(catalog, fingerprint)
    if lost:
        vectors = embedder.embed_passages(list(lost.values()))
        catalog.put_embeddings(fingerprint, list(lost), vectors)
    return len(lost)


def lost_texts(catalog: Catalog, fingerprint: str) -> dict[str, str]:
    """Embedding keys without a vector of that model, each with the text to embed."""
    texts = {
        each.embedding_key: each.chunk.embedded_text for each in catalog.changes_since(0).added
    }
    for key in catalog.embeddings(fingerprint, list(texts)):
        del texts[key]
    return texts


def keywords_agree(catalog: Catalog, index: Bm25Index) -> bool:
    """Whether the keyword index holds exactly the catalog's chunks."""
    held: list[int] = index.numbers.tolist()
    return held == sorted(catalog.chunk_numbers())


def graph_agrees(catalog: Catalog, store: GraphStore) -> bool:
    """Whether the graph store holds the catalog's concept graph, but for mentions and
    evidence, which it keeps in another form, and for open pairs, which it does not keep."""
    graph = catalog.concept_graph()
    bare = replace(
        graph,
        mentions=(),
        open=(),
        prerequisites=tuple(replace(each, evidence=()) for each in graph.prerequisites),
        relations=tuple(sorted(graph.relations, key=astuple)),
    )
    return store.concept_graph() == bare


def names_agree(source: NameSource, names: NameGraph) -> bool:
    """Whether the names are those that the catalog gives, made anew."""
    made = names_anew(source)[0]
    held = dict(arrays_of(names))
    return names.linkage == made.linkage and all(
        np.array_equal(array, held[name]) for name, array in arrays_of(made)
    )


def vectors_agree(catalog: Catalog, index: FaissIndex) -> bool:
    """Whether the vector index gives, for a few probes, the products that the stored
    embeddings give, over exactly the catalog's chunks."""
    everything = catalog.changes_since(0).added
    known = catalog.embeddings(index.fingerprint, list({each.embedding_key for each in everything}))
    if not everything:
        return True
    matrix = np.stack([known[each.embedding_key] for each in everything])
    numbers = np.array([each.number for each in everything], dtype=np.int64)
    probes = np.random.default_rng(0).standard_normal((3, matrix.shape[1]))
    probes = (probes / np.linalg.norm(probes, axis=1, keepdims=True)).astype(np.float32)
    found = {number for number, _ in index.search(probes[0], len(numbers) + 1)}
    return found == set(numbers.tolist()) and all(
        np.allclose(index.similarities(probe, numbers), matrix @ probe, atol=1e-4)
        for probe in probes
    )
