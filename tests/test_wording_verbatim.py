"""What a question asks for to the letter."""

from __future__ import annotations

import pytest

from graphrag.wording.verbatim import Exact, asked_exactly, holds, is_lookup, named_ids, verbatim


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("What does E1042-B mean?", ["E1042-B"]),
        ("is 2.14.1 or 0x80070005 meant", ["2.14.1", "0x80070005"]),
        ("git push --force-with-lease", ["--force-with-lease"]),
        ("raise work_mem and maintenance_work_mem", ["work_mem", "maintenance_work_mem"]),
        ('who says "never open the lid"?', ["never open the lid"]),
        ("„nicht öffnen“", ["nicht öffnen"]),
        ("「国際標準化」とは", ["国際標準化"]),
        ("does -U or \\d+ tell %aN of HEAD@{1}", ["-U", "\\d+", "%aN", "HEAD@{1}"]),
        ("well-known words, 30s and 5 bar", []),
        ("a dash -- and an underscore_ alone", []),
    ],
)
def test_codes_flags_joined_names_and_quoted_phrases_are_verbatim(
    question: str, wanted: list[str]
) -> None:
    assert verbatim(question) == wanted


@pytest.mark.parametrize(
    "question",
    [
        *("E1042", "error E1042", "What is E1042?", "PN 88-4310", '"who cares"'),
        *("What is SQLSTATE 23505?", "error code 23503", "show me guide.md#3"),
    ],
)
def test_a_question_of_little_else_looks_something_up(question: str) -> None:
    assert is_lookup(question)


@pytest.mark.parametrize(
    "question",
    ["Which seal kit do I need for a seal change on P-401?", "How are 500 rows sorted by name?"],
)
def test_a_question_that_says_more_is_no_lookup(question: str) -> None:
    assert not is_lookup(question)


@pytest.mark.parametrize(
    ("question", "terms"),
    [
        ("Which seal kit fits P-401 of the old plant?", [Exact("P-401")]),
        ("What is SQLSTATE 23505?", [Exact("23505", opens=True)]),
        ("How are 500 rows sorted by name?", []),
        ("What does clause 4.2 demand of a supplier?", [Exact("4.2", opens=True)]),
        ('Who wrote the novel "The Open Lid" in 1905?', []),
        ('"never open the lid"', [Exact("never open the lid")]),
        ("->> operator", [Exact("->>")]),
        ("Why is the rank of a product <= the smaller rank?", []),
    ],
)
def test_codes_clauses_and_lone_numbers_are_asked_exactly(
    question: str, terms: list[Exact]
) -> None:
    assert asked_exactly(question) == terms


def test_ids_of_chunks_and_documents_are_told() -> None:
    assert named_ids("what do notes/guide.md#3 and wal.html say, e.g. in v2.3?") == [
        "notes/guide.md#3",
        "wal.html",
    ]


@pytest.mark.parametrize(
    ("text", "wanted", "held"),
    [
        ("set work_mem to 4", "work_mem", True),
        ("set maintenance_work_mem", "work_mem", False),
        ("see E1042-B", "E1042", False),
        ("use --force-with-lease", "--force", False),
        ("signal.SIGUSR1: by the user", "SIGUSR1", True),
        ("since 3.2.1", "2.1", False),
        ("a ->> b", "->", False),
        ("Never open\nthe  lid.", "never open the lid", True),
        ("製品の国際標準化とは", "国際標準化", True),  # the words of a sentence are joined
        ("l'étanchéité du réservoir", "etancheite du reservoir", True),
    ],
)
def test_only_the_whole_token_as_written_is_held(text: str, wanted: str, held: bool) -> None:
    assert holds(text, wanted) is held
