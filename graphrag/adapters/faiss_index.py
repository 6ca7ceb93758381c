"""The vector index: exact inner products by FAISS, in one file with its revision.

The file is a magic line, the length and text of a JSON header (revision, fingerprint,
dimension, count, checksum), then FAISS's own serialisation; it is replaced whole.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import faiss
import numpy as np
from numpy.typing import NDArray

from graphrag.adapters.durable_files import make_folder, translated, write_whole
from graphrag.errors import ModelError, StoreError
from graphrag.ports import Keys, Vectors

_MAGIC = b"graphrag vectors 1\n"
_DIGITS = 6  # scores that differ by less are equal: the order of summation varies


@dataclass(frozen=True, slots=True)
class _State:
    """All that a search reads: replaced as a whole by an update.

    ``numbers`` (n,) int64, ascending, in the order of the rows of ``matrix``
    (n, dimension), which is a view into ``index``.
    """

    revision: int
    index: Any
    numbers: NDArray[np.int64]
    matrix: Vectors


class FaissIndex:
    """``ports.VectorIndex``: IndexIDMap2 over IndexFlatIP. Searching is thread-safe."""

    def __init__(self, path: Path, dimension: int, fingerprint: str, state: _State) -> None:
        self._path = path
        self._dimension = dimension
        self._fingerprint = fingerprint
        self._state = state

    @classmethod
    def open(cls, path: Path, *, dimension: int, fingerprint: str) -> Self:
        """Open the file; a missing one is an empty index of revision 0.

        Raises StoreError when the file is damaged, ModelError when another model made it.
        """
        with translated(path):
            missing = not path.exists()
        if missing:
            empty = _state(0, np.empty(0, np.int64), np.empty((0, dimension), np.float32))
            return cls(path, dimension, fingerprint, empty)
        return cls(path, dimension, fingerprint, _load(path, dimension, fingerprint))

    @property
    def revision(self) -> int:
        return self._state.revision

    @property
    def fingerprint(self) -> str:
        return self._fingerprint

    def update(
        self, numbers: Sequence[int], vectors: Vectors, removed: Sequence[int], revision: int
    ) -> None:
        fresh = np.asarray(numbers, dtype=np.int64)
        rows = self._checked(vectors, len(fresh))
        if len(np.unique(fresh)) != len(fresh):
            raise StoreError("a number is given twice in one change of the vector index")
        state = self._state
        kept = ~np.isin(state.numbers, [*removed, *numbers])
        all_numbers = np.concatenate([state.numbers[kept], fresh])
        order = np.argsort(all_numbers, kind="stable")
        matrix = np.concatenate([state.matrix[kept], rows])[order]
        changed = _state(revision, all_numbers[order], matrix)
        _save(self._path, changed, self._dimension, self._fingerprint)
        self._state = changed

    def search(
        self, vector: Vectors, k: int, *, allowed: Keys | None = None
    ) -> list[tuple[int, float]]:
        state = self._state
        query = self._checked(np.reshape(vector, (1, -1)), 1)
        if allowed is not None:
            rows = _rows(state.numbers, np.asarray(allowed))
            return _best(state.numbers[rows], state.matrix[rows] @ query[0], k)
        k = min(k, len(state.numbers))
        if k <= 0:
            return []
        wanted = min(2 * k + 8, len(state.numbers))
        while True:
            scores, numbers = state.index.search(query, wanted)
            found = numbers[0] >= 0
            kept = np.round(scores[0][found], _DIGITS)
            # A tie across the border of what was fetched could hide a smaller number.
            if wanted == len(state.numbers) or kept[k - 1] > kept[-1]:
                return _best(numbers[0][found], kept, k)
            wanted = min(4 * wanted, len(state.numbers))

    def similarities(self, vector: Vectors, numbers: Keys) -> NDArray[np.float32]:
        state = self._state
        query = self._checked(np.reshape(vector, (1, -1)), 1)[0]
        keys = np.asarray(numbers, dtype=np.int64)
        if len(keys) == len(state.numbers) and np.array_equal(keys, state.numbers):
            return _product(state.matrix, query)
        found = np.zeros(len(keys), dtype=np.float32)
        if not len(state.numbers):
            return found
        places = np.minimum(np.searchsorted(state.numbers, keys), len(state.numbers) - 1)
        known = state.numbers[places] == keys
        # Multiplying all rows is faster than gathering more than a part of them.
        if 4 * len(keys) > len(state.numbers):
            found[known] = _product(state.matrix, query)[places[known]]
        else:
            found[known] = _product(state.matrix[places[known]], query)
        return found

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


def _state(revision: int, numbers: NDArray[np.int64], vectors: Vectors) -> _State:
    index = faiss.IndexIDMap2(faiss.IndexFlatIP(vectors.shape[1]))
    if len(numbers):
        index.add_with_ids(vectors, numbers)
    return _State(revision, index, numbers, _view(index))


def _view(index: Any) -> Vectors:
    """The vectors inside the index, not copied; they live as long as the index."""
    flat: Any = faiss.downcast_index(index.index)
    count, dimension = flat.ntotal, flat.d
    if not count:
        return np.empty((0, dimension), dtype=np.float32)
    matrix: Vectors = faiss.rev_swig_ptr(flat.get_xb(), count * dimension).reshape(count, dimension)
    return matrix


def _save(path: Path, state: _State, dimension: int, fingerprint: str) -> None:
    body = faiss.serialize_index(state.index).data
    header = json.dumps(
        {
            "revision": state.revision,
            "fingerprint": fingerprint,
            "dimension": dimension,
            "count": len(state.numbers),
            "checksum": zlib.crc32(body),
        }
    ).encode()
    make_folder(path.parent)
    write_whole(path, _MAGIC, len(header).to_bytes(8, "little"), header, body)


def _load(path: Path, dimension: int, fingerprint: str) -> _State:
    with translated(path):
        content = np.fromfile(path, dtype=np.uint8)
    try:
        begin = len(_MAGIC) + 8
        if content[: len(_MAGIC)].tobytes() != _MAGIC:
            raise ValueError("no vector index of this version")
        stop = begin + int.from_bytes(content[len(_MAGIC) : begin].tobytes(), "little")
        header = json.loads(content[begin:stop].tobytes())
        body = content[stop:]
        if zlib.crc32(body.data) != header["checksum"]:
            raise ValueError("wrong checksum")
        made_by, made_for = str(header["fingerprint"]), int(header["dimension"])
        if (made_by, made_for) == (fingerprint, dimension):
            index: Any = faiss.deserialize_index(body)
            numbers = faiss.vector_to_array(index.id_map)
            return _State(int(header["revision"]), index, numbers, _view(index))
    except (ValueError, KeyError, TypeError, OverflowError, RuntimeError) as error:
        raise StoreError(f"vector index {path} is damaged: build it anew ({error})") from error
    raise ModelError(
        f"vector index {path} was made by model {made_by} of dimension {made_for}, not by "
        f"{fingerprint} of dimension {dimension}: use that model, or build the index anew"
    )


def _rows(known: NDArray[np.int64], wanted: NDArray[np.int64]) -> NDArray[np.int64]:
    """Places in ``known`` of the sorted numbers ``wanted`` that are there."""
    places = np.searchsorted(known, wanted)
    inside = places < len(known)
    found: NDArray[np.int64] = places[inside][known[places[inside]] == wanted[inside]]
    return found


def _product(matrix: Vectors, vector: Vectors) -> NDArray[np.float32]:
    scores: NDArray[np.float32] = matrix @ vector
    return scores


def _best(
    numbers: NDArray[np.int64], scores: NDArray[np.float32], k: int
) -> list[tuple[int, float]]:
    """The ``k`` highest scores, best first, ties by number."""
    rounded = np.round(scores.astype(np.float64), _DIGITS)
    order = np.lexsort((numbers, -rounded))[: max(k, 0)]
    return list(zip(numbers[order].tolist(), rounded[order].tolist(), strict=True))
