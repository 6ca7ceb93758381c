"""What the best excerpts lack of a question in meaning, and not in words alone."""

from __future__ import annotations

import pytest

from graphrag.answering.closeness import Meaning, likeness, sought_absent, unmet
from graphrag.answering.signals import signals
from tests.answering_values import passage

_PAIRS = {("cheapest", "smallest"): 0.85, ("median", "smallest"): 0.6}


def _alike(words, others):
    return [max(_PAIRS.get((word, other), 0.4) for other in others) for word in words]


MEANING = Meaning(lambda question, texts: [0.5 + 0.1 * n for n in range(len(texts))], _alike)


def test_a_word_that_another_stands_for_is_met():
    assert unmet(["cheapest"], ["Pop the smallest item."], MEANING) == 0.0
    assert unmet(["median"], ["Pop the smallest item."], MEANING) == pytest.approx(0.15)
    assert unmet(["cheapest", "median"], ["The item."], MEANING) == pytest.approx(0.7)


def test_likeness_is_the_mean_over_the_excerpts():
    assert likeness("Q?", ["a", "b", "c"], MEANING) == pytest.approx(0.6)


def test_without_an_embedder_the_usual_is_taken():
    assert likeness("Q?", ["a"], None) == 0.65
    assert unmet(["one", "two"], ["a"], None) == pytest.approx(0.1)


@pytest.mark.parametrize(
    ("question", "absent"),
    [
        ("Which password does the account have?", 1),
        ("What serial number has the pump?", 2),
        ("Which account is it?", 0),
        ("What becomes possible now?", 0),  # nothing of a kind is named
        ("What is the password?", 0),  # names no kind of thing
        ("How is the password changed?", 0),
    ],
)
def test_what_is_asked_for_by_which_or_what_should_be_named(question, absent):
    assert sought_absent(question, ["The account of the pump is locked."]) == absent


def test_a_measure_of_the_kind_that_is_asked_for_need_not_be_named():
    assert sought_absent("To what torque is it tightened?", ["Tighten it to 45 Nm."]) == 0
    assert sought_absent("To what torque is it tightened?", ["Tighten it well."]) == 1


def test_the_signals_have_them_of_the_best_excerpts():
    heap = passage("Pop the smallest item.", score=0.5)
    scores = {"Pop the smallest item.": 1.0}
    found = signals(
        "Which heap gives the cheapest one?",
        [heap],
        score=lambda _, texts: [scores.get(text, 0.0) for text in texts],
        meaning=MEANING,
    )
    assert found.absent == ("heap", "cheapest")
    assert found.sought == 1
    assert found.likeness == pytest.approx(0.5)
    assert found.unmet == pytest.approx(0.35)
