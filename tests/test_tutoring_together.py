"""What the documents say of two concepts in one sentence."""

from __future__ import annotations

from graphrag.domain import Chunk, Concept, ConceptGraph, Mention, Passage, Relation
from graphrag.tutor import Prose, Tutor
from graphrag.tutoring.together import said_together

RANK, NULLITY = Concept("rank", "rank"), Concept("nullity", "nullity")
MATRIX, INVERSE = Concept("matrix", "matrix"), Concept("inverse", "matrix inverse")


def chunk(number: int, text: str, *path: str) -> Chunk:
    return Chunk(f"d#{number}", "d", number, 0, len(text), text, path, "", "prose", 9)


def test_the_shortest_whole_sentence_that_names_both_is_found_with_its_place() -> None:
    chunks = [
        chunk(0, "Ranks and nullities are things that this text speaks of at some length."),
        chunk(1, "Rank and nullity.\n\nThe rank grows. Rank plus nullity is the width."),
    ]
    assert said_together(RANK, NULLITY, chunks) == Relation(
        "rank", "co_occurs", "nullity", 0.6, "Rank plus nullity is the width.", "d", "d#1"
    )


def test_exercises_and_questions_are_taken_only_where_there_is_no_other() -> None:
    asked = chunk(0, "What are rank and nullity of A?", "Exercises")
    said = chunk(1, "The rank and the nullity of a map add up to a fixed sum.")
    best = said_together(RANK, NULLITY, [asked, said])
    assert best is not None
    assert best.chunk_id == "d#1"
    alone = said_together(RANK, NULLITY, [asked])
    assert alone is not None
    assert alone.sentence == "What are rank and nullity of A?"


def test_a_name_inside_the_other_name_is_not_named_beside_it() -> None:
    assert said_together(MATRIX, INVERSE, [chunk(0, "The matrix inverse undoes it all.")]) is None
    text = "The matrix inverse undoes a matrix."
    assert said_together(MATRIX, INVERSE, [chunk(0, text)]) is not None


def test_what_is_said_of_both_comes_first_where_no_typed_relation_joins_them() -> None:
    text = "Rank plus nullity is the width."
    mentions = [Mention(key, "d", "d#0", 0, 1) for key in ("rank", "nullity")]
    graph = ConceptGraph((NULLITY, RANK), tuple(mentions))
    passage = Passage(chunk(0, text), "d", "D", 1.0)
    tutor = Tutor(graph, Prose(lambda keys: [passage for key in keys if key], lambda key: []))
    (path,) = tutor.relate("rank", "nullity")
    assert [step.sentence for step in path.steps] == [text]


def test_a_typed_relation_with_its_sentence_stays_as_it_is() -> None:
    kind = Relation("nullity", "kind_of", "rank", 0.9, "A nullity is a rank.", "d", "d#0")
    tutor = Tutor(
        ConceptGraph((NULLITY, RANK), relations=(kind,)), Prose(lambda keys: [], lambda key: [])
    )
    assert [path.steps for path in tutor.relate("rank", "nullity")] == [(kind,)]


def test_what_a_list_of_mistakes_says_is_never_told() -> None:
    wrong = chunk(0, "Thinking that the rank is the nullity of it.", "Common mistakes")
    assert said_together(RANK, NULLITY, [wrong]) is None


def test_a_definition_is_told_before_a_shorter_sentence_on_the_text_or_a_formulas_tail() -> None:
    chunks = [
        chunk(0, "Ranks lead on to the section on nullity."),
        chunk(1, "has rank 1 and nullity 1."),
        chunk(2, "Rank: what is left of the width when the nullity is taken off."),
    ]
    best = said_together(RANK, NULLITY, chunks)
    assert best is not None
    assert best.chunk_id == "d#2"
