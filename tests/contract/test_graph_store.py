"""What every graph store does; Cypher itself is in ``test_cypher_console``."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from graphrag.adapters import kuzu_graph
from graphrag.adapters.kuzu_graph import KuzuGraph
from graphrag.adapters.memory import MemoryGraph
from graphrag.domain import (
    Chunk,
    Concept,
    ConceptGraph,
    Evidence,
    Mention,
    Prerequisite,
    Relation,
)
from graphrag.errors import DamagedError, QueryError, StoreError
from graphrag.ports import GraphChange, GraphSnapshot, GraphStore


@pytest.fixture(params=["memory", "kuzu"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> GraphStore:
    return MemoryGraph() if request.param == "memory" else KuzuGraph(tmp_path / "graph.kuzu")


def chunk(document_id: str, ordinal: int, text: str = "Some text.") -> Chunk:
    chunk_id = f"{document_id}#{ordinal}"
    path = ("Part", "Section")
    return Chunk(chunk_id, document_id, ordinal, 0, len(text), text, path, "", "prose", 3, 2)


GRAPH = ConceptGraph(
    (
        Concept("a", "Eigenvalue", ("eigen value", "λ"), 0.5, "one#0", True),
        Concept("b", "Matrix"),
    ),
    (
        Mention("a", "one", "one#0", 0, 3, "text"),
        Mention("a", "one", "one#0", 5, 8, "definition"),
        Mention("b", "one", "one#1", 0, 3, "heading"),
    ),
    (
        Prerequisite(
            "a",
            "b",
            0.75,
            "likely",
            (Evidence("generality", 0.9), Evidence("cue", 0.5, "It needs a matrix.", "one")),
            False,
            "",
        ),
        Prerequisite("b", "a", 0.1, "suppressed", (), True, "a needs b"),
    ),
    (Relation("a", "uses", "b", 0.25, "A uses B.", "one", "one#0"),),
)
SNAPSHOT = GraphSnapshot(
    (("one", "First", "/notes/one.md", {"author": ("X", "Y"), "date": "2020-01-02"}),),
    (chunk("one", 0), chunk("one", 1)),
    GRAPH,
)
SHOWN = replace(
    GRAPH,
    mentions=(),
    prerequisites=tuple(replace(p, evidence=()) for p in GRAPH.prerequisites),
)


def test_a_new_store_is_empty_at_revision_zero(store: GraphStore) -> None:
    assert store.revision == 0
    assert store.concept_graph() == ConceptGraph()


def test_the_concept_graph_comes_back_without_mentions_and_evidence(store: GraphStore) -> None:
    store.replace(SNAPSHOT, 7)
    assert store.revision == 7
    assert store.concept_graph() == SHOWN


def test_a_snapshot_replaces_all_that_was_shown(store: GraphStore) -> None:
    store.replace(SNAPSHOT, 1)
    store.replace(GraphSnapshot(), 2)
    assert store.revision == 2
    assert store.concept_graph() == ConceptGraph()


def test_an_edge_to_nowhere_is_refused_and_the_old_graph_stays(store: GraphStore) -> None:
    store.replace(SNAPSHOT, 1)
    broken = replace(GRAPH, prerequisites=(Prerequisite("a", "none", 0.5, "likely"),))
    with pytest.raises(StoreError, match="not there"):
        store.replace(replace(SNAPSHOT, graph=broken), 2)
    assert store.revision == 1
    assert store.concept_graph() == SHOWN


@pytest.mark.parametrize(
    "name",
    [
        "x') DETACH DELETE n //",
        '`$$` team\'s "quoted" \\ back',
        "国際標準化 Ω 🧮",
        "e\u0301",
        "{id: 1}",
        "line\nbreak\ttab",
    ],
)
def test_any_name_survives(store: GraphStore, name: str) -> None:
    graph = ConceptGraph(
        (Concept(name, name, (name, ""), 1.0), Concept("other", "\u00e9")),
        (),
        (Prerequisite(name, "other", 0.5, "possible", reason=name),),
        (Relation("other", "uses", name, 0.5, name, name, name),),
    )
    in_order = replace(graph, concepts=tuple(sorted(graph.concepts, key=lambda c: c.id)))
    store.replace(GraphSnapshot(graph=in_order), 1)
    assert store.concept_graph() == in_order


# --- what Kùzu shows -------------------------------------------------------------------


@pytest.fixture
def kuzu(tmp_path: Path) -> KuzuGraph:
    graph = KuzuGraph(tmp_path / "graph.kuzu")
    graph.replace(SNAPSHOT, 3)
    return graph


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> KuzuGraph:
    """A graph that is only read."""
    graph = KuzuGraph(tmp_path_factory.mktemp("shown") / "graph.kuzu")
    graph.replace(SNAPSHOT, 3)
    return graph


@pytest.mark.parametrize(
    ("statement", "rows"),
    [
        (
            "MATCH (d:Document) RETURN d.id, d.title, d.source, d.date, d.author, d.type",
            [("one", "First", "/notes/one.md", "2020-01-02", "X, Y", None)],
        ),
        (
            "MATCH (k:Chunk)-[:PART_OF]->(d:Document) RETURN k.id, k.heading, k.page, d.id "
            "ORDER BY k.ordinal",
            [("one#0", "Part > Section", 2, "one"), ("one#1", "Part > Section", 2, "one")],
        ),
        ("MATCH (a:Chunk)-[:NEXT]->(b:Chunk) RETURN a.id, b.id", [("one#0", "one#1")]),
        (
            "MATCH (k:Chunk)-[m:MENTIONS]->(c:Concept) RETURN k.id, c.id, m.kind, m.count "
            "ORDER BY k.id",
            [("one#0", "a", "definition", 2), ("one#1", "b", "heading", 1)],
        ),
        ("MATCH (k:Chunk)-[:DEFINES]->(c:Concept) RETURN k.id, c.id", [("one#0", "a")]),
        (
            "MATCH (c:Concept)-[r:REQUIRES {status: 'likely'}]->(p:Concept) "
            "RETURN c.name, p.name, r.weight, r.evidence, r.direct, r.sentence, r.document",
            [("Eigenvalue", "Matrix", 0.75, 2, False, "It needs a matrix.", "one")],
        ),
        (
            "MATCH (a:Concept)-[r:RELATED]->(b:Concept) RETURN a.id, r.kind, b.id, r.sentence",
            [("a", "uses", "b", "A uses B.")],
        ),
        ("MATCH (c:Concept) RETURN c.aliases ORDER BY c.id", [(["eigen value", "λ"],), ([],)]),
    ],
)
def test_the_graph_has_the_documented_shape(
    shown: KuzuGraph, statement: str, rows: list[tuple[object, ...]]
) -> None:
    assert list(shown.query(statement).rows) == rows


def test_equal_snapshots_give_equal_graphs_whatever_was_before(tmp_path: Path) -> None:
    one, other = KuzuGraph(tmp_path / "one"), KuzuGraph(tmp_path / "other")
    one.replace(GraphSnapshot(graph=ConceptGraph((Concept("z", "Z"),))), 1)
    for graph in (one, other):
        graph.replace(SNAPSHOT, 2)
    statement = "MATCH (a)-[r]->(b) RETURN a.id, label(r), b.id ORDER BY a.id, label(r), b.id"
    assert one.query(statement) == other.query(statement)


def test_duplicates_are_shown_once(tmp_path: Path) -> None:
    graph = KuzuGraph(tmp_path / "graph.kuzu")
    twice = ConceptGraph(
        GRAPH.concepts * 2, GRAPH.mentions, GRAPH.prerequisites * 2, GRAPH.relations * 2
    )
    graph.replace(GraphSnapshot(SNAPSHOT.documents * 2, SNAPSHOT.chunks * 2, twice), 1)
    counts = graph.query(
        "MATCH (c:Concept) WITH count(c) AS nodes MATCH ()-[r:REQUIRES]->() RETURN nodes, count(r)"
    )
    assert counts.rows == ((2, 2),)


def test_lone_surrogates_are_spelt_out(tmp_path: Path) -> None:
    graph = KuzuGraph(tmp_path / "graph.kuzu")
    graph.replace(GraphSnapshot(graph=ConceptGraph((Concept("caf\udce9", "x"),))), 1)
    assert graph.concept_graph().concepts[0].id == "caf\\udce9"


def test_a_damaged_graph_is_a_store_error(kuzu: KuzuGraph, tmp_path: Path) -> None:
    (tmp_path / "graph.kuzu").write_bytes(b"rubbish" * 1000)
    with pytest.raises(StoreError, match="run `graphrag verify`"):
        _ = kuzu.revision


def test_nothing_is_left_beside_the_graph(kuzu: KuzuGraph, tmp_path: Path) -> None:
    kuzu.replace(SNAPSHOT, 4)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["graph.kuzu", "graph.kuzu.revision"]


def test_the_noted_revision_counts_only_for_the_file_that_it_was_noted_for(
    kuzu: KuzuGraph, tmp_path: Path
) -> None:
    graph, note = tmp_path / "graph.kuzu", tmp_path / "graph.kuzu.revision"
    other = KuzuGraph(tmp_path / "other.kuzu")
    other.replace(SNAPSHOT, 9)
    assert (kuzu.revision, other.revision) == (3, 9)
    graph.write_bytes(graph.read_bytes())  # the same content, at another time
    assert kuzu.revision == 3
    (tmp_path / "other.kuzu").replace(graph)
    for content in (note.read_bytes(), b"", b"[]", b'{"revision": 1}'):
        note.write_bytes(content)
        with pytest.raises(DamagedError):
            _ = kuzu.revision
    note.unlink()
    assert kuzu.revision == 9
    graph.unlink()
    assert kuzu.revision == 0


def test_where_a_damaged_graph_breaks_the_console_the_damage_is_told(
    kuzu: KuzuGraph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = tmp_path / "console.py"
    broken.write_text("import os; os.kill(os.getpid(), 11)")
    monkeypatch.setattr(kuzu_graph, "_CONSOLE", broken)
    with pytest.raises(QueryError, match="broke Kùzu"):
        kuzu.query("MATCH (c:Concept) RETURN c.name")
    (tmp_path / "graph.kuzu").write_bytes(b"rubbish" * 1000)
    with pytest.raises(DamagedError, match="is damaged: run `graphrag verify`"):
        kuzu.query("MATCH (c:Concept) RETURN c.name")


@pytest.mark.parametrize("revision", [3, 4])
def test_a_graph_whose_writer_was_killed_before_its_note_is_whole(
    kuzu: KuzuGraph, monkeypatch: pytest.MonkeyPatch, revision: int
) -> None:
    def killed(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(KuzuGraph, "_write_note", killed)
        with pytest.raises(KeyboardInterrupt):
            kuzu.replace(GraphSnapshot(graph=ConceptGraph((Concept("new", "new"),))), revision)
    kuzu.check()
    assert kuzu.revision == revision
    assert [concept.id for concept in kuzu.concept_graph().concepts] == ["new"]
    # Without a checksum it is no ground to build on.
    assert not kuzu.update(GraphChange(GraphSnapshot(), (), {}), revision + 1)


def test_the_description_names_labels_and_examples(shown: KuzuGraph) -> None:
    text = shown.describe()
    for name in ("Document", "Chunk", "Concept", "PART_OF", "NEXT", "MENTIONS", "DEFINES"):
        assert name in text
    assert "REQUIRES" in text
    assert "RELATED" in text
    examples = text.split("Examples:")[1].strip().splitlines()
    assert len(examples) >= 5
    for example in examples:
        shown.query(example, {"name": "Matrix"} if "$name" in example else None)
