"""English stems; expected ones are from the algorithm's published vocabulary."""

from __future__ import annotations

import pytest

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
