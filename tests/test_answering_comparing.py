"""The two things that a question compares, and which of them the documents know."""

from __future__ import annotations

import pytest

from graphrag.answering.comparing import half_known, parties
from graphrag.tokens import tokenize


def _known(text):
    terms = frozenset(tokenize(text))
    return lambda term: term in terms


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("What is the difference between a runbook and a playbook?", ("a runbook", "a playbook")),
        ("How does a span differ from a basis?", ("a span", "a basis")),
        ("How do rank and nullity differ?", ("rank", "nullity")),
        ("How is the rank related to the nullity?", ("the rank", "the nullity")),
        ("What distinguishes a seal from a gasket?", ("a seal", "a gasket")),
        ("Compare the seal with the gasket.", ("the seal", "the gasket")),
        ("numeric vs. float", ("numeric", "float")),
    ],
)
def test_a_comparison_names_two_things(question, named):
    assert parties(question) == named


@pytest.mark.parametrize(
    "question",
    [
        "What is a runbook?",
        "How do I connect the pump to the line?",
        "What is the difference between what the crew on the line does and a plan?",
    ],
)
def test_other_questions_and_long_descriptions_name_none(question):
    assert parties(question) is None


def test_the_thing_that_no_document_knows_is_told_from_the_other():
    question = "What is the difference between a runbook and a playbook?"
    found = half_known(question, _known("Follow the runbook."))
    assert found is not None
    assert (found.known, found.unknown) == ("a runbook", "a playbook")
    assert found.asks == "What is a runbook?"
    assert found.lead.startswith("No document mentions “playbook”")
    assert "Of “runbook”" in found.lead


def test_the_first_of_them_may_be_the_unknown_one():
    found = half_known("How do playbooks differ from runbooks?", _known("runbooks"))
    assert found is not None
    assert found.asks == "What are runbooks?"


def test_nothing_is_left_of_a_comparison_of_two_known_or_two_unknown_things():
    question = "What is the difference between a runbook and a playbook?"
    assert half_known(question, _known("runbook playbook")) is None
    assert half_known(question, _known("pump")) is None


def test_words_of_every_subject_make_nothing_unknown():
    question = "What is the difference between a simple runbook and a good playbook?"
    assert half_known(question, _known("runbook playbook")) is None
