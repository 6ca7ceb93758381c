"""Documents, their blocks, and the chunks that they are cut into.

Offsets are counted in Unicode code points of ``Document.text``; ``stop`` is exclusive."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

MetadataValue = str | tuple[str, ...]
Metadata = Mapping[str, MetadataValue]

BlockKind = Literal["heading", "paragraph", "list", "table", "code", "formula", "quote"]


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a document's text."""

    start: int
    stop: int


@dataclass(frozen=True, slots=True)
class Link:
    """A hyperlink in a document: the linked text's span and its target as written."""

    start: int
    stop: int
    target: str


@dataclass(frozen=True, slots=True)
class Block:
    """One structural piece of a document.

    ``heading_path`` holds the headings above, outermost first, without the document's
    title; a heading block's own text is the path's last item. ``level`` is 1 to 6 for
    headings and 0 otherwise. ``terms`` are spans that the author set off (bold, italic,
    a definition list's term). ``page`` counts from 1 where the format has pages. ``entry``
    is the term that the block tells of, where it stands in a definition list.
    """

    kind: BlockKind
    start: int
    stop: int
    heading_path: tuple[str, ...] = ()
    level: int = 0
    page: int | None = None
    terms: tuple[Span, ...] = ()
    language: str | None = None
    entry: str = ""


@dataclass(frozen=True, slots=True)
class Document:
    """A document as read: clean text, and the blocks that tile it in order.

    ``text`` is the rendition that people read: inline markup removed, headings without
    marks, list items behind ``- `` or ``1. ``, tables as Markdown pipe tables, code and
    formulas verbatim (TeX between ``$`` or ``$$``). Between blocks stand only blank lines.
    ``source`` is the file's path (for a corpus file, ``path#id``).
    ``metadata`` has lower-case keys: ``author``, ``date``, ``type``, ``prerequisites``, ...
    """

    id: str
    source: str
    title: str
    text: str
    blocks: tuple[Block, ...]
    format: str
    metadata: Metadata = field(default_factory=dict)
    links: tuple[Link, ...] = ()
    language: str | None = None


ChunkKind = Literal["prose", "table", "code"]


@dataclass(frozen=True, slots=True)
class Chunk:
    """A passage: exactly ``document.text[start:stop]``, with its place beside it.

    ``context`` stands in front of the text when it is embedded or shown to a model:
    the document's title and heading path, for a later part of a split table its header
    rows, and the sentence before where the text leans on it ("This means that").
    ``tokens`` counts ``embedded_text`` by the embedder's own tokenizer. ``id`` is
    ``<document id>#<ordinal>``, the ordinal counted from 0.
    """

    id: str
    document_id: str
    ordinal: int
    start: int
    stop: int
    text: str
    heading_path: tuple[str, ...]
    context: str
    kind: ChunkKind
    tokens: int
    page: int | None = None

    @property
    def embedded_text(self) -> str:
        """What the embedder and the keyword index see."""
        return f"{self.context}\n{self.text}" if self.context else self.text
