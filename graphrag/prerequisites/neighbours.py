"""Neighbours: concepts whose texts speak of the same things, and averages over them.

What the neighbours of a concept need, it is likely to need too, and where they stand in the
order of a subject, it is likely to stand. So signals are averaged over the neighbours on both
sides of a pair. A signal that is a product of a row for the one concept and a column for the
other is averaged as its rows and columns, once, and no pairs.
"""

from __future__ import annotations

import numpy as np
from scipy import sparse

from graphrag.prerequisites.occurrences import Table
from graphrag.prerequisites.similarity import Vectors, nearest
from graphrag.prerequisites.structure import by_row

_NEIGHBOURS, _TEMPERATURE = 10, 0.2


def neighbours(vectors: Vectors) -> Table:
    """Weights of each concept's ten nearest by unit vectors, rows summing to 1; the row of a
    concept without any is empty. Shape (n, n)."""
    n = len(vectors)
    numbers, products = nearest(vectors, vectors, _NEIGHBOURS)
    rows = np.repeat(np.arange(n), numbers.shape[1])
    values = np.where(products > 0, np.exp((products - 1.0) / _TEMPERATURE), 0.0).ravel()
    return by_row(sparse.csr_matrix((values, (rows, numbers.ravel())), shape=(n, n)))


def leaning(others: Table, share: float) -> Table:
    """Weights by which a row becomes the average of its own and its neighbours', which lend
    that ``share``; rows sum to 1. A concept without neighbours keeps its own."""
    lent = share * np.asarray(others.sum(axis=1)).ravel()
    mixed: Table = (share * others + sparse.diags_array(1.0 - lent)).tocsr()
    return mixed
