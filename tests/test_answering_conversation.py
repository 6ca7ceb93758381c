"""Follow-up questions are completed from the thread."""

from __future__ import annotations

import pytest

from graphrag.answering.conversation import Turn, complete, is_follow_up, topics

CODE = [Turn("What does error E1042 mean?", ("E1042",))]
CONCEPT = [Turn("What is an eigenvalue?", ("eigenvalue",))]


@pytest.mark.parametrize(
    ("turns", "question", "names", "completed"),
    [
        (CODE, "What about E1043?", [], "What does error E1043 mean?"),
        (CODE, "And E1043?", [], "What does error E1043 mean?"),
        (CODE, "Why does it trip the line?", [], "Why does E1042 trip the line?"),
        (CODE, "What is its remedy?", [], "What is E1042's remedy?"),
        (CODE, "Why?", [], "Why: What does error E1042 mean?"),
        (CODE, "And the remedy?", [], "The remedy (E1042)?"),
        (CONCEPT, "What about the determinant?", ["determinant"], "What is the determinant?"),
        (CONCEPT, "How are they computed?", [], "How are eigenvalue computed?"),
        (CONCEPT, "What is that good for?", [], "What is eigenvalue good for?"),
        (CONCEPT, "Give me an example of one", [], "Give me an example of eigenvalue"),
        (CONCEPT, "Can you show me a rank-one matrix?", [], "Can you show me a rank-one matrix?"),
        (CONCEPT, "Please give an example", [], "Please give an example of eigenvalue."),
        (CONCEPT, "Can you show an example?", [], "Can you show an example of eigenvalue?"),
        (CONCEPT, "Which one?", [], "Which one?"),
        (CONCEPT, "And how is it related to rank?", ["rank"], "How is eigenvalue related to rank?"),
        (CONCEPT, "What is a rank?", ["rank"], "What is a rank?"),
        (CONCEPT, "Is it possible to divide by zero?", [], "Is it possible to divide by zero?"),
        ([], "Why does it trip?", [], "Why does it trip?"),
    ],
)  # fmt: skip
def test_what_is_left_out_comes_from_the_thread(turns, question, names, completed):
    assert complete(question, turns, names) == completed


def test_the_last_turn_with_a_topic_counts():
    turns = [*CODE, Turn("Thanks!", ())]
    assert complete("Why does it trip?", turns) == "Why does E1042 trip?"


@pytest.mark.parametrize(
    "question", ["What is a basis?", "Which valve closes first?", "Does item 3 apply?", ""]
)
def test_a_question_that_stands_by_itself_is_no_follow_up(question):
    assert not is_follow_up(question)


def test_codes_lead_the_topics_and_names_inside_longer_ones_are_left_out():
    assert topics("E1042 of the seal flush filter", ["filter", "seal flush filter"]) == (
        "E1042",
        "seal flush filter",
    )


def test_a_whole_question_behind_and_is_asked_as_it_stands():
    turns = [Turn("What do I need before ridge regression?", ("ridge regression",))]
    assert complete("and what is the lasso", turns, ["lasso"]) == "What is the lasso"
    assert complete("and what does it need", turns, []) == "What does ridge regression need"
