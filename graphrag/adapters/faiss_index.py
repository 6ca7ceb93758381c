"""The vector index: exact inner products by FAISS over immutable segments.

A change writes the new vectors alone; the manifest says which old ones are dead. The
segments are mapped from disk: opening reads little more than their headers, and several
processes share one copy in memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray

from graphrag.adapters import segments
from graphrag.adapters.durable_files import make_folder
from graphrag.adapters.faiss_segment import VectorSegment, build, load, save
from graphrag.errors import ModelError, StoreError
from graphrag.ports import Keys, Vectors

_KIND = "faiss flat 1"
_SMALL = 2048  # segments of fewer vectors are merged at once: a few MB
_DIGITS = 6  # scores that differ by less are equal: the order of summation varies


@dataclass(frozen=True, slots=True)
class _Part:
    """A segment in use: its file's name, checksum, and which rows are alive (n,)."""

    name: str
    checksum: int
    segment: VectorSegment
    alive: NDArray[np.bool_]
    count: int


@dataclass(frozen=True, slots=True)
class _State:
    """All that a search reads: replaced as a whole by an update."""

    revision: int
    parts: tuple[_Part, ...]
    next_file: int


class FaissIndex:
    """``ports.VectorIndex`` from a folder. Searching is safe in several threads.

    Scores are rounded to six digits, so that equal vectors tie whatever the order of
    summation.
    """

    def __init__(self, path: Path, dimension: int, fingerprint: str, state: _State) -> None:
        self._path = path
        self._dimension = dimension
        self._fingerprint = fingerprint
        self._state = state

    @classmethod
    def open(cls, path: Path, *, dimension: int, fingerprint: str) -> Self:
        """Open the folder; a missing one is an empty index of revision 0.

        Raises StoreError when it is damaged, ModelError when another model made it.
        """
        manifest, opened = segments.load(
            path, _KIND, lambda file, size: load(file, size, dimension)
        )
        made_by = manifest.values.get("fingerprint", fingerprint)
        if made_by != fingerprint:
            raise ModelError(
                f"vector index {path} was made by model {made_by}, not by {fingerprint}: use "
                "that model, or build the index anew"
            )
        parts = tuple(
            _Part(part.name, part.checksum, segment, part.alive, _living(part.alive))
            for part, segment in zip(manifest.parts, opened, strict=True)
        )
        state = _State(manifest.revision, parts, manifest.next_file)
        return cls(path, dimension, fingerprint, state)

    @property
    def revision(self) -> int:
        return self._state.revision

    @property
    def fingerprint(self) -> str:
        return self._fingerprint

    def check(self) -> None:
        """Read every vector. Raises StoreError where one is not what was written."""
        segments.check(self._path, _named(self._state.parts))

    def update(
        self, numbers: Sequence[int], vectors: Vectors, removed: Sequence[int], revision: int
    ) -> None:
        fresh = np.asarray(numbers, dtype=np.int64)
        rows = self._checked(vectors, len(fresh))
        if len(np.unique(fresh)) != len(fresh):
            raise StoreError("a number is given twice in one change of the vector index")
        make_folder(self._path)
        state = self._state
        gone = np.unique(np.asarray([*removed, *numbers], dtype=np.int64))
        parts = [part for part in (_without(part, gone) for part in state.parts) if part.count]
        if len(fresh):
            parts.append(_whole("", build(fresh, rows)))
        parts, next_file = self._merged(parts, state.next_file)
        manifest = segments.Manifest(
            _KIND,
            revision,
            _named(parts),
            {"fingerprint": self._fingerprint},
            next_file,
        )
        segments.save(self._path, manifest)
        self._state = _State(revision, tuple(parts), next_file)

    def search(
        self, vector: Vectors, k: int, *, allowed: Keys | None = None
    ) -> list[tuple[int, float]]:
        query = self._checked(np.reshape(vector, (1, -1)), 1)[0]
        if k <= 0:
            return []
        found = [_search_part(part, query, k, allowed) for part in self._state.parts]
        return _best(
            np.concatenate([numbers for numbers, _ in found] or [np.empty(0, np.int64)]),
            np.concatenate([scores for _, scores in found] or [np.empty(0, np.float32)]),
            k,
        )

    def similarities(self, vector: Vectors, numbers: Keys) -> NDArray[np.float32]:
        query = self._checked(np.reshape(vector, (1, -1)), 1)[0]
        keys = np.asarray(numbers, dtype=np.int64)
        found = np.zeros(len(keys), dtype=np.float32)
        for part in self._state.parts:
            known = part.segment.numbers
            if not len(keys):
                break
            places = np.minimum(np.searchsorted(known, keys), len(known) - 1)
            here = np.flatnonzero((known[places] == keys) & part.alive[places])
            # Multiplying all rows in a row is faster than fetching more than a part of them.
            if 4 * len(here) > len(known):
                found[here] = part.segment.products(query)[places[here]]
            else:
                found[here] = part.segment.products_of(query, places[here])
        return found

    def _merged(self, parts: list[_Part], next_file: int) -> tuple[list[_Part], int]:
        """Merge what is of like size and write the segments that are new."""
        living = [part.count for part in parts]
        sizes = [len(part.alive) for part in parts]
        merged: list[_Part] = []
        for group in segments.merge_groups(living, sizes, _SMALL):
            part = parts[group[0]]
            if len(group) > 1:
                chosen = [parts[place] for place in dict.fromkeys(group)]
                part = _whole(
                    "",
                    build(
                        np.concatenate([each.segment.numbers[each.alive] for each in chosen]),
                        np.concatenate([each.segment.matrix[each.alive] for each in chosen]),
                    ),
                )
            if not part.name:
                file = self._path / f"segment-{next_file:06d}.faiss"
                next_file += 1
                save(part.segment, file)
                part = _whole(file.name, part.segment, segments.checksum(file))
            merged.append(part)
        return merged, next_file

    def _checked(self, vectors: Vectors, count: int) -> Vectors:
        if count == len(vectors) == 0:
            return np.empty((0, self._dimension), dtype=np.float32)
        rows = np.ascontiguousarray(vectors, dtype=np.float32)
        if rows.shape != (count, self._dimension):
            raise ModelError(
                f"vectors of shape {rows.shape} do not fit {count} numbers of dimension "
                f"{self._dimension}: use the embedding model that made the index"
            )
        if not np.isfinite(rows).all():
            raise ModelError("a vector holds NaN or infinity: check the embedding model")
        return rows


def _living(alive: NDArray[np.bool_]) -> int:
    return int(np.count_nonzero(alive))


def _whole(name: str, segment: VectorSegment, total: int = -1) -> _Part:
    size = len(segment.numbers)
    return _Part(name, total, segment, np.ones(size, dtype=bool), size)


def _without(part: _Part, gone: NDArray[np.int64]) -> _Part:
    places = segments.places_of(part.segment.numbers, gone)
    if not part.alive[places].any():
        return part
    alive = part.alive.copy()
    alive[places] = False
    return _Part(part.name, part.checksum, part.segment, alive, _living(alive))


def _named(parts: Sequence[_Part]) -> tuple[segments.Part, ...]:
    return tuple(segments.Part(part.name, part.alive, part.checksum) for part in parts)


def _search_part(
    part: _Part, query: Vectors, k: int, allowed: Keys | None
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """At least the ``k`` best of the part, by rounded score and number."""
    segment, eligible, count = part.segment, None, part.count
    if allowed is not None:
        rows = segments.places_of(segment.numbers, np.asarray(allowed, dtype=np.int64))
        rows = rows[part.alive[rows]]
        if 4 * len(rows) <= len(segment.numbers):
            return segment.numbers[rows], segment.products_of(query, rows)
        eligible, count = np.zeros(len(segment.numbers), dtype=bool), len(rows)
        eligible[rows] = True
    elif count < len(part.alive):
        eligible = part.alive
    wanted = min(2 * k + 8, count)
    while wanted:
        numbers, scores = segment.best(query, wanted, eligible)
        kept = np.round(scores, _DIGITS)
        # A tie across the border of what was fetched could hide a smaller number.
        if wanted == count or kept[k - 1] > kept[-1]:
            return numbers, scores
        wanted = min(4 * wanted, count)
    return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.float32)


def _best(
    numbers: NDArray[np.int64], scores: NDArray[np.float32], k: int
) -> list[tuple[int, float]]:
    """The ``k`` highest scores, best first, ties by number."""
    rounded = np.round(scores.astype(np.float64), _DIGITS)
    order = np.lexsort((numbers, -rounded))[:k]
    return list(zip(numbers[order].tolist(), rounded[order].tolist(), strict=True))
