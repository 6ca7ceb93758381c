"""Each sentence of an answer holds to the passages that it cites, or goes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphrag.answering.citations import cited, pieces, stream_pieces
from graphrag.answering.grounding import check, check_stream
from tests.answering_values import passage

PUMP = passage(
    "The seal of pump P-401 must be changed after 87 % of its rated life of 4,000 hours. "
    "The cover does not need to be removed. Torque the bolts to 45 Nm. "
    "Anna Weber wrote: “never run the pump dry”.",
    document="pump.md",
)
CODES = passage(
    "| Code | Meaning | Stop |\n|---|---|---|\n"
    "| E1042 | Seal flush pressure low | delayed 30 s |\n"
    "| E1043 | Bearing temperature high | delayed 90 s |",
    document="codes.md",
    kind="table",
)
BASIS = passage(
    "A basis is a linearly independent set that spans the space. "
    "Every basis of a space has the same number of vectors, the dimension.",
    document="basis.md",
)
PASSAGES = [PUMP, CODES, BASIS]


@pytest.mark.parametrize(
    "sentence",
    [
        "The seal of pump P-401 must be changed after 87 % of its rated life [1].",
        "The seal of P-401 is changed at 87 percent of its rated life. [1]",
        "Its rated life is 4000 hours [1].",
        "The cover need not be removed [1].",
        "The bolts are torqued to 45 Nm [1].",
        "Anna Weber wrote “never run the pump dry” [1].",
        "E1042 means that the seal flush pressure is low [2].",
        "At E1042 the stop is delayed by 30 seconds [2].",
        "A basis is a linearly independent set that spans the space [3].",
        "All bases of a space have the same number of vectors [3].",
    ],
)
def test_a_sentence_that_its_passage_supports_stays_as_it_is(sentence):
    grounded = check(sentence, PASSAGES)
    assert grounded.text == sentence
    assert grounded.warnings == ()
    assert [c.supported for c in grounded.citations] == [True]


@pytest.mark.parametrize(
    ("sentence", "reason"),
    [
        ("The seal must be changed after 85 % of its rated life [1].", "85 %"),
        ("The seal must be changed after 87 hours of its rated life [1].", "87 hours"),
        ("Its rated life is 400 hours [1].", "400 hours"),
        ("The bolts of the pump are torqued to 54 Nm [1].", "54 Nm"),
        ("The cover needs to be removed [1].", "opposite"),
        (
            "The seal of pump P-401 must not be changed after 87 % of its rated life [1].",
            "opposite",
        ),
        ("Anna Weber wrote “always run the pump dry” [1].", "do not stand"),
        ("As Martin Kohl wrote, never run the pump dry [1].", "Martin Kohl"),
        ("The seal of pump P-410 must be changed after 87 % of its life [1].", "P-410"),
        ("At E1042 the stop is delayed by 90 seconds [2].", "90 seconds"),
        ("Torque the bolts to 4,000 Nm [1].", "4,000 Nm"),
        ("The bolts are torqued to 87 [1].", "other numbers"),
        ("E1044 means that the seal flush pressure is low [2].", "E1044"),
        ("A basis is a linearly dependent set that spans the space [3].", "opposite"),
        ("The moon is made of cheese and orbits slowly [3].", "does not speak"),
    ],
)
def test_a_sentence_that_no_passage_supports_is_struck_with_the_reason(sentence, reason):
    grounded = check(f"{sentence} Torque the bolts to 45 Nm [1].", PASSAGES)
    assert grounded.text == "Torque the bolts to 45 Nm [1]."
    assert reason in " ".join(grounded.warnings)


def test_a_citation_beyond_the_passages_is_removed_and_reported():
    grounded = check("Torque the bolts to 45 Nm [99][1].", PASSAGES)
    assert grounded.text == "Torque the bolts to 45 Nm [1]."
    assert [c.number for c in grounded.citations] == [1]
    assert grounded.warnings == ("[99] was removed: there are 3 passages.",)


def test_a_wrong_number_is_mended_where_another_passage_says_it():
    grounded = check("Torque the bolts to 45 Nm [2].", PASSAGES)
    assert grounded.text == "Torque the bolts to 45 Nm [1]."
    assert "[1]" in grounded.warnings[0]


def test_an_uncited_sentence_is_cited_if_a_passage_says_it_and_struck_otherwise():
    grounded = check("Torque the bolts to 45 Nm. Paris is the capital of France.", PASSAGES)
    assert grounded.text == "Torque the bolts to 45 Nm [1]."


def test_of_two_citations_only_the_supported_one_stays():
    grounded = check("Torque the bolts to 45 Nm [1][3].", PASSAGES)
    assert grounded.text == "Torque the bolts to 45 Nm [1]."
    assert grounded.citations[0].quote == "Torque the bolts to 45 Nm."


def test_two_passages_may_support_a_sentence_together():
    text = "E1042 means low seal flush pressure, and the bolts are torqued to 45 Nm [1][2]."
    assert check(text, PASSAGES).text == text


def test_the_cross_encoder_has_the_last_word_on_meaning():
    text = "Spanning sets without redundancy are called bases [3]."
    assert check(text, PASSAGES, score=lambda _, texts: [6.0] * len(texts)).text == text
    assert check(text, PASSAGES, score=lambda _, texts: [-9.0] * len(texts)).text == ""


def test_words_from_all_over_a_passage_do_not_make_a_claim():
    # Each word stands in the passage, but no three of them together.
    scattered = passage(
        "The filter is washed weekly.\n\nThe pump is greased.\n\nNobody opens the valve at night."
    )
    text = "The valve pump is greased, washed weekly with the filter at night [1]."
    assert check(text, [scattered], score=lambda _, texts: [-2.0] * len(texts)).text == ""


@pytest.mark.parametrize(
    "heading",
    ["## Pump P-410", "## After 89 %", "### E1044 and E1043", "## Rated life of 400 hours"],
)
def test_a_heading_with_a_figure_that_no_passage_has_is_struck(heading):
    found = check(f"{heading}\n\nThe cover does not need to be removed [1].", PASSAGES)
    assert found.text == "The cover does not need to be removed [1]."
    assert "stands in no passage" in found.warnings[0]


@pytest.mark.parametrize("heading", ["## Pump P-401", "## 1. After 87 %", "### E1042 and E1043"])
def test_a_heading_with_the_passages_own_figures_stays(heading):
    found = check(f"{heading}\n\nThe cover does not need to be removed [1].", PASSAGES)
    assert found.text.startswith(heading)


def test_headings_and_opening_lines_need_no_citation():
    text = "## Answer\n\nThe torque is as follows:\n\n- Torque the bolts to 45 Nm [1]\n"
    assert check(text, PASSAGES).text == text.strip()


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("So it is [1].", [1]),
        ("So it is [1, 3].", [1, 3]),
        ("So it is [1][2].", [1, 2]),
        ("So it is [2-4].", [2, 3, 4]),
        ("So it is [Passage 2].", [2]),
        ("So it is【2】.", [2]),
        ("The matrix A[1] is", []),
        ("with $x = [1, 2]$ given", []),
        ("x = [1, 2]", []),
        ("the vector [1, 2] points", []),
        ("in [0, 1]", []),
        ("`a[1]` is", []),
    ],
)
def test_marks_are_told_from_values_and_indexes(text, numbers):
    assert cited(text) == numbers


def test_marks_behind_a_full_stop_belong_to_the_sentence_before():
    assert [p.strip() for p in pieces("One holds. [1] Two holds. [2][3]")] == [
        "One holds. [1]",
        "Two holds. [2][3]",
    ]


@given(st.text(alphabet="ab1 .\n[]2-|é!", max_size=60))
def test_pieces_lose_nothing(text):
    assert "".join(pieces(text)) == text


@given(st.lists(st.text(alphabet="ab .\n[1]", max_size=8), max_size=12))
def test_a_streamed_text_gives_all_its_pieces(parts):
    assert "".join(stream_pieces(parts)) == "".join(parts)


def test_what_is_streamed_was_checked_before():
    shown: list[str] = []
    words = "The bolts are torqued to 45 Nm [1]. The bolts are torqued to 54 Nm [1]. "
    grounded = check_stream(
        iter(words.split(" ")[0:0] or list(words)), PASSAGES, on_text=shown.append
    )
    assert "".join(shown).strip() == grounded.text == "The bolts are torqued to 45 Nm [1]."
    assert "54" in grounded.warnings[0]


@pytest.mark.parametrize(
    "text",
    [
        "A = np.array([[1, 4, 1], [2, 3, 1]])",
        "the columns [[1], [2], [3]]",
        "it prints [1, 1, 2] at last",
        "```\nfor x in [1, 2]:\n```",
        "[[1, 2],\n [3, 4]]",
    ],
)
def test_rows_of_numbers_are_no_citations(text):
    assert cited(text) == []
    assert cited(f"{text} [2]") == [2]


def test_a_number_altered_in_a_matrix_is_struck():
    code = "A = np.array([[1, 1, 1], [2, 3, 1]]) has rank 2."
    source = [passage(code)]
    assert check(f"{code} [1]", source).citations
    assert not check(f"{code.replace('[[1, 1', '[[1, 4')} [1]", source).text


STOPS = passage(
    "An emergency stop cuts all machines at once, seal water excepted. "
    "The line is flushed when the pipe holds slurry. "
    "Give -f or -i to delete the files.",
    document="stops.md",
)
MISTAKES = passage(
    "- Believing that as many equations as unknowns guarantee one solution.\n- Leaving out zeros.",
    document="mistakes.md",
)


@pytest.mark.parametrize(
    "sentence, reason",
    [
        ("An emergency stop cuts the seal water.", "an exception"),
        ("Crews flush the line as soon as the conveyor belt was repaired.", "under that condition"),
        ("Once the conveyor belt was repaired, crews flush the line.", "under that condition"),
        ("Both -f and -i delete the files.", "one of them"),
    ],
)
def test_what_leaves_the_passages_bounds_is_struck(sentence, reason):
    found = check(f"{sentence} [1]", [STOPS])
    assert found.text == ""
    assert reason in found.warnings[0]


@pytest.mark.parametrize(
    "sentence",
    [
        "An emergency stop cuts all machines but the seal water.",
        "If the pipe holds slurry, the line is flushed.",
        "The files are deleted with -f or -i.",
    ],
)
def test_what_keeps_to_the_passages_bounds_stays(sentence):
    assert check(f"{sentence} [1]", [STOPS]).citations


def test_what_a_passage_names_as_a_mistake_is_not_its_word():
    claimed = "As many equations as unknowns guarantee one solution"
    assert check(f"{claimed}. [1]", [MISTAKES]).text == ""
    denied = "Having as many equations as unknowns does not guarantee one solution"
    assert check(f"{denied}. [1]", [MISTAKES]).citations


def test_two_turns_of_the_meaning_give_what_was_said():
    kept = passage("The command applies the state and does not remove it from the list.")
    assert check("The command applies the state and keeps it in the list. [1]", [kept]).citations
    assert not check("The command applies the state and removes it from the list. [1]", [kept]).text
