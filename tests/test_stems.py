"""English stems; expected ones are from the algorithm's published vocabulary."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphrag.stems import stem


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("consign", "consign"),
        ("consignment", "consign"),
        ("consistently", "consist"),
        ("consolation", "consol"),
        ("conspiracies", "conspiraci"),
        ("knightly", "knight"),
        ("knives", "knive"),
        ("knotted", "knot"),
        ("caresses", "caress"),
        ("ties", "tie"),
        ("cries", "cri"),
        ("gas", "gas"),
        ("this", "this"),
        ("gaps", "gap"),
        ("kiwis", "kiwi"),
        ("https", "https"),
        ("hoping", "hope"),
        ("hopping", "hop"),
        ("luxuriating", "luxuri"),
        ("dying", "die"),
        ("by", "by"),
        ("say", "say"),
        ("cry", "cri"),
        ("generate", "generat"),
        ("generally", "general"),
        ("communism", "communism"),
        ("rationalization", "ration"),
        ("geologist", "geolog"),
        ("eigenvalues", "eigenvalu"),
        ("news", "news"),
        ("proceed", "proceed"),
        ("agreed", "agre"),
        ("an", "an"),
        ("", ""),
    ],
)
def test_known_stems(word: str, expected: str) -> None:
    assert stem(word) == expected


suffixes = ["", "s", "es", "ed", "ing", "ly", "ational", "iveness", "fulness", "ement", "y", "ion"]


@given(st.text("abeilnorstuyz", max_size=8), st.sampled_from(suffixes), st.sampled_from(suffixes))
def test_stems_equal_those_of_the_reference_implementation(
    root: str, inner: str, outer: str
) -> None:
    reference = pytest.importorskip("snowballstemmer").stemmer("english")
    word = root + inner + outer
    assert stem(word) == (reference.stemWord(word) if word else "")
