"""Which sentences bear on a wrong answer, and which concepts these speak of."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import exp, log

import numpy as np
import pytest
from numpy.typing import NDArray

from graphrag.tutoring.bearing import Bearing, about, bearing, spoken_of

PAGES = [
    ("a#0", "A key occurs only once here. A value may occur many times. Short one."),
    ("a#1", "A list keeps its own order."),
]


def embed(texts: Sequence[str]) -> NDArray[np.float32]:
    """The share of the words "key", "value" and "list", and one axis for nothing of these."""
    rows = [[float(word in text) for word in ("key", "value", "list")] + [0.1] for text in texts]
    vectors = np.array(rows, dtype=np.float32)
    unit: NDArray[np.float32] = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return unit


def score(said: str, texts: Sequence[str]) -> list[float]:
    return [4.0 if "once" in text else 0.0 for text in texts]


def test_the_sentence_that_the_judge_takes_for_the_answers_bears_most() -> None:
    found = bearing(["the key comes twice"], PAGES, embed, score)
    assert [text for _, _, text in found.sentences] == [
        "A key occurs only once here.",
        "A value may occur many times.",
        "A list keeps its own order.",
    ]
    #  logits 4, 0, 0, softened by 2
    assert found.shares == pytest.approx([exp(2) / (exp(2) + 2)] + [1 / (exp(2) + 2)] * 2)


def test_only_the_nearest_in_meaning_to_any_text_said_are_judged() -> None:
    found = bearing(["the key comes twice", "in the list"], PAGES, embed, score, most=2)
    assert {text for _, _, text in found.sentences} == {
        "A key occurs only once here.",
        "A list keeps its own order.",
    }


def test_without_passages_nothing_bears_and_nothing_is_judged() -> None:
    def never(said: str, texts: Sequence[str]) -> list[float]:
        raise AssertionError

    assert bearing(["anything"], [], embed, never) == Bearing()
    assert spoken_of(Bearing(), [re.compile("key")]).tolist() == [0.0]
    assert about(Bearing(), [re.compile("key")]).tolist() == [0.0]


def test_concepts_are_spoken_of_more_than_usual_or_less() -> None:
    found = Bearing(
        (("a", 0, "the key"), ("a", 1, "beside it"), ("a", 4, "a list"), ("b", 1, "and more")),
        (0.7, 0.1, 0.1, 0.1),
    )
    key, listed, none = spoken_of(found, [re.compile(w) for w in ("key", "list", "none")])
    #  the key's sentence whole and the one beside it by half: .7 + .05, of the mean 1.5 / 4
    assert key == pytest.approx(log(0.77 / 0.425))
    assert listed == pytest.approx(log(0.12 / 0.3))
    assert none == pytest.approx(log(0.02 / 0.05))


def test_what_stands_before_a_sentence_in_its_chunk_is_kept_the_nearest_first() -> None:
    found = bearing(["the key comes twice"], PAGES, embed, score)
    assert dict(zip([text for _, _, text in found.sentences], found.before, strict=True)) == {
        "A key occurs only once here.": (),
        "A value may occur many times.": ("A key occurs only once here.",),
        "A list keeps its own order.": (),
    }


def test_a_sentence_is_about_what_it_names_first_and_the_longest_of_names_there() -> None:
    found = Bearing((("a", 0, "key rings in a list"), ("a", 1, "a list")), (0.8, 0.2), ((), ()))
    ring, key, listed = about(found, [re.compile(w) for w in ("key rings", "key", "list")])
    assert ring == pytest.approx(log(0.82 / 0.55))
    assert key == pytest.approx(log(0.02 / 0.05))
    assert listed == pytest.approx(log(0.22 / 0.55))


def test_a_sentence_that_names_nothing_is_about_what_the_one_before_it_is() -> None:
    before = (("and so on", "a list is kept in order", "a key"), ())
    found = Bearing((("a", 3, "it has no end"), ("b", 0, "the key")), (0.7, 0.3), before)
    key, listed = about(found, [re.compile(w) for w in ("key", "list")])
    assert key == pytest.approx(log(0.32 / 0.55))
    assert listed == pytest.approx(log(0.72 / 0.55))
