"""What a question asks for to the letter."""

from __future__ import annotations

import pytest

from graphrag.wording.verbatim import looked_up, share_held, verbatim


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
        ("well-known words, 30s and 5 bar", []),
        ("a dash -- and an underscore_ alone", []),
    ],
)
def test_codes_flags_joined_names_and_quoted_phrases_are_verbatim(
    question: str, wanted: list[str]
) -> None:
    assert verbatim(question) == wanted


@pytest.mark.parametrize(
    "question", ["E1042", "error E1042", "What is E1042?", "PN 88-4310", '"who cares"']
)
def test_a_question_of_little_else_looks_something_up(question: str) -> None:
    assert len(looked_up(question)) == 1


def test_a_question_that_says_more_looks_nothing_up() -> None:
    assert looked_up("Which seal kit do I need for a seal change on P-401?") == []


@pytest.mark.parametrize(
    ("text", "wanted", "share"),
    [
        ("set work_mem to 4", "work_mem", 1),
        ("set maintenance_work_mem", "work_mem", 0),
        ("see E1042-B", "E1042", 0),
        ("use --force-with-lease", "--force", 0),
        ("Never open\nthe  lid.", "never open the lid", 1),
        ("製品の国際標準化とは", "国際標準化", 1),  # the words of a sentence are joined
        ("l'étanchéité du réservoir", "etancheite du reservoir", 1),
    ],
)
def test_only_the_whole_token_as_written_is_held(text: str, wanted: str, share: int) -> None:
    assert share_held(text, [wanted]) == share


def test_of_two_tokens_one_is_a_half() -> None:
    assert share_held("E1042 is raised", ["E1042", "E1043"]) == 0.5
