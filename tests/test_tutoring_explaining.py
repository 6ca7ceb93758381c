"""Which passages explain a concept, and why one concept needs another, in words."""

from __future__ import annotations

import pytest

from graphrag.domain import Chunk, Concept, Evidence, Prerequisite
from graphrag.tutoring.explaining import best_explaining, reason


def chunk(number: int, text: str, *path: str) -> Chunk:
    return Chunk(f"d#{number}", "d", number, 0, len(text), text, path, "", "prose", 9)


@pytest.mark.parametrize(
    ("other", "better"),
    [
        ("The directions are named here, and a basis has some.", "A basis of a space is a list."),
        ("A basis is never empty.", "A basis $B$ is the smallest list that spans."),
        ("Nothing on a basis.", "basis: A list of vectors that spans."),
        ("Nothing on a basis.", "Such a list is called a basis."),
        ("A basis follows.", "Two lists are basis if they span."),
    ],
)
def test_what_says_what_a_concept_is_explains_it_best(other: str, better: str) -> None:
    chunks = [chunk(0, other), chunk(1, better)]
    assert best_explaining(Concept("basis", "basis"), chunks) == chunks[1]


def test_a_section_of_its_own_name_beats_a_mention() -> None:
    chunks = [chunk(0, "Use a string."), chunk(1, "Quotes enclose it.", "3", "3.1.2. Strings")]
    assert best_explaining(Concept("string", "string"), chunks) == chunks[1]


def test_a_list_of_mistakes_explains_last() -> None:
    chunks = [
        chunk(0, "The component of a free variable is not zero.", "Common mistakes"),
        chunk(1, "Each component is a number."),
    ]
    concept = Concept("component", "component", definition="d#0")
    assert best_explaining(concept, chunks) == chunks[1]


def test_the_definition_stays_where_others_are_no_better() -> None:
    chunks = [chunk(0, "A rank is a number."), chunk(1, "A rank is a count.")]
    assert best_explaining(Concept("rank", "rank", definition="d#1"), chunks) == chunks[1]
    assert best_explaining(Concept("rank", "rank"), chunks) == chunks[0]
    assert best_explaining(Concept("rank", "rank"), []) is None


def edge(*evidence: Evidence) -> Prerequisite:
    return Prerequisite("basis", "span", 0.9, "certain", evidence)


def test_a_reason_is_the_strongest_sentence() -> None:
    listed = Evidence("section", 1.0, "span", "notes.md")
    said = Evidence("cue", 0.8, "A basis\nneeds a span.", "notes.md")
    near = Evidence("similarity", 0.9, "Spans are near bases.", "notes.md")
    assert reason(edge(near, listed, said)) == '"A basis needs a span."'


def test_the_definition_of_a_longer_term_is_no_reason() -> None:
    other = Evidence("definition", 0.25, "dual basis: The basis of a dual span.", "notes.md")
    own = Evidence("definition", 0.5, "basis: A small span.", "notes.md")
    near = Evidence("similarity", 0.9)
    assert reason(edge(other, near)) == "by likeness in meaning"
    assert reason(edge(other, own, near)) == '"basis: A small span."'


def test_the_bare_item_of_a_list_is_told_by_its_document() -> None:
    listed = Evidence("section", 1.0, "span", "notes.md")
    assert reason(edge(listed)) == "listed as a prerequisite in notes.md"


def test_what_was_counted_is_told_in_words_the_strongest_first() -> None:
    counted = [Evidence("order", 0.2), Evidence("similarity", 0.9), Evidence("reference", 0.5)]
    assert reason(edge(*counted)) == (
        "by likeness in meaning and how often the one's texts name the other"
    )
    assert reason(edge(Evidence("stated", 1.0))) == "by a person's word"
    assert reason(edge()) == ""


def test_a_model_is_never_quoted_beside_the_documents() -> None:
    said = Evidence("cue", 0.5, "A basis needs a span.", "notes.md")
    yes, no = Evidence("model", 1.0, "yes: it does"), Evidence("model", 0.0, "no: it does not")
    near = Evidence("similarity", 0.9)
    assert reason(edge(said, yes)) == '"A basis needs a span."'
    assert reason(edge(near, yes)) == "by a language model's judgement and likeness in meaning"
    assert reason(edge(near, no)) == "by likeness in meaning"
