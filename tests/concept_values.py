"""Small documents for the tests of concepts and prerequisites, written like Markdown."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from graphrag.concepts.names import token_spans
from graphrag.domain import Block, BlockKind, Chunk, Document, MetadataValue, Span


def document(
    text: str, name: str = "a.md", metadata: Mapping[str, MetadataValue] | None = None
) -> Document:
    """A document from blocks parted by blank lines: ``#`` headings, ``-`` lists, ``|``
    tables, ``**terms**``, all else paragraphs. The first heading is the title."""
    clean, blocks, path = "", [], list[tuple[int, str]]()
    title = ""
    for piece in text.strip().split("\n\n"):
        heading = re.match(r"(#+) (.*)", piece)
        level = len(heading[1]) if heading else 0
        body = heading[2] if heading else piece.strip("\n")
        kind: BlockKind = "heading" if heading else "paragraph"
        if body.startswith("- "):
            kind = "list"
        elif body.startswith("|"):
            kind = "table"
        elif body.startswith("    "):
            kind = "code"
        plain, terms = _terms(body)
        start = len(clean) + (2 if clean else 0)
        clean += ("\n\n" if clean else "") + plain
        if heading and not title:
            title = plain
        elif heading:
            path = [above for above in path if above[0] < level]
            path.append((level, plain))
        blocks.append(
            Block(
                kind,
                start,
                start + len(plain),
                tuple(name for _, name in path),
                level,
                terms=tuple(Span(start + a, start + b) for a, b in terms),
            )
        )
    return Document(name, name, title or name, clean, tuple(blocks), "markdown", metadata or {})


def _terms(text: str) -> tuple[str, list[tuple[int, int]]]:
    plain, terms, position = "", [], 0
    for match in re.finditer(r"\*\*([^*]+)\*\*", text):
        plain += text[position : match.start()]
        terms.append((len(plain), len(plain) + len(match[1])))
        plain += match[1]
        position = match.end()
    return plain + text[position:], terms


def one_chunk_each(documents: Sequence[Document]) -> list[Chunk]:
    """Every document as a single chunk."""
    return [
        Chunk(f"{d.id}#0", d.id, 0, 0, len(d.text), d.text, (), d.title, "prose", 1)
        for d in documents
    ]


def bag_vectors(texts: Sequence[str], dimension: int = 64) -> NDArray[np.float32]:
    """Unit vectors that are near each other where texts share words: no model, no chance."""
    vectors = np.full((len(texts), dimension), 0.01, dtype=np.float32)
    for row, text in enumerate(texts):
        for _, _, key in token_spans(text):
            vectors[row, sum(map(ord, key)) % dimension] += 1.0
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
