"""Homonyms told apart: one name, two subjects in one folder."""

from __future__ import annotations

import pytest

from graphrag.adapters.spacy_spotter import SpacySpotter
from graphrag.concepts.linking import Linker
from graphrag.domain import Concept, ConceptGraph, Decision, GivenConcept, Mention
from graphrag.errors import QueryError
from graphrag.prerequisites.corpus import Corpus
from graphrag.tutoring.review import review
from tests.concept_graphs import graph_of
from tests.concept_values import document

MUSIC = [
    document("# Scales\n\nA **scale** is a row of notes. An **octave** is the reach of a scale. A "
             "**semitone** is the least step of a scale.", "music/scales.md"),
    document("# The key\n\nA **key** is the scale that a piece rests on. The **tonic** is the "
             "first note of the key. Each key has a scale and an octave.", "music/key.md"),
    document("# Chords\n\nA **chord** is a set of notes of a scale. A **triad** is a chord of "
             "three. The tonic has a triad in each key.", "music/chords.md"),
]  # fmt: skip
PROGRAMS = [
    document("# Variables\n\nA **variable** is a name for a value. An **expression** is what has "
             "a value. An **assignment** binds a variable to an expression.", "code/variables.md"),
    document("# Dictionaries\n\nA **dictionary** is a table of values. A **key** is an expression "
             "that a dictionary maps to a value. A variable can be a key.", "code/dictionaries.md"),
    document("# Loops\n\nA **loop** is a piece that runs for each value. An **index** is a "
             "variable of a loop. A loop runs over each key of a dictionary.", "code/loops.md"),
]  # fmt: skip


@pytest.fixture(scope="module")
def spotter() -> SpacySpotter:
    return SpacySpotter.load()


def senses(graph: ConceptGraph) -> dict[str, set[str]]:
    """The folders that each concept called *key* is mentioned in."""
    named = {c.id: c.name for c in graph.concepts if c.name.split()[0] == "key"}
    found: dict[str, set[str]] = {name: set() for name in named.values()}
    for mention in graph.mentions:
        if mention.concept_id in named:
            found[named[mention.concept_id]].add(mention.document_id.split("/")[0])
    return found


def test_a_name_of_two_subjects_is_two_concepts(spotter: SpacySpotter) -> None:
    graph = graph_of(spotter, [*MUSIC, *PROGRAMS])
    assert sorted(senses(graph).values(), key=min) == [{"code"}, {"music"}]
    chunks = {m.chunk_id: m.document_id for m in graph.mentions}
    for concept in graph.concepts:
        if concept.name in senses(graph):
            assert concept.definition is not None
            assert {chunks[concept.definition].split("/")[0]} == senses(graph)[concept.name]


def test_each_sense_has_needs_of_its_own_subject_alone(spotter: SpacySpotter) -> None:
    graph = graph_of(spotter, [*MUSIC, *PROGRAMS])
    folder = {m.concept_id: m.document_id.split("/")[0] for m in graph.mentions}
    edges = [e for e in graph.prerequisites if e.concept_id.startswith("key-") and e.in_force]
    assert edges
    assert all(folder[e.concept_id] == folder[e.prerequisite_id] for e in edges)


def test_a_sense_has_to_do_only_with_what_its_own_documents_speak_of() -> None:
    documents = [document("# Keys\n\nA key and a tonic.", "a"), document("# Keys\n\nA key.", "b")]
    names = ("key (scale)", "key (dictionary)", "tonic")
    concepts = [Concept(name, name) for name in names]
    places = [("key (scale)", "a"), ("tonic", "a"), ("key (dictionary)", "b")]
    mentions = [Mention(name, where, f"{where}#0", 8, 11) for name, where in places]
    corpus = Corpus(documents, [], {}, concepts, mentions)
    assert not corpus.apart(0, 2)
    assert corpus.apart(1, 2)
    assert corpus.apart(2, 1)
    assert corpus.apart(0, 1)


def test_one_subject_has_one_sense(spotter: SpacySpotter) -> None:
    assert senses(graph_of(spotter, PROGRAMS)) == {"key": {"code"}}
    assert senses(graph_of(spotter, MUSIC)) == {"key": {"music"}}


def test_the_order_of_the_documents_changes_nothing_in_the_senses(spotter: SpacySpotter) -> None:
    there, back = (graph_of(spotter, d) for d in ([*MUSIC, *PROGRAMS], [*PROGRAMS, *MUSIC]))
    assert senses(there) == senses(back)


def test_a_person_makes_two_senses_one_again(spotter: SpacySpotter) -> None:
    names = list(senses(graph_of(spotter, [*MUSIC, *PROGRAMS])))
    merged = graph_of(spotter, [*MUSIC, *PROGRAMS], Decision("merge", *names))
    assert senses(merged) == {"key": {"code", "music"}}


def test_decisions_speak_of_one_sense(spotter: SpacySpotter) -> None:
    one, other = sorted(senses(graph_of(spotter, [*MUSIC, *PROGRAMS])))
    accepted = graph_of(spotter, [*MUSIC, *PROGRAMS], Decision("accept", one, "tonic"))
    assert set(senses(accepted)) == {one, other}
    ids = {c.name: c.id for c in accepted.concepts}
    edges = {(e.concept_id, e.prerequisite_id): e.status for e in accepted.prerequisites}
    assert edges[ids[one], ids["tonic"]] == "certain"
    ignored = graph_of(spotter, [*MUSIC, *PROGRAMS], Decision("ignore", one))
    assert set(senses(ignored)) == {other}


def test_a_name_with_several_senses_asks_which_one(spotter: SpacySpotter) -> None:
    graph = graph_of(spotter, [*MUSIC, *PROGRAMS])
    linker = Linker(graph.concepts)
    with pytest.raises(QueryError, match="'key' names several concepts; say which: 'key \\("):
        linker.resolve("key")
    for name in senses(graph):
        assert linker.resolve(name).name == name
    field = next(iter(senses(graph))).partition("(")[2].rstrip(")")
    (linked, *_) = linker.link(f"which key has a {field}?")
    assert linker.resolve(linked.concept_id).name == f"key ({field})"


def test_review_asks_whether_two_senses_are_one(spotter: SpacySpotter) -> None:
    graph = graph_of(spotter, [*MUSIC, *PROGRAMS])
    asked = [item for item in review(graph) if item.kind == "same name"]
    assert {choice.kind for item in asked for choice in item.choices} == {"merge", "split"}
    assert {n for item in asked for c in item.choices for n in (c.concept, c.other)} == {
        *senses(graph)
    }


def test_a_list_that_names_one_homonym_in_full_means_that_one(spotter: SpacySpotter) -> None:
    given = [
        GivenConcept("salt", "salt"),
        GivenConcept("acid", "base (chemistry)"),
        GivenConcept("space", "base (geometry)"),
    ]
    lesson = document(
        "# Salt\n\n## Prerequisites\n\n- base (chemistry)\n\n## What it is\n\nIn geometry, and "
        "in more geometry, salt crystals have a base. Salt is a crystal.",
        "salt.md",
    )
    graph = graph_of(spotter, [lesson], given=given)
    assert [e.prerequisite_id for e in graph.prerequisites if e.status == "certain"] == ["acid"]
