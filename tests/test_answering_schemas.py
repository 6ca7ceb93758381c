"""What is printed as JSON holds to the schemas."""

from __future__ import annotations

import json

import jsonschema
import pytest

from graphrag.adapters.extractive import ExtractiveWriter
from graphrag.answering.answer import answer_lookup
from graphrag.cli import as_json
from graphrag.resources import schema
from tests.answering_values import passage, retrieval

NAMES = ["search", "ask", "evaluate_questions", "evaluate_prerequisites", "why"]
QUESTION = "To what torque are the pump's bolts tightened?"
FOUND = retrieval(QUESTION, passage("The pump's bolts are tightened to 45 Nm."))


def validator(name: str) -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator(json.loads(schema(f"{name}.schema.json")))


@pytest.mark.parametrize("name", NAMES)
def test_each_schema_is_one_of_its_draft(name):
    jsonschema.Draft202012Validator.check_schema(json.loads(schema(f"{name}.schema.json")))


@pytest.mark.parametrize("explain", [False, True])
def test_a_search_holds_to_its_schema(explain):
    validator("search").validate(as_json.search(FOUND, explain=explain))


@pytest.mark.parametrize("found", [FOUND, retrieval(QUESTION)])
def test_an_answer_and_a_refusal_hold_to_their_schema(found):
    reply = answer_lookup(QUESTION, found, ExtractiveWriter())
    validator("ask").validate(as_json.answer(reply))


def test_a_refusal_needs_its_reason_and_an_answer_has_none():
    refusal = as_json.answer(answer_lookup(QUESTION, retrieval(QUESTION), ExtractiveWriter()))
    answer = as_json.answer(answer_lookup(QUESTION, FOUND, ExtractiveWriter()))
    assert refusal.pop("reason") == "no passages"
    assert not validator("ask").is_valid(refusal)
    assert not validator("ask").is_valid({**answer, "reason": "no passages"})


def test_a_key_that_nobody_knows_is_refused():
    value = as_json.search(FOUND)
    assert not validator("search").is_valid({**value, "passage": []})
