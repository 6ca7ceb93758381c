"""What a text alone says of names, and what must stand in it for a name to be found."""

from __future__ import annotations

import numpy as np
import pytest

from graphrag.retrieval.name_texts import (
    NamedText,
    first_hashes,
    pair_hashes,
    read_text,
    word_hash,
)


def test_a_text_is_its_words_their_capitals_and_its_names() -> None:
    words = ("the", "cafe", "of", "paris", "opens")
    capital = (True, True, False, True, False)
    hashes = tuple(map(word_hash, words, capital))
    assert read_text("The Café of Paris opens.") == NamedText(
        words, capital, hashes, {"cafe of paris"}
    )
    assert read_text("") == NamedText((), (), (), set())


@pytest.mark.parametrize(
    ("key", "text", "found"),
    [
        ("lothair ii", "King Lothair II reigned.", True),
        ("lothair ii", "king lothair ii reigned", True),  # longer names count in any case
        ("lothair ii of france", "Lothair II", True),  # its first two words: to be looked at
        ("lothair ii", "II Lothair", False),
        ("loire", "The Loire flows.", True),
        ("loire", "the loire flows", False),  # a name of one word counts only capitalised
        ("loire", "", False),
    ],
)
def test_a_name_may_stand_where_its_first_words_do(key: str, text: str, found: bool) -> None:
    hashes = np.array(read_text(text).hashes, dtype=np.uint32)
    lone, pairs = first_hashes([key])
    held = np.isin(hashes, lone).any() or (
        len(hashes) > 1 and np.isin(pair_hashes(hashes), pairs).any()
    )
    assert bool(held) == found
