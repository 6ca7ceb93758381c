"""Lookup to the letter, before any search: what a question names exactly is found exactly.

Codes, part numbers, flags, joined names and quoted phrases where they stand in a text;
numbers of clauses and of table rows where one begins with them; chunks and documents by id.
The keyword index gives the passages that may hold such a term, and each is read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from graphrag.domain import Chunk, Hit
from graphrag.ports import Keys, KeywordIndex
from graphrag.retrieval.channels import Ids, best
from graphrag.retrieval.passages import ChunkSource
from graphrag.wording.verbatim import Exact, asked_exactly, holds, named_ids

_READ = 50  # passages a term are read
_LACKING = 2  # passages that are put in front for what the first do not hold
_PLACES = ("id", "heading", "entry", "text")
_MENTIONED = 0.9  # a mention within a text is worth beside a place that is about the term


@dataclass(frozen=True, slots=True)
class Shelves:
    """Where to look: only among the sorted chunk numbers ``allowed`` where given."""

    keyword: KeywordIndex
    chunks: ChunkSource
    ids: Ids
    allowed: Keys | None = None


def lookup(question: str, shelves: Shelves) -> list[Hit]:
    """The passages that hold what the question names to the letter; empty where it names
    nothing so. The score is the share of it that a passage holds, where a mention within its
    text counts a little less; ``path`` tells which.

    Ordered by score, then by where it stands (id, heading, the start of a line or a table's
    row, text), then by chunk id.
    """
    terms = asked_exactly(question)
    found: dict[str, dict[str, int]] = {}
    for term in terms:
        for chunk in _holding(term, shelves):
            place = place_of(term, chunk)
            if place:
                found.setdefault(chunk.id, {})[term.text] = _PLACES.index(place)
    named = _named(question, shelves)
    for chunk_id, name in named.items():
        found.setdefault(chunk_id, {})[name] = 0
    sought = len(terms) + len(set(named.values()))
    worth = {key: sum(map(_worth, places.values())) / sought for key, places in found.items()}
    order = sorted(found, key=lambda key: (-worth[key], min(found[key].values()), key))
    return [Hit(key, rank, worth[key], tuple(found[key])) for rank, key in enumerate(order, 1)]


def _worth(place: int) -> float:
    return _MENTIONED if _PLACES[place] == "text" else 1.0


def place_of(term: Exact, chunk: Chunk) -> str:
    """Where the chunk holds the term: ``heading``, ``entry`` (it opens a line or a row of a
    table) or ``text``; empty where it does not. A number must open a heading or a line."""
    number, headings = re.escape(term.text), "\n".join(chunk.heading_path)
    if term.opens:
        headed = rf"^(?:[^\W\d]+\s+)?{number}(?![\w]|[.:/-]\w)"
        if any(re.search(headed, heading, re.IGNORECASE) for heading in chunk.heading_path):
            return "heading"
    elif holds(headings, term.text):
        return "heading"
    elif not holds(chunk.embedded_text, term.text):
        return ""
    entry = rf"^[\s|*`#-]*(?:\d+\.\s)?[*`]*(?:[^\W\d]\w*\.)*{number}(?![\w]|[.:/-]\w)"
    if re.search(entry, chunk.text, re.MULTILINE | re.IGNORECASE):
        return "entry"
    return "" if term.opens else "text"


def _holding(term: Exact, shelves: Shelves) -> list[Chunk]:
    search = partial(shelves.keyword.search, term.text, allowed=shelves.allowed)
    known = shelves.ids(number for number, _ in best(search, _READ, shelves.ids))
    return shelves.chunks.chunks(sorted(known.values()))


def _named(question: str, shelves: Shelves) -> dict[str, str]:
    """Ids of the chunks that the question names, by their own id or by their document's,
    which stands for its first."""
    named = {each if "#" in each else f"{each}#0": each for each in named_ids(question)}
    if not named:
        return {}
    documents = {chunk_id.rpartition("#")[0] for chunk_id in named}
    numbers = np.array(shelves.chunks.numbers_of(documents), dtype=np.int64)
    if shelves.allowed is not None:
        numbers = numbers[np.isin(numbers, shelves.allowed)]
    return {key: named[key] for key in shelves.ids(numbers.tolist()).values() if key in named}


def ahead(hits: Sequence[Hit], exact: Iterable[Hit]) -> list[Hit]:
    """The hits and those of ``exact``, the greatest share first, equal ones in the order that
    they came in."""
    shares = {hit.chunk_id: hit.score for hit in exact}
    known = {hit.chunk_id for hit in hits}
    lowest = min((hit.score for hit in hits), default=0.0)
    every = [*hits, *(Hit(key, 0, lowest) for key in shares if key not in known)]
    order = sorted(every, key=lambda hit: -shares.get(hit.chunk_id, 0.0))
    return _renumbered(order)


def with_lacking(hits: Sequence[Hit], exact: Sequence[Hit], k: int) -> list[Hit]:
    """The hits, but in front, with the first one's score, the best passages for what was
    looked up and none of the first ``k`` holds."""
    first = {hit.chunk_id for hit in hits[:k]}
    held = {term for hit in exact if hit.chunk_id in first for term in hit.path}
    lacking = [hit for hit in exact if not held.issuperset(hit.path)][:_LACKING]
    front = {hit.chunk_id for hit in lacking}
    top = hits[0].score if hits else 0.0
    order = [Hit(hit.chunk_id, 0, top) for hit in lacking]
    return _renumbered([*order, *(hit for hit in hits if hit.chunk_id not in front)])


def _renumbered(order: Sequence[Hit]) -> list[Hit]:
    return [Hit(hit.chunk_id, rank, hit.score, hit.path) for rank, hit in enumerate(order, 1)]


def lifted(scores: Mapping[str, float], exact: Iterable[Hit], by: float) -> dict[str, float]:
    """The scores with ``by`` times the share added to those of ``exact``, which from the
    lowest score on are all there."""
    lowest = min(scores.values(), default=0.0)
    return {**scores, **{h.chunk_id: scores.get(h.chunk_id, lowest) + by * h.score for h in exact}}
