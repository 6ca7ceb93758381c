"""Check questions come from the documents' own exercises."""

import pytest

from graphrag.domain import Chunk
from graphrag.tutoring.checks import check_question


def chunk(text: str, *path: str, document: str = "d") -> Chunk:
    return Chunk(f"{document}#0", document, 0, 0, len(text), text, path, "", "prose", 1)


def test_an_exercise_that_names_the_concept_is_the_question():
    text = "Exercises\n\n1. Add the vectors (1, 2) and (3, 4).\n2. Is every basis a spanning set?"
    assert check_question(["basis"], [chunk(text, "Exercises")]) == "Is every basis a spanning set?"


def test_a_plural_and_an_alias_count_as_its_name():
    exercises = chunk("- Find all eigenvalues of the matrix A.", "Problems")
    assert check_question(["proper value", "eigenvalue"], [exercises]).startswith("Find all")


def test_names_that_begin_or_end_with_a_sign_are_found():
    exercises = chunk("1. Write a loop in C++ that counts.\n2. Port it to .NET today.", "Exercises")
    assert check_question(["C++"], [exercises]) == "Write a loop in C++ that counts."
    assert check_question([".NET"], [exercises]) == "Port it to .NET today."
    assert check_question(["C"], [chunk("1. Is CAD written in Rust?", "Exercises")]) == ""


def test_an_item_that_goes_on_in_the_next_line_comes_whole():
    exercises = chunk("1. Find a basis\n   of the plane x = y.\n2. Other.", "Exercises")
    assert check_question(["basis"], [exercises]) == "Find a basis of the plane x = y."


def test_text_that_is_no_exercise_gives_none():
    assert check_question(["basis"], [chunk("1. A basis is a spanning set.", "Bases")]) == ""


def test_solutions_are_no_questions():
    solved = chunk("1. The basis has two vectors in it.", "Exercises", "Answers")
    assert check_question(["basis"], [solved]) == ""


def test_an_exercise_on_what_is_learnt_later_is_no_question_yet():
    text = "1. The determinant is 12. Find the eigenvalues.\n2. Find the determinant of A and B."
    exercises = chunk(text, "Exercises")
    later = ["eigenvalue", "determinant of a product"]
    assert check_question(["determinant"], [exercises], later=later) == (
        "Find the determinant of A and B."
    )


def test_what_leans_on_another_exercise_is_no_question():
    text = "1. Find the norm of the vector in exercise 2.\n2. Find the norm of (3, 4) in the plane."
    exercises = chunk(text, "Exercises")
    assert check_question(["norm"], [exercises]) == "Find the norm of (3, 4) in the plane."


def test_of_several_exercises_the_one_that_names_least_beyond_is_the_question():
    text = "1. Find trace and eigenvalues of the matrix.\n2. Find the trace of the matrix A."
    beyond = {"Find trace and eigenvalues of the matrix.": 1, "Find the trace of the matrix A.": 0}
    asked = check_question(["trace"], [chunk(text, "Exercises")], beyond=beyond.__getitem__)
    assert asked == "Find the trace of the matrix A."


@pytest.mark.parametrize(("named", "of"), [(1, "home"), (2, "away")])
def test_an_exercise_of_another_document_must_name_two_less_beyond(named: int, of: str):
    texts = {"home": "Find trace and spectrum of A.", "away": "Find the trace of the product AB."}
    chunks = [chunk(f"1. {text}", "Exercises", document=key) for key, text in texts.items()]
    beyond = {texts["home"]: named, texts["away"]: 0}
    assert check_question(["trace"], chunks, beyond=beyond.__getitem__) == texts[of]
