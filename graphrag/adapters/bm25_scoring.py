"""The formula of BM25 as ``rank_bm25.BM25Okapi`` has it, over sparse postings.

A text scores, summed over the question's terms (a repeated term counts again),
``idf * f * (k1 + 1) / (f + k1 * (1 - b + b * length / mean length))`` where f is how often
the term occurs in the text. A term in n of N texts has
``idf = log(N - n + 0.5) - log(n + 0.5)``; where that is negative (more than half of the
texts) it is epsilon times the mean idf of all terms, negative ones included.

One thing differs: there a term in exactly half of the texts counts nothing, and in a collection
of a few texts, whose mean is negative, hardly any term counts. A text that holds a term of the
question is found here, so such a term has a positive idf too.

Source: Robertson and Zaragoza, The Probabilistic Relevance Framework, 2009; Trotman,
Puurula and Burgess, Improvements to BM25 and Language Models Examined, 2014. The idf that is
positive always: Apache Lucene, BM25Similarity.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

K1 = 1.5
B = 0.75
EPSILON = 0.25


def raw_idf(text_count: int, frequency: int) -> float:
    """Inverse document frequency of a term that occurs in ``frequency`` texts."""
    return math.log(text_count - frequency + 0.5) - math.log(frequency + 0.5)


def mean_idf(text_count: int, histogram: Mapping[int, int]) -> float:
    """The mean idf over all terms; ``histogram`` maps a frequency to how many terms have it.

    The sum is exact before rounding, so it depends on no order. Without terms it is 0.
    """
    terms = sum(histogram.values())
    if not terms:
        return 0.0
    total = math.fsum(many * raw_idf(text_count, n) for n, many in histogram.items())
    return total / terms


def idf(text_count: int, frequency: int, mean: float) -> float:
    """The idf that counts: always positive."""
    value = raw_idf(text_count, frequency)
    if value > 0:
        return value
    return EPSILON * mean if mean > 0 else math.log1p(math.exp(value))


def length_penalty(lengths: NDArray[np.int32], mean_length: float) -> NDArray[np.float64]:
    """``k1 * (1 - b + b * length / mean length)``, shape of ``lengths``."""
    return K1 * (1 - B + B * lengths.astype(np.float64) / mean_length)


def contribution(
    weight: float, counts: NDArray[np.int32], penalty: NDArray[np.float64]
) -> NDArray[np.float64]:
    """What a term of that idf adds to texts that hold it ``counts`` times."""
    return weight * (counts * (K1 + 1) / (counts + penalty))


def best(
    numbers: NDArray[np.int64], scores: NDArray[np.float64], k: int
) -> list[tuple[int, float]]:
    """The ``k`` highest scores with their numbers, best first, ties by number."""
    if k <= 0 or not len(scores):
        return []
    if len(scores) > k:
        border = np.partition(scores, len(scores) - k)[len(scores) - k]
        kept = scores >= border
        numbers, scores = numbers[kept], scores[kept]
    order = np.lexsort((numbers, -scores))[:k]
    return list(zip(numbers[order].tolist(), scores[order].tolist(), strict=True))
