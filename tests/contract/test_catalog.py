"""What every catalog does."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphrag.adapters.memory import MemoryCatalog
from graphrag.adapters.sqlite_catalog import SqliteCatalog
from graphrag.domain import (
    Annotation,
    Belief,
    Concept,
    ConceptGraph,
    Cue,
    Decision,
    Definition,
    Document,
    Evidence,
    GivenConcept,
    Learner,
    Link,
    Mention,
    Prerequisite,
    Relation,
    Span,
)
from graphrag.errors import StoreError
from graphrag.ports import Catalog, FileStamp, Rechunked, Touched
from tests.store_values import stored


@pytest.fixture(params=["memory", "sqlite"])
def catalog(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Catalog]:
    made: Catalog = (
        MemoryCatalog() if request.param == "memory" else SqliteCatalog.open(tmp_path / "c.sqlite")
    )
    yield made
    made.close()


GRAPH = ConceptGraph(
    (Concept("a", "A", ("x", "é"), 0.5, "one#0", True), Concept("b", "B")),
    (Mention("a", "one", "one#0", 0, 3, "heading"), Mention("b", "two", "two#0", 0, 3)),
    (
        Prerequisite(
            "a",
            "b",
            0.1 + 0.2,
            "likely",
            (Evidence("cue", 0.7, "A needs B.", "one", "one#0"), Evidence("generality", 0.2)),
            False,
            "why",
        ),
    ),
    (Relation("a", "uses", "b", 0.25, "A uses B.", "one", "one#0"),),
    (Prerequisite("b", "a", 0.4, "open", (Evidence("similarity", 0.5),)),),
)


def test_a_new_catalog_is_empty_at_revision_zero(catalog: Catalog) -> None:
    assert catalog.revision == 0
    assert catalog.document_ids() == []
    assert catalog.chunks() == []
    assert catalog.changes_since(0).added == ()
    assert catalog.concept_graph() == ConceptGraph()
    assert catalog.check() == []


def test_documents_come_back_as_they_were_put(catalog: Catalog) -> None:
    document = stored("one", "Alpha is first.", "Beta follows.", metadata={"author": ("A", "B")})
    rich = replace(
        document,
        document=replace(document.document, links=(Link(0, 5, "two.md"),), language="en"),
        annotation=Annotation(
            (Span(0, 15),),
            document.annotation.phrases,
            (Definition(Span(0, 5), Span(0, 15), "copula"),),
            (Cue("requires", Span(0, 5), Span(9, 14), Span(0, 15), negated=True),),
        ),
    )
    catalog.write_documents([rich], [])
    assert catalog.documents() == [rich.document]
    assert catalog.chunks() == list(rich.chunks)
    assert catalog.annotations() == {"one": rich.annotation}
    assert catalog.stamps() == {"one": rich.stamp}
    assert catalog.metadata() == {
        "one": {
            "author": ("A", "B"),
            "title": "Title",
            "source": "/notes/one",
            "format": "markdown",
        }
    }
    assert catalog.check() == []


def test_documents_are_in_reading_order(catalog: Catalog) -> None:
    catalog.write_documents(
        [
            stored("z", "Zed", position=("01", "z")),
            stored("a", "Ay", position=("02",)),
            stored("b", "Bee", position=("01",)),
            stored("c", "Cee", position=("01\0",)),
        ],
        [],
    )
    assert catalog.document_ids() == ["b", "z", "c", "a"]
    assert [chunk.id for chunk in catalog.chunks()] == ["b#0", "z#0", "c#0", "a#0"]
    assert [document.id for document in catalog.documents(["a", "b", "?"])] == ["b", "a"]


def test_chunks_come_in_the_order_asked_for_without_unknown_ones(catalog: Catalog) -> None:
    catalog.write_documents([stored("one", "Alpha", "Beta", "Gamma")], [])
    found = catalog.chunks(["one#2", "none#0", "one#0"])
    assert [chunk.text for chunk in found] == ["Gamma", "Alpha"]
    assert catalog.chunks_of(["one", "none"]) == ["one#0", "one#1", "one#2"]
    assert catalog.chunks([]) == []


def test_chunks_and_numbers_are_looked_up_by_each_other(catalog: Catalog) -> None:
    catalog.write_documents([stored("one", "Alpha", "Beta"), stored("two", "Gamma")], [])
    numbers = {chunk: number for number, chunk in catalog.chunk_numbers().items()}
    assert catalog.chunk_ids([numbers["two#0"], 999, numbers["one#1"]]) == {
        numbers["two#0"]: "two#0",
        numbers["one#1"]: "one#1",
    }
    assert catalog.numbers_of(["two", "none"]) == [numbers["two#0"]]
    assert catalog.numbers_of(["one"]) == sorted([numbers["one#0"], numbers["one#1"]])
    assert catalog.chunk_ids([]) == {}


def test_a_document_without_chunks_counts_only_as_a_document(catalog: Catalog) -> None:
    catalog.write_documents([stored("one", "Alpha", "Beta"), stored("two", "Gamma")], [])
    catalog.write_documents([stored("empty")], [])
    assert catalog.spread_of_chunks() == (3, 2)


def test_documents_of_limited_validity_are_told_apart(catalog: Catalog) -> None:
    limits: list[dict[str, str]] = [
        {"valid_from": "2020"},
        {"valid_to": "2021"},
        {"supersedes": "other"},
        {"date": "2020"},
        {},
    ]
    documents = [stored(str(place), "Alpha", metadata=each) for place, each in enumerate(limits)]
    catalog.write_documents(documents, [])
    found = catalog.limited_metadata()
    assert list(found) == ["0", "1", "2"]
    assert found == {key: catalog.metadata()[key] for key in found}


def test_documents_are_found_by_the_values_of_their_metadata(catalog: Catalog) -> None:
    catalog.write_documents(
        [
            stored("one", "Alpha", metadata={"author": ("Kim", "Lee"), "year": "2020"}),
            stored("two", "Beta", metadata={"author": "Kim\ud800"}),
            stored("three", "Gamma", metadata={"author": ("Moe",)}),
        ],
        [],
    )

    def where(key: str, *values: str) -> set[str] | None:
        return catalog.documents_where(key, lambda value: value in values)

    assert where("author", "Lee", "Moe") == {"one", "three"}
    assert where("author", "Kim", "Kim\ud800") == {"one", "two"}
    assert where("author", "Nobody") == set()
    assert where("editor", "Kim") is None
    assert where("format", "markdown") == {"one", "two", "three"}
    assert where("source", "/notes/two") == {"two"}
    catalog.write_documents([stored("one", "Alpha", metadata={"author": "Moe"})], ["three"])
    assert where("author", "Lee", "Moe") == {"one"}
    assert where("year", "2020") is None


def test_each_change_of_documents_raises_the_revision_by_one(catalog: Catalog) -> None:
    catalog.write_documents([stored("one", "Alpha")], [])
    assert catalog.revision == 1
    catalog.write_documents([], ["one"])
    assert catalog.revision == 2
    catalog.write_documents([], ["one"])
    catalog.write_documents([], [])
    assert catalog.revision == 2


def test_projections_learn_what_they_lack(catalog: Catalog) -> None:
    catalog.write_documents([stored("one", "Alpha", "Beta"), stored("two", "Gamma")], [])
    first = catalog.changes_since(0)
    assert [numbered.chunk.text for numbered in first.added] == ["Alpha", "Beta", "Gamma"]
    numbers = {numbered.chunk.text: numbered.number for numbered in first.added}
    catalog.write_documents([stored("three", "Delta")], ["one"])
    second = catalog.changes_since(1)
    assert second.revision == 2
    assert [numbered.chunk.text for numbered in second.added] == ["Delta"]
    assert second.removed == (numbers["Alpha"], numbers["Beta"])
    fresh = catalog.changes_since(0)
    assert [numbered.chunk.text for numbered in fresh.added] == ["Gamma", "Delta"]
    assert fresh.removed == ()


def test_a_projection_from_the_future_is_refused(catalog: Catalog) -> None:
    with pytest.raises(StoreError, match="build it anew"):
        catalog.changes_since(1)


def test_numbers_are_never_used_twice(catalog: Catalog) -> None:
    catalog.write_documents([stored("one", "Alpha")], [])
    before = set(catalog.chunk_numbers())
    catalog.write_documents([], ["one"])
    catalog.write_documents([stored("one", "Alpha")], [])
    assert not before & set(catalog.chunk_numbers())


def test_an_edit_touches_only_the_chunks_whose_text_changed(catalog: Catalog) -> None:
    catalog.write_documents([stored("one", "Alpha", "Beta", "Gamma")], [])
    numbers = {chunk: number for number, chunk in catalog.chunk_numbers().items()}
    catalog.write_documents([stored("one", "New", "Alpha", "Beta 2", "Gamma")], [])
    changes = catalog.changes_since(1)
    assert [numbered.chunk.text for numbered in changes.added] == ["New", "Beta 2"]
    assert changes.removed == (numbers["one#1"],)
    assert [chunk.text for chunk in catalog.chunks()] == ["New", "Alpha", "Beta 2", "Gamma"]
    assert catalog.chunk_numbers()[numbers["one#0"]] == "one#1"
    assert catalog.check() == []


def test_a_rename_leaves_projections_alone(catalog: Catalog) -> None:
    catalog.write_documents([stored("old", "Alpha", "Beta")], [])
    catalog.write_documents([stored("new", "Alpha", "Beta")], ["old"])
    changes = catalog.changes_since(1)
    assert (changes.added, changes.removed) == ((), ())
    assert catalog.document_ids() == ["new"]
    assert sorted(catalog.chunk_numbers().values()) == ["new#0", "new#1"]


def test_a_copy_has_numbers_of_its_own(catalog: Catalog) -> None:
    catalog.write_documents([stored("one", "Alpha")], [])
    catalog.write_documents([stored("two", "Alpha")], [])
    assert sorted(catalog.chunk_numbers().values()) == ["one#0", "two#0"]


def test_a_document_given_twice_in_one_change_is_refused(catalog: Catalog) -> None:
    with pytest.raises(StoreError, match="twice"):
        catalog.write_documents([stored("one", "Alpha"), stored("one", "Beta")], [])
    assert catalog.revision == 0


def test_prerequisites_in_force_are_counted_by_status(catalog: Catalog) -> None:
    pairs = [("a", "b", "certain"), ("b", "c", "likely"), ("a", "c", "possible")]
    pairs += [("c", "a", "rejected"), ("c", "b", "certain")]
    catalog.put_concept_graph(
        ConceptGraph(
            tuple(Concept(key, key.upper()) for key in "abc"),
            prerequisites=tuple(Prerequisite(one, of, 0.5, status) for one, of, status in pairs),
        )
    )
    counts = {"certain": 2, "likely": 1, "possible": 1, "prerequisites": 4, "concepts": 3}
    assert counts.items() <= catalog.counts().items()


def test_removing_a_document_takes_its_mentions_and_leaves_those_of_others(
    catalog: Catalog,
) -> None:
    catalog.write_documents([stored("one", "Alpha"), stored("two", "Beta")], [])
    catalog.put_concept_graph(GRAPH)
    catalog.write_documents([], ["one"])
    graph = catalog.concept_graph()
    assert [mention.document_id for mention in graph.mentions] == ["two"]
    assert [evidence.kind for evidence in graph.prerequisites[0].evidence] == ["generality"]
    assert graph.relations == ()
    catalog.put_concept_graph(GRAPH)
    assert catalog.concept_graph() == GRAPH


def test_restamping_leaves_the_revision(catalog: Catalog) -> None:
    catalog.write_documents([stored("one", "Alpha")], [])
    stamp = FileStamp("/moved/one", "/moved", 1, 2, "other")
    catalog.restamp({"one": stamp, "none": stamp})
    assert catalog.stamps() == {"one": stamp}
    assert catalog.documents()[0].source == "/moved/one"
    assert catalog.revision == 1


def test_embeddings_are_kept_by_model_and_content(catalog: Catalog) -> None:
    vectors = np.asarray([[1, 0], [0, 0.1]], dtype=np.float32)
    catalog.put_embeddings("m1", ["k1", "k2"], vectors)
    catalog.put_embeddings("m1", ["k1"], -vectors[:1])
    catalog.put_embeddings("m2", ["k1"], np.ones((1, 3), dtype=np.float32))
    found = catalog.embeddings("m1", ["k2", "k1", "none"])
    assert set(found) == {"k1", "k2"}
    np.testing.assert_array_equal(found["k1"], vectors[0])
    np.testing.assert_array_equal(found["k2"], vectors[1])
    assert catalog.embeddings("m2", ["k1"])["k1"].shape == (3,)
    assert catalog.embeddings("m3", ["k1"]) == {}


@pytest.mark.parametrize(
    "vectors",
    [
        np.full((1, 2), np.nan, dtype=np.float32),
        np.ones((2, 2), dtype=np.float32),
        np.ones((1, 3), dtype=np.float32),
    ],
    ids=["not finite", "too many", "another dimension"],
)
def test_vectors_that_do_not_fit_are_refused(
    catalog: Catalog, vectors: np.ndarray[tuple[int, ...], np.dtype[np.float32]]
) -> None:
    catalog.put_embeddings("m", ["k0"], np.ones((1, 2), dtype=np.float32))
    with pytest.raises(StoreError):
        catalog.put_embeddings("m", ["k1"], vectors)
    assert list(catalog.embeddings("m", ["k0", "k1"])) == ["k0"]


def test_only_embeddings_that_no_chunk_uses_are_dropped(catalog: Catalog) -> None:
    document = stored("one", "Alpha")
    catalog.write_documents([document], [])
    used = document.embedding_keys[0]
    catalog.put_embeddings("m", [used, "unused"], np.ones((2, 2), dtype=np.float32))
    assert catalog.drop_unused_embeddings() == 1
    assert list(catalog.embeddings("m", [used, "unused"])) == [used]


def test_a_concept_graph_comes_back_and_raises_the_revision_only_by_a_change(
    catalog: Catalog,
) -> None:
    catalog.put_concept_graph(GRAPH)
    assert catalog.revision == 1
    assert catalog.concept_graph() == GRAPH
    catalog.put_concept_graph(GRAPH)
    assert catalog.revision == 1
    changed = replace(GRAPH, concepts=(GRAPH.concepts[0], Concept("b", "B", weight=0.9)))
    catalog.put_concept_graph(changed)
    assert catalog.revision == 2
    assert catalog.concept_graph() == changed
    catalog.put_concept_graph(ConceptGraph())
    assert catalog.concept_graph() == ConceptGraph()


def test_a_concept_graph_with_an_edge_to_nowhere_is_refused_whole(catalog: Catalog) -> None:
    catalog.put_concept_graph(GRAPH)
    broken = replace(GRAPH, prerequisites=(Prerequisite("a", "none", 0.5, "likely"),))
    with pytest.raises(StoreError):
        catalog.put_concept_graph(broken)
    assert catalog.concept_graph() == GRAPH
    assert catalog.revision == 1


def test_what_people_gave_is_kept(catalog: Catalog) -> None:
    decisions = [Decision("reject", "Z", "Y", "no"), Decision("alias", "A", "B")]
    catalog.put_decisions(decisions)
    catalog.put_given_concepts([GivenConcept("2", "Two"), GivenConcept("1", "One", ("uno",))])
    catalog.put_value("roots", "[]")
    catalog.put_value("roots", '["/notes"]')
    assert catalog.decisions() == decisions
    assert catalog.given_concepts() == [
        GivenConcept("1", "One", ("uno",)),
        GivenConcept("2", "Two"),
    ]
    assert catalog.value("roots") == '["/notes"]'
    assert catalog.value("none") is None
    catalog.put_decisions([])
    assert catalog.decisions() == []
    assert catalog.revision == 0


def test_a_learner_is_kept_and_an_unknown_one_knows_nothing(catalog: Catalog) -> None:
    learner = Learner("Ann", {"matrix": Belief("matrix", 0.9, 12.5, ("said so",))})
    catalog.put_learner(learner)
    assert catalog.learner("Ann") == learner
    assert catalog.learner("Bob") == Learner("Bob")
    catalog.put_learner(Learner("Ann"))
    assert catalog.learner("Ann") == Learner("Ann")


HOSTILE = [
    "x') DETACH DELETE n //",
    'he said "no"; DROP TABLE document; --',
    "caf\udce9.md",
    "\ud800\ufdd0\ufdd0d800",
    "e\u0301 and \u00e9",
    "国際標準化 Ω 🧮",
    "zero\0inside",
    "`$$` team's",
    "[]",
    "%_*",
]


@pytest.mark.parametrize("name", HOSTILE)
def test_any_text_survives_in_every_place(catalog: Catalog, name: str) -> None:
    document = stored(name, name, title=name, metadata={name: name, "list": (name,)})
    catalog.write_documents([document], [])
    catalog.put_concept_graph(
        ConceptGraph(
            (Concept(name, name, (name,), 1.0, f"{name}#0"),),
            (Mention(name, name, f"{name}#0", 0, 1),),
            (Prerequisite(name, name, 1.0, "suppressed", (Evidence("cue", 1, name, name),)),),
            (Relation(name, "uses", name, 1.0, name, name, name),),
        )
    )
    catalog.put_value("v", name)
    catalog.put_learner(Learner(name, {name: Belief(name, 0.5, 1.0, (name,))}))
    catalog.put_decisions([Decision("accept", name, name, name)])
    assert catalog.documents([name]) == [document.document]
    assert catalog.chunks([f"{name}#0"]) == list(document.chunks)
    assert catalog.chunks_of([name]) == [f"{name}#0"]
    assert catalog.concept_graph().concepts[0].aliases == (name,)
    assert catalog.concept_graph().relations[0].sentence == name
    assert catalog.value("v") == name
    assert catalog.learner(name).beliefs[name].because == (name,)
    assert catalog.decisions()[0].note == name
    assert catalog.check() == []
    catalog.write_documents([], [name])
    assert catalog.documents() == []


texts = st.lists(st.sampled_from(["Alpha", "Beta", "Gamma", "Delta"]), min_size=0, max_size=4)
steps = st.lists(
    st.tuples(st.dictionaries(st.sampled_from("abc"), texts), st.sets(st.sampled_from("abc"))),
    max_size=8,
)


def contents(catalog: Catalog) -> tuple[list[Document], object, object, object]:
    return (
        catalog.documents(),
        catalog.chunks(),
        catalog.annotations(),
        sorted(catalog.chunk_numbers().values()),
    )


@settings(max_examples=40, deadline=None)
@given(steps)
def test_history_does_not_matter_and_projections_follow(
    tmp_path_factory: pytest.TempPathFactory,
    history: list[tuple[dict[str, list[str]], set[str]]],
) -> None:
    folder = tmp_path_factory.mktemp("history")
    catalog = SqliteCatalog.open(folder / "c.sqlite")
    expected: dict[str, list[str]] = {}
    projection: dict[int, str] = {}
    seen = 0
    for added, removed in history:
        catalog.write_documents([stored(key, *texts) for key, texts in added.items()], [*removed])
        for key in removed - added.keys():
            expected.pop(key, None)
        expected |= added
        changes = catalog.changes_since(seen)
        for number in changes.removed:
            del projection[number]
        projection |= {n.number: n.chunk.embedded_text for n in changes.added}
        seen = changes.revision
    fresh = MemoryCatalog()
    fresh.write_documents([stored(key, *texts) for key, texts in expected.items()], [])
    assert contents(catalog) == contents(fresh)
    by_id = {chunk.id: chunk.embedded_text for chunk in catalog.chunks()}
    assert projection == {n: by_id[chunk] for n, chunk in catalog.chunk_numbers().items()}
    assert catalog.check() == []
    catalog.close()


def test_another_model_takes_over_in_one_step(catalog: Catalog):
    one = stored("one", "alpha beta", "gamma delta")
    catalog.write_documents([one, stored("two", "epsilon")], [])
    catalog.put_embeddings("old", ["k"], np.ones((1, 2), np.float32))
    catalog.put_embeddings("new", ["k"], np.ones((1, 3), np.float32))
    revision, numbers = catalog.revision, catalog.chunk_numbers()
    cut = stored("one", "alpha", "beta", "gamma delta")
    kept = replace(cut.chunks[2], start=one.chunks[1].start, stop=one.chunks[1].stop)
    rechunked = Rechunked("one", (*cut.chunks[:2], kept), cut.embedding_keys)
    catalog.adopt_model("new", [rechunked], {"embedder": "new"})
    assert catalog.revision == revision + 1
    assert [chunk.text for chunk in catalog.chunks()] == ["alpha", "beta", "gamma delta", "epsilon"]
    assert catalog.value("embedder") == "new"
    assert (catalog.embeddings("old", ["k"]), list(catalog.embeddings("new", ["k"]))) == ({}, ["k"])
    # What was not cut anew keeps its number: projections take the change alone.
    (gone,) = (number for number, id_ in numbers.items() if id_ == "one#0")
    changes = catalog.changes_since(revision)
    assert [each.chunk.text for each in changes.added] == ["alpha", "beta"]
    assert changes.removed == (gone,)
    assert [document.id for document in catalog.documents()] == ["one", "two"]


def test_chunks_of_an_unknown_document_are_refused(catalog: Catalog):
    with pytest.raises(StoreError, match="'nowhere' is not in the catalog"):
        catalog.adopt_model("new", [Rechunked("nowhere", (), ())], {"embedder": "new"})
    assert catalog.value("embedder") is None


def test_metadata_and_mentions_of_some_documents_only(catalog: Catalog) -> None:
    catalog.write_documents([stored("one", "Alpha."), stored("two", "Beta.")], [])
    catalog.put_concept_graph(GRAPH)
    assert list(catalog.metadata(["two", "none"])) == ["two"]
    assert catalog.concept_graph(["two"]) == replace(GRAPH, mentions=GRAPH.mentions[1:])
    assert catalog.concept_graph([]) == replace(GRAPH, mentions=())


def test_what_was_touched_since_a_revision_is_known_or_said_not_to_be(catalog: Catalog) -> None:
    catalog.write_documents([stored(key, "Alpha.") for key in ("one", "two", "three")], [])
    first = catalog.revision
    catalog.write_documents([stored("four", "Delta.")], ["one"])
    second = catalog.revision
    catalog.put_concept_graph(replace(GRAPH, mentions=GRAPH.mentions[1:]))
    third = catalog.revision
    catalog.restamp({"three": FileStamp("/elsewhere/three", "/elsewhere", 6, 8, "digest")})
    catalog.write_documents([], ["four"])
    found = [catalog.touched_since(since) for since in (first, second, third, catalog.revision)]
    if isinstance(catalog, MemoryCatalog):
        assert found == [None] * 4
    else:
        assert found == [
            Touched(("three", "two"), ("four", "one")),
            Touched(("three", "two"), ("four",)),
            Touched(("three",), ("four",)),
            Touched((), ()),
        ]


def test_chunks_are_given_with_their_numbers_by_document_and_by_number(catalog: Catalog) -> None:
    catalog.write_documents([stored("b", "One.", "Two."), stored("a", "Three.")], [])
    everything = catalog.changes_since(0).added
    of_a = [each for each in everything if each.chunk.document_id == "a"]
    others = [each for each in everything if each.chunk.document_id == "b"]
    assert catalog.numbered(documents=["a", "none"]) == of_a
    assert catalog.numbered(numbers=[others[1].number, 999]) == others[1:]
    both = catalog.numbered(documents=["a"], numbers=[others[0].number])
    assert both == sorted([*of_a, others[0]], key=lambda each: each.number)
    assert catalog.numbered() == []
