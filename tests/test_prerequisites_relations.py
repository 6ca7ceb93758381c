"""Typed relations between concepts, and what their sentences must say."""

from __future__ import annotations

import pytest

from graphrag.adapters.spacy_spotter import SpacySpotter
from graphrag.concepts.mentions import find_mentions
from graphrag.domain import Concept, Relation
from graphrag.prerequisites.corpus import Corpus
from graphrag.prerequisites.relations import association_relations, cue_relations
from tests.concept_values import document, one_chunk_each


@pytest.fixture(scope="module")
def spotter() -> SpacySpotter:
    return SpacySpotter.load()


def corpus(spotter: SpacySpotter, text: str, *names: str) -> Corpus:
    documents = [document(text)]
    annotations = {"a.md": next(iter(spotter.annotate(documents)))}
    chunks = one_chunk_each(documents)
    concepts = [Concept(name, name) for name in sorted(names)]
    mentions = find_mentions(documents, chunks, annotations, concepts)
    return Corpus(documents, chunks, annotations, concepts, mentions)


def kinds(relations: list[Relation]) -> set[tuple[str, str, str]]:
    return {(each.source_id, each.kind, each.target_id) for each in relations}


@pytest.mark.parametrize(
    "sentence",
    [
        "An eigenvector is a vector.",
        "An eigenvector of a matrix is a nonzero vector.",
        "The eigenvector is the vector that keeps its line.",
    ],
)
def test_a_concept_is_a_kind_of_what_it_is_said_to_be(spotter: SpacySpotter, sentence: str) -> None:
    found = cue_relations(corpus(spotter, f"# Notes\n\n{sentence}", "eigenvector", "vector"))
    assert ("eigenvector", "kind_of", "vector") in kinds(found)


@pytest.mark.parametrize(
    "sentence",
    [
        "The remaining eigenvector is a vector.",  # something narrower than the concept
        "The part of the eigenvector is a vector.",  # something of it
        "An eigenvector should be the vector.",  # a rule, no statement
        "Its eigenvector is its vector.",  # one thing, no concept
        "The eigenvector is a vector product.",  # another head
        "The eigenvector is part of the vector.",
        "The eigenvector we have seen is a vector.",  # some of them
        "If an eigenvector is a vector it ends.",  # a condition
        "The eigenvector printed here is a vector.",  # some of them
        "The eigenvector is the vector.",  # which one it is
        "The root and eigenvector are vectors.",  # several subjects
    ],
)
def test_what_only_looks_like_a_kind_is_none(spotter: SpacySpotter, sentence: str) -> None:
    found = cue_relations(corpus(spotter, f"# Notes\n\n{sentence}", "eigenvector", "vector"))
    assert ("eigenvector", "kind_of", "vector") not in kinds(found)


@pytest.mark.parametrize(
    "sentence",
    [
        "The arguments are a vector.",  # what fills a role
        "The default is a vector.",
        "The return value is a vector.",
    ],
)
def test_what_fills_a_role_is_no_kind_of_it(spotter: SpacySpotter, sentence: str) -> None:
    names = ("argument", "default", "return value", "vector")
    found = cue_relations(corpus(spotter, f"# Notes\n\n{sentence}", *names))
    assert not kinds(found)


def test_nothing_is_a_kind_of_what_narrows_it(spotter: SpacySpotter) -> None:
    text = "# Notes\n\nA column of this matrix is a pivot column."
    assert not kinds(cue_relations(corpus(spotter, text, "column", "pivot column")))
    text = "# Notes\n\nA pivot column is a column."
    assert ("pivot column", "kind_of", "column") in kinds(
        cue_relations(corpus(spotter, text, "column", "pivot column"))
    )


@pytest.mark.parametrize(
    "sentence",
    [
        "A tuple that somebody reads contains a string.",  # some of them
        "It stops when the tuple contains a string.",  # a circumstance
        "The tuple would contain a string.",  # what might be
        "The tuple contains some strings.",  # this one's
        "The tuple size contains a string.",  # something of it
        "The tuple contains a string format.",
        "The resulting tuple contains a string.",  # one just spoken of
    ],
)
def test_what_one_thing_holds_here_is_no_part_of_its_concept(
    spotter: SpacySpotter, sentence: str
) -> None:
    found = cue_relations(corpus(spotter, f"# Notes\n\n{sentence}", "tuple", "string"))
    assert not kinds(found)


def test_what_a_concept_is_said_to_contain_is_its_part(spotter: SpacySpotter) -> None:
    text = "# Notes\n\nA tuple may contain a string."
    found = cue_relations(corpus(spotter, text, "tuple", "string"))
    assert ("string", "part_of", "tuple") in kinds(found)


def test_a_condition_is_no_purpose(spotter: SpacySpotter) -> None:
    text = "# Notes\n\nTuples can be used as keys if they contain strings."
    assert not kinds(cue_relations(corpus(spotter, text, "tuple", "string")))
    text = "# Notes\n\nTuples are used for strings."
    assert ("tuple", "used_for", "string") in kinds(
        cue_relations(corpus(spotter, text, "tuple", "string"))
    )


@pytest.mark.parametrize(
    ("sentence", "kind"),
    [
        ("This tuple uses a string.", "uses"),
        ("A tuple user uses a string.", "uses"),
        ("If a tuple uses a string, stop.", "uses"),
        ("Tuples are used to show strings.", "used_for"),
        ("In the case of strings, tuples are used for speed.", "used_for"),
    ],
)
def test_what_is_pointed_at_supposed_or_merely_done_to_is_not_said_of_a_concept(
    spotter: SpacySpotter, sentence: str, kind: str
) -> None:
    found = cue_relations(corpus(spotter, f"# Notes\n\n{sentence}", "tuple", "string"))
    assert ("tuple", kind, "string") not in kinds(found)


@pytest.mark.parametrize(
    ("sentence", "kind"),
    [
        ("A tuple uses a string.", "uses"),
        ("If it rains, a tuple uses a string.", "uses"),
        ("Tuples are used to build strings.", "used_for"),
        ("A tuple requires its string.", "requires"),
    ],
)
def test_what_is_said_of_two_concepts_is_kept(
    spotter: SpacySpotter, sentence: str, kind: str
) -> None:
    found = cue_relations(corpus(spotter, f"# Notes\n\n{sentence}", "tuple", "string"))
    assert ("tuple", kind, "string") in kinds(found)


def sections(pairs: int, body: str) -> str:
    """A document in which two concepts share sections, and others stand alone."""
    shared = [f"## Part {n}\n\n{body}" for n in range(pairs)]
    alone = [f"## Other {n}\n\nNothing of note is said here." for n in range(20)]
    return "\n\n".join(["# Notes", *shared, *alone])


def test_what_is_treated_together_has_a_sentence_that_names_both(spotter: SpacySpotter) -> None:
    said = sections(4, "- The rank and the nullity add up.")
    (found,) = association_relations(corpus(spotter, said, "rank", "nullity"))
    assert (found.kind, found.sentence) == ("co_occurs", "The rank and the nullity add up.")
    apart = sections(4, "The rank is high.\n\nThe nullity is low.")
    assert association_relations(corpus(spotter, apart, "rank", "nullity")) == []
    table = sections(4, "| rank | nullity |")
    assert association_relations(corpus(spotter, table, "rank", "nullity")) == []
