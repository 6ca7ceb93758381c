"""Questions about learning in words that no pattern foresees."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from graphrag.answering.free_words import in_free_words
from graphrag.answering.learning_examples import EXAMPLES
from graphrag.answering.route import Routed
from tests.answering_values import linked

KINDS = list(EXAMPLES)


class Meaning:
    """Every example means its kind, and all else so much of each kind as it is told; what was
    embedded first is kept."""

    def __init__(self, **shares: float) -> None:
        self.shares = [shares.get(kind, 0.0) for kind in KINDS]
        self.asked = ""

    def __call__(self, texts: Sequence[str]) -> np.ndarray:
        self.asked = texts[0]
        kinds = {text: kind for kind, examples in EXAMPLES.items() for text in examples}
        axes = np.eye(len(KINDS), dtype=np.float32)
        rows = [axes[KINDS.index(kinds[text])] for text in texts[1:]]
        return np.stack([np.array(self.shares, np.float32), *rows])


def asked(question: str, *names: str, **shares: float) -> Routed | None:
    return in_free_words(question, linked(question, *names), Meaning(**shares))


def test_the_examples_are_compared_with_the_question_without_its_concepts() -> None:
    meaning = Meaning(path=1.0)
    question = "I never get the rank of a span."
    in_free_words(question, linked(question, "rank", "span"), meaning)
    assert meaning.asked == "I never get this topic of that topic."


def test_what_is_nearest_to_a_difficulty_asks_for_the_way_to_the_concept() -> None:
    assert asked("I never get rank.", "rank", path=0.9) == Routed("prerequisite", ("rank",))


def test_what_is_nearest_to_a_drill_asks_for_a_question() -> None:
    routed = asked("Grill me on rank.", "rank", check=0.9)
    assert routed == Routed("lookup", ("rank",), (), "check")


def test_what_is_nearest_to_whats_next_knows_the_concepts_named() -> None:
    question = "My rank and span sit. Onwards?"
    assert asked(question, "rank", "span", next=0.9) == Routed("next", (), ("rank", "span"))


def test_whether_one_is_ready_tells_the_goal_from_what_is_known() -> None:
    routed = asked("I know span. Do I grasp rank?", "span", "rank", ready=0.9)
    assert routed == Routed("prerequisite", ("rank",), ("span",), "ready")


def test_where_to_begin_needs_no_concept() -> None:
    assert asked("How do I set out?", next=0.9) == Routed("next", manner="begin")


@pytest.mark.parametrize("kind", ["path", "check", "ready"])
def test_all_else_needs_a_concept(kind: str) -> None:
    assert asked("I never get it.", **{kind: 0.9}) is None


def test_what_is_as_near_to_another_question_is_none_of_learning() -> None:
    assert asked("Where do I put rank?", "rank", path=0.8, other=0.78) is None
    assert asked("Where do I put rank?", "rank", path=0.8, other=0.76) is not None


def test_what_is_far_from_all_examples_is_none_of_learning() -> None:
    assert asked("I like rank.", "rank", path=0.7) is None


def test_what_speaks_of_no_person_and_of_no_learning_is_not_even_compared() -> None:
    meaning = Meaning(path=1.0)
    question = "What does rank mean?"
    assert in_free_words(question, linked(question, "rank"), meaning) is None
    assert meaning.asked == ""


def test_a_concept_of_another_spelling_gives_way_to_an_exact_one() -> None:
    question = "Whatever place I read rank, I get lost."
    found = [*linked(question, "place", exact=False), *linked(question, "rank")]
    routed = in_free_words(question, found, Meaning(path=1.0))
    assert routed is not None
    assert routed.targets == ("rank",)


def test_the_word_before_a_concept_is_kept_since_it_may_make_another_of_it() -> None:
    routed = asked("I never get Fourier rank.", "rank", path=0.9)
    assert routed is not None
    assert routed.qualified == ("fourier",)
