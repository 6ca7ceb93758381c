"""Blocks, links, metadata and annotations as plain JSON values, and back again.

Spans of one kind are written column by column (all starts, then all stops), which is both
the shortest JSON and the fastest to read back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from graphrag.domain.documents import Block, Link, Metadata, Span
from graphrag.domain.spotting import Annotation, Cue, Definition, Phrase


def metadata_values(metadata: Metadata) -> dict[str, Any]:
    return {key: list(v) if isinstance(v, tuple) else v for key, v in metadata.items()}


def metadata_of(values: Mapping[str, Any]) -> dict[str, str | tuple[str, ...]]:
    """The inverse of ``metadata_values``."""
    return {key: tuple(v) if isinstance(v, list) else v for key, v in values.items()}


def plain_blocks(blocks: Sequence[Block]) -> list[Any]:
    return [
        [
            b.kind,
            b.start,
            b.stop,
            b.heading_path,
            b.level,
            b.page,
            [(t.start, t.stop) for t in b.terms],
            b.language,
            # Left out where there is none, as in catalogs from before there were any.
            *([b.entry] if b.entry else ()),
        ]
        for b in blocks
    ]


def blocks_of(values: Sequence[Any]) -> tuple[Block, ...]:
    """The inverse of ``plain_blocks``."""
    return tuple(
        Block(
            kind,
            start,
            stop,
            tuple(path),
            level,
            page,
            tuple(Span(*term) for term in terms),
            language,
            *entry,
        )
        for kind, start, stop, path, level, page, terms, language, *entry in values
    )


def plain_links(links: Sequence[Link]) -> list[Any]:
    return [(link.start, link.stop, link.target) for link in links]


def links_of(values: Sequence[Any]) -> tuple[Link, ...]:
    """The inverse of ``plain_links``."""
    return tuple(Link(*link) for link in values)


def plain_annotation(annotation: Annotation) -> list[Any]:
    names = annotation.names
    # Left out where no model was asked, as in catalogs from before there was the choice.
    named = [] if names is None else [[(name.start, name.stop) for name in names]]
    return [
        [s.start for s in annotation.sentences],
        [s.stop for s in annotation.sentences],
        [p.start for p in annotation.phrases],
        [p.stop for p in annotation.phrases],
        [p.key for p in annotation.phrases],
        [
            (d.term.start, d.term.stop, d.sentence.start, d.sentence.stop, d.form)
            for d in annotation.definitions
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
                int(c.negated),
            )
            for c in annotation.cues
        ],
        *named,
    ]


def annotation_of(values: Sequence[Any]) -> Annotation:
    """The inverse of ``plain_annotation``."""
    starts, stops, phrase_starts, phrase_stops, keys, definitions, cues, *named = values
    return Annotation(
        sentences=tuple(map(Span, starts, stops)),
        phrases=tuple(map(Phrase, phrase_starts, phrase_stops, keys)),
        definitions=tuple(
            Definition(Span(a, b), Span(c, d), form) for a, b, c, d, form in definitions
        ),
        cues=tuple(
            Cue(kind, Span(a, b), Span(c, d), Span(e, f), bool(negated))
            for kind, a, b, c, d, e, f, negated in cues
        ),
        names=tuple(Span(a, b) for a, b in named[0]) if named else None,
    )
