"""What is said in a chat beside the questions."""

from __future__ import annotations

import pytest

from graphrag.conversing import asks_for_sources, small_talk, source_to_open


@pytest.mark.parametrize(
    "said",
    ["thanks", "Thank you very much!", "ok, thanks", "Thanks for that.", "hello", "Good morning!",
     "I see.", "great", "bye", "See you later"],
)  # fmt: skip
def test_a_courtesy_is_answered_as_one(said):
    assert small_talk(said)


@pytest.mark.parametrize(
    "said",
    ["What is a basis?", "Good bases?", "thanks, and what is a basis?", "rank", "why?", "",
     "Hello world program", "ok and then?", "Is that good?", "I see no pivot"],
)  # fmt: skip
def test_what_may_be_a_question_is_none(said):
    assert small_talk(said) == ""


@pytest.mark.parametrize(
    ("said", "number"),
    [("/open 2", "2"), ("/open", "?"), ("open source 2", "2"), ("Show me [3]", "3"),
     ("show passage no. 4 please", ""), ("source 1", "1"), ("open the source 12.", "12"),
     ("Which port is open?", ""), ("show me an example", ""), ("/open x", "x")],
)  # fmt: skip
def test_a_source_is_opened_by_command_or_in_words(said, number):
    assert source_to_open(said) == number


@pytest.mark.parametrize(
    "said",
    ["/sources", "sources?", "Show me the sources", "Which section says that?",
     "where does it say so?", "Where is that from?", "where did you get this?"],
)  # fmt: skip
def test_who_asks_where_an_answer_is_from_is_shown_its_sources(said):
    assert asks_for_sources(said)


@pytest.mark.parametrize(
    "said", ["What is a source?", "Which section says how to deploy?", "Where is the pump?", ""]
)
def test_a_question_about_sources_is_a_question(said):
    assert not asks_for_sources(said)
