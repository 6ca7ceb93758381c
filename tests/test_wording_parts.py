"""A question of several parts is cut into questions."""

from __future__ import annotations

import pytest

from graphrag.wording.parts import parts


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        (
            "What does E1042 mean and how is it reset?",
            ["What does E1042 mean?", "how is it reset?"],
        ),
        ("What is a basis? How is it found?", ["What is a basis?", "How is it found?"]),
        (
            "Which part fails, and who orders the spare?",
            ["Which part fails?", "who orders the spare?"],
        ),
        ("How are rank and determinant related?", ["How are rank and determinant related?"]),
        ("What is the bolt and nut torque?", ["What is the bolt and nut torque?"]),
        ("What is it and why?", ["What is it and why?"]),
        ("", [""]),
    ],
)
def test_parts_are_cut_where_a_new_question_begins(question, expected):
    assert parts(question) == expected
