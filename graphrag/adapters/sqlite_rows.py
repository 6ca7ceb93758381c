"""How the catalog's values look in SQLite: pure packing and unpacking of columns."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from graphrag.domain import Annotation, Block, Chunk, Document, Link, Metadata
from graphrag.domain.plain import (
    annotation_of,
    blocks_of,
    links_of,
    metadata_of,
    metadata_values,
    plain_annotation,
    plain_blocks,
    plain_links,
)

# SQLite keeps UTF-8 only, and its JSON ends a string at a zero. A lone surrogate (an
# undecodable byte of a file name, a broken UTF-16 text) or a zero is kept as a noncharacter
# and four hexadecimal digits; so is the noncharacter itself, which makes the escape
# reversible.
_ESCAPE = "\ufdd0"
_NEEDS_ESCAPE = re.compile("[\0\ud800-\udfff\ufdd0]")
_ESCAPED = re.compile("\ufdd0([0-9a-f]{4})")


def escape(text: str) -> str:
    """The text without lone surrogates and zeros; equal to the text where it has none."""
    if text.isascii() and "\0" not in text:
        return text
    return _NEEDS_ESCAPE.sub(lambda found: f"{_ESCAPE}{ord(found[0]):04x}", text)


def unescape(text: str) -> str:
    """The inverse of ``escape``."""
    if text.isascii() or _ESCAPE not in text:
        return text
    return _ESCAPED.sub(lambda found: chr(int(found[1], 16)), text)


def pack(value: object) -> str:
    """Compact JSON, plain ASCII, so that any string survives."""
    return json.dumps(value, separators=(",", ":"))


def unpack(text: str) -> Any:
    return json.loads(text)


def pack_position(position: Sequence[str]) -> bytes:
    """Bytes that sort as the tuple of strings does: each part ends in a double zero, and
    a zero inside a part is followed by 255."""
    parts = (part.encode("utf-8", "surrogatepass") for part in position)
    return b"".join(part.replace(b"\0", b"\0\xff") + b"\0\0" for part in parts)


def pack_metadata(metadata: Metadata) -> str:
    return pack(metadata_values(metadata))


def unpack_metadata(text: str) -> dict[str, str | tuple[str, ...]]:
    return metadata_of(unpack(text))


def pack_blocks(blocks: Sequence[Block]) -> str:
    return pack(plain_blocks(blocks))


def unpack_blocks(text: str) -> tuple[Block, ...]:
    return blocks_of(unpack(text))


def pack_links(links: Sequence[Link]) -> str:
    return pack(plain_links(links))


def unpack_links(text: str) -> tuple[Link, ...]:
    return links_of(unpack(text))


def pack_annotation(annotation: Annotation) -> str:
    return pack(plain_annotation(annotation))


def unpack_annotation(text: str) -> Annotation:
    return annotation_of(unpack(text))


CHUNK_COLUMNS = (
    "c.id, d.id, c.ordinal, c.start, c.stop, c.text, c.heading_path, c.context, c.kind, "
    "c.tokens, c.page"
)


def unpack_chunk(row: Sequence[Any]) -> Chunk:
    """A chunk from a row of ``CHUNK_COLUMNS``."""
    chunk_id, document_id, ordinal, start, stop, text, path, context, kind, tokens, page = row
    return Chunk(
        unescape(chunk_id),
        unescape(document_id),
        ordinal,
        start,
        stop,
        unescape(text),
        tuple(unpack(path)),
        unescape(context),
        kind,
        tokens,
        page,
    )


def pack_chunk(chunk: Chunk) -> tuple[object, ...]:
    """Columns id, ordinal, start, stop, heading_path, kind, tokens, page."""
    return (
        escape(chunk.id),
        chunk.ordinal,
        chunk.start,
        chunk.stop,
        pack(chunk.heading_path),
        chunk.kind,
        chunk.tokens,
        chunk.page,
    )


DOCUMENT_COLUMNS = (
    "d.id, d.source, d.title, t.text, t.blocks, d.format, d.metadata, t.links, d.language"
)


def unpack_document(row: Sequence[Any]) -> Document:
    """A document from a row of ``DOCUMENT_COLUMNS``."""
    document_id, source, title, text, blocks, form, metadata, links, language = row
    return Document(
        unescape(document_id),
        unescape(source),
        unescape(title),
        unescape(text),
        unpack_blocks(blocks),
        form,
        unpack_metadata(metadata),
        unpack_links(links),
        language,
    )


def plain_metadata(
    metadata: Mapping[str, object], title: str, source: str, form: str
) -> dict[str, object]:
    """Metadata with the document's own title, source and format, which win."""
    return {**metadata, "title": title, "source": source, "format": form}
