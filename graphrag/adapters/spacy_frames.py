"""What goes through the pipes between an ingest and its language pipeline: frames of JSON,
each behind its length."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, BinaryIO

from graphrag.domain import Annotation, Document
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

_LENGTH = 8


def write_frame(pipe: BinaryIO, value: object) -> None:
    """Send one JSON value; lone surrogates in its texts survive. Raises OSError."""
    body = json.dumps(value, separators=(",", ":")).encode("ascii")
    pipe.write(len(body).to_bytes(_LENGTH, "little"))
    pipe.write(body)
    pipe.flush()


def read_frame(pipe: BinaryIO) -> Any:
    """The next JSON value. Raises EOFError where the other side has gone."""
    head = pipe.read(_LENGTH)
    length = int.from_bytes(head, "little")
    body = pipe.read(length) if len(head) == _LENGTH else b""
    if len(head) < _LENGTH or len(body) < length:
        raise EOFError
    return json.loads(body)


def pack_documents(documents: Sequence[Document]) -> list[Any]:
    """Documents as JSON values."""
    return [
        [
            d.id,
            d.source,
            d.title,
            d.text,
            plain_blocks(d.blocks),
            d.format,
            metadata_values(d.metadata),
            plain_links(d.links),
            d.language,
        ]
        for d in documents
    ]


def unpack_documents(values: Sequence[Any]) -> list[Document]:
    """The inverse of ``pack_documents``."""
    return [
        Document(
            document_id,
            source,
            title,
            text,
            blocks_of(blocks),
            form,
            metadata_of(metadata),
            links_of(links),
            language,
        )
        for document_id, source, title, text, blocks, form, metadata, links, language in values
    ]


def pack_annotations(annotations: Sequence[Annotation]) -> list[Any]:
    """Annotations as JSON values."""
    return [plain_annotation(annotation) for annotation in annotations]


def unpack_annotations(values: Sequence[Any]) -> list[Annotation]:
    """The inverse of ``pack_annotations``."""
    return [annotation_of(value) for value in values]
