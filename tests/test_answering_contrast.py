"""Something else in the place of a word that a statement has."""

from __future__ import annotations

import pytest

from graphrag.answering.contrast import replaced


@pytest.mark.parametrize(
    ("statement", "sentence", "terms"),
    [
        ("strings are mutable", "A string is immutable.", {"mutabl"}),
        ("the thread is right-handed", "The thread is left-handed.", {"right", "hand"}),
        ("the belt has two splices", "The belt has one splice.", {"two"}),
        ("a table has several primary keys", "It has at most one primary key.", {"sever"}),
        ("a table has several keys", "A table has three keys.", set()),
        ("the belt has two splices", "The belt has two splices and one cover.", set()),
        ("strings are mutable", "No string is immutable.", set()),  # a denial is another matter
    ],
)
def test_an_opposite_or_another_count_stands_in_a_word_s_place(statement, sentence, terms):
    assert replaced(statement, sentence) == terms
