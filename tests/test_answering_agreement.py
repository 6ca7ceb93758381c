"""Whether a sentence of the documents says what an answer says."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from graphrag.answering.agreement import agreement, says_the_same
from tests.answering_values import passage

SHIFT = "In a red shift the source moves away, and the lines of the spectrum move to the red."
SIEVE = "A coarse sieve lets the gravel through, a fine sieve holds it back."
SEEDS = "Only seeds that were kept dry are sown, since wet seeds rot."
LAMP = "The lamp needs no oil; it is fed by a cell that the sun charges."
QUESTION = "What does the documents' sentence say?"


def same(answer: str, sentence: str, question: str = QUESTION) -> bool:
    return says_the_same(answer, sentence, question)


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (SIEVE, SIEVE),
        ("A coarse sieve lets the gravel through.", SIEVE),
        ("Coarse sieves let gravel through, fine sieves hold it back.", SIEVE),
        ("A fine sieve keeps it back.", SIEVE),
        (
            "Because wet seeds hardly ever sprout.",
            "Keep them dry, as wet seeds hardly ever sprout.",
        ),
        ("The lamp needs no oil.", LAMP),
        ("It is fed by a cell that the sun charges.", LAMP),
    ],
)
def test_a_clause_in_nearly_its_words_is_agreed_with(answer: str, sentence: str) -> None:
    assert same(answer, sentence)


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        ("A coarse sieve lets the sand through.", SIEVE),
        ("A fine sieve lets the gravel through.", SIEVE),
        ("A fine sieve lets the gravel through, a coarse sieve holds it back.", SIEVE),
        ("A coarse sieve does not let the gravel through.", SIEVE),
        ("A coarse sieve holds it back.", SIEVE),
        ("A sieve lets the gravel through.", SIEVE),
        ("Seeds that were kept dry are sown.", SEEDS),
        ("Seeds are sown.", SEEDS),
        ("Wet seeds sprout.", "Keep them dry, as wet seeds hardly ever sprout."),
        ("The lamp needs oil.", LAMP),
        ("The lamp is fed by a cell.", "The lamp is fed by a cell if the sun shines."),
        ("The pump stops at 3 bar.", "The pump stops at 4 bar."),
        ("The mill gives 5 mW of power.", "The mill gives 5 MW of power."),
        ("The value a - b grows with time.", "The value a + b grows with time."),
        ("The source moves to the red.", SHIFT),
        ("A flock is a set of birds.", "A flock is a set of birds that fly the same way."),
        ("The mill runs without a pause.", "The mill runs without a pause in 3 of 4 winters."),
        ("The mill runs without a pause.", "In cold winters, the mill runs without a pause."),
    ],
)
def test_one_word_name_number_or_negation_more_or_less_is_no_agreement(
    answer: str, sentence: str
) -> None:
    assert not same(answer, sentence)


def test_a_condition_that_the_question_names_need_not_be_said_again() -> None:
    sentence = "In cold winters, the mill runs without a pause."
    assert same("The mill runs without a pause.", sentence, "How does a mill run in cold winters?")


def test_what_the_question_names_need_not_be_said_again() -> None:
    answer = "It holds the gravel back."
    sentence = "A fine sieve holds the gravel back."
    assert same(answer, sentence, "What does a fine sieve do?")
    assert not same(answer, sentence, "What does a coarse sieve do?")


@pytest.mark.parametrize(
    "sentence",
    [
        "It is a mistake that a fine sieve holds the gravel back.",
        "Many believe that a fine sieve holds the gravel back.",
        "If it is dry, a fine sieve holds the gravel back.",
        "Is it true that a fine sieve holds the gravel back?",
    ],
)
def test_a_mistake_a_condition_or_a_question_states_nothing(sentence: str) -> None:
    assert not same("A fine sieve holds the gravel back.", sentence)


@pytest.mark.parametrize(
    ("answer", "question", "agreed"),
    [
        ("No, the lamp needs no oil.", "Does the lamp need oil?", True),
        ("Yes, the lamp needs no oil.", "Does the lamp need oil?", False),
        ("No, the lamp needs no oil.", "Is the lamp dear?", False),
        ("No, it is fed by a cell that the sun charges.", "Does the lamp need oil?", False),
    ],
)
def test_a_yes_or_no_is_agreed_with_where_the_sentence_says_that_itself(
    answer: str, question: str, agreed: bool
) -> None:
    assert same(answer, LAMP, question) == agreed


@pytest.mark.parametrize("answer", ["", "The lamp.", "It is so.", "Lamp!"])
def test_too_short_an_answer_says_too_little(answer: str) -> None:
    assert not same(answer, LAMP)


def scoring(*, answer: float, question: float) -> Callable[[str, Sequence[str]], list[float]]:
    def score(text: str, texts: Sequence[str]) -> list[float]:
        return [question if text == QUESTION else answer] * len(texts)

    return score


def test_the_sentence_is_given_with_its_passage() -> None:
    passages = [passage(LAMP, document="a.md"), passage(f"Of sieves. {SIEVE}", document="b.md")]
    found = agreement(QUESTION, SIEVE, passages, score=scoring(answer=9.0, question=5.0))
    assert found is not None
    assert (found.sentence, found.passage) == (SIEVE, passages[1])


@pytest.mark.parametrize(("answer", "question"), [(1.0, 5.0), (9.0, 1.0)])
def test_a_sentence_must_be_near_the_answer_and_bear_on_the_question(
    answer: float, question: float
) -> None:
    score = scoring(answer=answer, question=question)
    assert agreement(QUESTION, SIEVE, [passage(SIEVE)], score=score) is None


@pytest.mark.parametrize(
    "given",
    [
        passage(SIEVE, heading=("Common mistakes",)),
        passage(f"Never think so:\n\n- {SIEVE}\n- {LAMP}\n"),
    ],
)
def test_what_stands_under_a_turn_states_nothing(given) -> None:
    score = scoring(answer=9.0, question=5.0)
    assert agreement(QUESTION, SIEVE, [given], score=score) is None
