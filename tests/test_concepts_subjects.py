"""Names of which sentences tell in general."""

from __future__ import annotations

import pytest

from graphrag.concepts.subjects import told_in_general
from graphrag.domain import Document, Span


def told(sentence: str) -> str | None:
    document = Document("d", "d.md", "d", sentence, (), "markdown")
    found = told_in_general(document, Span(0, len(sentence)))
    return None if found is None else sentence[found.start : found.stop]


@pytest.mark.parametrize(
    ("sentence", "name"),
    [
        ("A plagal cadence goes from the subdominant to the tonic.", "plagal cadence"),
        ("Each lightweight tag is a name.", "lightweight tag"),
        ("Row security is off by default.", "Row security"),
        ("In a unilateral contract the offeror promises something.", "unilateral contract"),
        ("In feedback inhibition, the last product slows the first enzyme.", "feedback inhibition"),
    ],
)
def test_what_is_told_of_a_kind_of_thing_names_it(sentence: str, name: str) -> None:
    assert told(sentence) == name


@pytest.mark.parametrize(
    "sentence",
    [
        "The old pump leaks.",  # one at hand
        "A farmer sells apples.",  # a single word
        "All control files are read.",
        "Another useful tool is grep.",
        "A lot of things is lost.",
        "In this chapter we meet vectors.",
        "A long piece rarely stays in one key.",
    ],
)
def test_what_stands_for_one_thing_or_is_no_name_is_none(sentence: str) -> None:
    assert told(sentence) is None
