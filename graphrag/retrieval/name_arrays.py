"""The arrays of a name graph: keys in the order of their hashes, lists, pieces, transposes."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphrag.ports import Keys
from graphrag.retrieval.grams import grams_of
from graphrag.retrieval.name_graph import Lists, NameGraph, hash_of

_LONG_RUN = 8  # rows, on average
_AT_ONCE = 1 << 16  # names whose pieces are found together
Names = NDArray[np.signedinteger[Any]]


@dataclass(frozen=True, slots=True)
class Spelt:
    """Keys in the order of their ``hashes``, the UTF-8 bytes of all one after the other."""

    hashes: NDArray[np.uint64]
    starts: NDArray[np.int64]
    letters: NDArray[np.uint8]

    def key(self, name: int) -> str:
        """The key of a name."""
        return self.letters[self.starts[name] : self.starts[name + 1]].tobytes().decode()

    def places(self, hashes: NDArray[np.uint64]) -> NDArray[np.int64]:
        """The name of each hash, -1 where there is none."""
        if not len(self.hashes):
            return np.full(len(hashes), -1)
        places = np.minimum(np.searchsorted(self.hashes, hashes), len(self.hashes) - 1)
        return np.where(self.hashes[places] == hashes, places, -1)


@dataclass(frozen=True, slots=True)
class Ragged:
    """Lists of any values in one array: list ``i`` is ``items[starts[i]:starts[i + 1]]``."""

    starts: NDArray[np.int64]
    items: NDArray[Any]

    def rows_with(self, wanted: NDArray[Any]) -> NDArray[np.int64]:
        """Which lists hold one of those values, ascending."""
        return self.rows_at(np.flatnonzero(np.isin(self.items, wanted)))

    def rows_at(self, places: NDArray[np.int64]) -> NDArray[np.int64]:
        """The lists in which those places of ``items`` lie, ascending."""
        return np.unique(self.row_of(places))

    def row_of(self, places: NDArray[np.int64]) -> NDArray[np.int64]:
        """The list in which each place of ``items`` lies."""
        return np.searchsorted(self.starts, places, side="right") - 1

    def of(self, rows: NDArray[np.int64]) -> Ragged:
        """The lists of those rows."""
        counts = self.starts[rows + 1] - self.starts[rows]
        starts = np.concatenate(([0], np.cumsum(counts))).astype(np.int64)
        breaks = np.flatnonzero(np.diff(rows) != 1) + 1
        if _LONG_RUN * len(breaks) < len(rows):
            # Runs of rows are copied as they lie: a tenth of the time of item by item.
            runs = np.split(rows, breaks)
            slices = [self.items[self.starts[run[0]] : self.starts[run[-1] + 1]] for run in runs]
            return Ragged(starts, np.concatenate(slices))
        shift = np.repeat(self.starts[rows] - starts[:-1], counts)
        return Ragged(starts, self.items[np.arange(starts[-1]) + shift])

    def followed_by(self, other: Ragged, rows: NDArray[np.int64]) -> Ragged:
        """The lists of those rows, counted through these lists and then the others."""
        size = len(self.starts) - 1
        runs = np.split(rows, np.flatnonzero((np.diff(rows) != 1) | (rows[1:] == size)) + 1)
        if _LONG_RUN * len(runs) > len(rows):
            return ragged_together((self, other)).of(rows)
        # As in ``of``, and without a copy of all lists before.
        parts = [
            self.between(run[0], run[-1] + 1)
            if run[0] < size
            else other.between(run[0] - size, run[-1] + 1 - size)
            for run in runs
        ]
        return ragged_together(parts)

    def between(self, first: int, stop: int) -> Ragged:
        """The lists from ``first`` to before ``stop``; the items are not copied."""
        starts = self.starts[first : stop + 1]
        return Ragged(starts - starts[0], self.items[starts[0] : starts[-1]])


@dataclass(frozen=True, slots=True)
class Pieces:
    """Sorted codes of three-letter pieces, each with the (ascending) names that hold it."""

    codes: NDArray[np.uint64]
    names: Lists


def distinct(names: Names) -> NDArray[np.int32]:
    """The different ones of many names, ascending: a tenth of the time of ``np.unique``, for
    names are small numbers."""
    return np.flatnonzero(np.bincount(names)).astype(np.int32)


def spelt_together(parts: Sequence[Spelt]) -> Spelt:
    """The distinct keys of all."""
    letters = ragged_together([Ragged(part.starts, part.letters) for part in parts])
    hashes, first = np.unique(np.concatenate([part.hashes for part in parts]), return_index=True)
    letters = letters.of(first)
    return Spelt(hashes, letters.starts, letters.items)


def ragged_together(parts: Sequence[Ragged]) -> Ragged:
    """The lists of all, one after the other."""
    ends = np.cumsum([0, *(part.starts[-1] for part in parts)])
    starts = [part.starts[1:] + end for part, end in zip(parts, ends[:-1], strict=True)]
    return Ragged(
        np.concatenate([np.zeros(1, dtype=np.int64), *starts]),
        np.concatenate([part.items for part in parts]),
    )


def hashes_of(keys: Iterable[str]) -> NDArray[np.uint64]:
    """The hash of each key."""
    return np.fromiter(map(hash_of, keys), dtype=np.uint64)


def hashed_lists(*groups: Sequence[Collection[str]]) -> tuple[Spelt, list[Ragged]]:
    """The distinct keys in groups of lists, and each group as lists of their hashes."""
    hashed = {key: hash_of(key) for keys in groups for one in keys for key in one}
    return _spelt(hashed), [
        Ragged(
            np.cumsum([0, *map(len, keys)], dtype=np.int64),
            np.fromiter((hashed[key] for one in keys for key in one), dtype=np.uint64),
        )
        for keys in groups
    ]


def lists_of(hashed: Ragged, spelt: Spelt, *, ascending: bool = False) -> Lists:
    """Lists of the keys' hashes as lists of names, in the keys' order or ascending."""
    names = spelt.places(hashed.items).astype(np.int32)
    if ascending:
        owner = np.repeat(np.arange(len(hashed.starts) - 1), np.diff(hashed.starts))
        names = names[np.lexsort((names, owner))]
    return Lists(hashed.starts, names)


def grams_of_names(spelt: Spelt, names: Names) -> Pieces:
    """The pieces of those (ascending) names."""
    found = []
    for first in range(0, max(len(names), 1), _AT_ONCE):
        part = names[first : first + _AT_ONCE]
        codes, places = grams_of([spelt.key(name) for name in part.tolist()])
        found.append((codes, part[places].astype(np.int32)))
    codes = np.concatenate([each for each, _ in found])
    order = np.argsort(codes, kind="stable")
    codes, holders = codes[order], np.concatenate([each for _, each in found])[order]
    pieces, first_of = np.unique(codes, return_index=True)
    return Pieces(pieces, Lists(np.append(first_of, len(codes)).astype(np.int64), holders))


def _spelt(hashed: Mapping[str, int]) -> Spelt:
    ordered = sorted(hashed, key=hashed.__getitem__)
    letters = [key.encode() for key in ordered]
    return Spelt(
        np.array([hashed[key] for key in ordered], dtype=np.uint64),
        np.cumsum([0, *map(len, letters)], dtype=np.int64),
        np.frombuffer(b"".join(letters), dtype=np.uint8),
    )


def finished(
    *,
    revision: int,
    numbers: Keys,
    mentions: Lists,
    titles: Lists,
    spelt: Spelt,
    spellings: Mapping[str, str],
    grams: Pieces,
) -> NameGraph:
    """The graph with all that follows from these."""
    width = len(spelt.hashes)
    mentioned_in, titled = _transposed(mentions, width), _transposed(titles, width)
    aliases, alias_names = _aliases(spellings, spelt)
    # A text never mentions its own titles here, so no passage is counted twice.
    frequency = np.diff(mentioned_in.starts) + np.diff(titled.starts)
    return NameGraph(
        revision=revision,
        numbers=numbers,
        mentions=mentions,
        mentioned_in=mentioned_in,
        titles=titles,
        titled=titled,
        hashes=spelt.hashes,
        spelling_starts=spelt.starts,
        spelling=spelt.letters,
        frequency=frequency.astype(np.int32),
        aliases=aliases,
        alias_names=alias_names,
        grams=grams.codes,
        gram_names=grams.names,
        linkage=_linkage(titles, mentioned_in),
    )


def _aliases(
    spellings: Mapping[str, str], spelt: Spelt
) -> tuple[NDArray[np.uint64], NDArray[np.int32]]:
    """Sorted hashes of the spellings of known names, and those names."""
    hashes, names = hashes_of(spellings), spelt.places(hashes_of(spellings.values()))
    hashes, names = hashes[names >= 0], names[names >= 0]
    order = np.lexsort((names, hashes))
    return hashes[order], names[order].astype(np.int32)


def _transposed(lists: Lists, width: int) -> Lists:
    """List ``j`` of the transpose holds, ascending, the lists that ``j`` is in."""
    owner = np.repeat(np.arange(len(lists.starts) - 1), np.diff(lists.starts))
    starts = np.zeros(width + 1, dtype=np.int64)
    np.cumsum(np.bincount(lists.items, minlength=width), out=starts[1:])
    # Item and owner as one number: to sort these takes a fifth of the time of ``argsort``.
    both = np.sort(lists.items.astype(np.int64) << 32 | owner)
    return Lists(starts, (both & 0xFFFFFFFF).astype(np.int32))


def _linkage(titles: Lists, mentioned_in: Lists) -> float:
    passages = len(titles.starts) - 1
    if not passages:
        return 0.0
    is_mentioned = np.diff(mentioned_in.starts)[titles.items] > 0
    owner = np.repeat(np.arange(passages), np.diff(titles.starts))
    return float(len(distinct(owner[is_mentioned])) / passages)
