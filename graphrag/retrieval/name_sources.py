"""What a name graph was made from, as far as a change needs it: which passages it reaches.

A change to a few documents may reach others. A heading that one more document has no
longer names its passages; a new title is found in texts that were there before; a concept's
new alias names passages with that title. Each of these is looked for here, in arrays of
hashes over all passages, instead of reading all passages again. What is found may be too
much (hashes of words are short), never too little.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphrag.concepts.names import name_key as concept_key
from graphrag.domain import Concept
from graphrag.ports import NumberedChunk
from graphrag.retrieval.name_arrays import Ragged, hashes_of
from graphrag.retrieval.name_building import MOST_OWNERS, NamedPassage
from graphrag.retrieval.name_texts import first_hashes, pair_hashes

_Hashes = NDArray[np.uint64]


@dataclass(frozen=True, slots=True)
class Owners:
    """Which documents have which headings: by passage, the hash of its document, and of
    each of its headings."""

    documents: _Hashes
    headings: Ragged

    def of(self, rows: NDArray[np.int64]) -> Owners:
        """Those of some passages."""
        return Owners(self.documents[rows], self.headings.of(rows))

    def followed_by(self, other: Owners) -> Owners:
        """Those of these passages and then of the others."""
        documents = np.concatenate((self.documents, other.documents))
        return Owners(documents, self.headings.followed_by(other.headings))

    def few(self, headings: _Hashes) -> _Hashes:
        """Those of the headings that few enough documents have for them to name a passage."""
        places = np.flatnonzero(np.isin(self.headings.items, headings))
        owners = self.documents[self.headings.row_of(places)]
        pairs = np.unique(np.stack((self.headings.items[places], owners), axis=1), axis=0)
        found, counts = np.unique(pairs[:, 0], return_counts=True)
        few: _Hashes = found[counts <= MOST_OWNERS]
        return few

    def naming(self, headings: Collection[str]) -> set[str]:
        """Those of the headings that few enough documents have."""
        hashes = heading_hashes(headings)
        few = set(self.few(hashes).tolist())
        return {h for h, hashed in zip(headings, hashes.tolist(), strict=True) if hashed in few}


@dataclass(frozen=True, slots=True)
class NameSources:
    """By passage: its headings' owners, and hashes of its id, of the concept keys of its
    titles, and of its words. ``concepts`` is JSON, see ``known_concepts``."""

    owners: Owners
    chunks: _Hashes
    titles: Ragged
    words: Ragged
    concepts: NDArray[np.uint8]

    def replaced_by(self, other: NameSources, rows: NDArray[np.int64]) -> NameSources:
        """Those of ``rows`` of these passages and then of the others, with the concepts of
        the others."""
        return NameSources(
            self.owners.followed_by(other.owners).of(rows),
            np.concatenate((self.chunks, other.chunks))[rows],
            self.titles.followed_by(other.titles).of(rows),
            self.words.followed_by(other.words).of(rows),
            other.concepts,
        )

    def rows_that_say(self, keys: Sequence[str]) -> NDArray[np.int64]:
        """Passages in whose text one of the names may stand."""
        lone, pairs = first_hashes(keys)
        found = np.isin(self.words.items, lone)
        if len(pairs) and len(found):
            found[:-1] |= np.isin(pair_hashes(self.words.items), pairs)
        return self.words.rows_at(np.flatnonzero(found))

    def known_concepts(self) -> list[Concept]:
        """The concepts, but for their weights."""
        return [
            Concept(key, name, tuple(aliases), definition=definition)
            for key, name, aliases, definition in json.loads(self.concepts.tobytes())
        ]


def sources_of(
    chunks: Sequence[NumberedChunk],
    passages: Sequence[NamedPassage],
    words: Sequence[NDArray[np.uint32]],
    concepts: Sequence[Concept],
) -> NameSources:
    """The sources of chunks, of what the graph sees of them, and of the hashes of their
    words, all in the same order."""
    return NameSources(
        owners_of(chunks),
        raw_hashes(each.chunk.id for each in chunks),
        _ragged([hashes_of(map(concept_key, each.titles)) for each in passages], np.uint64),
        _ragged(words, np.uint32),
        np.frombuffer(_packed(concepts), dtype=np.uint8),
    )


def owners_of(chunks: Sequence[NumberedChunk]) -> Owners:
    """Who has which headings."""
    return Owners(
        raw_hashes(each.chunk.document_id for each in chunks),
        _ragged([heading_hashes(each.chunk.heading_path) for each in chunks], np.uint64),
    )


def raw_hashes(texts: Iterable[str]) -> _Hashes:
    """A hash of each text as it is written."""
    return hashes_of(text.encode("utf-8", "backslashreplace").decode() for text in texts)


def heading_hashes(headings: Iterable[str]) -> _Hashes:
    """A hash of each heading without regard to case."""
    return raw_hashes(heading.casefold() for heading in headings)


def _ragged(lists: Sequence[NDArray[Any]], dtype: type[np.unsignedinteger[Any]]) -> Ragged:
    starts = np.cumsum([0, *map(len, lists)], dtype=np.int64)
    return Ragged(starts, np.concatenate([np.zeros(0, dtype=dtype), *lists]))


def _packed(concepts: Sequence[Concept]) -> bytes:
    rows = [(each.id, each.name, each.aliases, each.definition) for each in concepts]
    return json.dumps(rows).encode()
