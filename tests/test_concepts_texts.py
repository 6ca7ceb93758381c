"""The words of a corpus: cut once, and some held for the next one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphrag.concepts import texts as module
from graphrag.concepts.mentions import NameTrie
from graphrag.concepts.texts import Texts, Words
from graphrag.domain import Concept, Document
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


def _looked_at(texts: Texts, names: set[str], *documents: Document) -> list[str]:
    """The texts that are looked at for those names."""
    looked: list[str] = []

    def make(text: str, words: Words) -> tuple[str, int]:
        looked.append(text)
        return text, len(words)

    of = texts.by_names("a test", {tuple(name.split()): name for name in names}, make)
    assert [of(each) for each in documents] == [
        (each.text, len(texts.words(each))) for each in documents
    ]
    texts.rest()
    return looked


def test_a_text_is_looked_at_again_only_where_a_name_of_its_words_came_or_went() -> None:
    texts = Texts()
    assert _looked_at(texts, {"vector", "two basis"}, ONE, TWO) == [ONE.text, TWO.text]
    assert _looked_at(texts, {"vector", "basis", "two vector field"}, ONE, TWO) == [TWO.text]
    assert _looked_at(texts, {"basis"}, ONE, TWO) == [ONE.text]
    assert _looked_at(texts, {"basis"}, ONE, TWO) == []


def test_a_text_that_was_left_out_for_a_while_is_looked_at_again() -> None:
    texts = Texts()
    _looked_at(texts, {"vector"}, ONE, TWO)
    texts.words(ONE)
    _looked_at(texts, {"basis"}, TWO)
    assert _looked_at(texts, {"basis"}, ONE, TWO) == [ONE.text]


def test_where_many_names_changed_all_texts_are_looked_at(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "_MOST_CHANGED", 1)
    texts = Texts()
    _looked_at(texts, {"one", "two"}, ONE, TWO)
    assert _looked_at(texts, {"three", "four"}, ONE, TWO) == [ONE.text, TWO.text]


PHRASES = st.lists(st.sampled_from(["vector", "basis", "rank", "map"]), min_size=1, max_size=3)


@given(
    st.lists(st.sets(PHRASES.map(" ".join), max_size=5), min_size=2, max_size=4),
    st.lists(PHRASES.map(" ".join), min_size=1, max_size=4),
)
def test_names_found_again_are_those_found_anew(names: list[set[str]], lines: list[str]) -> None:
    documents, texts = [document(line) for line in lines], Texts()
    for known in names:
        trie = NameTrie(Concept(name, name) for name in known)
        found_in = texts.by_names("mentions", trie.names, trie.find)
        assert [found_in(each) for each in documents] == [trie.find(line) for line in lines]
        texts.rest()
