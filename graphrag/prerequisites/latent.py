"""Latent semantic analysis: texts that speak of the same things in other words.

The tf-idf texts of the concepts are projected on their strongest common directions, found by
a randomised range finder with fixed starting vectors, so equal inputs give equal vectors.

Source: Halko, Martinsson and Tropp, SIAM Review 53(2), 2011, algorithm 4.4.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from graphrag.prerequisites.lexical import Words
from graphrag.prerequisites.similarity import unit
from graphrag.threads import OneThread

Latent = NDArray[np.float32]

_DIRECTIONS = 100
_SPARE = 20
_ROUNDS = 2


def latent_vectors(words: Words) -> tuple[Latent, Latent]:
    """Unit vectors of the text about each concept and of its name, shape (concepts, at most
    100) both; a row without known words is zero."""
    texts = words.texts
    k = min(_DIRECTIONS, *texts.shape)
    if k == 0:
        empty = np.zeros((texts.shape[0], 1), np.float32)
        return empty, empty
    # More threads would add up in another order, and wait for each other on factors so small.
    with OneThread():
        places, directions = _projected(words, k)
        names = np.asarray(words.names @ directions, dtype=np.float32)
    return unit(places.astype(np.float32)), unit(names)


def _projected(words: Words, k: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The texts on their ``k`` strongest directions, and these."""
    texts = words.texts
    start = np.random.default_rng(0).standard_normal(
        (texts.shape[0], min(k + _SPARE, *texts.shape))
    )
    span = texts.T @ start
    for _ in range(_ROUNDS):
        span, _ = np.linalg.qr(span)
        span = texts.T @ (texts @ span)
    span, _ = np.linalg.qr(span)
    left, sizes, right = np.linalg.svd(texts @ span, full_matrices=False)
    return left[:, :k] * sizes[:k], span @ right[:k].T
