"""Ingest: read, chunk, embed and annotate what changed, commit it in batches, then derive
the concept graph. A run that was stopped goes on where it was: what is committed is
unchanged to the next one.

Four things go on at once. A thread reads and chunks ahead; the language pipeline, which may
be another process, annotates; the embedder is at work on two batches, so that it is never
idle between them; and one thread commits, batch after batch in reading order, so that the
same files give the same catalog however the threads are scheduled. What waits between them is
bounded. The graph of a first ingest is begun before the last vectors are there.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from graphrag.chunking import ChunkingOptions
from graphrag.concepts.texts import Texts
from graphrag.domain import Annotation, Document
from graphrag.ingest.ahead import ahead
from graphrag.ingest.derive import derive_concepts, derived, embedding_key
from graphrag.ingest.early import EarlyGraph
from graphrag.ingest.embedding import Embedding
from graphrag.ingest.intake import Clock, Intake, Prepared, Taken
from graphrag.ingest.outlook import Telling
from graphrag.ingest.plan import KnownFile, Plan, file_of, make_plan, outermost
from graphrag.ingest.report import IngestReport, Progress, RefusedFile
from graphrag.ingest.stamps import compare
from graphrag.ports import (
    Catalog,
    Embedder,
    FileStamp,
    Spotter,
    StoredDocument,
    Tokenizer,
    Vectors,
)
from graphrag.prerequisites.testimony import ModelWitness
from graphrag.reading.discover import Discovery, discover
from graphrag.reading.read import READING_RULES
from graphrag.reading.sidecar import check_sidecars

# A batch is what may be lost when a run is stopped, and what progress is told of.
_BATCH_CHUNKS = 128
_CHUNKS_AHEAD = 256
_EMBEDDED_AT_ONCE = 2  # batches
_MADE, _MIXED = "made with", "several settings"


@dataclass(frozen=True, slots=True)
class Tools:
    """What an ingest works with; ``spotter`` is absent where no concepts are wanted.

    Models come as functions, since loading them costs more than an ingest that finds
    nothing changed. A spotter in a process of its own loads while files are being read.
    ``rules`` stand for how the spotter finds what it finds: where they or the way of reading
    or chunking have changed since the last ingest, every file is read again. ``witness`` is
    asked about doubtful prerequisites, ``texts`` hold words from one ingest to the next,
    ``stop`` ends at once what the spotter is still at when a run ends early, ``stored`` does
    what needs no concepts beside the deriving of a first ingest, when all else is stored."""

    @property
    def makings(self) -> str:
        """All on which chunks and annotations depend beside the files."""
        rules = "" if self.spotter is None else self.rules
        return f"reading {READING_RULES}; {self.chunking}; spotting {rules}"

    catalog: Catalog
    embedder: Callable[[], Embedder]
    spotter: Callable[[], Spotter] | None
    chunking: ChunkingOptions
    rules: str = ""
    witness: ModelWitness | None = None
    texts: Texts | None = None
    stop: Callable[[], None] | None = None
    stored: Callable[[], None] | None = None


def ingest(
    paths: Sequence[Path], tools: Tools, progress: Progress, *, prune: bool = False
) -> IngestReport:
    """Bring the catalog to what the files hold now; projections are not touched.

    Raises ReadingError, with nothing changed, for a path that does not exist and metadata
    beside documents that are broken. A file that cannot be read is reported and taken out.
    """
    clock, begin = Clock(), time.perf_counter()
    progress.stage("reading")
    with clock.stage("reading"):
        # A path that is gone is a folder without files: what came from it leaves the index.
        discovery = discover([path for path in paths if path.exists()])
        check_sidecars((file.path, file.root) for file in discovery.files)
        made = tools.catalog.value(_MADE)
        anew = made is not None and made != tools.makings
        if made != tools.makings:
            # Should this run be stopped, the next one goes on if it makes the same of the first
            # files ever read; what is read anew is half of one kind and half of another.
            tools.catalog.put_value(_MADE, _MIXED if anew else tools.makings)
        plan, stamps = _plan(discovery, paths, tools.catalog, prune=prune, anew=anew)
    refused = [RefusedFile(str(path), reason) for path, reason in discovery.refused]
    make = partial(derived, witness=tools.witness, texts=tools.texts)
    with EarlyGraph(tools.catalog, tools.embedder, make) as early:
        report = _Run(tools, progress, clock, stamps, early).store(plan, refused)
        if anew:
            tools.catalog.put_value(_MADE, tools.makings)
        with clock.stage("concepts"):
            progress.stage("concepts")
            if tools.spotter is not None:
                early.stored()
                if early.derived is not None and tools.stored is not None:
                    tools.stored()
                said = derive_concepts(
                    tools.catalog, tools.embedder, tools.witness, tools.texts, early=early.derived
                )
                report = replace(report, hearing=said)
    counts = tools.catalog.counts()
    return replace(
        report,
        chunks=counts["chunks"],
        concepts=counts["concepts"],
        prerequisites=counts["prerequisites"],
        seconds={**clock.seconds, "total": time.perf_counter() - begin},
    )


def _plan(
    discovery: Discovery, paths: Sequence[Path], catalog: Catalog, *, prune: bool, anew: bool
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
        anew=anew,
    )
    refused = {str(path) for path, _ in discovery.refused}
    lost = [
        document_id
        for document_id, stamp in stored.items()
        if file_of(document_id, stamp) in refused and document_id not in plan.gone
    ]
    return replace(plan, gone=(*plan.gone, *lost)), compared.stamps


def _sizes(plan: Plan, stamps: Mapping[str, FileStamp]) -> dict[str, int]:
    """The bytes of each file to read, by path; 0 for one that is gone."""
    paths = [known.path for known, _ in plan.read]
    return {path: max(stamps[path].size, 0) if path in stamps else 0 for path in paths}


@dataclass(slots=True)
class _Batch:
    """What is embedded and committed together."""

    prepared: list[Prepared] = field(default_factory=list)
    restamped: dict[str, FileStamp] = field(default_factory=dict)
    files: int = 0
    chunks: int = 0
    annotations: Future[list[Annotation]] = field(default_factory=Future)
    keys: Sequence[str] = ()
    vectors: Future[Vectors] = field(default_factory=Future)

    def add(self, taken: Taken) -> None:
        self.prepared.extend(taken.prepared)
        self.restamped |= taken.restamped
        self.files += taken.files
        self.chunks += taken.chunks


@dataclass(slots=True)
class _Run:
    """One pass over the files to read."""

    tools: Tools
    progress: Progress
    clock: Clock
    stamps: Mapping[str, FileStamp]
    early: EarlyGraph
    embedded: int = 0
    _telling: Telling = field(init=False)
    _loading: Future[Embedder] = field(default_factory=Future)
    _annotating: ThreadPoolExecutor = field(init=False)
    _embedding: ThreadPoolExecutor = field(init=False)
    _committing: ThreadPoolExecutor = field(init=False)
    _vectors_of: Callable[[Mapping[str, str]], Vectors] = field(init=False)
    _begun: deque[_Batch] = field(default_factory=deque)
    _commits: deque[tuple[Future[None], _Batch]] = field(default_factory=deque)

    def store(self, plan: Plan, refused: list[RefusedFile]) -> IngestReport:
        intake = Intake(self.tools.catalog, self._tokenizer, self.clock, plan, self.stamps)
        counts = dict.fromkeys(("added", "changed", "unchanged"), 0)
        self._telling = Telling(self.progress, _sizes(plan, self.stamps))
        embedding = Embedding(
            self.tools.catalog, lambda: self._model, self.clock, self._telling.done
        )
        self._vectors_of = embedding.vectors
        if plan.read:
            self._telling.done(0)
        with ExitStack() as held:
            self._committing = held.enter_context(ThreadPoolExecutor(1, "commit"))
            self._annotating = held.enter_context(ThreadPoolExecutor(1, "annotate"))
            self._embedding = held.enter_context(ThreadPoolExecutor(_EMBEDDED_AT_ONCE, "embed"))
            for pool in (self._annotating, self._embedding):
                held.callback(pool.shutdown, wait=False, cancel_futures=True)
            held.callback(embedding.stop)
            if self.tools.stop is not None:
                held.callback(self.tools.stop)
            files = held.enter_context(
                ahead(intake.parts(), room=_CHUNKS_AHEAD, weigh=lambda t: 1 + t.chunks)
            )
            if plan.read:
                self._load()
            batch = _Batch()
            for taken in files:
                batch.add(taken)
                self._telling.read(taken.path, taken.chunks, whole=taken.files > 0)
                refused.extend(taken.refused)
                known = sum(each.document.id in intake.stored for each in taken.prepared)
                counts["added"] += len(taken.prepared) - known
                counts["changed"] += known
                counts["unchanged"] += len(taken.restamped)
                if batch.chunks >= _BATCH_CHUNKS:
                    self._begin(batch)
                    batch = _Batch()
                # One more than are embedded, so that nothing is ever idle.
                while len(self._begun) > _EMBEDDED_AT_ONCE:
                    self._finish()
            self._begin(batch)
            if self.tools.spotter is not None and not intake.stored:
                self.early.begin()
            gone = intake.gone - intake.taken
            while self._begun:
                self._finish(() if len(self._begun) > 1 else sorted(gone))
            self._wait_for_commits(0)
        return IngestReport(
            added=counts["added"],
            changed=counts["changed"],
            unchanged=len(plan.unchanged) + counts["unchanged"],
            removed=len(gone & intake.stored.keys()),
            refused=tuple(refused),
            embedded=self.embedded,
        )

    def _load(self) -> None:
        """Have the models at hand, while the first file is already being read."""
        try:
            if self.tools.spotter is not None:
                self.tools.spotter()
            self._loading.set_result(self.tools.embedder())
        except BaseException as error:
            # Who reads would wait for ever.
            self._loading.set_exception(error)
            raise

    @property
    def _model(self) -> Embedder:
        return self._loading.result()

    def _tokenizer(self) -> tuple[Tokenizer, ChunkingOptions]:
        with self.clock.waiting("reading"):
            embedder = self._model
        return embedder, self.tools.chunking.within(embedder.identity.max_tokens)

    def _begin(self, batch: _Batch) -> None:
        """Send the batch's documents through the language pipeline, and through the embedder
        what is neither stored nor about to be."""
        documents = [each.document for each in batch.prepared]
        batch.annotations = self._annotating.submit(self._annotate, documents)
        self.early.add(batch.prepared, batch.annotations)
        chunks = [chunk for each in batch.prepared for chunk in each.chunks]
        texts = {embedding_key(chunk): chunk.embedded_text for chunk in chunks}
        # Looked at before the catalog: a commit may come to its end in between.
        before = [*self._begun, *(each for _, each in self._commits)]
        under_way = {key for each in before for key in each.keys}
        known = self._stored_vectors(list(texts))
        batch.keys = [key for key in texts if key not in known and key not in under_way]
        self.embedded += len(batch.keys)
        batch.vectors = self._embedding.submit(
            self._vectors_of, {key: texts[key] for key in batch.keys}
        )
        self._begun.append(batch)

    def _stored_vectors(self, keys: Sequence[str]) -> Mapping[str, Vectors]:
        if not keys:
            return {}
        return self.tools.catalog.embeddings(self._model.identity.fingerprint, keys)

    def _finish(self, gone: Sequence[str] = ()) -> None:
        """Wait for the batch begun first, and have it committed behind those before it."""
        batch = self._begun[0]
        vectors = batch.vectors.result()
        with self.clock.stage("concepts"):
            annotations = batch.annotations.result()
        self._wait_for_commits(1)
        commit = self._committing.submit(self._commit, batch, vectors, annotations, gone)
        self._commits.append((commit, self._begun.popleft()))
        self._telling.done(batch.chunks - len(batch.keys), files=batch.files)

    def _wait_for_commits(self, most: int) -> None:
        """Wait until so few are under way. Raises what went wrong in one."""
        while len(self._commits) > most:
            self._commits[0][0].result()
            self._commits.popleft()

    def _commit(
        self,
        batch: _Batch,
        vectors: Vectors,
        annotations: Sequence[Annotation],
        gone: Sequence[str],
    ) -> None:
        catalog = self.tools.catalog
        with self.clock.stage("stores"):
            if batch.restamped:
                catalog.restamp(batch.restamped)
            if batch.keys:
                catalog.put_embeddings(self._model.identity.fingerprint, batch.keys, vectors)
            if batch.prepared or gone:
                catalog.write_documents(
                    [
                        StoredDocument(
                            each.document,
                            each.chunks,
                            tuple(embedding_key(chunk) for chunk in each.chunks),
                            annotation,
                            each.stamp,
                            each.position,
                        )
                        for each, annotation in zip(batch.prepared, annotations, strict=True)
                    ],
                    gone,
                )

    def _annotate(self, documents: Sequence[Document]) -> list[Annotation]:
        if self.tools.spotter is None or not documents:
            return [Annotation()] * len(documents)
        return list(self.tools.spotter().annotate(documents))
