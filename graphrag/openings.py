"""Openings that lean on what was said before: "This means that", "It", "Therefore"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from graphrag.domain import Block, Chunk, Document
from graphrag.ports import Tokenizer
from graphrag.sentences import split_sentences

_LEANS = re.compile(
    r"(?:This|That|These|Those|It|They|Such|Therefore|Thus|Hence|However|Otherwise|Consequently"
    r"|Accordingly|Moreover|Furthermore|Then|So|As a (?:result|consequence)"
    r"|(?:In|For|With|By|Because of|Instead of|Unlike|Like) (?:this|that|these|those|such)"
    r"|The (?:same|latter|former|above|following))\b"
)
_MOST_CHARACTERS = 400
_PROSE = ("paragraph", "list", "quote")


def with_what_they_lean_on(
    document: Document, chunks: Sequence[Chunk], tokenizer: Tokenizer, *, limit: int
) -> list[Chunk]:
    """The chunks; those that open with ``This means that`` have the sentence before in their
    context, where the limit (in tokens) leaves room for it."""
    found = []
    for chunk in chunks:
        leans = leans_back(chunk.text)
        before = sentence_before(document.text, document.blocks, chunk.start) if leans else ""
        if before:
            wider = replace(chunk, context=f"{chunk.context}\n{before}".lstrip())
            tokens = tokenizer.count_tokens([wider.embedded_text])[0]
            if tokens <= limit:
                chunk = replace(wider, tokens=tokens)
        found.append(chunk)
    return found


def leans_back(text: str) -> bool:
    """Whether the text begins with a word that means something said before it."""
    return _LEANS.match(text.lstrip("-*• ")) is not None


def sentence_before(text: str, blocks: Sequence[Block], at: int) -> str:
    """The last sentence of prose before that place in the same section; empty where there
    is none, or where it is too long to repeat."""
    home = next((block for block in blocks if block.start <= at < block.stop), None)
    if home is None:
        return ""
    near = [
        block
        for block in blocks
        if block.start < at and block.kind in _PROSE and block.heading_path == home.heading_path
    ]
    if not near:
        return ""
    spans = split_sentences(text, near[-1].start, min(near[-1].stop, at))
    sentence = " ".join(text[spans[-1].start : spans[-1].stop].split()) if spans else ""
    return sentence if len(sentence) <= _MOST_CHARACTERS else ""
