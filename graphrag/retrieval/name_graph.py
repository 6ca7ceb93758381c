"""Passages and names as sparse arrays: who names whom, and what each is called.

A projection of the catalog for the graph channel. Rows are passages in the order of their
numbers; names are in the order of the hash of their keys, so that equal passages give
equal arrays whatever happened before. Nothing here is a Python object per name or passage:
the arrays may lie in memory or be mapped from a file.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphrag.ports import Keys

Rows = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Lists:
    """Many short lists in one array: list ``i`` is ``items[starts[i]:starts[i + 1]]``."""

    starts: NDArray[np.int64]
    items: Rows

    def __getitem__(self, i: int) -> Rows:
        return self.items[self.starts[i] : self.starts[i + 1]]

    def counts(self, chosen: Rows) -> NDArray[np.int64]:
        """The length of each chosen list."""
        return self._bounds(chosen)[1]

    def gather(self, chosen: NDArray[np.integer[Any]]) -> tuple[Rows, NDArray[np.intp]]:
        """The items of the chosen lists, one after the other, and for each the position in
        ``chosen`` of the list that it comes from."""
        starts, counts = self._bounds(chosen)
        owner = np.arange(len(chosen), dtype=np.intp).repeat(counts)
        places = (starts + counts - counts.cumsum()).take(owner)
        places += np.arange(len(owner))
        return self.items.take(places), owner

    def _bounds(
        self, chosen: NDArray[np.integer[Any]]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Where each chosen list starts, and its length."""
        starts = self.starts.take(chosen)
        counts: NDArray[np.int64] = self.starts[1:].take(chosen)
        counts -= starts
        return starts, counts


@dataclass(frozen=True, slots=True)
class NameGraph:
    """``mentions``: names in a passage's text (its own titles left out); ``mentioned_in``
    its transpose; ``titles``: names of a passage; ``titled`` its transpose; ``hashes``:
    sorted, of the names' keys; ``spelling``: UTF-8 bytes of the keys; ``frequency``: how
    many passages mention or carry a name; ``aliases``: sorted hashes of the spellings of
    concepts, and ``alias_names`` the names that they mean; ``grams``: sorted codes of the
    three-letter pieces of the titles, and ``gram_names`` the titles that hold them;
    ``linkage``: share of the passages with a title that another passage mentions."""

    revision: int
    numbers: Keys
    mentions: Lists
    mentioned_in: Lists
    titles: Lists
    titled: Lists
    hashes: NDArray[np.uint64]
    spelling_starts: NDArray[np.int64]
    spelling: NDArray[np.uint8]
    frequency: Rows
    aliases: NDArray[np.uint64]
    alias_names: Rows
    grams: NDArray[np.uint64]
    gram_names: Lists
    linkage: float

    def key(self, name: int) -> str:
        """The key of a name."""
        start, stop = self.spelling_starts[name], self.spelling_starts[name + 1]
        return self.spelling[start:stop].tobytes().decode()

    def find(self, keys: Sequence[str]) -> dict[str, int]:
        """The names of those keys that are known."""
        places = _places(self.hashes, keys)
        return {key: int(place) for key, place in zip(keys, places, strict=True) if place >= 0}

    def find_concepts(self, keys: Sequence[str]) -> dict[str, int]:
        """The names that are meant by those spellings of concepts (``concepts.names`` keys)."""
        places = _places(self.aliases, keys)
        return {
            key: int(self.alias_names[place])
            for key, place in zip(keys, places, strict=True)
            if place >= 0
        }

    def rows_of(self, numbers: Keys) -> Rows:
        """Rows of those passages that are in the graph, in the order of ``numbers``."""
        if not len(self.numbers):
            return np.zeros(0, dtype=np.int32)
        places = np.minimum(np.searchsorted(self.numbers, numbers), len(self.numbers) - 1)
        rows: Rows = places[self.numbers[places] == numbers].astype(np.int32)
        return rows


def hash_of(key: str) -> int:
    """64 bits that stand for a key."""
    return int.from_bytes(hashlib.blake2b(key.encode(), digest_size=8).digest(), "little")


def _places(hashes: NDArray[np.uint64], keys: Sequence[str]) -> NDArray[np.int64]:
    """Where each key's hash stands in the sorted hashes, -1 where it does not."""
    wanted = np.array([hash_of(key) for key in keys], dtype=np.uint64)
    if not len(hashes):
        return np.full(len(wanted), -1)
    places = np.minimum(np.searchsorted(hashes, wanted), len(hashes) - 1)
    return np.where(hashes[places] == wanted, places, -1)
