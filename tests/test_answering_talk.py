"""Questions that speak of nothing but learning, in words that no pattern foresees."""

from __future__ import annotations

import pytest

from graphrag.answering.free_words import subject
from graphrag.answering.route import route
from tests.test_answering_route import linked

BEFORE = [
    ("What foundations are there for the determinant?", ["determinant"]),
    ("Could you plan my way to the determinant?", ["determinant"]),
    ("I failed at the determinant. What should I repeat?", ["determinant"]),
    ("What stands between me and the determinant?", ["determinant"]),
    ("What must one have understood for the determinant?", ["determinant"]),
    ("Could I go straight to the determinant?", ["determinant"]),
    ("Where would you start if the aim is the determinant?", ["determinant"]),
    ("Rank or span: which of these first?", ["rank", "span"]),
    ("What is the best order for rank and span?", ["rank", "span"]),
]
ONWARDS = [
    ("Which chapters may I skip if I already know rank?", ["rank"]),
    ("Having understood rank and span, where do I go?", ["rank", "span"]),
    ("What is the first thing to learn in this course?", []),
    ("What should I study today?", []),
]
LOOKED_UP = [
    ("How do I prepare a matrix for pivoting?", ["matrix", "pivoting"]),
    ("Which comes first in the log, the newest or the oldest commit?", ["log", "commit"]),
    ("What comes after return in a function?", ["function"]),
    ("After a conflict, what do I do next?", ["conflict"]),
    ("Can I start a name with a digit?", ["name"]),
    ("How do I start a new branch?", ["new branch"]),
]


@pytest.mark.parametrize(("question", "names"), BEFORE)
def test_talk_of_what_must_come_first_asks_for_prerequisites(question, names):
    routed = route(question, linked(question, *names))
    assert (routed.route, list(routed.targets)) == ("prerequisite", names)


@pytest.mark.parametrize(("question", "names"), ONWARDS)
def test_talk_of_what_follows_asks_what_is_next(question, names):
    assert route(question, linked(question, *names)).route == "next"


@pytest.mark.parametrize(("question", "names"), LOOKED_UP)
def test_one_word_of_the_matter_itself_makes_a_lookup(question, names):
    assert route(question, linked(question, *names)).route == "lookup"


def test_where_to_begin_with_a_subject_leaves_the_subject_to_be_looked_for():
    question = "Where should I begin to learn bookkeeping?"
    routed = route(question, [])
    assert (routed.route, routed.manner) == ("next", "begin")
    assert subject(question) == ["bookkeep"]
