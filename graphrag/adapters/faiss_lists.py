"""Inverted lists: vectors by the centre that is nearest, of which a question looks into a few.

The centres come from k-means over an even sample of the vectors, with the seed of FAISS: the
same vectors in the same order give the same lists. A list keeps one byte a coordinate, and
what is found by those is scored in full. Vectors at the border of two lists may be missed, so
which of the last places are found can depend on the lists, and those on what a segment
holds; scores never do.

Source: Sivic and Zisserman, Video Google, ICCV 2003; Jégou, Douze and Schmid, Product
quantization for nearest neighbor search, TPAMI 2011 (inverted lists with codes).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import faiss as _faiss
import numpy as np
from numpy.typing import NDArray

from graphrag.adapters.faiss_bytes import Products
from graphrag.ports import Vectors

faiss: Any = _faiss  # its annotations leave out most of what is wrapped

_PROBES = 48  # lists that a question looks into, where all vectors may be found
_EACH = 8  # how many of the nearest by their bytes are scored in full, for each that is wanted
_SAMPLE = 64  # vectors for each centre that k-means sees
_ROUNDS = 10  # of k-means


@dataclass(frozen=True, slots=True)
class InvertedLists:
    """``index`` has the vectors' bytes by list, under their rows."""

    index: Any

    def best(
        self, query: Vectors, k: int, eligible: NDArray[np.bool_] | None, products: Products
    ) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """Rows, ascending, among which are most of the ``k`` best eligible ones (all without
        a mask), with their inner products; ``query`` has shape (dimension,)."""
        parameters, wanted = faiss.SearchParametersIVF(nprobe=_PROBES), _EACH * k
        if eligible is not None:
            # The fewer may be found, the farther they lie apart.
            share = np.count_nonzero(eligible) / len(eligible)
            parameters.nprobe = min(self.index.nlist, math.ceil(_PROBES / max(share, 1e-9)))
            bits = np.packbits(eligible, bitorder="little")
            selector = faiss.IDSelectorBitmap(len(eligible), faiss.swig_ptr(bits))
            parameters.sel = selector
        found = self.index.search(query[np.newaxis], wanted, params=parameters)[1][0]
        rows: NDArray[np.int64] = np.sort(found[found >= 0])
        return rows, products(rows)


def inverted_lists(vectors: Vectors) -> InvertedLists:
    """The lists of vectors (n, dimension), about as many as the root of n."""
    count, dimension = vectors.shape
    lists = max(1, round(math.sqrt(count)))
    index = faiss.IndexIVFScalarQuantizer(
        faiss.IndexFlatIP(dimension),
        dimension,
        lists,
        faiss.ScalarQuantizer.QT_8bit,
        faiss.METRIC_INNER_PRODUCT,
        False,  # the bytes are those of the vector, not of its distance to the centre
    )
    index.cp.niter, index.cp.max_points_per_centroid = _ROUNDS, _SAMPLE
    sample = vectors[:: max(1, count // (_SAMPLE * lists))]
    index.train(np.ascontiguousarray(sample))
    index.add(np.ascontiguousarray(vectors))
    return InvertedLists(index)
