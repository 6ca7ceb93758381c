"""Documents to chunks: structure first, then length.

A section is never mixed with another, nor a numbered clause with the next. Inside it,
sentences, list items, tables and code blocks are packed up to a target size; each chunk of
prose but a section's first begins with the last sentences of the one before (of a long
sentence, with its last clauses), and one that lacks what it leans on (the sentence before
"This means that", what leads in a list) has it in its context. What is too large for the
model is split where it hurts least: a table by rows (its header is repeated in the context),
code by lines, a sentence by words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from graphrag.clauses import structural_parts
from graphrag.domain import Block, Chunk, ChunkKind, Document, Span
from graphrag.openings import with_what_they_lean_on
from graphrag.ports import Tokenizer
from graphrag.sentences import clause_starts, near_middle, split_sentences

_LINE = re.compile(r"[^\n]*\n?")
_ITEM_NUMBER = re.compile(r"(?:\d+|[A-Za-z]|[ivxlIVXL]+)[.)]")
_TABLE_RULE = re.compile(r"^\s*\|?[\s:|-]*-[\s:|-]*\|?\s*$")
_REST = 0.2  # what is left of a section joins its last chunk, if it is no more of a target
_CHARACTERS_PER_TOKEN = 6  # more letters a token than this is a blob, not language


@dataclass(frozen=True, slots=True)
class ChunkingOptions:
    """Sizes in tokens of the embedder, context included.

    ``limit`` is never exceeded; ``target`` is what prose is packed to; ``overlap`` is the
    largest share of a chunk that the next one repeats.
    """

    target: int = 320
    limit: int = 512
    overlap: float = 0.2

    def within(self, max_tokens: int) -> ChunkingOptions:
        """The same, with no chunk longer than a model reads."""
        limit = min(self.limit, max_tokens)
        return replace(self, target=min(self.target, limit), limit=limit)


@dataclass(frozen=True, slots=True)
class _Unit:
    """What packing moves about: a sentence, list item, table, code block or part of one."""

    start: int
    stop: int
    kind: ChunkKind
    tokens: int
    page: int | None
    header: str = ""
    whole: bool = True
    heading: bool = False


def chunk_document(
    document: Document, tokenizer: Tokenizer, options: ChunkingOptions | None = None
) -> list[Chunk]:
    """The document's chunks in order; every character but white space is in at least one."""
    options = options or ChunkingOptions()
    text = document.text
    chunks: list[Chunk] = []
    clauses: dict[int, int] = {}
    leads: dict[int, Span] = {}
    for part in structural_parts(text, document.blocks):
        context = _context(document.title, part.path, tokenizer, options.limit // 4)
        spare = tokenizer.count_tokens([context])[0]
        room = options.limit - spare
        units = list(_units(text, part.blocks, tokenizer, room))
        run: list[_Unit] = []
        for first, last in _pack(units, max(options.target - spare, room // 3), room, options):
            before, run = run, units[first : last + 1]
            if first:
                free = room - sum(unit.tokens for unit in run)
                share = int(options.overlap * sum(unit.tokens for unit in before))
                run[0] = _with_last_clauses(text, before, run, tokenizer, min(free, share))
            chunks.append(_chunk(document, run, part.path, context, ordinal=len(chunks)))
            if part.clause is not None:
                clauses[run[0].start] = part.clause
            if part.lead is not None:
                leads[run[0].start] = Span(part.lead.start, part.lead.stop)
    counted = _counted(document, chunks, tokenizer, options)
    return with_what_they_lean_on(document, counted, tokenizer, clauses, leads, options.limit)


def _context(title: str, path: tuple[str, ...], tokenizer: Tokenizer, limit: int) -> str:
    """Title and heading path on one line, the middle of a long one left out."""
    names = [title, *path] if title and (not path or path[0] != title) else list(path)
    context = " > ".join(" ".join(name.split()) for name in names if name.strip())
    while tokenizer.count_tokens([context])[0] > limit or len(context) > limit * 8:
        if len(names) > 2:
            names = [names[0], *names[2:]]
            context = " > ".join(names)
        else:
            context = context[: len(context) // 2].rstrip()
    return context


# --- units ---------------------------------------------------------------------------


def _units(text: str, section: Sequence[Block], tokenizer: Tokenizer, room: int) -> Iterator[_Unit]:
    spans: list[tuple[Span, Block]] = []
    for block in section:
        spans.extend((span, block) for span in _block_spans(text, block))
    counts = _sizes([text[span.start : span.stop] for span, _ in spans], tokenizer)
    for (span, block), tokens in zip(spans, counts, strict=True):
        kind: ChunkKind = (
            "table" if block.kind == "table" else "code" if block.kind == "code" else "prose"
        )
        unit = _Unit(
            span.start, span.stop, kind, tokens, block.page, heading=block.kind == "heading"
        )
        if tokens <= room:
            yield unit
        else:
            yield from _split(text, unit, tokenizer, room)


def _sizes(texts: Sequence[str], tokenizer: Tokenizer) -> list[int]:
    """Tokens that each text adds to a chunk.

    A blob that the model knows only as one unknown word counts by its length, so that
    no chunk becomes endless.
    """
    special = tokenizer.count_tokens([""])[0]
    return [
        max(count - special, len(text) // _CHARACTERS_PER_TOKEN)
        for text, count in zip(texts, tokenizer.count_tokens(texts), strict=True)
    ]


def _block_spans(text: str, block: Block) -> list[Span]:
    if block.kind in ("paragraph", "quote"):
        return split_sentences(text, block.start, block.stop)
    if block.kind == "list":
        return [
            sentence
            for line in _lines(text, block.start, block.stop)
            for sentence in _with_its_number(text, split_sentences(text, line.start, line.stop))
        ]
    return [Span(block.start, block.stop)] if text[block.start : block.stop].strip() else []


def _with_its_number(text: str, sentences: list[Span]) -> list[Span]:
    """The sentences of a line; the number of an item ("8.") is none by itself."""
    first, *others = sentences
    if others and _ITEM_NUMBER.fullmatch(text, first.start, first.stop):
        return [Span(first.start, others[0].stop), *others[1:]]
    return sentences


def _lines(text: str, start: int, stop: int) -> list[Span]:
    return [
        Span(match.start(), match.end())
        for match in _LINE.finditer(text, start, stop)
        if match.group().strip()
    ]


def _split(text: str, unit: _Unit, tokenizer: Tokenizer, room: int) -> Iterator[_Unit]:
    """Parts of a unit that is too large, each within ``room``."""
    lines = _lines(text, unit.start, unit.stop)
    header = _table_header(text, lines) if unit.kind == "table" else ""
    if header:
        cost = _sizes([header], tokenizer)[0]
        if cost > room // 2:
            header, cost = "", 0
        room -= cost
    pieces = lines if unit.kind in ("table", "code") else [Span(unit.start, unit.stop)]
    sizes = _sizes([text[piece.start : piece.stop] for piece in pieces], tokenizer)
    first = True
    for piece, size in zip(pieces, sizes, strict=True):
        parts = [(piece, size)] if size <= room else _split_words(text, piece, tokenizer, room)
        for part, part_tokens in parts:
            is_header = header and text[part.start : part.stop].strip() in header
            yield replace(
                unit,
                start=part.start,
                stop=part.stop,
                tokens=part_tokens,
                header="" if first or is_header else header,
                whole=False,
            )
            first = False


def _table_header(text: str, lines: Sequence[Span]) -> str:
    """The header row and its rule, where the table has one."""
    if len(lines) > 2 and _TABLE_RULE.match(text[lines[1].start : lines[1].stop]):
        return text[lines[0].start : lines[1].stop].rstrip()
    return ""


def _split_words(text: str, span: Span, tokenizer: Tokenizer, room: int) -> list[tuple[Span, int]]:
    """Halve until each part fits, at white space where there is some near the middle."""
    done: list[tuple[Span, int]] = []
    waiting = [span]
    while waiting:
        part = waiting.pop()
        piece = text[part.start : part.stop]
        tokens = _sizes([piece], tokenizer)[0] if len(piece) < room * 40 else room + 1
        if tokens <= room or len(piece) <= 1:
            if piece.strip():
                done.append((part, tokens))
            continue
        middle = near_middle(piece)
        waiting.append(Span(part.start + middle, part.stop))
        waiting.append(Span(part.start, part.start + middle))
    return done


# --- packing -------------------------------------------------------------------------


def _pack(
    units: Sequence[_Unit], target: int, room: int, options: ChunkingOptions
) -> Iterator[tuple[int, int]]:
    """First and last unit of each chunk."""
    first = 0
    size = 0
    left = sum(unit.tokens for unit in units)
    fresh = True  # nothing but overlap (or a heading) is in the chunk so far
    for index, unit in enumerate(units):
        is_rest = left <= target * _REST
        limit = room if fresh or is_rest or _belongs(units[index - 1], unit) else target
        if index > first and size + unit.tokens > limit:
            yield first, index - 1
            first = _overlap_start(units, first, index, int(size * options.overlap), room)
            size = sum(each.tokens for each in units[first:index])
            fresh = True
        size += unit.tokens
        left -= unit.tokens
        fresh = fresh and unit.heading
    if units:
        yield first, len(units) - 1


def _belongs(before: _Unit, unit: _Unit) -> bool:
    """A heading stays with what it announces."""
    return before.heading and not unit.heading


def _overlap_start(
    units: Sequence[_Unit], first: int, index: int, allowance: int, room: int
) -> int:
    """Where the next chunk begins so that it repeats at most ``allowance`` tokens."""
    start = index
    spent = 0
    if units[index].kind != "prose":
        return index
    while start - 1 > first:
        unit = units[start - 1]
        spent += unit.tokens
        if not unit.whole or spent > allowance or spent + units[index].tokens > room:
            break
        start -= 1
    return start


def _with_last_clauses(
    text: str,
    before: Sequence[_Unit],
    run: Sequence[_Unit],
    tokenizer: Tokenizer,
    allowance: int,
) -> _Unit:
    """The first unit of a run; where no whole sentence was short enough to be repeated, it
    begins with the last clauses of the run before, as many as ``allowance`` tokens hold."""
    unit, last = run[0], before[-1]
    if unit.start < last.stop or unit.kind != "prose" or last.kind != "prose" or last.heading:
        return unit
    starts = clause_starts(text, last.start, last.stop)
    sizes = _sizes([text[start : unit.start] for start in starts], tokenizer)
    fitting = (start for start, size in zip(starts, sizes, strict=True) if size <= allowance)
    return replace(unit, start=next(fitting, unit.start))


# --- chunks --------------------------------------------------------------------------


def _chunk(
    document: Document,
    units: Sequence[_Unit],
    path: tuple[str, ...],
    context: str,
    *,
    ordinal: int,
) -> Chunk:
    kinds = {unit.kind for unit in units if not unit.heading}
    header = units[0].header
    start, stop = units[0].start, units[-1].stop
    return Chunk(
        id=f"{document.id}#{ordinal}",
        document_id=document.id,
        ordinal=ordinal,
        start=start,
        stop=stop,
        text=document.text[start:stop],
        heading_path=path,
        context=f"{context}\n{header}" if header else context,
        kind=kinds.pop() if len(kinds) == 1 else "prose",
        tokens=0,
        page=units[0].page,
    )


def _counted(
    document: Document, chunks: list[Chunk], tokenizer: Tokenizer, options: ChunkingOptions
) -> list[Chunk]:
    """Chunks with their true token counts; one over the limit is cut in two until none is.

    Packing adds up counts of parts, which a tokenizer that merges across their borders
    can exceed by a token or two.
    """
    waiting = list(reversed(chunks))
    counted: list[Chunk] = []
    counts = dict(
        zip(
            [(chunk.start, chunk.stop, chunk.context) for chunk in chunks],
            tokenizer.count_tokens([chunk.embedded_text for chunk in chunks]),
            strict=True,
        )
    )
    while waiting:
        chunk = waiting.pop()
        place = (chunk.start, chunk.stop, chunk.context)
        if place not in counts:
            counts[place] = tokenizer.count_tokens([chunk.embedded_text])[0]
        if counts[place] <= options.limit or len(chunk.text) < 2:
            ordinal = len(counted)
            counted.append(
                replace(chunk, id=f"{document.id}#{ordinal}", ordinal=ordinal, tokens=counts[place])
            )
            continue
        middle = chunk.start + near_middle(chunk.text)
        waiting.append(_slice(document, chunk, middle, chunk.stop))
        waiting.append(_slice(document, chunk, chunk.start, middle))
    return counted


def _slice(document: Document, chunk: Chunk, start: int, stop: int) -> Chunk:
    return replace(chunk, start=start, stop=stop, text=document.text[start:stop])
