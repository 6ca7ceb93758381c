"""Files to documents and chunks: what an ingest reads, before any model sees it.

Nothing here changes the catalog, so that it may run ahead of what does.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import takewhile
from pathlib import Path
from threading import Lock

from graphrag.chunking import ChunkingOptions, chunk_document
from graphrag.domain import Chunk, Document
from graphrag.errors import ReadingError
from graphrag.ingest.plan import CORPUS_SUFFIX, KnownFile, Plan, file_of, natural_key
from graphrag.ingest.report import RefusedFile
from graphrag.ingest.stamps import digest_of, stamp_of
from graphrag.ports import Catalog, FileStamp, Tokenizer
from graphrag.reading.read import read_file

_PART_CHUNKS = 128
_UNSETTLED = -2  # a size that no file has


@dataclass(slots=True)
class Clock:
    """Adds up the seconds that each stage was at work. Stages run side by side, so their sum
    is more than the time that went by; several threads in one stage count once."""

    seconds: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    _inside: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    _since: dict[str, float] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Time what happens inside."""
        with self._lock:
            self._inside[name] += 1
            if self._inside[name] == 1:
                self._since[name] = time.perf_counter()
        try:
            yield
        finally:
            with self._lock:
                self._inside[name] -= 1
                if not self._inside[name]:
                    self.seconds[name] += time.perf_counter() - self._since[name]

    @contextmanager
    def waiting(self, name: str) -> Iterator[None]:
        """Inside a stage: leave out of it what happens here."""
        begin = time.perf_counter()
        try:
            yield
        finally:
            with self._lock:
                self.seconds[name] -= time.perf_counter() - begin


@dataclass(frozen=True, slots=True)
class Prepared:
    """A document that is ready for the models."""

    document: Document
    chunks: tuple[Chunk, ...]
    stamp: FileStamp
    position: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Taken:
    """What came of a file, or of a part of a large one: documents to store, new stamps for
    those of a corpus file that are as they were, and what was refused. ``files`` is 1 with a
    file's last part."""

    path: str
    prepared: tuple[Prepared, ...] = ()
    restamped: Mapping[str, FileStamp] = field(default_factory=dict)
    refused: tuple[RefusedFile, ...] = ()
    files: int = 0

    @property
    def chunks(self) -> int:
        """How many chunks it has."""
        return sum(len(each.chunks) for each in self.prepared)


@dataclass(slots=True)
class Intake:
    """One pass over the files to read.

    ``stored`` are the stamps of the index before it; ``gone`` (documents that leave it) and
    ``taken`` (documents that were read) are complete when ``parts`` has ended.
    """

    catalog: Catalog
    tokenizer: Callable[[], tuple[Tokenizer, ChunkingOptions]]
    clock: Clock
    plan: Plan
    stamps: Mapping[str, FileStamp]
    stored: Mapping[str, FileStamp] = field(init=False)
    gone: set[str] = field(default_factory=set)
    taken: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.stored = self.catalog.stamps()
        self.gone.update(self.plan.gone)

    def parts(self) -> Iterator[Taken]:
        """What came of each file, in reading order."""
        owners: defaultdict[str, list[str]] = defaultdict(list)
        for document_id, stamp in self.stored.items():
            owners[file_of(document_id, stamp)].append(document_id)
        ours = {known.path for known, _ in self.plan.read}
        foreign = {
            document_id for path, ids in owners.items() if path not in ours for document_id in ids
        } - self.gone
        for known, document_id in self.plan.read:
            parts = self._take(known, document_id, owners[known.path], foreign)
            while True:
                with self.clock.stage("reading"):
                    part = next(parts, None)
                if part is None:
                    break
                yield part

    def _take(
        self, known: KnownFile, document_id: str, before: Sequence[str], foreign: set[str]
    ) -> Iterator[Taken]:
        """``before`` are the ids that the file had, in its order; ``foreign`` those that
        other files keep."""
        # Before it is read: what changes while it is read is read again by the next run.
        stamp = self._stamp(known)
        refused: list[RefusedFile] = []
        documents = []
        for document in self._read(known, document_id, refused):
            if document.id in self.taken or document.id in foreign:
                reason = f"the id '{document.id}' is taken by another document"
                refused.append(RefusedFile(document.source, reason))
            else:
                self.taken.add(document.id)
                documents.append(document)
        if refused:
            # The next run reads it again and says so: what held an id may be gone by then.
            stamp = replace(stamp, size=_UNSETTLED)
        self.gone.update(before)
        same = self._unchanged(known, documents, before)
        restamped = {each.id: replace(stamp, source=each.source) for each in same}
        yield Taken(known.path, restamped=restamped, refused=tuple(refused))
        prepared: list[Prepared] = []
        for line, document in enumerate(documents):
            if document.id not in restamped:
                prepared.append(self._prepared(known, document, line, stamp))
            if sum(len(each.chunks) for each in prepared) >= _PART_CHUNKS:
                yield Taken(known.path, tuple(prepared))
                prepared = []
        yield Taken(known.path, tuple(prepared), files=1)

    def _read(
        self, known: KnownFile, document_id: str, refused: list[RefusedFile]
    ) -> list[Document]:
        try:
            return read_file(Path(known.path), document_id=document_id, root=Path(known.root))
        except ReadingError as error:
            refused.append(RefusedFile(known.path, str(error)))
            return []

    def _unchanged(
        self, known: KnownFile, documents: Sequence[Document], before: Sequence[str]
    ) -> list[Document]:
        """Of a corpus file's documents those that are stored as they are. A line that moved
        is written again, since its place in reading order is stored."""
        if self.plan.anew or not known.path.endswith(CORPUS_SUFFIX) or not before:
            return []
        old = {document.id: document for document in self.catalog.documents(before)}
        in_place = takewhile(
            lambda pair: pair[0].id == pair[1], zip(documents, before, strict=False)
        )
        return [document for document, _ in in_place if old.get(document.id) == document]

    def _prepared(
        self, known: KnownFile, document: Document, line: int, stamp: FileStamp
    ) -> Prepared:
        tokenizer, options = self.tokenizer()
        return Prepared(
            document,
            tuple(chunk_document(document, tokenizer, options)),
            replace(stamp, source=document.source),
            reading_position(known, document, line),
        )

    def _stamp(self, known: KnownFile) -> FileStamp:
        stamp = self.stamps.get(known.path) or stamp_of(known)
        return replace(stamp, root=known.root, digest=stamp.digest or digest_of(known))


def reading_position(known: KnownFile, document: Document, line: int) -> tuple[str, ...]:
    """Where a document stands in reading order: its folders, a given ``order``, its name,
    and its line in a corpus file."""
    path = file_of(document.id, FileStamp(document.source, known.root, 0, 0, ""))
    inside = path.removeprefix(known.root.rstrip("/") + "/")
    *folders, name = natural_key(inside)
    order = document.metadata.get("order", "")
    return (*folders, *natural_key(str(order) or "~"), name, f"{line:09d}")
