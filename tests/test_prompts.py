"""What models are told to reply, and how long they may: small ones copy and repeat themselves."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

import jsonschema
import pytest

from graphrag.concepts.extraction import NAMES_SCHEMA
from graphrag.evaluation import judging
from graphrag.prerequisites import testimony
from graphrag.resources import prompt
from graphrag.retrieval.expanding import EXPANSION_SCHEMA
from graphrag.settings import WriterSettings
from graphrag.tutoring import judge
from graphrag.wording.prompting import estimate_tokens

ASKED: Mapping[str, Mapping[str, Any]] = {
    "concepts": NAMES_SCHEMA,
    "diagnose": judge.VERDICT_SCHEMA,
    "expand_answer": EXPANSION_SCHEMA,
    "expand_phrasings": EXPANSION_SCHEMA,
    "judge": judging.VERDICT_SCHEMA,
    "prerequisite": testimony.VERDICT_SCHEMA,
}


@pytest.mark.parametrize("name", ASKED)
def test_the_reply_is_described_by_its_keys_without_a_value_to_copy(name: str) -> None:
    last = prompt(name).split("Reply in JSON:")[1]
    assert set(re.findall(r'"([^"]*)"', last)) == set(ASKED[name]["properties"])
    assert "{" not in last


@pytest.mark.parametrize(
    ("name", "longest"),
    [
        ("concepts", {"concepts": ["relief valve body"] * 40}),
        ("diagnose", {"misused": [1, 2, 3], "reason": "word " * 60}),
        ("expand_answer", {"texts": ["word " * 120] * 3}),
        ("judge", {"correct": False, "reason": "word " * 60}),
        ("prerequisite", {"verdict": "unsure", "reason": "word " * 60}),
    ],
)
def test_the_longest_reply_that_the_schema_lets_pass_is_not_cut(
    name: str, longest: dict[str, Any]
) -> None:
    jsonschema.validate(longest, ASKED[name])
    assert estimate_tokens(json.dumps(longest)) < WriterSettings().answer
    for key, value in longest.items():
        if isinstance(value, list | str):
            with pytest.raises(jsonschema.ValidationError):
                jsonschema.validate({**longest, key: value + value}, ASKED[name])
