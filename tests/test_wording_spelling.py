"""A question's slips of the pen are mended by the words of the corpus."""

from __future__ import annotations

from collections import Counter

import pytest

from graphrag.tokens import tokenize
from graphrag.wording.spelling import respelled

TEXT = (
    "the vacuum of a table frees space transaction isolation is a difference between levels "
    "a filter a section an admit transaction table"
)
CORPUS = TEXT.split()
LANGUAGE = frozenset({"how", "what", "whats", "is", "do", "a", "an", "section", "table", "filter"})


def mended(question: str, language: frozenset[str] = LANGUAGE) -> str:
    terms = Counter(term for word in CORPUS for term in tokenize(word))

    def alike(letter: str, lengths: range) -> dict[str, int]:
        return {t: n for t, n in terms.items() if t.startswith(letter) and len(t) in lengths}

    def words(term: str) -> list[str]:
        return [word for word in dict.fromkeys(CORPUS) if tokenize(word) == [term]]

    return respelled(question, terms.__contains__, alike, words, language.__contains__)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("how do i vaccum a tabel", "how do i vacuum a table"),
        ("whats teh differnce betwen", "whats the difference between"),
        ("transation isolaton?", "transaction isolation?"),
    ],
)
def test_a_slip_becomes_the_word_that_was_meant(written, meant):
    assert mended(written) == meant


@pytest.mark.parametrize(
    "question",
    [
        "how do i vacuum a table",  # all known
        "what is an admin",  # another end is another word
        "what is tabl",  # too short to tell
        "what is Vaccum",  # a name
        "what is vaccum_table or vaccum.conf or /vaccum",  # codes
        "",
    ],
)
def test_what_may_be_another_word_stays(question):
    assert mended(question) == question


def test_a_word_of_the_language_is_none_mistyped():
    assert mended("what is suction") == "what is section"
    assert mended("what is suction", LANGUAGE | {"suction"}) == "what is suction"
