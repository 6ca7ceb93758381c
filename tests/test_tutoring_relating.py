"""The paths between two concepts, told in sentences."""

from __future__ import annotations

from collections.abc import Sequence

from graphrag.domain import Chunk, Concept, ConceptGraph, Evidence, Prerequisite, Relation
from graphrag.tutoring.relate import RelationPath
from graphrag.tutoring.relating import Teller


def chunk(text: str, *path: str) -> Chunk:
    return Chunk("d#0", "d", 0, 0, len(text), text, path, "", "prose", 9)


def needs(concept: str, other: str, *evidence: Evidence) -> Prerequisite:
    return Prerequisite(concept, other, 0.9, "certain", evidence)


def told(
    *edges: Prerequisite | Relation, texts: Sequence[Chunk] = (), ends: tuple[str, str] = ("a", "b")
) -> list[RelationPath]:
    """The paths between ``ends`` in a graph of concepts named by their ids."""
    prerequisites = tuple(each for each in edges if isinstance(each, Prerequisite))
    relations = tuple(each for each in edges if isinstance(each, Relation))
    ids = {edge.concept_id for edge in prerequisites} | {e.prerequisite_id for e in prerequisites}
    ids |= {end for each in relations for end in (each.source_id, each.target_id)} | set(ends)
    concepts = {key: Concept(key, key) for key in sorted(ids)}
    graph = ConceptGraph(tuple(concepts.values()), (), prerequisites, relations)
    return Teller(graph, concepts, lambda one, other: list(texts)).paths(*ends, k=3)


def sentences(paths: Sequence[RelationPath]) -> list[list[str]]:
    return [[step.sentence for step in path.steps] for path in paths]


def test_a_silent_requirement_is_told_by_a_passage_that_names_both_and_stays_one() -> None:
    (path,) = told(needs("a", "b"), texts=[chunk("An a rests firmly on a b.")])
    (step,) = path.steps
    assert (step.kind, step.sentence, step.chunk_id) == (
        "requires",
        "An a rests firmly on a b.",
        "d#0",
    )


def test_what_a_document_says_of_the_need_comes_before_what_only_names_both() -> None:
    said = Evidence("section", 1.0, "b: because without it there is nothing to start from.")
    defined = Evidence("definition", 0.9, "An a is a bundle of many a b.")
    assert sentences(told(needs("a", "b", defined, said))) == [[said.sentence]]


def test_a_sentence_that_opens_with_a_name_comes_before_one_that_mentions_both() -> None:
    mentioned = Evidence("definition", 0.9, "Whoever sees an a also sees a b.")
    texts = [chunk("An a is a bundle of b.")]
    assert sentences(told(needs("a", "b", mentioned), texts=texts)) == [["An a is a bundle of b."]]


def test_the_name_of_a_list_and_the_row_of_a_table_tell_nothing() -> None:
    bare = Evidence("section", 1.0, "b")
    assert sentences(told(needs("a", "b", bare))) == [[""]]
    row = Relation("a", "co_occurs", "b", 0.9, "| a | b | c | d |")
    assert sentences(told(row)) == [[""]]


def test_a_name_within_a_hyphenated_word_is_not_named() -> None:
    defined = Evidence("definition", 0.9, "A steady-vector is a row of the matrix.")
    assert sentences(told(needs("vector", "matrix", defined), ends=("vector", "matrix"))) == [[""]]


def test_paths_with_a_silent_step_are_left_out_where_one_is_told_whole() -> None:
    silent = [Relation("a", "uses", "x", 0.9), Relation("x", "uses", "b", 0.9, "x uses b.")]
    spoken = [
        Relation("a", "uses", "y", 0.6, "a uses y."),
        Relation("y", "uses", "b", 0.6, "y uses b."),
    ]
    assert sentences(told(*silent, *spoken)) == [["a uses y.", "y uses b."]]
    assert sentences(told(*silent)) == [["", "x uses b."]]


def test_the_sentence_by_which_a_typed_relation_was_found_stays() -> None:
    kind = Relation("a", "kind_of", "b", 0.9, "An a is a b.")
    assert sentences(told(kind, texts=[chunk("a: one b, and no other.")])) == [["An a is a b."]]
