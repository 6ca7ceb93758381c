"""Generality: what is named all over the corpus, and by others' definitions, comes first."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from graphrag.prerequisites.occurrences import Occurrences, Table

Scores = NDArray[np.float64]

_PRECISION = 1e-10
_MOST_STEPS = 2000


def ranks(values: Scores) -> Scores:
    """Values as ranks strictly between 0 and 1; equal values share their mean rank."""
    if not len(values):
        return values
    # As scipy.stats.rankdata, whose package takes half a second to import.
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    ranked: Scores = ((2 * last - counts + 1)[place] / 2 - 0.5) / len(values)
    return ranked


def document_spread(occurrences: Occurrences) -> Scores:
    """Rank of each concept by the number of documents that name it."""
    return ranks(_rows_with(occurrences.document_counts()))


def section_spread(occurrences: Occurrences) -> Scores:
    """Rank of each concept by the number of sections that name it."""
    return ranks(_rows_with(occurrences.section_counts()))


def _rows_with(counts: Table) -> Scores:
    return np.bincount(counts.tocoo().col, minlength=counts.shape[1]).astype(np.float64)


def imputed(values: Scores, mentions: Scores, near: Table, prior: float = 2.0) -> Scores:
    """Values that lean on the nearest concepts where there is little text to go by.

    The mean of a concept's own value and its neighbours' (``near``, rows summing to 1),
    weighted by its mentions against ``prior``.
    """
    leaning: Scores = (mentions * values + prior * (near @ values)) / (mentions + prior)
    return leaning


def spring_rank(needs: Table, regularisation: float = 1.0) -> Scores:
    """How basic each concept is when every entry (A, B) pulls B one level below A.

    Solves ``(D_out + D_in - (M + M^T) + r I) s = d_out - d_in`` for M = needs transposed, so
    that a high score is basic.

    Source: De Bacco, Larremore and Moore, Science Advances 2018, equation 4.
    """
    into = np.asarray(needs.sum(axis=0)).ravel()
    out = np.asarray(needs.sum(axis=1)).ravel()
    n = needs.shape[0]
    if n == 0:
        return np.zeros(0)
    laplacian = sparse.diags_array(into + out + regularisation) - needs - needs.T
    return np.round(_solved(laplacian.tocsr(), into - out), 9)


def _solved(matrix: Table, right: NDArray[Any]) -> Scores:
    """The ``x`` with ``matrix @ x = right``, for a symmetric positive definite matrix, until
    the error left is a ten-billionth of ``right``.

    As scipy.sparse.linalg.cg, whose package takes a twentieth of a second to import.

    Source: Hestenes and Stiefel, Journal of Research of the NBS 1952, equation 3:1.
    """
    x = np.zeros(len(right))
    left = right.astype(np.float64)
    way = left.copy()
    length = left @ left
    enough = _PRECISION * np.linalg.norm(right)
    for _ in range(_MOST_STEPS):
        if np.linalg.norm(left) <= enough:
            break
        along = matrix @ way
        step = length / (way @ along)
        x += step * way
        left -= step * along
        before, length = length, left @ left
        way *= length / before
        way += left
    return x
