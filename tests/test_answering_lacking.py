"""Which words of a question the texts do not hold."""

from __future__ import annotations

import pytest

from graphrag.answering.lacking import lacking, without

TEXTS = ["Two rows are interchanged.", "Git stores the stash entry under $n + 1$."]


@pytest.mark.parametrize(
    ("question", "absent"),
    [
        ("Which licence does the stash have?", ("licence",)),
        ("Who maintains the Mac port, Mac?", ("maintains", "Mac", "port")),
        ("What are the swapped rows called?", ()),  # interchanged
        ("What does E1042 store in $k + 2$?", ()),  # codes and formulas are judged elsewhere
        ("How do I find the first stash?", ()),  # these only ask
    ],
)
def test_words_of_content_that_no_text_holds_are_named_as_they_are_written(question, absent):
    assert lacking(question, TEXTS) == absent


def test_leaving_words_out_keeps_the_rest_and_the_formulas():
    asked = "Which set, the offset or $set + 1$, is it?"  # the signs are for people
    assert without(asked, ("set",)) == "Which the offset or set + 1 , is it?"


def test_a_word_is_held_where_another_of_its_family_is():
    assert lacking("Who is called when a fitter is injured?", ["Report an injury at once."]) == (
        "fitter",
    )
