"""Questions are drafted from what the documents say."""

from __future__ import annotations

from graphrag.domain import Concept
from graphrag.evaluation.draft import draft_questions
from tests.answering_values import passage

BASIS = passage("A basis is a linearly independent set that spans. It is not unique.").chunk
CODES = passage(
    "| Code | Meaning |\n|---|---|\n| E1042 | Seal flush pressure low |\n| E1043 | Hot bearing |",
    document="codes.md",
    kind="table",
).chunk
SEAL = passage(
    "1. Close the valve.\n2. Pull the unit out.", document="pump.md", heading=("Changing the seal",)
).chunk
CONCEPT = Concept("basis", "basis", definition=BASIS.id)


def test_definitions_rows_and_procedures_give_questions_by_turns():
    drafts = draft_questions([BASIS, CODES, SEAL], [CONCEPT])
    assert [(d.question, d.answers, d.relevant) for d in drafts] == [
        ("What is a basis?", ("a linearly independent set that spans",), ("notes.md#0",)),
        ("What does E1042 mean?", ("Seal flush pressure low",), ("codes.md#0",)),
        ("How do I change the seal?", ("Close the valve",), ("pump.md#0",)),
        ("What does E1043 mean?", ("Hot bearing",), ("codes.md#0",)),
    ]
    assert [d.id for d in drafts] == ["draft-001", "draft-002", "draft-003", "draft-004"]


def test_a_name_that_ends_with_a_sign_is_defined_too():
    chunk = passage("C++ is a compiled language.").chunk
    (draft,) = draft_questions([chunk], [Concept("c++", "C++", definition=chunk.id)])
    assert draft.answers == ("a compiled language",)


def test_no_question_is_drafted_twice_and_no_more_than_asked_for():
    assert len(draft_questions([CODES, CODES], most=5)) == 2
    assert len(draft_questions([CODES], most=1)) == 1


def test_nothing_to_ask_gives_nothing():
    assert draft_questions([passage("Hello there.").chunk]) == []
    assert draft_questions([]) == []


def test_what_only_tells_something_of_a_thing_defines_nothing():
    told = passage("The pump is primed by hand. A pump is used daily.").chunk
    assert draft_questions([told], [Concept("pump", "pump", definition=told.id)]) == []


def test_a_question_in_the_plural_has_the_name_as_the_text_writes_it():
    chunk = passage("Suppliers are firms that sell to us.").chunk
    (draft,) = draft_questions([chunk], [Concept("supplier", "supplier", definition=chunk.id)])
    assert (draft.question, draft.answers) == ("What are suppliers?", ("firms that sell to us",))
