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

import numpy as np
from numpy.typing import NDArray

from graphrag.concepts.names import name_key as concept_key
from graphrag.domain import Concept
from graphrag.ports import NumberedChunk
from graphrag.retrieval.name_arrays import Ragged, hashes_of, ragged_together
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

    def followed_by(self, other: Owners, rows: NDArray[np.int64]) -> Owners:
        """Those of rows of these passages and then of the others."""
        return Owners(
            np.concatenate((self.documents, other.documents))[rows],
            self.headings.followed_by(other.headings, rows),
        )

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
        return among(self.few(hashes), headings, hashes)


@dataclass(frozen=True, slots=True)
class NameSources:
    """By passage: its headings' owners, and hashes of the concept keys of its titles, and of
    its words. ``concepts`` is JSON, see ``known_concepts``."""

    owners: Owners
    titles: Ragged
    words: Ragged
    concepts: NDArray[np.uint8]

    def replaced_by(self, other: NameSources, rows: NDArray[np.int64]) -> NameSources:
        """Those of ``rows`` of these passages and then of the others, with the concepts of
        the others."""
        return NameSources(
            self.owners.followed_by(other.owners, rows),
            self.titles.followed_by(other.titles, rows),
            self.words.followed_by(other.words, rows),
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
        """The concepts, but for their weights and definitions."""
        return [
            Concept(key, name, tuple(aliases))
            for key, name, aliases in json.loads(self.concepts.tobytes())
        ]


def sources_of(
    chunks: Sequence[NumberedChunk],
    passages: Sequence[NamedPassage],
    words: Ragged,
    concepts: Sequence[Concept],
) -> NameSources:
    """The sources of chunks, of what the graph sees of them, and of the hashes of their
    words, all in the same order."""
    return NameSources(
        owners_of(chunks),
        _ragged([hashes_of(map(concept_key, each.titles)) for each in passages]),
        words,
        np.frombuffer(_packed(concepts), dtype=np.uint8),
    )


def sources_together(parts: Sequence[NameSources]) -> NameSources:
    """The sources of all, one after the other; the parts know the same concepts."""
    return NameSources(
        owners_together([part.owners for part in parts]),
        ragged_together([part.titles for part in parts]),
        ragged_together([part.words for part in parts]),
        parts[0].concepts,
    )


def owners_of(chunks: Sequence[NumberedChunk]) -> Owners:
    """Who has which headings."""
    return Owners(
        raw_hashes(each.chunk.document_id for each in chunks),
        _ragged([heading_hashes(each.chunk.heading_path) for each in chunks]),
    )


def owners_together(parts: Sequence[Owners]) -> Owners:
    """Those of all, one after the other."""
    return Owners(
        np.concatenate([part.documents for part in parts]),
        ragged_together([part.headings for part in parts]),
    )


def raw_hashes(texts: Iterable[str]) -> _Hashes:
    """A hash of each text as it is written."""
    return hashes_of(text.encode("utf-8", "backslashreplace").decode() for text in texts)


def heading_hashes(headings: Iterable[str]) -> _Hashes:
    """A hash of each heading without regard to case."""
    return raw_hashes(heading.casefold() for heading in headings)


def among(few: _Hashes, headings: Collection[str], hashes: _Hashes | None = None) -> set[str]:
    """Those of the headings whose hash is one of the few."""
    hashes = heading_hashes(headings) if hashes is None else hashes
    known = np.isin(hashes, few).tolist()
    return {heading for heading, kept in zip(headings, known, strict=True) if kept}


def _ragged(lists: Sequence[_Hashes]) -> Ragged:
    starts = np.cumsum([0, *map(len, lists)], dtype=np.int64)
    return Ragged(starts, np.concatenate([np.zeros(0, dtype=np.uint64), *lists]))


def _packed(concepts: Sequence[Concept]) -> bytes:
    rows = [(each.id, each.name, each.aliases) for each in concepts]
    return json.dumps(rows).encode()
