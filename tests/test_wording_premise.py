"""What a "why" question takes for granted."""

from __future__ import annotations

import pytest

from graphrag.wording.premise import is_said, premise


@pytest.mark.parametrize(
    ("question", "statement"),
    [
        ("Why is every matrix invertible?", "every matrix is invertible"),
        ("Why do all pumps leak", "all pumps leak"),
        ("Why can every lock be cut?", "every lock can be cut"),
        ("Why is the pump loud?", ""),
        ("Is every matrix invertible?", ""),
        ("Why always?", ""),
    ],
)
def test_the_premise_is_the_statement_behind_the_question(question, statement):
    assert premise(question) == statement


def test_a_premise_is_said_only_where_it_is_said_of_all():
    statement = "every matrix is invertible"
    assert is_said(statement, ["Every matrix of this kind is invertible."])
    assert not is_said(statement, ["A matrix may be invertible.", "Every matrix has an entry."])
