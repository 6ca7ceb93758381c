"""Stores that keep everything in the process: plain, obvious, and gone when it ends.

They show what the ports mean, and stand in for the real stores where a test needs none.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace

import numpy as np

from graphrag.adapters.memory_projections import (
    MemoryGraph,
    MemoryKeywordIndex,
    MemoryVectorIndex,
)
from graphrag.domain import (
    IN_FORCE,
    Annotation,
    Chunk,
    ConceptGraph,
    Decision,
    Document,
    GivenConcept,
    Learner,
)
from graphrag.errors import StoreError
from graphrag.ports import (
    ChunkChanges,
    FileStamp,
    NumberedChunk,
    Rechunked,
    StoredDocument,
    Touched,
    Vectors,
)

__all__ = ["MemoryCatalog", "MemoryGraph", "MemoryKeywordIndex", "MemoryVectorIndex"]


class MemoryCatalog:
    """``ports.Catalog`` in dictionaries. Not for several threads."""

    def __init__(self) -> None:
        self._revision = 0
        self._stored: dict[str, StoredDocument] = {}
        self._numbers: dict[int, tuple[NumberedChunk, int]] = {}
        self._removed: list[tuple[int, int, int]] = []
        self._next_number = 1
        self._embeddings: dict[tuple[str, str], Vectors] = {}
        self._graph = ConceptGraph()
        self._given: list[GivenConcept] = []
        self._decisions: list[Decision] = []
        self._learners: dict[str, Learner] = {}
        self._values: dict[str, str] = {}

    @property
    def revision(self) -> int:
        return self._revision

    def write_documents(self, added: Sequence[StoredDocument], removed: Sequence[str]) -> None:
        ids = [stored.document.id for stored in added]
        if len(set(ids)) < len(ids):
            raise StoreError("a document is given twice in one change")
        for stored in added:
            if len(stored.chunks) != len(stored.embedding_keys):
                raise StoreError(f"document {stored.document.id!r} lacks embedding keys")
        gone = {key for key in [*removed, *ids] if key in self._stored}
        if not added and not gone:
            return
        self._revision += 1
        spare = self._take_numbers(gone)
        for key in gone:
            del self._stored[key]
        for stored in added:
            self._stored[stored.document.id] = stored
            for chunk, key in zip(stored.chunks, stored.embedding_keys, strict=True):
                self._number(chunk, key, spare)
        for numbered, since in (pair for pairs in spare.values() for pair in pairs):
            self._removed.append((numbered.number, since, self._revision))
        self._forget(gone)

    def _take_numbers(
        self, gone: Collection[str]
    ) -> dict[tuple[str, str], list[tuple[NumberedChunk, int]]]:
        spare: dict[tuple[str, str], list[tuple[NumberedChunk, int]]] = {}
        for number, (numbered, since) in list(self._numbers.items()):
            if numbered.chunk.document_id in gone:
                text = (numbered.embedding_key, numbered.chunk.embedded_text)
                spare.setdefault(text, []).append((numbered, since))
                del self._numbers[number]
        return spare

    def _number(
        self,
        chunk: Chunk,
        key: str,
        spare: Mapping[tuple[str, str], list[tuple[NumberedChunk, int]]],
    ) -> None:
        known = spare.get((key, chunk.embedded_text))
        if known:
            numbered, since = known.pop(0)
            number = numbered.number
        else:
            number, since = self._next_number, self._revision
            self._next_number += 1
        self._numbers[number] = NumberedChunk(number, chunk, key), since

    def _forget(self, gone: Collection[str]) -> None:
        graph = self._graph
        self._graph = replace(
            graph,
            mentions=tuple(m for m in graph.mentions if m.document_id not in gone),
            prerequisites=tuple(
                replace(p, evidence=tuple(e for e in p.evidence if e.document_id not in gone))
                for p in graph.prerequisites
            ),
            relations=tuple(r for r in graph.relations if r.document_id not in gone),
        )

    def stamps(self) -> dict[str, FileStamp]:
        return {stored.document.id: stored.stamp for stored in self._in_order()}

    def restamp(self, stamps: Mapping[str, FileStamp]) -> None:
        for key, stamp in stamps.items():
            if key in self._stored:
                stored = self._stored[key]
                document = replace(stored.document, source=stamp.source)
                self._stored[key] = replace(stored, stamp=stamp, document=document)

    def counts(self) -> dict[str, int]:
        statuses: list[str] = [edge.status for edge in self._graph.prerequisites]
        return {
            "documents": len(self._stored),
            "chunks": len(self._numbers),
            "concepts": len(self._graph.concepts),
            "prerequisites": sum(edge.in_force for edge in self._graph.prerequisites),
            **{name: statuses.count(name) for name in IN_FORCE},
        }

    def document_ids(self) -> list[str]:
        return [stored.document.id for stored in self._in_order()]

    def documents(self, ids: Sequence[str] | None = None) -> list[Document]:
        return [s.document for s in self._in_order() if ids is None or s.document.id in ids]

    def metadata(self, ids: Collection[str] | None = None) -> dict[str, Mapping[str, object]]:
        return {
            d.id: {**d.metadata, "title": d.title, "source": d.source, "format": d.format}
            for d in self.documents(None if ids is None else list(ids))
        }

    def limited_metadata(self) -> dict[str, Mapping[str, object]]:
        limits = {"valid_from", "valid_to", "supersedes"}
        return {key: values for key, values in self.metadata().items() if limits & values.keys()}

    def documents_where(self, key: str, holds: Callable[[str], bool]) -> set[str] | None:
        having = {id_: each[key] for id_, each in self.metadata().items() if key in each}
        lists = {id_: each if isinstance(each, tuple) else (each,) for id_, each in having.items()}
        met = {id_ for id_, values in lists.items() if any(holds(str(value)) for value in values)}
        return met if having else None

    def annotations(self) -> dict[str, Annotation]:
        return {stored.document.id: stored.annotation for stored in self._in_order()}

    def chunks(self, ids: Sequence[str] | None = None) -> list[Chunk]:
        known = {chunk.id: chunk for stored in self._in_order() for chunk in stored.chunks}
        return list(known.values()) if ids is None else [known[i] for i in ids if i in known]

    def chunk_numbers(self) -> dict[int, str]:
        return {number: self._numbers[number][0].chunk.id for number in sorted(self._numbers)}

    def chunk_ids(self, numbers: Sequence[int]) -> dict[int, str]:
        known = self.chunk_numbers()
        return {number: known[number] for number in numbers if number in known}

    def numbers_of(self, document_ids: Collection[str]) -> list[int]:
        chunks = set(self.chunks_of(document_ids))
        return [number for number, key in self.chunk_numbers().items() if key in chunks]

    def spread_of_chunks(self) -> tuple[int, int]:
        chunks = self.chunks()
        return len(chunks), len({chunk.document_id for chunk in chunks})

    def chunks_of(self, document_ids: Collection[str]) -> list[str]:
        return [chunk.id for chunk in self.chunks() if chunk.document_id in document_ids]

    def changes_since(self, revision: int) -> ChunkChanges:
        if revision > self._revision:
            raise StoreError(f"revision {revision} is ahead of the catalog: build it anew")
        added = [numbered for numbered, since in self._numbers.values() if since > revision]
        removed = [number for number, since, end in self._removed if since <= revision < end]
        return ChunkChanges(
            self._revision,
            tuple(sorted(added, key=lambda numbered: numbered.number)),
            tuple(sorted(removed)),
        )

    def numbered(
        self, *, documents: Sequence[str] = (), numbers: Sequence[int] = ()
    ) -> list[NumberedChunk]:
        return [
            numbered
            for number, (numbered, _) in sorted(self._numbers.items())
            if number in numbers or numbered.chunk.document_id in documents
        ]

    def touched_since(self, revision: int) -> Touched | None:
        """Not known: a projection of what is in memory is made anew."""
        return None

    def put_embeddings(self, fingerprint: str, keys: Sequence[str], vectors: Vectors) -> None:
        if vectors.ndim != 2 or len(vectors) != len(keys):
            raise StoreError(f"{len(keys)} keys do not fit vectors of shape {vectors.shape}")
        if not np.isfinite(vectors).all():
            raise StoreError(f"model {fingerprint} gave a vector with NaN or infinity")
        shapes = {v.shape for (model, _), v in self._embeddings.items() if model == fingerprint}
        if len(keys) and shapes and shapes != {vectors.shape[1:]}:
            raise StoreError(f"model {fingerprint} gave vectors of another dimension")
        for key, vector in zip(keys, vectors, strict=True):
            self._embeddings.setdefault((fingerprint, key), vector.astype(np.float32))

    def embeddings(self, fingerprint: str, keys: Sequence[str]) -> dict[str, Vectors]:
        return {
            key: self._embeddings[fingerprint, key]
            for key in keys
            if (fingerprint, key) in self._embeddings
        }

    def drop_unused_embeddings(self, keep: Collection[str] = ()) -> int:
        used = {numbered.embedding_key for numbered, _ in self._numbers.values()} | set(keep)
        unused = [pair for pair in self._embeddings if pair[1] not in used]
        for pair in unused:
            del self._embeddings[pair]
        return len(unused)

    def adopt_model(
        self, fingerprint: str, rechunked: Sequence[Rechunked], values: Mapping[str, str]
    ) -> None:
        if unknown := [each for each in rechunked if each.document_id not in self._stored]:
            raise StoreError(f"document {unknown[0].document_id!r} is not in the catalog")
        self._revision += 1
        spare = self._take_numbers({each.document_id for each in rechunked})
        for each in rechunked:
            self._stored[each.document_id] = replace(
                self._stored[each.document_id],
                chunks=each.chunks,
                embedding_keys=each.embedding_keys,
            )
            for chunk, key in zip(each.chunks, each.embedding_keys, strict=True):
                self._number(chunk, key, spare)
        for numbered, since in (pair for pairs in spare.values() for pair in pairs):
            self._removed.append((numbered.number, since, self._revision))
        self._forget({each.document_id for each in rechunked})
        self._values |= values
        self._embeddings = {
            pair: vector for pair, vector in self._embeddings.items() if pair[0] == fingerprint
        }

    def put_concept_graph(self, graph: ConceptGraph) -> None:
        known = {concept.id for concept in graph.concepts}
        used = {mention.concept_id for mention in graph.mentions}
        pairs = [*graph.prerequisites, *graph.open]
        used |= {end for p in pairs for end in (p.concept_id, p.prerequisite_id)}
        used |= {end for r in graph.relations for end in (r.source_id, r.target_id)}
        if not used <= known:
            raise StoreError(f"concepts {sorted(used - known)} are used and not there")
        in_order = ConceptGraph(
            tuple(sorted(graph.concepts, key=lambda c: c.id)),
            tuple(
                sorted(
                    dict.fromkeys(graph.mentions),
                    key=lambda m: (
                        m.concept_id,
                        m.document_id,
                        m.chunk_id,
                        m.start,
                        m.stop,
                        m.kind,
                    ),
                )
            ),
            tuple(sorted(graph.prerequisites, key=lambda p: (p.concept_id, p.prerequisite_id))),
            tuple(
                sorted(
                    dict.fromkeys(graph.relations),
                    key=lambda r: (
                        r.source_id,
                        r.kind,
                        r.target_id,
                        r.weight,
                        r.sentence,
                        r.document_id,
                        r.chunk_id,
                    ),
                )
            ),
            tuple(sorted(graph.open, key=lambda p: (p.concept_id, p.prerequisite_id))),
        )
        if in_order != self._graph:
            self._graph = in_order
            self._revision += 1

    def concept_graph(self, mentions_of: Collection[str] | None = None) -> ConceptGraph:
        if mentions_of is None:
            return self._graph
        mentions = tuple(m for m in self._graph.mentions if m.document_id in mentions_of)
        return replace(self._graph, mentions=mentions)

    def given_concepts(self) -> list[GivenConcept]:
        return list(self._given)

    def put_given_concepts(self, concepts: Sequence[GivenConcept]) -> None:
        self._given = sorted(concepts, key=lambda concept: concept.id)

    def decisions(self) -> list[Decision]:
        return list(self._decisions)

    def put_decisions(self, decisions: Sequence[Decision]) -> None:
        self._decisions = list(decisions)

    def learner(self, name: str) -> Learner:
        return self._learners.get(name, Learner(name))

    def put_learner(self, learner: Learner) -> None:
        self._learners[learner.name] = learner

    def value(self, key: str) -> str | None:
        return self._values.get(key)

    def put_value(self, key: str, value: str) -> None:
        self._values[key] = value

    def glance(self) -> list[str]:
        return self.check()

    def check(self) -> list[str]:
        return [
            f"chunk {chunk.id} is not the text of its document"
            for stored in self._in_order()
            for chunk in stored.chunks
            if stored.document.text[chunk.start : chunk.stop] != chunk.text
        ]

    def close(self) -> None:
        """Nothing to close."""

    def _in_order(self) -> list[StoredDocument]:
        return sorted(self._stored.values(), key=lambda s: (s.position, s.document.id))
