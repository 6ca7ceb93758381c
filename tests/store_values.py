"""Small documents for the contract suites of the stores."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from graphrag.domain import Annotation, Block, Chunk, Document, MetadataValue, Phrase, Span
from graphrag.ports import FileStamp, StoredDocument


def stored(
    document_id: str,
    *paragraphs: str,
    position: tuple[str, ...] | None = None,
    metadata: Mapping[str, MetadataValue] | None = None,
    title: str = "Title",
) -> StoredDocument:
    """A document with one chunk a paragraph, annotated with its first word as a phrase."""
    text = "\n\n".join(paragraphs)
    blocks, chunks, phrases = [], [], []
    start = 0
    for ordinal, paragraph in enumerate(paragraphs):
        stop = start + len(paragraph)
        blocks.append(Block("paragraph", start, stop, ("Part", str(ordinal)), page=ordinal + 1))
        chunks.append(
            Chunk(
                f"{document_id}#{ordinal}",
                document_id,
                ordinal,
                start,
                stop,
                paragraph,
                ("Part",),
                title,
                "prose",
                len(paragraph.split()),
            )
        )
        phrases.append(Phrase(start, start + len(paragraph.split(" ")[0]), paragraph[:3]))
        start = stop + 2
    return StoredDocument(
        Document(
            document_id,
            f"/notes/{document_id}",
            title,
            text,
            tuple(blocks),
            "markdown",
            metadata or {},
        ),
        tuple(chunks),
        tuple(key_of(chunk) for chunk in chunks),
        Annotation((Span(0, len(text)),), tuple(phrases)),
        FileStamp(f"/notes/{document_id}", "/notes", len(text), 7, "digest"),
        position or (document_id,),
    )


def key_of(chunk: Chunk) -> str:
    content = chunk.embedded_text.encode("utf-8", "surrogatepass")
    return hashlib.sha256(content).hexdigest()[:16]
