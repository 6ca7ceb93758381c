"""An identifier is looked up to the letter before any search."""

from __future__ import annotations

from graphrag.answering.exact import exact_first, exact_matches
from tests.answering_values import passage

TEXT = passage("The belt stops when E1024 is shown.", document="a.md")
ENTRY = passage("| Code | Meaning |\n|---|---|\n| E1024 | Belt slip |", document="b.md")
HEADING = passage("Clear the load.", document="c.md", heading=("Faults", "E1024"))
NEAR = passage("| E1024-B | Belt torn |", document="d.md")
ALL = [TEXT, ENTRY, HEADING, NEAR]


def test_chunks_about_an_identifier_come_before_those_that_mention_it():
    found = exact_matches("What does E1024 mean?", [p.chunk for p in ALL])
    assert [(m.chunk_id, m.place) for m in found] == [
        ("c.md#0", "heading"),
        ("b.md#0", "entry"),
        ("a.md#0", "text"),
    ]


def test_a_question_without_an_identifier_matches_nothing():
    assert exact_matches("What is belt slip?", [p.chunk for p in ALL]) == []


def test_passages_that_hold_the_identifier_lead_the_others():
    found = exact_first("What does E1024 mean?", [NEAR, TEXT], [HEADING, ENTRY, TEXT], k=4)
    assert [p.chunk.document_id for p in found] == ["a.md", "c.md", "b.md", "d.md"]


def test_without_an_identifier_the_search_decides():
    assert exact_first("What is belt slip?", [NEAR, TEXT], [], k=1) == (NEAR,)
