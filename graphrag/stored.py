"""What the stores take and give: plain values of the borders in ``ports``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from graphrag.domain import Annotation, Chunk, ConceptGraph, Document


@dataclass(frozen=True, slots=True)
class FileStamp:
    """What is known of a file without reading it again. ``root`` is the folder that was
    given (the parent for a file given by itself); ``modified_ns`` changes with the file's
    time and with metadata beside it; ``digest`` is of the bytes of both."""

    source: str
    root: str
    size: int
    modified_ns: int
    digest: str


@dataclass(frozen=True, slots=True)
class StoredDocument:
    """What one document brings to the catalog. ``position`` sorts documents in reading
    order; ``embedding_keys`` has one content hash a chunk."""

    document: Document
    chunks: tuple[Chunk, ...]
    embedding_keys: tuple[str, ...]
    annotation: Annotation
    stamp: FileStamp
    position: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Rechunked:
    """A stored document's chunks as another model's tokenizer cuts them."""

    document_id: str
    chunks: tuple[Chunk, ...]
    embedding_keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NumberedChunk:
    """A chunk with the number that projections know it by; numbers are never used twice."""

    number: int
    chunk: Chunk
    embedding_key: str


@dataclass(frozen=True, slots=True)
class ChunkChanges:
    """What a projection lacks: chunks added and numbers removed since its revision."""

    revision: int
    added: tuple[NumberedChunk, ...]
    removed: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Touched:
    """Ids of documents whose text, metadata, chunks or mentions are otherwise than at an
    earlier revision: ``documents`` that are there, and ``removed`` ones."""

    documents: tuple[str, ...]
    removed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GraphSnapshot:
    """All that the graph store shows; ``documents`` are (id, title, source, metadata)."""

    documents: tuple[tuple[str, str, str, Mapping[str, object]], ...] = ()
    chunks: tuple[Chunk, ...] = ()
    graph: ConceptGraph = field(default_factory=ConceptGraph)


@dataclass(frozen=True, slots=True)
class GraphChange:
    """What makes a graph store show a later revision. ``snapshot`` has the documents that
    are new or changed with all their chunks and mentions, and all concepts, prerequisites
    and relations; ``removed`` are ids of documents that are gone; ``totals`` says how many
    ``documents``, ``chunks`` and ``concepts`` there are then."""

    snapshot: GraphSnapshot
    removed: tuple[str, ...]
    totals: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Rows:
    """A query's result as a table."""

    columns: tuple[str, ...]
    rows: tuple[tuple[object, ...], ...]
    truncated: bool = False
