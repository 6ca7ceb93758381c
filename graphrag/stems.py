"""English stems: words of one family (``matrix``, ``matrices``) to one spelling."""

from __future__ import annotations

from functools import lru_cache

import Stemmer


@lru_cache(maxsize=1)
def _english() -> Stemmer.Stemmer:
    return Stemmer.Stemmer("english")


def stem(word: str) -> str:
    """The stem of a lower-case word by the Porter2 algorithm.

    Source: Porter, Snowball: A language for stemming algorithms, 2001.
    """
    stemmed: str = _english().stemWord(word)
    return stemmed
