"""Lookup by identifier, before any search: codes, part numbers, versions, addresses."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from graphrag.domain import Chunk, Passage
from graphrag.wording.terms import contains_identifier, identifiers


@dataclass(frozen=True, slots=True)
class ExactMatch:
    """A chunk that holds an identifier of the question to the letter; ``place`` is where:
    ``heading``, ``entry`` (it opens a line or a table row) or ``text``."""

    identifier: str
    chunk_id: str
    place: str


_PLACES = ("heading", "entry", "text")


def exact_matches(question: str, chunks: Iterable[Chunk]) -> list[ExactMatch]:
    """The chunks that hold an identifier of the question, those that are about it first.

    Ordered by place (heading, entry, text), then by chunk id; empty where the question
    has no identifier.
    """
    wanted = identifiers(question)
    found = [
        ExactMatch(identifier, chunk.id, place)
        for chunk in (chunks if wanted else ())
        for identifier in wanted
        if (place := _place(identifier, chunk))
    ]
    return sorted(found, key=lambda m: (_PLACES.index(m.place), m.chunk_id, m.identifier))


def _place(identifier: str, chunk: Chunk) -> str:
    if contains_identifier("\n".join(chunk.heading_path), identifier):
        return "heading"
    if not contains_identifier(chunk.text, identifier):
        return ""
    entry = rf"^[\s|*`#-]*(?:\d+\.\s)?[*`]*{re.escape(identifier)}(?![\w]|[.:/-]\w)"
    return "entry" if re.search(entry, chunk.text, re.MULTILINE | re.IGNORECASE) else "text"


def exact_first(
    question: str, passages: Sequence[Passage], exact: Sequence[Passage], *, k: int
) -> tuple[Passage, ...]:
    """The first k passages with those that hold the question's identifiers in front.

    ``passages`` come from a search, best first; ``exact`` from ``exact_matches``, in its
    order. Among each kind the order stays; each chunk comes once. A question without
    identifiers keeps its passages as they are.
    """
    wanted = identifiers(question)
    if not wanted:
        return tuple(passages[:k])
    holding = [p for p in passages if any(_place(i, p.chunk) for i in wanted)]
    others = [p for p in passages if p not in holding]
    order = {p.chunk.id: p for p in reversed([*holding, *exact, *others])}
    ids = dict.fromkeys(p.chunk.id for p in [*holding, *exact, *others])
    return tuple(order[chunk_id] for chunk_id in list(ids)[:k])
