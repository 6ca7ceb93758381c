"""The language of a question, which is too short to be counted."""

from __future__ import annotations

import pytest

from graphrag.reading.language import language_name, question_language


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("Wie schnell läuft das Förderband?", "de"),
        ("Was ist der Rang einer Matrix?", "de"),
        ("Quelle est la couleur du cadenas ?", "fr"),
        ("¿Cuál es el rango de una matriz?", "es"),
        ("What is an eigenvalue?", "en"),
        ("Was the pump in use?", "en"),
        ("Где находится насос?", "ru"),
        ("rank of a matrix", None),
        ("E1042", None),
        ("Who was Gauss?", None),
    ],
)
def test_a_question_is_in_the_language_that_it_asks_with(question, language):
    assert question_language(question) == language


def test_a_language_has_a_name():
    assert language_name("de") == "German"
    assert language_name("xx") == "xx"
