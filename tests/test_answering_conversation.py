"""Follow-up questions are completed from the thread."""

from __future__ import annotations

import pytest

from graphrag.answering.conversation import Turn, complete, is_follow_up, topics

CODE = [Turn("What does error E1042 mean?", ("E1042",))]
CONCEPT = [Turn("What is an eigenvalue?", ("eigenvalue",))]
WAY = [Turn("How do I read a table?", ("table",))]
FLAG = [Turn("What does --soft do?", topics("What does --soft do?"))]
PAIR = [Turn("What are ridge and lasso?", ("lasso", "ridge"))]
MODES = [Turn("What lock modes are there?", topics("What lock modes are there?"))]


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
        (CONCEPT, "How are they computed?", [], "How are eigenvalues computed?"),
        (CONCEPT, "What is that good for?", [], "What is an eigenvalue good for?"),
        (CONCEPT, "Give me an example of one", [], "Give me an example of an eigenvalue"),
        (CONCEPT, "Can you show me a rank-one matrix?", [], "Can you show me a rank-one matrix?"),
        (CONCEPT, "Please give an example", [], "Give an example of an eigenvalue."),
        (CONCEPT, "Can you show an example?", [], "Give an example of an eigenvalue."),
        (CONCEPT, "Which one?", [], "Which one?"),
        (CONCEPT, "And how is it like a rank?", ["rank"], "How is an eigenvalue like a rank?"),
        (CONCEPT, "What is a rank?", ["rank"], "What is a rank?"),
        (CONCEPT, "Is it possible to divide by zero?", [], "Is it possible to divide by zero?"),
        ([], "Why does it trip?", [], "Why does it trip?"),
        (CODE, "E1050?", [], "What does error E1050 mean?"),
        (CODE, "What causes it?", [], "What causes E1042?"),
        (CODE, "at night?", [], "What does error E1042 mean at night?"),
        (CODE, "And if the line stands?", [], "What does error E1042 mean if the line stands?"),
        (CODE, "What is the remedy?", [], "What is the remedy of E1042?"),
        (CODE, "What happens in that case?", [], "What happens in that case (E1042)?"),
        (CODE, "Thanks, and E1043?", [], "What does error E1043 mean?"),
        (CODE, "Something else: what is a rank?", ["rank"], "What is a rank?"),
        (CONCEPT, "Why is that useful?", [], "Why is an eigenvalue useful?"),
        (CONCEPT, "I don't understand that", [], "Explain an eigenvalue."),
        (CONCEPT, "What's the difference to a pivot?", ["pivot"],
         "What is the difference between eigenvalue and a pivot?"),
        (CONCEPT, "I don't understand the null space", ["null space"], "Explain the null space."),
        ([], "I forgot how rank is found", ["rank"], "How rank is found?"),
        (CONCEPT, "And the QR decomposition?", [], "What is the QR decomposition?"),
        (WAY, "And write one?", [], "How do I write a table?"),
        (WAY, "with a header", [], "How do I read a table with a header?"),
        (FLAG, "and --hard?", [], "What does --hard do?"),
        (PAIR, "What's the difference?", [], "What is the difference between ridge and lasso?"),
        (PAIR, "When do I need the latter?", [], "When do I need lasso?"),
        (MODES, "Which of them are exclusive?", [], "Which of lock modes are exclusive?"),
    ],
)  # fmt: skip
def test_what_is_left_out_comes_from_the_thread(turns, question, names, completed):
    assert complete(question, turns, names) == completed


def test_the_last_turn_with_a_topic_counts():
    turns = [*CODE, Turn("Thanks!", ())]
    assert complete("Why does it trip?", turns) == "Why does E1042 trip?"


@pytest.mark.parametrize(
    "question",
    [
        "What is a basis?",
        "Which valve closes first?",
        "Does item 3 apply?",
        "",
        "In a field, what is zero?",
        "On a plane is every line a subspace?",
        "What is the rank of A?",
        "Is there a matrix that has no inverse?",
    ],
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


def test_words_in_capitals_are_topics_behind_known_names():
    assert topics("What are the caveats of REINDEX?", ["caveats"]) == ("REINDEX", "caveats")


def test_the_difference_of_two_turns_is_that_of_their_topics():
    turns = [*CONCEPT, Turn("What is a pivot?", ("pivot",))]
    asked = complete("What is the difference between the two?", turns)
    assert asked == "What is the difference between eigenvalue and pivot?"
