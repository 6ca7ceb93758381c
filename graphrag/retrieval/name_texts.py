"""What a text alone says of names: its words, which are capitalised, and its proper names."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from graphrag.retrieval.names import proper_names, tokens_of, written_words


@dataclass(frozen=True, slots=True)
class NamedText:
    """``words``: the folded words; ``capital``: whether each is written other than in lower
    case; ``hashes``: ``word_hash`` of each; ``proper``: keys of the capitalised spans."""

    words: Sequence[str]
    capital: Sequence[bool]
    hashes: Sequence[int]
    proper: set[str]


def read_text(text: str) -> NamedText:
    """The words and proper names of a text."""
    tokens = tokens_of(text)
    read = [word for token in tokens for word in _hashed_words(token)]
    words, capital, hashes = zip(*read, strict=True) if read else ((), (), ())
    return NamedText(words, capital, hashes, proper_names(tokens))


@lru_cache(maxsize=1 << 16)
def _hashed_words(token: str) -> tuple[tuple[str, bool, int], ...]:
    return tuple(
        (word, capital, word_hash(word, capital)) for word, capital in written_words(token)
    )


def word_hash(word: str, capital: bool) -> int:
    """31 bits that stand for a word, and below them whether it is capitalised."""
    return zlib.crc32(word.encode()) & ~1 | capital


def pair_hashes(hashes: NDArray[np.uint32]) -> NDArray[np.uint64]:
    """62 bits for each word and the next one, however they are written; one less."""
    bare = (hashes >> np.uint32(1)).astype(np.uint64)
    return (bare[:-1] << np.uint64(31)) | bare[1:]


def first_hashes(keys: Sequence[str]) -> tuple[NDArray[np.uint32], NDArray[np.uint64]]:
    """What a text must hold for one of the names to stand in it: capitalised words for names
    of one word, pairs of words for longer ones."""
    words = [key.split(" ", 2)[:2] for key in keys]
    lone = [word_hash(each[0], True) for each in words if len(each) == 1]
    pairs = [
        int(pair_hashes(np.array([word_hash(word, False) for word in each], dtype=np.uint32))[0])
        for each in words
        if len(each) > 1
    ]
    return np.array(lone, dtype=np.uint32), np.array(pairs, dtype=np.uint64)
