"""Slips of the pen in a question, mended by the words of the corpus."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

from rapidfuzz.distance import OSA

from graphrag.tokens import STOP_WORDS, tokenize

Terms = Callable[[str, range], Mapping[str, int]]
"""From a first letter and lengths to the corpus's terms, each with how many texts hold it."""
Words = Callable[[str], Iterable[str]]
"""From a term to words of the corpus that have it."""

_WORD = re.compile(r"(?<![\w$\\./-])[A-Za-z]{3,}(?![\w$\\/-]|\.\w)")
_SHORTEST = 5
_NEAREST = 8


def respelled(
    question: str,
    occurs: Callable[[str], bool],
    terms: Terms,
    words: Words,
    is_word: Callable[[str], bool],
) -> str:
    """The question with each mistyped word as the corpus writes the one that was meant.

    Mistyped is a word of small letters that is nowhere in the corpus and no word of the
    language (``is_word``), but one slip away from a word of the corpus: a letter wrong,
    missing, too many, or two swapped, not at the word's ends, where it would rather be another
    form or another word. Words with capitals, digits and marks are names and codes, which must
    be found to the letter.

    Source: Damerau, Communications of the ACM 7(3), 1964 (optimal string alignment).
    """

    def mended(match: re.Match[str]) -> str:
        word = match[0]
        if not word.islower() or word in STOP_WORDS or is_word(word):
            return word
        (term,) = tokenize(word)
        return word if occurs(term) else _meant(word, term, terms, words) or word

    return _WORD.sub(mended, question)


def _meant(word: str, term: str, terms: Terms, words: Words) -> str:
    if len(word) < _SHORTEST:
        return next((stop for stop in sorted(STOP_WORDS) if _is_swapped(word, stop)), "")
    # Terms are stems: "isolaton" keeps an ending that "isol", the term of "isolation", has lost.
    known = terms(word[0], range(3, len(term) + 2))

    def rank(known_term: str) -> tuple[int, int, int, str]:
        apart = OSA.distance(term[: len(known_term)], known_term)
        return (apart, -len(known_term), -known[known_term], known_term)

    ranked = sorted(known, key=rank)
    spelt = [each for found in ranked[:_NEAREST] for each in words(found)]
    return next((each for each in spelt if _is_slip(word, each)), "")


def _is_slip(word: str, meant: str) -> bool:
    ends = word[0] == meant[0] and (word[-1] == meant[-1] or sorted(word) == sorted(meant))
    return ends and OSA.distance(word, meant) == 1


def _is_swapped(word: str, meant: str) -> bool:
    return len(meant) > 2 and sorted(word) == sorted(meant) and OSA.distance(word, meant) == 1
