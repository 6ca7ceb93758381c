"""What a question names to the letter is looked up before the channels search."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest

from graphrag.domain import Chunk, Hit
from graphrag.retrieval.exact import Shelves, ahead, lookup, place_of, with_lacking
from graphrag.wording.verbatim import Exact
from tests.retrieval_values import MemoryKeywordIndex, Shelf, retriever_over

CODES = {
    "told": ("Belts", "The belt stops when E1024 is shown."),
    "rows": ("Codes", "| Code | Meaning |\n|---|---|\n| E1024 | belt slip |\n| 23505 | unique |"),
    "near": ("Tears", "| E1024-B | belt torn |"),
    "year": ("Trade", "In that year 23505 bags were sold."),
}


def shelves(library: Mapping[str, tuple[str, str]] = CODES, *inside: str) -> Shelves:
    shelf, keyword = Shelf(library), MemoryKeywordIndex()
    keyword.update({each.number: each.chunk.embedded_text for each in shelf.numbered}, [], 1)
    numbers = [each.number for each in shelf.numbered if each.chunk.document_id in inside]
    allowed = np.array(numbers, dtype=np.int64) if inside else None
    return Shelves(keyword, shelf, shelf.chunk_ids, allowed)


def found(question: str, *inside: str) -> list[tuple[str, tuple[str, ...]]]:
    return [(hit.chunk_id, hit.path) for hit in lookup(question, shelves(CODES, *inside))]


def chunk(text: str, *heading: str) -> Chunk:
    return Chunk("d#0", "d", 0, 0, len(text), text, heading, "", "prose", 1)


def test_a_code_that_opens_a_row_comes_before_one_within_a_text() -> None:
    assert found("What does E1024 mean?") == [("rows#0", ("E1024",)), ("told#0", ("E1024",))]


def test_a_number_counts_only_where_something_begins_with_it() -> None:
    assert found("What is SQLSTATE 23505?") == [("rows#0", ("23505",))]


def test_chunks_and_documents_are_found_by_id() -> None:
    assert found("show told#0") == [("told#0", ("told#0",))]
    library = {"guide.md": ("Guide", "All of it."), "other.md": ("Other", "Nothing.")}
    hits = lookup("What does guide.md say?", shelves(library))
    assert [hit.chunk_id for hit in hits] == ["guide.md#0"]


def test_what_holds_more_of_the_codes_comes_first() -> None:
    hits = lookup("E1024 23505", shelves())
    # E1024 is only mentioned in the text of the second: .9 of one half.
    assert [(hit.chunk_id, hit.score) for hit in hits] == [("rows#0", 1.0), ("told#0", 0.45)]


def test_nothing_outside_the_filter_is_looked_up() -> None:
    assert found("What does E1024 mean?", "told", "near") == [("told#0", ("E1024",))]
    assert found("show told#0", "near") == []


def test_a_question_that_names_nothing_exactly_looks_nothing_up() -> None:
    assert found("When does the belt stop?") == []


@pytest.mark.parametrize(
    ("term", "held", "place"),
    [
        (Exact("E7"), chunk("Text.", "Faults", "Code E7"), "heading"),
        (Exact("E7"), chunk("First.\n- `E7`: slip"), "entry"),
        (Exact("E7"), chunk("The code E7 is shown."), "text"),
        (Exact("E7"), chunk("The code E7-B is shown."), ""),
        (Exact("E7"), chunk("faults.E7: slip"), "entry"),
        (Exact("-u"), chunk("-u, --user: whose they are"), "entry"),
        (Exact("-u"), chunk("As with -u, all are."), "text"),
        (Exact("-u"), chunk("-U: upper\nthe blow-u case"), ""),
        (Exact("4.2", opens=True), chunk("Text.", "4.2 Suppliers"), "heading"),
        (Exact("4.2", opens=True), chunk("Text.", "Section 4.2 Suppliers"), "heading"),
        (Exact("4.2", opens=True), chunk("Text.", "4.2.1 Audits"), ""),
        (Exact("4.2", opens=True), chunk("4.2 Suppliers are audited."), "entry"),
        (Exact("4.2", opens=True), chunk("See 4.2 of the act."), ""),
    ],
)
def test_a_place_tells_whether_a_chunk_is_about_the_term(
    term: Exact, held: Chunk, place: str
) -> None:
    assert place_of(term, held) == place


def test_what_the_first_lack_comes_in_front_and_what_they_hold_changes_nothing() -> None:
    hits = [Hit("a#0", 1, 0.9), Hit("b#0", 2, 0.5)]
    exact = [Hit("b#0", 1, 1.0, ("E7",)), Hit("c#0", 2, 1.0, ("E7",))]
    assert [hit.chunk_id for hit in with_lacking(hits, exact, 1)] == ["b#0", "c#0", "a#0"]
    assert [hit.score for hit in with_lacking(hits, exact, 1)] == [0.9, 0.9, 0.9]
    assert with_lacking(hits, exact, 2) == hits
    assert with_lacking(hits, [], 1) == hits


def test_a_greater_share_is_ahead_and_what_only_a_lookup_found_is_added() -> None:
    hits = [Hit("a#0", 1, 0.9), Hit("b#0", 2, 0.5)]
    exact = [Hit("c#0", 1, 1.0), Hit("b#0", 2, 0.5)]
    assert [hit.chunk_id for hit in ahead(hits, exact)] == ["c#0", "b#0", "a#0"]


def test_signs_alone_are_looked_up() -> None:
    library = {
        "get": ("Get", "a -> b gives the field as it is."),
        "text": ("Text", "a ->> b gives it as text."),
        "meta": ("Meta", "\\timing tells how long a command took."),
        "time": ("Times", "The time of a timing."),
    }
    for question, best in (("->>", "text#0"), ("What is ->?", "get#0"), ("\\timing", "meta#0")):
        hits = lookup(question, shelves(library))
        assert [hit.chunk_id for hit in hits] == [best]


def test_a_search_shows_the_lookup_as_its_first_stage() -> None:
    retrieval = retriever_over(CODES).retrieve("What is SQLSTATE 23505?", k=1)
    assert next(iter(retrieval.stages)) == "exact"
    assert "exact" in retrieval.seconds
    (passage,) = retrieval.passages
    assert passage.chunk.document_id == "rows"
    assert passage.channels["exact"].path == ("23505",)


def test_a_code_that_the_first_passages_lack_comes_in_front_and_is_read() -> None:
    # The question is nearer to every pump than to the note, whose code is one word of many.
    crowd = {f"c{place:02}": ("Pumps", "pump flow slurry") for place in range(20)}
    library = {**crowd, "code": ("Notes", "Many other words stand around KX-77 in here.")}
    question = "Which pump flow and slurry belong to KX-77 of the plant?"
    retrieval = retriever_over(library, graph=False).retrieve(question, k=3)
    before = [hit.chunk_id for hit in retrieval.stages["reranked"][:3]]
    assert "code#0" not in before
    assert [passage.chunk.id for passage in retrieval.passages] == ["code#0", *before[:2]]
    assert 0 < retrieval.passages[0].score < 1


def test_a_statement_does_not_ask_what_its_codes_are() -> None:
    crowd = {f"c{place:02}": ("Pumps", "pump flow slurry") for place in range(20)}
    library = {**crowd, "code": ("Notes", "Many other words stand around KX-77 in here.")}
    statement = "The pump flow and slurry belong to KX-77 of the plant."
    retrieval = retriever_over(library, graph=False).retrieve(statement, k=3)
    assert "code" not in [passage.chunk.document_id for passage in retrieval.passages]
