"""What a chunk leans on and lacks: the term that it tells of, the clause that it goes on with,
the sentence that leads in its list or its clause, the one before "This means that"."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from graphrag.domain import Block, Chunk, Document, Span
from graphrag.ports import Tokenizer
from graphrag.sentences import split_sentences

_LEANS = re.compile(
    r"(?:This|That|These|Those|It|Its|They|Their|He|She|His|Her|Such|Therefore|Thus|Hence|However"
    r"|Otherwise|Consequently|Accordingly|Moreover|Furthermore|Nevertheless|Instead|Similarly"
    r"|Likewise|Conversely|Then|So|But|And|Or|Also|Both|Neither"
    r"|As a (?:result|consequence)|On the other hand|That is"
    r"|In (?:addition|particular|contrast|other words)|For (?:example|instance)"
    r"|(?:In|For|With|By|Because of|Instead of|Unlike|Like) (?:this|that|these|those|such)"
    r"|The (?:same|latter|former|above|following))\b"
)
_MOST_CHARACTERS = 400
_LOOK_BACK = 10_000
_PROSE = ("paragraph", "list", "quote")
_LED_IN = ("list", "code", "table", "formula")


def with_what_they_lean_on(
    document: Document,
    chunks: Sequence[Chunk],
    tokenizer: Tokenizer,
    clauses: Mapping[int, int],
    leads: Mapping[int, Span],
    limit: int,
) -> list[Chunk]:
    """The chunks, each with what it lacks in its context, where the limit (in tokens) leaves
    room for it. ``clauses`` gives where the clause of a chunk begins, ``leads`` the clause
    above that leads it in, by the chunk's start."""
    starts = [block.start for block in document.blocks]
    found = []
    for chunk in chunks:
        place = bisect_right(starts, chunk.start) - 1
        clause = clauses.get(chunk.start, chunk.start)
        lines = dict.fromkeys(
            [
                *_led_in(document.text, leads.get(chunk.start)),
                *_lacking(document, chunk, place, clause),
            ]
        )
        for line in filter(None, lines):
            wider = replace(chunk, context=f"{chunk.context}\n{line}".lstrip())
            tokens = tokenizer.count_tokens([wider.embedded_text])[0]
            if tokens <= limit:
                chunk = replace(wider, tokens=tokens)
        found.append(chunk)
    return found


def _led_in(text: str, lead: Span | None) -> list[str]:
    """The sentence that leads in the clauses below it."""
    return [_short(_last_sentence(text, lead.start, lead.stop))] if lead else []


def _lacking(document: Document, chunk: Chunk, place: int, clause: int) -> Iterator[str]:
    """What the chunk leans on, from the widest to the nearest; ``place`` is its first block's."""
    text, blocks = document.text, document.blocks
    home = blocks[place]
    if not text.startswith(home.entry, chunk.start):
        yield _short(home.entry)
    if clause < chunk.start:
        yield _short(_first_sentence(text, clause, chunk.start))
    if home.kind in _LED_IN and place:
        yield _short(_lead_in(text, blocks[place - 1], chunk.start))
    if home.kind == "list":
        yield _short(_item_above(text, home, chunk.start))
    if leans_back(chunk.text):
        yield sentence_before(text, blocks, place, chunk.start)


def leans_back(text: str) -> bool:
    """Whether the text begins with a word that means something said before it."""
    return _LEANS.match(text.lstrip("-*• ")) is not None


def sentence_before(text: str, blocks: Sequence[Block], place: int, at: int) -> str:
    """The last sentence of prose before ``at``, which is in the block of that place, in the
    same section; empty where there is none, or where it is too long to repeat."""
    path = blocks[place].heading_path
    for number in range(place, -1, -1):
        block = blocks[number]
        if block.heading_path != path:
            break
        if block.kind in _PROSE and block.start < at:
            stop = min(block.stop, at)
            item = text.rfind("\n", block.start, len(text[:stop].rstrip())) + 1
            start = max(block.start, item) if block.kind == "list" else block.start
            return _short(_last_sentence(text, start, stop))
    return ""


def _lead_in(text: str, before: Block, at: int) -> str:
    """The sentence that leads in a list, table, code or formula: it ends in a colon right
    before that."""
    if before.kind not in _PROSE or before.stop > at:
        return ""
    sentence = _last_sentence(text, before.start, before.stop)
    return sentence if sentence.endswith(":") else ""


def _item_above(text: str, block: Block, at: int) -> str:
    """The first line of the item under which the one at that place stands."""
    begin = text.rfind("\n", block.start, at) + 1 or block.start
    depth = _indent(text[begin:at])
    near = max(block.start, begin - _LOOK_BACK)
    for line in reversed(text[near:begin].splitlines()):
        if line.strip() and _indent(line) < depth:
            return line
    return ""


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _first_sentence(text: str, start: int, stop: int) -> str:
    spans = split_sentences(text, start, min(stop, start + 2 * _MOST_CHARACTERS))
    return text[spans[0].start : spans[0].stop] if spans else ""


def _last_sentence(text: str, start: int, stop: int) -> str:
    spans = split_sentences(text, max(start, stop - 2 * _MOST_CHARACTERS), stop)
    return text[spans[-1].start : spans[-1].stop] if spans else ""


def _short(sentence: str) -> str:
    """On one line; nothing where it is too long to repeat."""
    line = " ".join(sentence.split())
    return line if len(line) <= _MOST_CHARACTERS else ""
