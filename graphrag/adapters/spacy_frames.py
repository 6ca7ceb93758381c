"""What goes through the pipes between an ingest and its language pipeline: frames of JSON,
each behind its length."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, BinaryIO

from graphrag.domain import Annotation, Block, Cue, Definition, Document, Link, Phrase, Span

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
            [
                [
                    b.kind,
                    b.start,
                    b.stop,
                    b.heading_path,
                    b.level,
                    b.page,
                    [(t.start, t.stop) for t in b.terms],
                    b.language,
                ]
                for b in d.blocks
            ],
            d.format,
            dict(d.metadata),
            [(link.start, link.stop, link.target) for link in d.links],
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
            tuple(
                Block(
                    kind,
                    start,
                    stop,
                    tuple(path),
                    level,
                    page,
                    tuple(Span(*term) for term in terms),
                    written_in,
                )
                for kind, start, stop, path, level, page, terms, written_in in blocks
            ),
            form,
            {key: tuple(v) if isinstance(v, list) else v for key, v in metadata.items()},
            tuple(Link(*link) for link in links),
            language,
        )
        for document_id, source, title, text, blocks, form, metadata, links, language in values
    ]


def pack_annotations(annotations: Sequence[Annotation]) -> list[Any]:
    """Annotations as JSON values: spans column by column, the shortest way."""
    return [
        [
            [s.start for s in a.sentences],
            [s.stop for s in a.sentences],
            [p.start for p in a.phrases],
            [p.stop for p in a.phrases],
            [p.key for p in a.phrases],
            [
                (d.term.start, d.term.stop, d.sentence.start, d.sentence.stop, d.form)
                for d in a.definitions
            ],
            [
                (
                    c.kind,
                    c.subject.start,
                    c.subject.stop,
                    c.object.start,
                    c.object.stop,
                    c.sentence.start,
                    c.sentence.stop,
                    c.negated,
                )
                for c in a.cues
            ],
        ]
        for a in annotations
    ]


def unpack_annotations(values: Sequence[Any]) -> list[Annotation]:
    """The inverse of ``pack_annotations``."""
    return [
        Annotation(
            sentences=tuple(map(Span, starts, stops)),
            phrases=tuple(map(Phrase, phrase_starts, phrase_stops, keys)),
            definitions=tuple(
                Definition(Span(a, b), Span(c, d), form) for a, b, c, d, form in definitions
            ),
            cues=tuple(
                Cue(kind, Span(a, b), Span(c, d), Span(e, f), negated)
                for kind, a, b, c, d, e, f, negated in cues
            ),
        )
        for starts, stops, phrase_starts, phrase_stops, keys, definitions, cues in values
    ]
