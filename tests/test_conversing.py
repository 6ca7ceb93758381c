"""What is said in a chat beside the questions."""

from __future__ import annotations

import pytest

from graphrag.conversing import small_talk


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
