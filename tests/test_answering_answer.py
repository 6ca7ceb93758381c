"""From a retrieval to an answer or a refusal."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from graphrag.adapters.extractive import ExtractiveWriter
from graphrag.answering.answer import (
    AnswerOptions,
    OutlineLine,
    answer_lookup,
    answer_outline,
    answer_whole,
    fits_whole,
)
from graphrag.answering.refusal import Floor
from graphrag.domain import Answer, Refusal
from graphrag.errors import GenerationError
from graphrag.ports import WriteRequest
from tests.answering_values import passage, retrieval

PUMP = passage(
    "The pump's bolts are torqued to 45 Nm. The cover stays in place.",
    document="pump.md",
    title="Pump",
    heading=("Assembly",),
    score=0.98,
)
BELT = passage("The belt runs at 2 m/s.", document="belt.md", title="Belt", score=0.6)


class Scripted:
    """A writer that says what it is told to, and remembers what it was asked."""

    name = "scripted"

    def __init__(self, *parts: str) -> None:
        self.parts = parts
        self.requests: list[WriteRequest] = []
        self.closed = False

    def write(self, request: WriteRequest) -> Iterator[str]:
        self.requests.append(request)
        try:
            yield from self.parts
        finally:
            self.closed = True


QUESTION = "To what torque are the pump's bolts tightened?"


def test_an_answer_holds_its_checked_citations_and_names_its_writer():
    writer = Scripted("The bolts are torqued ", "to 45 Nm [1].")
    answer = answer_lookup(QUESTION, retrieval(QUESTION, PUMP, BELT), writer)
    assert isinstance(answer, Answer)
    assert answer.text == "The bolts are torqued to 45 Nm [1]."
    assert answer.writer == "scripted"
    assert [(c.number, c.document_id) for c in answer.citations] == [(1, "pump.md")]


def test_nothing_found_is_refused_without_asking_the_writer():
    writer = Scripted("x")
    refusal = answer_lookup(QUESTION, retrieval(QUESTION), writer)
    assert isinstance(refusal, Refusal)
    assert refusal.reason == "no passages"
    assert writer.requests == []


def test_an_unknown_code_is_refused_and_the_nearest_miss_is_named():
    question = "What does E1999 of the pump mean?"
    refusal = answer_lookup(question, retrieval(question, PUMP), Scripted("x"))
    assert isinstance(refusal, Refusal)
    assert refusal.reason == "below the floor"
    assert "E1999" in refusal.text
    assert "“Pump”, Assembly (pump.md)" in refusal.text


def test_passages_far_below_the_floor_never_reach_the_writer():
    writer = Scripted("x")
    question = "Who won the cup in Spain?"
    far = passage("The belt runs at 2 m/s.", score=0.0001)
    refusal = answer_lookup(question, retrieval(question, far), writer)
    assert isinstance(refusal, Refusal)
    assert (refusal.reason, writer.requests) == ("below the floor", [])


def test_only_the_first_passages_decide_whether_there_is_an_answer():
    question = "To what torque are the bolts of the pump tightened?"
    found = retrieval(question, BELT, PUMP)
    narrow, wide = AnswerOptions(judged=1), AnswerOptions(judged=2)
    writer = Scripted("The bolts are torqued to 45 Nm [2].")
    assert isinstance(answer_lookup(question, found, writer, options=narrow), Refusal)
    assert isinstance(answer_lookup(question, found, writer, options=wide), Answer)


@pytest.mark.parametrize(
    "reply", ["NO ANSWER", "no answer.", "**NO ANSWER**", "NO ANSWER: it is not there"]
)
def test_a_model_that_declines_is_a_refusal_of_its_own_kind(reply):
    refusal = answer_lookup(QUESTION, retrieval(QUESTION, PUMP), Scripted(reply))
    assert isinstance(refusal, Refusal)
    assert refusal.reason == "the model declined"
    assert refusal.writer == "scripted"


def test_an_answer_of_which_nothing_holds_is_a_refusal_that_says_so():
    writer = Scripted("The bolts are torqued to 54 Nm [1].")
    refusal = answer_lookup(QUESTION, retrieval(QUESTION, PUMP), writer)
    assert isinstance(refusal, Refusal)
    assert refusal.reason == "the model declined"
    assert "54 Nm" in refusal.text


def test_only_checked_sentences_are_streamed():
    shown: list[str] = []
    writer = Scripted(*"The bolts are torqued to 54 Nm [1]. The cover stays in place [1].")
    answer = answer_lookup(QUESTION, retrieval(QUESTION, PUMP), writer, on_text=shown.append)
    assert "".join(shown) == answer.text == "The cover stays in place [1]."


def test_a_reader_that_gives_up_closes_the_stream():
    writer = Scripted(*"The bolts are torqued to 45 Nm [1]. The cover stays in place [1]. So.")

    def give_up(text: str) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        answer_lookup(QUESTION, retrieval(QUESTION, PUMP), writer, on_text=give_up)
    assert writer.closed


def test_passages_beyond_the_window_stay_out_of_the_prompt():
    writer = Scripted("The bolts are torqued to 45 Nm [1].")
    long = passage("word " * 3000, document="long.md", score=0.5)
    options = AnswerOptions(window=4096)
    answer_lookup(QUESTION, retrieval(QUESTION, PUMP, long, BELT), writer, options=options)
    assert writer.requests[0].passages == (PUMP, BELT)


def test_a_window_without_room_for_any_passage_is_an_error():
    options = AnswerOptions(window=512)
    with pytest.raises(GenerationError, match="512 tokens"):
        answer_lookup(QUESTION, retrieval(QUESTION, PUMP), Scripted("x"), options=options)


VECTOR = passage("A vector is an ordered list of numbers.", document="vector.md", title="Vectors")
MATRIX = passage(
    "A matrix is a rectangular table of numbers.", document="matrix.md", title="Matrices"
)
PLAN = [
    OutlineLine("1. **vector**: named in the definition of matrix", (VECTOR,)),
    OutlineLine("2. **matrix**: the goal", (MATRIX,)),
]


def test_the_plan_of_the_graph_stands_and_the_passages_explain_it():
    answer = answer_outline(
        "What do I need before matrix?", "prerequisite", PLAN, ExtractiveWriter()
    )
    assert isinstance(answer, Answer)
    assert answer.text == (
        "1. **vector**: named in the definition of matrix\n"
        "   A vector is an ordered list of numbers. [1]\n\n"
        "2. **matrix**: the goal\n"
        "   A matrix is a rectangular table of numbers. [2]"
    )
    assert [c.document_id for c in answer.citations] == ["vector.md", "matrix.md"]
    assert answer.warnings == ()


def test_a_line_that_the_model_adds_to_the_plan_is_checked():
    writer = Scripted(
        "1. **vector**: named in the definition of matrix [1]\n"
        "A tensor is a machine that eats covectors [1].\n"
        "2. **matrix**: the goal [2]\n"
    )
    answer = answer_outline("What do I need before matrix?", "prerequisite", PLAN, writer)
    assert "tensor" not in answer.text
    assert "**matrix**: the goal [2]" in answer.text
    assert len(answer.warnings) == 1


def test_a_plan_without_lines_is_refused():
    refusal = answer_outline("What do I need before chess?", "prerequisite", [], Scripted("x"))
    assert isinstance(refusal, Refusal)
    assert refusal.reason == "no passages"


def test_of_two_parts_the_one_that_is_covered_is_answered_and_the_other_named():
    question = "To what torque are the pump's bolts tightened and who won the cup in Spain?"

    def score(asked, texts):
        return [6.0 if "torque" in asked and "45 Nm" in text else -10.0 for text in texts]

    writer = Scripted("The bolts are torqued to 45 Nm [1].")
    shown: list[str] = []
    answer = answer_lookup(
        question, retrieval(question, PUMP), writer, score=score, on_text=shown.append
    )
    assert isinstance(answer, Answer)
    assert writer.requests[0].question == "To what torque are the pump's bolts tightened?"
    assert answer.question == question
    assert answer.text.endswith("The documents do not answer “who won the cup in Spain?”.")
    assert "".join(shown) == answer.text


def test_two_parts_of_which_none_is_covered_are_refused():
    question = "Who won the cup in Spain and who lost the final in Rome?"
    far = passage("The belt runs at 2 m/s.", score=0.0001)
    refusal = answer_lookup(
        question,
        retrieval(question, far),
        Scripted("x"),
        score=lambda _, texts: [-10.0] * len(texts),
    )
    assert isinstance(refusal, Refusal)
    assert refusal.reason == "below the floor"


def test_a_small_corpus_is_answered_from_as_a_whole():
    writer = Scripted("The bolts are torqued to 45 Nm [2].")
    options = AnswerOptions(window=4096)
    assert fits_whole(QUESTION, [BELT, PUMP], options)
    answer = answer_whole(QUESTION, [BELT, PUMP], writer, options=options)
    assert isinstance(answer, Answer)
    assert writer.requests[0].passages == (BELT, PUMP)


def test_a_corpus_beyond_the_window_is_not_cut_in_silence():
    large = [passage("word " * 400, ordinal=n) for n in range(10)]
    options = AnswerOptions(window=4096)
    assert not fits_whole(QUESTION, large, options)
    with pytest.raises(GenerationError, match="without --whole"):
        answer_whole(QUESTION, large, Scripted("x"), options=options)


def test_a_premise_that_no_passage_says_is_named_before_the_answer():
    text = "Pumps of all kinds have a cover. Some pumps leak at the cover."
    found = retrieval("Why do all pumps leak?", passage(text, document="leaks.md", score=0.98))
    shown: list[str] = []
    reply = answer_lookup(found.question, found, ExtractiveWriter(), on_text=shown.append)
    doubt = "The documents do not say in so many words that it is so: “Do all pumps leak?”"
    assert isinstance(reply, Answer)
    assert reply.text.startswith(doubt)
    assert doubt in reply.warnings
    assert "".join(shown).strip() == reply.text


def test_a_premise_that_a_passage_denies_is_doubted_with_its_words():
    text = "The shipped file must not be modified by the scripts. Scripts write a log."
    asked = "Why may the scripts modify the shipped file?"
    found = retrieval(asked, passage(text, document="files.md", score=0.98))
    reply = answer_lookup(asked, found, ExtractiveWriter())
    assert isinstance(reply, Answer)
    assert reply.text.startswith(
        "The documents deny what the question takes for granted. They say: “The shipped file must "
        "not be modified by the scripts.” [1]."
    )
    assert reply.citations[0].number == 1


@pytest.mark.parametrize(
    "asked",
    ["Why must the scripts not modify the shipped file?", "Why do scripts write a log?"],
)
def test_a_premise_that_no_passage_denies_is_left_alone(asked):
    text = "The shipped file must not be modified by the scripts. Scripts write a log."
    found = retrieval(asked, passage(text, document="files.md", score=0.98))
    reply = answer_lookup(asked, found, ExtractiveWriter())
    assert isinstance(reply, Answer)
    assert "deny" not in reply.text


def test_a_premise_that_is_said_needs_no_word():
    text = "All pumps leak because seals wear."
    found = retrieval("Why do all pumps leak?", passage(text, document="leaks.md", score=0.98))
    reply = answer_lookup(found.question, found, ExtractiveWriter())
    assert reply.text == "All pumps leak because seals wear. [1]"


@pytest.mark.parametrize(("misspelt", "kind"), [(True, Refusal), (False, Answer)])
def test_what_nearly_misses_is_warned_of_or_left_to_be_asked_without_slips(misspelt, kind):
    asked = "How do I encrpyt the stash changes?"
    found = retrieval(asked, passage("Use stash to put the changes aside.", score=0.998))
    options = AnswerOptions(misspelt=lambda _: misspelt)

    def score(question, texts):
        return [2.0 if "encrpyt" in question else 3.0 for _ in texts]

    reply = answer_lookup(asked, found, ExtractiveWriter(score), options=options, score=score)
    assert isinstance(reply, kind)
    assert misspelt or "do not mention “encrpyt”" in reply.warnings[0]


def test_an_answer_that_is_rather_not_there_begins_with_the_doubt():
    writer = Scripted("The belt runs at 2 m/s [1].")
    question = "At which speed does the belt run?"
    options = AnswerOptions(floor=Floor(floor=0.0, doubtful=1.0))
    answer = answer_lookup(question, retrieval(question, BELT), writer, options=options)
    assert isinstance(answer, Answer)
    assert answer.text.startswith("The documents may not answer this.")
    assert "The belt runs at 2 m/s. [1]" in answer.text or "2 m/s [1]" in answer.text
    assert answer.warnings


def test_a_doubtful_question_with_slips_of_the_pen_is_refused_to_be_asked_again():
    question = "At which speed does the belt run?"
    options = AnswerOptions(floor=Floor(floor=0.0, doubtful=1.0), misspelt=lambda asked: True)
    reply = answer_lookup(question, retrieval(question, BELT), Scripted(), options=options)
    assert isinstance(reply, Refusal)
    assert reply.reason == "below the floor"
