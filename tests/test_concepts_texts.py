"""The words of a corpus: cut once, and some held for the next one."""

from __future__ import annotations

import pytest

from graphrag.concepts import texts as module
from graphrag.concepts.texts import Texts
from tests.concept_values import document

ONE, TWO = document("Two vectors", "one"), document("A basis", "two")


def test_a_text_is_cut_once() -> None:
    texts = Texts()
    assert [word for _, _, word in texts.words(ONE)] == ["two", "vector"]
    assert texts.words(ONE) is texts.words(ONE)


def test_a_changed_text_is_cut_again_under_its_old_id() -> None:
    texts = Texts()
    texts.words(ONE)
    texts.rest()
    assert [word for _, _, word in texts.words(document("Three", "one"))] == ["three"]


def test_words_are_held_for_the_next_corpus_and_no_longer() -> None:
    texts = Texts()
    first = texts.words(ONE)
    texts.rest()
    assert texts.words(ONE) is first
    texts.rest()
    texts.rest()
    assert texts.words(ONE) is not first


def test_no_more_is_held_than_there_is_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MOST_HELD", 3)
    texts = Texts()
    first, second = texts.words(ONE), texts.words(TWO)
    texts.rest()
    assert texts.words(ONE) is first
    assert texts.words(TWO) is not second
    assert texts.words(TWO) == second
