"""Embeddings as support: which concepts are near each other in meaning."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from graphrag.domain import Chunk
from graphrag.prerequisites.corpus import Corpus
from graphrag.prerequisites.occurrences import Table
from graphrag.prerequisites.structure import by_row

Vectors = NDArray[np.float32]
Numbers = NDArray[np.int64]

_BLOCK = 512
_AT_ONCE = 256  # pairs


def text_vectors(
    corpus: Corpus,
    weights: Table,
    chunks: tuple[Chunk, ...],
    chunk_vectors: Mapping[str, Vectors],
    titles: Vectors,
) -> Vectors:
    """The mean vector of the chunks that are about each concept, unit length, shape
    (concepts, dimension); for a concept without any that of its title.

    ``weights`` are those of ``structure.section_weights``.
    """
    known = [chunk for chunk in chunks if chunk.id in chunk_vectors]
    if not known:
        return titles
    sections = corpus.occurrences.sections
    place = {document.id: i for i, document in enumerate(corpus.documents)}
    starts = np.array([s.span.start for s in sections])
    owners = np.array([s.document for s in sections])
    rows, columns = [], []
    for i, chunk in enumerate(known):
        document = place.get(chunk.document_id)
        if document is None:
            continue
        first, last = np.searchsorted(owners, [document, document + 1])
        inside = int(np.searchsorted(starts[first:last], chunk.start, side="right"))
        rows.append(i)
        columns.append(first + max(0, inside - 1))
    shape = (len(known), len(sections))
    within = sparse.csr_matrix((np.ones(len(rows)), (rows, columns)), shape=shape)
    about = by_row((within @ weights).T.tocsr())
    matrix = np.stack([chunk_vectors[chunk.id] for chunk in known]).astype(np.float32)
    texts = unit(np.asarray(about @ matrix, dtype=np.float32))
    silent = ~texts.any(axis=1)
    texts[silent] = titles[silent]
    return texts


def unit(vectors: Vectors) -> Vectors:
    """Rows scaled to length 1; zero rows stay zero."""
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    norms[norms == 0] = 1.0
    scaled: Vectors = (vectors / norms).astype(np.float32)
    return scaled


def nearest(queries: Vectors, keys: Vectors, k: int) -> tuple[NDArray[np.int64], Vectors]:
    """For each row of ``queries`` the ``k`` rows of ``keys`` with the largest inner product,
    and these products, shapes (n, k); a row's own number is left out."""
    n, k = len(queries), min(k, max(0, len(keys) - 1))
    numbers = np.zeros((n, k), dtype=np.int64)
    products = np.zeros((n, k), dtype=np.float32)
    if k == 0:
        return numbers, products
    for begin in range(0, n, _BLOCK):
        block = queries[begin : begin + _BLOCK] @ keys.T
        own = np.arange(begin, begin + len(block))
        block[own - begin, own] = -np.inf
        order = _first_of_each_row(block, k)
        numbers[begin : begin + len(block)] = order
        products[begin : begin + len(block)] = np.take_along_axis(block, order, axis=1)
    return numbers, products


def _first_of_each_row(block: Vectors, k: int) -> NDArray[np.int64]:
    """The columns of each row's ``k`` largest values, largest first, shape (rows, k)."""
    # Rounded so that equal texts tie, and ties go to the smaller number.
    rounded = np.round(block, 5)
    least = np.partition(rounded, -k, axis=1)[:, -k]
    rows, columns = np.nonzero(rounded >= least[:, None])
    order = np.lexsort((columns, -rounded[rows, columns], rows))
    starts = np.searchsorted(rows, np.arange(len(block)))
    first: NDArray[np.int64] = columns[order][starts[:, None] + np.arange(k)]
    return first


def dots(left: Vectors, a: Numbers, right: Vectors, b: Numbers) -> NDArray[np.float64]:
    """Inner products of rows ``a`` of ``left`` with rows ``b`` of ``right``, shape (pairs,)."""
    products = np.empty(len(a))
    # So few at once that what is picked out stays in the processor's cache.
    for begin in range(0, len(a), _AT_ONCE):
        part = slice(begin, begin + _AT_ONCE)
        products[part] = np.sum(left[a[part]] * right[b[part]], axis=1, dtype=np.float64)
    return products


def smoothing(titles: Vectors, k: int = 8, temperature: float = 0.05) -> Table:
    """Weights of each concept's nearest by title, itself included, rows summing to 1."""
    n = len(titles)
    numbers, products = nearest(titles, titles, k)
    rows = np.concatenate([np.arange(n), np.repeat(np.arange(n), numbers.shape[1])])
    columns = np.concatenate([np.arange(n), numbers.ravel()])
    values = np.concatenate([np.ones(n), np.exp((products.ravel() - 1.0) / temperature)])
    return by_row(sparse.csr_matrix((values, (rows, columns)), shape=(n, n)))
