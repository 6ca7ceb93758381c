"""A hit widened to its section: what was found is often half of what one wants to read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from graphrag.domain import Chunk, Passage
from graphrag.ports import Catalog


def widen(chunk: Chunk, document: Sequence[Chunk], text: str, budget: int) -> Chunk:
    """The chunk grown to the widest section around it that ``budget`` (in tokens) holds.

    ``document`` are its document's chunks in order, ``text`` is the document's. Where its own
    section is too long, it grows by the neighbours in it, what follows first. Tokens are
    added up over chunks, so what overlaps counts twice: never too much. The id stays.
    """
    own = next(place for place, each in enumerate(document) if each.id == chunk.id)
    first = last = own
    for depth in range(len(chunk.heading_path), -1, -1):
        begin, end = _section(document, own, chunk.heading_path[:depth])
        if _tokens(document, begin, end) > budget:
            first, last = _grown(document, first, last, begin, end, budget)
            break
        first, last = begin, end
    return _joined(chunk, document[first : last + 1], text)


def widen_passages(passages: Sequence[Passage], catalog: Catalog, budget: int) -> list[Passage]:
    """The passages, each grown as ``widen`` does."""
    ids = list(dict.fromkeys(passage.chunk.document_id for passage in passages))
    texts = {document.id: document.text for document in catalog.documents(ids)}
    chunks = {id_: catalog.chunks(catalog.chunks_of([id_])) for id_ in ids}
    return [
        replace(each, chunk=widen(each.chunk, chunks[key], texts[key], budget))
        for each in passages
        for key in [each.chunk.document_id]
    ]


def _section(document: Sequence[Chunk], own: int, path: tuple[str, ...]) -> tuple[int, int]:
    """The first and last place of the run around ``own`` that stands under the path."""
    begin = end = own
    while begin and document[begin - 1].heading_path[: len(path)] == path:
        begin -= 1
    while end + 1 < len(document) and document[end + 1].heading_path[: len(path)] == path:
        end += 1
    return begin, end


def _grown(
    document: Sequence[Chunk], first: int, last: int, begin: int, end: int, budget: int
) -> tuple[int, int]:
    """One neighbour after the other, below and above, as long as they fit."""
    grows = True
    while grows:
        grows = False
        if last < end and _tokens(document, first, last + 1) <= budget:
            last, grows = last + 1, True
        if first > begin and _tokens(document, first - 1, last) <= budget:
            first, grows = first - 1, True
    return first, last


def _tokens(document: Sequence[Chunk], first: int, last: int) -> int:
    return sum(each.tokens for each in document[first : last + 1])


def _joined(chunk: Chunk, run: Sequence[Chunk], text: str) -> Chunk:
    if len(run) == 1:
        return chunk
    shared = run[0].heading_path
    for each in run:
        while each.heading_path[: len(shared)] != shared:
            shared = shared[:-1]
    start, stop = min(each.start for each in run), max(each.stop for each in run)
    return replace(
        chunk,
        start=start,
        stop=stop,
        text=text[start:stop],
        heading_path=shared,
        kind=chunk.kind if len({each.kind for each in run}) == 1 else "prose",
        tokens=sum(each.tokens for each in run),
        page=run[0].page,
    )
