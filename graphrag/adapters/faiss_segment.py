"""One immutable part of the vector index: a file of FAISS's own, mapped from disk.

It holds an ``IndexIDMap`` over an ``IndexFlatIP``; the ids are the chunk numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import faiss as _faiss
import numpy as np
from numpy.typing import NDArray

from graphrag.adapters.durable_files import replacing, translated
from graphrag.adapters.own_copies import OwnCopy
from graphrag.errors import DamagedError
from graphrag.ports import Vectors

faiss: Any = _faiss  # its annotations leave out most of what is wrapped


@dataclass(frozen=True, slots=True)
class VectorSegment:
    """``numbers`` (n,) int64, ascending; row i of ``matrix`` (n, dimension) float32 belongs
    to ``numbers[i]``. The matrix is a view into ``index`` and lives as long as it; single
    rows are fetched from ``copy``, which has the same."""

    index: Any
    flat: Any
    numbers: NDArray[np.int64]
    matrix: Vectors
    copy: OwnCopy

    def best(
        self, query: Vectors, k: int, eligible: NDArray[np.bool_] | None
    ) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """Numbers and inner products of the ``k`` best eligible rows (all without a mask,
        shape (n,)); ``query`` has shape (dimension,). Equal ones come in any order."""
        parameters = None
        if eligible is not None:
            bits = np.packbits(eligible, bitorder="little")
            selector = faiss.IDSelectorBitmap(len(eligible), faiss.swig_ptr(bits))
            parameters = faiss.SearchParameters(sel=selector)
        scores, rows = self.flat.search(query[np.newaxis], k, params=parameters)
        found = rows[0] >= 0  # FAISS pads what it lacks with row -1
        return self.numbers[rows[0][found]], scores[0][found]

    def products(self, query: Vectors) -> NDArray[np.float32]:
        """Inner products with all rows, shape (n,)."""
        count, dimension = self.matrix.shape
        out = np.empty(count, dtype=np.float32)
        faiss.fvec_inner_products_ny(
            faiss.swig_ptr(out),
            faiss.swig_ptr(query),
            self.flat.get_xb(),
            dimension,
            count,
        )
        return out

    def vectors_of(self, rows: NDArray[np.int64], out: Vectors | None = None) -> Vectors:
        """The given rows (n,) of the matrix, in their order, in ``out`` (n, dimension) where
        given."""
        matrix = self.copy.reading(len(rows))
        if matrix is self.matrix:
            # Numpy would fetch them slower: in a mapped file they do not lie on borders of
            # four bytes.
            mapped: Vectors = self.flat.reconstruct_batch(rows, x=out)
            return mapped
        found: Vectors = matrix.take(rows, axis=0, out=out, mode="clip")  # to ``out`` at once
        return found

    def products_of(self, query: Vectors, rows: NDArray[np.int64]) -> NDArray[np.float32]:
        """Inner products with the given rows, in their order."""
        out = np.empty(len(rows), dtype=np.float32)
        rows = np.ascontiguousarray(rows)
        faiss.fvec_inner_products_by_idx(
            faiss.swig_ptr(out),
            faiss.swig_ptr(query),
            faiss.swig_ptr(self.copy.reading(len(rows))),
            faiss.swig_ptr(rows),
            self.matrix.shape[1],
            1,
            len(rows),
        )
        return out


def build(numbers: NDArray[np.int64], vectors: Vectors) -> VectorSegment:
    """The segment of vectors (n, dimension) by number, n at least 1."""
    order = np.argsort(numbers, kind="stable")
    index = faiss.IndexIDMap(faiss.IndexFlatIP(vectors.shape[1]))
    index.add_with_ids(np.ascontiguousarray(vectors[order]), numbers[order])
    return _viewed(index)


def save(segment: VectorSegment, path: Path) -> None:
    """Write the segment's file, whole or not at all."""
    with replacing(path) as beside:
        try:
            faiss.write_index(segment.index, str(beside))
        except RuntimeError as error:  # FAISS's class for all its errors
            raise OSError(None, str(error)) from error


def load(path: Path, size: int, dimension: int) -> VectorSegment:
    """Map the segment's file.

    Raises StoreError when it is missing, cut, or of another size or dimension.
    """
    with translated(path):
        length = path.stat().st_size
    try:
        # FAISS maps the file without a look at its length, and a lack would kill the process.
        if length != _length(size, dimension):
            raise ValueError(f"{length} bytes in place of {_length(size, dimension)}")
        index = faiss.read_index(str(path), faiss.IO_FLAG_MMAP_IFC)
        segment = _viewed(index)
        if segment.matrix.shape != (size, dimension) or len(segment.numbers) != size:
            raise ValueError(f"shape {segment.matrix.shape} in place of {(size, dimension)}")
    except (RuntimeError, ValueError, AttributeError, MemoryError) as error:
        first = str(error).split("\n", maxsplit=1)[0]
        raise DamagedError(f"vector index {path} is damaged: build it anew ({first})") from error
    return segment


def _length(size: int, dimension: int) -> int:
    """How long the file of a segment is, in bytes."""
    one = build(np.zeros(1, dtype=np.int64), np.zeros((1, dimension), dtype=np.float32))
    bytes_each = 4 * dimension + 8
    return len(faiss.serialize_index(one.index)) + (size - 1) * bytes_each


def _viewed(index: Any) -> VectorSegment:
    flat: Any = faiss.downcast_index(index.index)
    count, dimension = flat.ntotal, flat.d
    matrix = faiss.rev_swig_ptr(flat.get_xb(), count * dimension).reshape(count, dimension)
    return VectorSegment(index, flat, faiss.vector_to_array(index.id_map), matrix, OwnCopy(matrix))
