"""What speaks for an excerpt beside the cross-encoder's word."""

from __future__ import annotations

import pytest

from graphrag.wording.excerpts import excerpts
from graphrag.wording.expects import answers_kind, is_practice, is_worked_example
from graphrag.wording.merit import Merits, merits, standardised
from tests.answering_values import passage


def points(question, text, *, heading="", near="", weights=None):
    found = excerpts([(1, passage(text))])
    count = len(found)
    return merits(question, found, [heading] * count, [near] * count, weights)


def only(**weights):
    """Merits that count one thing alone."""
    nothing = dict.fromkeys(Merits.__dataclass_fields__, 0.0)
    return Merits(**(nothing | weights))


def test_a_rare_word_of_the_question_counts_more_than_a_common_one():
    text = "The pump hums. The pump stands. The pump rests. A valve hisses."
    found = points("Which pump has a valve?", text, weights=only(words=1.0))
    assert found[3] > found[0] == found[1] == found[2] > 0


def test_all_words_of_the_question_give_the_whole_weight():
    found = points("Which pump has a valve?", "The pump has a valve.", weights=only(words=4.0))
    assert found == [4.0]


def test_a_heading_counts_as_much_as_it_holds_of_the_question():
    question, text = "Which valve is tight?", "It holds water."
    assert points(question, text, heading="Tight valve", weights=only(heading=2.0)) == [2.0]
    assert points(question, text, heading="Pumps", weights=only(heading=2.0)) == [0.0]


def test_a_quantity_of_the_kind_asked_for_counts():
    question = "How long does it run?"
    found = points(question, "It runs for 30 s. It runs far.", weights=only(quantity=3.0))
    assert found == [3.0, 0.0]


def test_what_only_asks_or_announces_loses():
    found = points("What is a seal?", "What is a seal? A seal holds.", weights=only(idle=-5.0))
    assert found == [-5.0, 0.0]


@pytest.mark.parametrize(
    ("question", "fitting", "other"),
    [
        ("What do you call a square without a side?", "It is called open.", "It stays there."),
        ("When is a valve tight?", "It is tight if no drop falls.", "Valves hold water."),
        ("Why does it hum?", "It hums because it is old.", "It hums at night."),
        ("Can it be opened at night?", "It must never be opened.", "It hums at night."),
        ("How do I find the root?", "Take the half and square it.", "Roots hold a tree."),
        ("What is the inverse of a product?", "Then $(AB)^{-1} = B^{-1}A^{-1}$.", "It exists."),
    ],
)
def test_a_question_knows_how_its_answer_is_worded(question, fitting, other):
    assert answers_kind(question, fitting)
    assert not answers_kind(question, other)


def test_numbers_of_its_own_make_a_worked_example_where_none_were_asked_for():
    text = r"For $A = \begin{pmatrix} 1 & 2 \\ 3 & 4 \end{pmatrix}$ it is $-2$."
    assert is_worked_example("What is a determinant?", text)
    assert not is_worked_example("What is the determinant of 1 2 3 4?", text)
    assert not is_worked_example("Give an example of a determinant", text)
    assert not is_worked_example("What is a determinant?", "It is $ad - bc$.")


def test_exercises_are_told_from_other_sections():
    assert is_practice(("Rank", "Exercises"))
    assert not is_practice(("Exercises", "Rank"))
    assert not is_practice(())


def test_likeness_counts_by_how_far_it_stands_out():
    # Mean 0.5, deviation 0.1: one deviation above and one below, 1.5 points each.
    assert standardised([0.6, 0.4]) == pytest.approx([1.0, -1.0])
    assert standardised([0.7, 0.7]) == [0.0, 0.0]
