"""Ingest: read, chunk, embed and annotate what changed, commit it in batches, then derive
the concept graph. A run that was stopped goes on where it was: what is committed is
unchanged to the next one."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from graphrag.chunking import ChunkingOptions, chunk_document
from graphrag.domain import Annotation, Chunk, Document
from graphrag.errors import ReadingError
from graphrag.ingest.derive import derive_concepts, embedding_key
from graphrag.ingest.plan import (
    CORPUS_SUFFIX,
    KnownFile,
    Plan,
    file_of,
    make_plan,
    natural_key,
    outermost,
)
from graphrag.ingest.report import IngestReport, Progress, RefusedFile
from graphrag.ingest.stamps import compare, digest_of, stamp_of
from graphrag.ports import Catalog, Embedder, FileStamp, Spotter, StoredDocument, Vectors
from graphrag.reading.discover import Discovery, discover
from graphrag.reading.read import read_file

_BATCH_CHUNKS = 256


@dataclass(slots=True)
class Clock:
    """Adds up seconds by stage."""

    seconds: dict[str, float] = field(default_factory=lambda: defaultdict(float))

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Time what happens inside."""
        begin = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[name] += time.perf_counter() - begin


@dataclass(frozen=True, slots=True)
class Tools:
    """What an ingest works with; ``spotter`` is absent where no concepts are wanted.

    Models come as functions, since loading them costs more than an ingest that finds
    nothing changed."""

    catalog: Catalog
    embedder: Callable[[], Embedder]
    spotter: Callable[[], Spotter] | None
    chunking: ChunkingOptions


def ingest(
    paths: Sequence[Path], tools: Tools, progress: Progress, *, prune: bool = False
) -> IngestReport:
    """Bring the catalog to what the files hold now; projections are not touched.

    Raises ReadingError for a path that does not exist. A file that cannot be read is
    reported and taken out of the index; it never stops the run.
    """
    clock = Clock()
    begin = time.perf_counter()
    progress.stage("reading")
    with clock.stage("reading"):
        # A path that is gone is a folder without files: what came from it leaves the index.
        discovery = discover([path for path in paths if path.exists()])
        plan, stamps = _plan(discovery, paths, tools.catalog, prune=prune)
    refused = [RefusedFile(str(path), reason) for path, reason in discovery.refused]
    report = _Run(tools, progress, clock, stamps).store(plan, refused)
    with clock.stage("concepts"):
        progress.stage("concepts")
        if tools.spotter is not None:
            derive_concepts(tools.catalog, tools.embedder)
    graph = tools.catalog.concept_graph()
    return replace(
        report,
        chunks=len(tools.catalog.chunk_numbers()),
        concepts=len(graph.concepts),
        prerequisites=sum(edge.in_force for edge in graph.prerequisites),
        seconds={**clock.seconds, "total": time.perf_counter() - begin},
    )


def _plan(
    discovery: Discovery, paths: Sequence[Path], catalog: Catalog, *, prune: bool
) -> tuple[Plan, Mapping[str, FileStamp]]:
    """The plan, and the stamp of each file that was found (digest empty where not needed)."""
    stored = catalog.stamps()
    found = [KnownFile(str(each.path), str(each.root)) for each in discovery.files]
    compared = compare(outermost(found, stored), stored)
    catalog.restamp(compared.restamped)
    plan = make_plan(
        found,
        stored,
        folders=[str(path) for path in paths if not path.is_file()],
        unchanged=compared.unchanged,
        prune=prune,
    )
    refused = {str(path) for path, _ in discovery.refused}
    lost = [
        document_id
        for document_id, stamp in stored.items()
        if file_of(document_id, stamp) in refused and document_id not in plan.gone
    ]
    return replace(plan, gone=(*plan.gone, *lost)), compared.stamps


@dataclass(frozen=True, slots=True)
class _Prepared:
    document: Document
    chunks: tuple[Chunk, ...]
    stamp: FileStamp
    position: tuple[str, ...]


@dataclass(slots=True)
class _Run:
    """One pass over the files to read."""

    tools: Tools
    progress: Progress
    clock: Clock
    stamps: Mapping[str, FileStamp]
    done: int = 0
    embedded: int = 0
    chunked: int = 0

    def store(self, plan: Plan, refused: list[RefusedFile]) -> IngestReport:
        stored = self.tools.catalog.stamps()
        by_file = defaultdict(set)
        for document_id, stamp in stored.items():
            by_file[file_of(document_id, stamp)].add(document_id)
        unchanged = len(plan.unchanged)
        gone = set(plan.gone)
        added = changed = 0
        batch: list[_Prepared] = []
        taken: dict[str, str] = {}
        for known, document_id in plan.read:
            documents = self._read(known, document_id, refused)
            own = by_file[known.path]
            fresh = []
            for document in documents:
                owner = taken.setdefault(document.id, document.source)
                foreign = document.id in stored and document.id not in own | gone
                if owner != document.source or foreign:
                    reason = f"the id '{document.id}' is taken by another document"
                    refused.append(RefusedFile(document.source, reason))
                else:
                    fresh.append(document)
            gone |= own - {document.id for document in fresh}
            fresh, still = self._differing(known, fresh, own)
            unchanged += still
            added += sum(document.id not in own for document in fresh)
            changed += sum(document.id in own for document in fresh)
            batch.extend(self._prepare(known, fresh))
            self.done += 1
            if sum(len(each.chunks) for each in batch) >= _BATCH_CHUNKS:
                self._commit(batch, ())
                batch = []
            self.progress.advance(self.done, len(plan.read), self.chunked)
        written = set(taken)
        self._commit(batch, sorted(gone - written))
        self.progress.advance(self.done, len(plan.read), self.chunked)
        return IngestReport(
            added=added,
            changed=changed,
            unchanged=unchanged,
            removed=len((gone - written) & set(stored)),
            refused=tuple(refused),
            embedded=self.embedded,
        )

    def _read(
        self, known: KnownFile, document_id: str, refused: list[RefusedFile]
    ) -> list[Document]:
        with self.clock.stage("reading"):
            try:
                return read_file(Path(known.path), document_id=document_id, root=Path(known.root))
            except ReadingError as error:
                refused.append(RefusedFile(known.path, str(error)))
                return []

    def _differing(
        self, known: KnownFile, documents: list[Document], own: set[str]
    ) -> tuple[list[Document], int]:
        """Of a corpus file's documents those that differ from what is stored; the number of
        the others, which get the file's new stamp."""
        if not known.path.endswith(CORPUS_SUFFIX) or not own:
            return documents, 0
        ids = [document.id for document in documents]
        old = {document.id: document for document in self.tools.catalog.documents(ids)}
        # A line that moved is written again, because its place in reading order is stored.
        same = [document for document in documents if old.get(document.id) == document]
        self.tools.catalog.restamp({document.id: self._stamp(known, document) for document in same})
        return [document for document in documents if old.get(document.id) != document], len(same)

    def _prepare(self, known: KnownFile, documents: Iterable[Document]) -> list[_Prepared]:
        with self.clock.stage("reading"):
            prepared = []
            for line, document in enumerate(documents):
                embedder = self.tools.embedder()
                options = self.tools.chunking.within(embedder.identity.max_tokens)
                chunks = chunk_document(document, embedder, options)
                self.chunked += len(chunks)
                prepared.append(
                    _Prepared(
                        document,
                        tuple(chunks),
                        self._stamp(known, document),
                        reading_position(known, document, line),
                    )
                )
            return prepared

    def _stamp(self, known: KnownFile, document: Document) -> FileStamp:
        stamp = self.stamps.get(known.path) or stamp_of(known)
        digest = stamp.digest or digest_of(known)
        return replace(stamp, source=document.source, root=known.root, digest=digest)

    def _commit(self, batch: Sequence[_Prepared], gone: Sequence[str]) -> None:
        if not batch and not gone:
            return
        # The models run outside of Python's lock, so the language pipeline, which works on one
        # processor only, goes on beside them.
        with ThreadPoolExecutor(1) as beside:
            annotating = beside.submit(self._annotate, [each.document for each in batch])
            with self.clock.stage("embedding"):
                keys, vectors = self._embed([chunk for each in batch for chunk in each.chunks])
            with self.clock.stage("concepts"):
                annotations = annotating.result()
        with self.clock.stage("stores"):
            if keys:
                fingerprint = self.tools.embedder().identity.fingerprint
                self.tools.catalog.put_embeddings(fingerprint, keys, vectors)
            self.tools.catalog.write_documents(
                [
                    StoredDocument(
                        each.document,
                        each.chunks,
                        tuple(embedding_key(chunk) for chunk in each.chunks),
                        annotation,
                        each.stamp,
                        each.position,
                    )
                    for each, annotation in zip(batch, annotations, strict=True)
                ],
                gone,
            )

    def _embed(self, chunks: Sequence[Chunk]) -> tuple[list[str], Vectors]:
        if not chunks:
            return [], np.zeros((0, 1), np.float32)
        texts = {embedding_key(chunk): chunk.embedded_text for chunk in chunks}
        embedder = self.tools.embedder()
        known = self.tools.catalog.embeddings(embedder.identity.fingerprint, list(texts))
        keys = [key for key in texts if key not in known]
        self.embedded += len(keys)
        return keys, embedder.embed_passages([texts[key] for key in keys])

    def _annotate(self, documents: Sequence[Document]) -> list[Annotation]:
        if self.tools.spotter is None or not documents:
            return [Annotation()] * len(documents)
        return list(self.tools.spotter().annotate(documents))


def reading_position(known: KnownFile, document: Document, line: int) -> tuple[str, ...]:
    """Where a document stands in reading order: its folders, a given ``order``, its name,
    and its line in a corpus file."""
    path = file_of(document.id, FileStamp(document.source, known.root, 0, 0, ""))
    inside = path.removeprefix(known.root.rstrip("/") + "/")
    *folders, name = natural_key(inside)
    order = document.metadata.get("order", "")
    return (*folders, *natural_key(str(order) or "~"), name, f"{line:09d}")
