"""Files to documents and chunks: what an ingest reads, before any model sees it.

Nothing here changes the catalog, so that it may run ahead of what does.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from graphrag.chunking import ChunkingOptions, chunk_document
from graphrag.domain import Chunk, Document
from graphrag.errors import ReadingError
from graphrag.ingest.plan import CORPUS_SUFFIX, KnownFile, Plan, file_of, natural_key
from graphrag.ingest.report import RefusedFile
from graphrag.ingest.stamps import digest_of, stamp_of
from graphrag.ports import Catalog, FileStamp, Tokenizer
from graphrag.reading.read import read_file


@dataclass(slots=True)
class Clock:
    """Adds up the seconds that each stage was at work. Stages run side by side, so their sum
    is more than the time that went by."""

    seconds: dict[str, float] = field(default_factory=lambda: defaultdict(float))

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Time what happens inside; one thread a stage."""
        begin = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[name] += time.perf_counter() - begin


@dataclass(frozen=True, slots=True)
class Prepared:
    """A document that is ready for the models."""

    document: Document
    chunks: tuple[Chunk, ...]
    stamp: FileStamp
    position: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FileTaken:
    """What came of one file: documents to store, new stamps for those of a corpus file that
    are as they were, and what was refused."""

    prepared: tuple[Prepared, ...]
    restamped: Mapping[str, FileStamp]
    refused: tuple[RefusedFile, ...]
    added: int
    changed: int

    @property
    def chunks(self) -> int:
        """How many chunks it has."""
        return sum(len(each.chunks) for each in self.prepared)


@dataclass(slots=True)
class Intake:
    """One pass over the files to read.

    ``stored`` are the ids of the index before it; ``gone`` (documents that leave it) and
    ``taken`` (id to source of those read) are complete when ``files`` has ended.
    """

    catalog: Catalog
    tokenizer: Callable[[], tuple[Tokenizer, ChunkingOptions]]
    clock: Clock
    plan: Plan
    stamps: Mapping[str, FileStamp]
    stored: set[str] = field(default_factory=set)
    gone: set[str] = field(default_factory=set)
    taken: dict[str, str] = field(default_factory=dict)

    def files(self) -> Iterator[FileTaken]:
        """What came of each file, in reading order."""
        stored = self.catalog.stamps()
        by_file = defaultdict(set)
        for document_id, stamp in stored.items():
            by_file[file_of(document_id, stamp)].add(document_id)
        self.stored.update(stored)
        self.gone.update(self.plan.gone)
        for known, document_id in self.plan.read:
            with self.clock.stage("reading"):
                taken = self._take(known, document_id, by_file[known.path], stored)
            yield taken

    def _take(
        self, known: KnownFile, document_id: str, own: set[str], stored: Mapping[str, FileStamp]
    ) -> FileTaken:
        refused: list[RefusedFile] = []
        fresh = []
        for document in self._read(known, document_id, refused):
            owner = self.taken.setdefault(document.id, document.source)
            foreign = document.id in stored and document.id not in own | self.gone
            if owner != document.source or foreign:
                reason = f"the id '{document.id}' is taken by another document"
                refused.append(RefusedFile(document.source, reason))
            else:
                fresh.append(document)
        self.gone |= own - {document.id for document in fresh}
        lines = {document.id: line for line, document in enumerate(fresh)}
        fresh, restamped = self._differing(known, fresh, own)
        return FileTaken(
            tuple(self._prepared(known, document, lines[document.id]) for document in fresh),
            restamped,
            tuple(refused),
            added=sum(document.id not in own for document in fresh),
            changed=sum(document.id in own for document in fresh),
        )

    def _read(
        self, known: KnownFile, document_id: str, refused: list[RefusedFile]
    ) -> list[Document]:
        try:
            return read_file(Path(known.path), document_id=document_id, root=Path(known.root))
        except ReadingError as error:
            refused.append(RefusedFile(known.path, str(error)))
            return []

    def _differing(
        self, known: KnownFile, documents: list[Document], own: set[str]
    ) -> tuple[list[Document], dict[str, FileStamp]]:
        """Of a corpus file's documents those that differ from what is stored; for the others
        the file's new stamp."""
        if not known.path.endswith(CORPUS_SUFFIX) or not own:
            return documents, {}
        ids = [document.id for document in documents]
        old = {document.id: document for document in self.catalog.documents(ids)}
        # A line that moved is written again, because its place in reading order is stored.
        same = [document for document in documents if old.get(document.id) == document]
        restamped = {document.id: self._stamp(known, document) for document in same}
        return [document for document in documents if old.get(document.id) != document], restamped

    def _prepared(self, known: KnownFile, document: Document, line: int) -> Prepared:
        tokenizer, options = self.tokenizer()
        return Prepared(
            document,
            tuple(chunk_document(document, tokenizer, options)),
            self._stamp(known, document),
            reading_position(known, document, line),
        )

    def _stamp(self, known: KnownFile, document: Document) -> FileStamp:
        stamp = self.stamps.get(known.path) or stamp_of(known)
        digest = stamp.digest or digest_of(known)
        return replace(stamp, source=document.source, root=known.root, digest=digest)


def reading_position(known: KnownFile, document: Document, line: int) -> tuple[str, ...]:
    """Where a document stands in reading order: its folders, a given ``order``, its name,
    and its line in a corpus file."""
    path = file_of(document.id, FileStamp(document.source, known.root, 0, 0, ""))
    inside = path.removeprefix(known.root.rstrip("/") + "/")
    *folders, name = natural_key(inside)
    order = document.metadata.get("order", "")
    return (*folders, *natural_key(str(order) or "~"), name, f"{line:09d}")
