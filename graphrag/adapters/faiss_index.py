"""The vector index: inner products by FAISS over immutable segments.

A change writes the new vectors alone; the manifest says which old ones are dead. The
segments are mapped from disk: opening reads little more than their headers, and several
processes share one copy in memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from graphrag.adapters import faiss_coarse, faiss_parts, segments
from graphrag.adapters.durable_files import checksum, make_folder
from graphrag.adapters.faiss_coarse import Precision
from graphrag.adapters.faiss_parts import Part
from graphrag.adapters.faiss_segment import VectorSegment, build, load, save
from graphrag.adapters.vector_kind import vector_kind
from graphrag.errors import ModelError, StoreError
from graphrag.ports import Keys, Vectors

_SMALL = 2048  # segments of fewer vectors are merged at once: a few MB


@dataclass(frozen=True, slots=True)
class _State:
    """All that a search reads: replaced as a whole by an update."""

    revision: int
    parts: tuple[Part, ...]
    next_file: int


class FaissIndex:
    """``ports.VectorIndex`` from a folder. Searching is safe in several threads.

    Scores are rounded to six digits, so that equal vectors tie whatever the order of
    summation. With a ``precision`` other than ``exact`` large segments are searched by
    small stand-ins, and what they find is scored in full (see ``faiss_coarse``).
    """

    def __init__(self, path: Path, dimension: int, fingerprint: str, precision: Precision) -> None:
        self._path = path
        self._dimension = dimension
        self._fingerprint = fingerprint
        self._precision = precision
        self._stamp, self._state = self._load()

    @classmethod
    def open(
        cls, path: Path, *, dimension: int, fingerprint: str, precision: Precision = "exact"
    ) -> Self:
        """Open the folder; a missing one is an empty index of revision 0.

        Raises StoreError when it is damaged or of another precision: delete it and build
        it anew; ModelError when another model made it.
        """
        return cls(path, dimension, fingerprint, precision)

    @property
    def revision(self) -> int:
        """The revision on disk; what another process wrote there is taken up."""
        self._refresh()
        return self._state.revision

    @property
    def fingerprint(self) -> str:
        return self._fingerprint

    def check(self) -> None:
        """Read every vector. Raises StoreError where one is not what was written."""
        segments.check(self._path, _named(self._state.parts))
        for part in self._state.parts:
            kind = faiss_coarse.stand_in_for(len(part.alive), self._precision)
            if kind != "exact":
                faiss_coarse.check(_beside(self._path / part.name, kind))

    def update(
        self, numbers: Sequence[int], vectors: Vectors, removed: Sequence[int], revision: int
    ) -> None:
        fresh = np.asarray(numbers, dtype=np.int64)
        rows = self._checked(vectors, len(fresh))
        if len(np.unique(fresh)) != len(fresh):
            raise StoreError("a number is given twice in one change of the vector index")
        make_folder(self._path)
        self._refresh()
        state = self._state
        gone = np.unique(np.asarray([*removed, *numbers], dtype=np.int64))
        parts = [part for part in (each.without(gone) for each in state.parts) if part.count]
        if len(fresh):
            parts.append(faiss_parts.whole(build(fresh, rows)))
        parts, next_file = self._merged(parts, state.next_file)
        values = {"fingerprint": self._fingerprint}
        kind = vector_kind(self._precision)
        segments.save(
            self._path, segments.Manifest(kind, revision, _named(parts), values, next_file)
        )
        self._stamp = segments.stamp(self._path)
        self._state = _State(revision, tuple(parts), next_file)

    def search(
        self, vector: Vectors, k: int, *, allowed: Keys | None = None
    ) -> list[tuple[int, float]]:
        query = self._checked(np.reshape(vector, (1, -1)), 1)[0]
        parts = self._state.parts
        if k <= 0 or not parts:
            return []
        found = [faiss_parts.search(part, query, k, allowed) for part in parts]
        numbers = faiss_parts.foremost(
            np.concatenate([numbers for numbers, _ in found]),
            np.concatenate([scores for _, scores in found]),
            k,
        )
        return faiss_parts.best(numbers, self.vectors(numbers), query, k)

    def similarities(self, vector: Vectors, numbers: Keys) -> NDArray[np.float32]:
        query = self._checked(np.reshape(vector, (1, -1)), 1)[0]
        keys = np.asarray(numbers, dtype=np.int64)
        found = np.zeros(len(keys), dtype=np.float32)
        if len(keys):
            for part in self._state.parts:
                faiss_parts.similarities(part, query, keys, found)
        return found

    def vectors(self, numbers: Keys) -> Vectors:
        keys = np.asarray(numbers, dtype=np.int64)
        found = np.zeros((len(keys), self._dimension), dtype=np.float32)
        if len(keys):
            for part in self._state.parts:
                faiss_parts.vectors(part, keys, found)
        return found

    def _refresh(self) -> None:
        if segments.stamp(self._path) != self._stamp:
            self._stamp, self._state = self._load()

    def _load(self) -> tuple[list[int], _State]:
        precision, dimension = self._precision, self._dimension

        def opened(file: Path, size: int) -> tuple[VectorSegment, Any]:
            kind = faiss_coarse.stand_in_for(size, precision)
            coarse = None
            if kind != "exact":
                coarse = faiss_coarse.load(_beside(file, kind), size, dimension, kind)
            return load(file, size, dimension), coarse

        stamp = segments.stamp(self._path)
        manifest, found = segments.load(self._path, vector_kind(precision), opened)
        made_by = manifest.values.get("fingerprint", self._fingerprint)
        if made_by != self._fingerprint:
            raise ModelError(
                f"vector index {self._path} was made by model {made_by}, not by "
                f"{self._fingerprint}: use that model, or build the index anew"
            )
        parts = tuple(
            Part(
                named.name,
                named.checksum,
                segment,
                named.alive,
                faiss_parts.living(named.alive),
                coarse,
            )
            for named, (segment, coarse) in zip(manifest.parts, found, strict=True)
        )
        return stamp, _State(manifest.revision, parts, manifest.next_file)

    def _merged(self, parts: list[Part], next_file: int) -> tuple[list[Part], int]:
        """Merge what is of like size and write the segments that are new."""
        living = [part.count for part in parts]
        sizes = [len(part.alive) for part in parts]
        merged: list[Part] = []
        for group in segments.merge_groups(living, sizes, _SMALL):
            part = parts[group[0]]
            if len(group) > 1:
                part = _joined([parts[place] for place in dict.fromkeys(group)])
            if not part.name:
                part = self._written(part.segment, f"segment-{next_file:06d}.faiss")
                next_file += 1
            merged.append(part)
        return merged, next_file

    def _written(self, segment: VectorSegment, name: str) -> Part:
        file = self._path / name
        save(segment, file)
        kind = faiss_coarse.stand_in_for(len(segment.numbers), self._precision)
        coarse = None
        if kind != "exact":
            coarse = faiss_coarse.build(segment.matrix, kind)
            faiss_coarse.save(coarse, _beside(file, kind))
        return faiss_parts.whole(segment, name, checksum(file), coarse)

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


def _beside(file: Path, kind: Precision) -> Path:
    """The file of the stand-in that goes with a segment's."""
    return file.with_suffix(f".{kind}")


def _joined(parts: Sequence[Part]) -> Part:
    numbers = np.concatenate([part.segment.numbers[part.alive] for part in parts])
    vectors = np.concatenate([part.segment.matrix[part.alive] for part in parts])
    return faiss_parts.whole(build(numbers, vectors))


def _named(parts: Sequence[Part]) -> tuple[segments.Part, ...]:
    return tuple(segments.Part(part.name, part.alive, part.checksum) for part in parts)
