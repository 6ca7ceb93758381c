"""Sentences that say first what a thing is and then what it is called."""

from __future__ import annotations

import pytest

from graphrag.concepts.naming_sentences import naming_definitions
from graphrag.concepts.prose import Sentence
from graphrag.domain import Block, Document, Span


def named(sentence: str, kind: str = "paragraph") -> list[str]:
    document = Document("d", "d.md", "d", sentence, (), "markdown")
    block = Block(kind, 0, len(sentence))  # type: ignore[arg-type]
    found = naming_definitions(document, [Sentence(Span(0, len(sentence)), block, None)])
    assert all(each.form == "called" for each in found)
    return [sentence[each.term.start : each.term.stop] for each in found]


@pytest.mark.parametrize(
    ("sentence", "name"),
    [
        ("The energy needed to reach that state is the activation energy.", "activation energy"),
        ("The molecule on which an enzyme works is its substrate.", "substrate"),
        ("That interval is the octave.", "octave"),
        ("The smallest step on a piano is the semitone.", "semitone"),
        ("Such a chord is a pivot chord.", "pivot chord"),
        ("Biologists call it the plasma membrane.", "plasma membrane"),
        ("Then we speak of a concentration gradient.", "concentration gradient"),
        ("Osmosis is the name for the diffusion of water.", "Osmosis"),
        ("They are bent into an awkward shape, the transition state.", "transition state"),
    ],
)
def test_the_name_stands_last(sentence: str, name: str) -> None:
    assert named(sentence) == [name]


@pytest.mark.parametrize(
    "sentence",
    [
        "The result of the test is the loss.",  # what comes of it, not what it is called
        "The product of two vectors is a vector.",  # of what kind it is
        "The next step in the list is the setup.",
        "The first value in the table is the one above.",
        "If a name is asked for, the base class is remembered.",
    ],
)
def test_what_is_only_told_is_no_name(sentence: str) -> None:
    assert named(sentence) == []


def test_items_of_a_list_name_nothing() -> None:
    assert named("That interval is the octave.", "list") == []
