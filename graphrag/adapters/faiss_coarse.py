"""Small stand-ins of vectors that find candidates, which are then scored in full.

``int8`` keeps one byte a coordinate and finds what exact search does (see ``faiss_bytes``),
``ivf`` keeps the same in lists of which a search looks into some (see ``faiss_lists``), and
``binary`` one bit (a twenty-seventh of the size, a quarter of the time at 14,000 vectors). On
the passages of four question sets (14,186 vectors of bge-small, 600 questions) the best 20
of ``binary`` after rescoring agree with exact search to 99.96 %.

Source of the binary code: Gao and Long, RaBitQ, SIGMOD 2024.
"""

from __future__ import annotations

import zlib
from pathlib import Path
from typing import Any, Literal

import faiss as _faiss
import numpy as np
from numpy.typing import NDArray

from graphrag.adapters import segments
from graphrag.adapters.durable_files import translated, write_whole
from graphrag.adapters.faiss_bytes import (
    ByteCodes,
    Products,
    byte_codes,
    index_within,
    unpacked,
)
from graphrag.adapters.faiss_lists import InvertedLists, inverted_lists
from graphrag.errors import DamagedError
from graphrag.ports import Vectors

faiss: Any = _faiss  # its annotations leave out most of what is wrapped

Precision = Literal["exact", "int8", "binary", "ivf"]

_COARSE_FROM = 10_000  # vectors of a segment; fewer are scanned in full in about 1 ms
_LISTS_FROM = 50_000  # fewer are scanned by their bytes in about 2 ms
_CANDIDATES = 32  # to score in full for each one that is wanted
_QUERY_BITS = 4
_CHECKSUM = 4  # bytes at the end of a file


def stand_in_for(size: int, precision: Precision) -> Precision:
    """What a segment of that many vectors is searched by, where that precision is asked for:
    ``exact`` is the segment itself."""
    if precision == "exact" or size < _COARSE_FROM:
        return "exact"
    return "int8" if precision == "ivf" and size < _LISTS_FROM else precision


def build(vectors: Vectors, precision: Precision) -> Any:
    """The stand-in of vectors (n, dimension), row i of which is row i of theirs."""
    if precision == "int8":
        return byte_codes(vectors)
    if precision == "ivf":
        return inverted_lists(vectors)
    index = faiss.IndexRaBitQ(vectors.shape[1], faiss.METRIC_INNER_PRODUCT)
    rows = np.ascontiguousarray(vectors)
    index.train(rows)
    index.add(rows)
    return index


def best(
    stand_in: Any, query: Vectors, k: int, eligible: NDArray[np.bool_] | None, products: Products
) -> tuple[NDArray[np.int64], NDArray[np.float32]] | None:
    """Rows that hold the ``k`` best eligible ones (all without a mask), very likely where
    the stand-in is binary or lists, and their ``products``; None where that takes a full
    scan."""
    if isinstance(stand_in, ByteCodes | InvertedLists):
        return stand_in.best(query, k, eligible, products)
    parameters = faiss.RaBitQSearchParameters()
    parameters.qb = _QUERY_BITS
    if eligible is not None:
        bits = np.packbits(eligible, bitorder="little")
        selector = faiss.IDSelectorBitmap(len(eligible), faiss.swig_ptr(bits))
        parameters.sel = selector
    wanted = min(k * _CANDIDATES, stand_in.ntotal)
    rows = stand_in.search(query[np.newaxis], wanted, params=parameters)[1][0]
    found: NDArray[np.int64] = np.sort(rows[rows >= 0])
    return found, products(found)


def save(stand_in: Any, path: Path) -> None:
    """Write the stand-in and its checksum, whole or not at all."""
    if isinstance(stand_in, ByteCodes):
        parts = stand_in.packed()
    else:
        index = stand_in.index if isinstance(stand_in, InvertedLists) else stand_in
        parts = [faiss.serialize_index(index).data]
    total = 0
    for part in parts:
        total = zlib.crc32(part, total)
    write_whole(path, *parts, total.to_bytes(_CHECKSUM, "little"))


def load(path: Path, size: int, dimension: int, precision: Precision) -> Any:
    """Map what ``save`` wrote; the bytes of a large file are checked by ``check`` alone.

    Raises StoreError when it is missing or damaged.
    """
    content = _mapped(path)
    if len(content) <= segments.CHECKED_AT_ONCE:
        _check(content, path)
    try:
        body = content[:-_CHECKSUM]
        by_bytes = unpacked(body, dimension) if precision == "int8" else None
        index = by_bytes.index if by_bytes else index_within(body)
        if (index.ntotal, index.d) != (size, dimension):
            raise ValueError(f"shape {(index.ntotal, index.d)} in place of {(size, dimension)}")
    except (RuntimeError, ValueError) as error:
        first = str(error).split("\n", maxsplit=1)[0]
        raise DamagedError(f"vector index {path} is damaged: build it anew ({first})") from error
    return by_bytes or (InvertedLists(index) if precision == "ivf" else index)


def check(path: Path) -> None:
    """Read the file of a stand-in whole. Raises StoreError where it is not what was written."""
    _check(_mapped(path), path)


def _mapped(path: Path) -> NDArray[np.uint8]:
    with translated(path):
        if path.stat().st_size <= _CHECKSUM:
            raise DamagedError(f"vector index {path} is damaged: build it anew (it is cut)")
        # As a plain array, each slice of which is cheaper than one of a memmap object.
        return np.asarray(np.memmap(path, dtype=np.uint8, mode="r"))


def _check(content: NDArray[np.uint8], path: Path) -> None:
    body, total = content[:-_CHECKSUM], content[-_CHECKSUM:]
    if zlib.crc32(body.data) != int.from_bytes(total.tobytes(), "little"):
        raise DamagedError(f"vector index {path} is damaged: build it anew (wrong checksum)")
