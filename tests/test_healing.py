"""Projections that take the change alone show what those made anew show."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from graphrag.adapters.kuzu_graph import KuzuGraph
from graphrag.adapters.sqlite_catalog import SqliteCatalog
from graphrag.domain import Concept, ConceptGraph, Evidence, Mention, Prerequisite, Relation
from graphrag.errors import DamagedError
from graphrag.healing import heal_graph
from graphrag.ports import GraphChange, GraphSnapshot
from tests.history import graph_rows
from tests.store_values import stored

_KINDS = ("definition", "heading", "text")


def some_graph(catalog: SqliteCatalog, generator: random.Random) -> ConceptGraph:
    """A concept graph over the catalog's chunks, mostly the same each time."""
    chunks = catalog.chunks()
    usual = random.Random(1)
    concepts = []
    for name in "abcdef":
        either = usual if generator.random() < 0.8 else generator
        definition = f"d{either.randrange(12)}#0"
        aliases = ("x",) * either.randrange(3)
        concepts.append(Concept(name, name.upper(), aliases, either.random(), definition))
    kept = [each for each in concepts if generator.random() < 0.9]
    names = [each.id for each in kept]
    mentions = {
        Mention(name, chunk.document_id, chunk.id, 0, 1, _KINDS[ord(chunk.text[0]) % 3])
        for chunk in chunks
        for name in names
        if name in chunk.text
    }
    pairs = [(one, other) for one in names for other in names if one < other]
    return ConceptGraph(
        tuple(kept),
        tuple(mentions),
        tuple(
            Prerequisite(one, other, 0.5, "likely", (Evidence("cue", 0.5, one * 3, "d1"),))
            for one, other in pairs
            if generator.random() < 0.9
        ),
        tuple(Relation(one, "uses", other, 0.5, "It uses it.") for one, other in pairs[::3]),
    )


def some_change(catalog: SqliteCatalog, generator: random.Random) -> None:
    changed = [f"d{generator.randrange(12)}" for _ in range(generator.randrange(3))]
    documents = [
        stored(key, *("".join(generator.sample("abcdefgh", 3)) for _ in range(1 + ord(key[1]) % 3)))
        for key in dict.fromkeys(changed)
    ]
    removed = [f"d{generator.randrange(12)}"] if generator.random() < 0.3 else []
    catalog.write_documents(documents, removed)
    if generator.random() < 0.8:
        catalog.put_concept_graph(some_graph(catalog, generator))


@pytest.mark.parametrize("seed", range(3))
def test_a_graph_after_many_changes_equals_one_made_anew(tmp_path: Path, seed: int) -> None:
    generator = random.Random(seed)
    catalog = SqliteCatalog.open(tmp_path / "catalog.sqlite")
    catalog.write_documents([stored(f"d{n}", "abc", "cde") for n in range(12)], [])
    catalog.put_concept_graph(some_graph(catalog, generator))
    graph = KuzuGraph(tmp_path / "graph.kuzu")
    heal_graph(catalog, graph)
    for step in range(8):
        some_change(catalog, generator)
        heal_graph(catalog, graph)
        fresh = KuzuGraph(tmp_path / f"fresh{step}.kuzu")
        heal_graph(catalog, fresh)
        assert graph.revision == catalog.revision
        assert graph_rows(tmp_path / "graph.kuzu") == graph_rows(tmp_path / f"fresh{step}.kuzu")
    graph.check()
    catalog.close()


@pytest.fixture
def graph(tmp_path: Path) -> KuzuGraph:
    made = KuzuGraph(tmp_path / "graph.kuzu")
    made.replace(GraphSnapshot(graph=ConceptGraph((Concept("a", "A"),))), 1)
    return made


CHANGE = GraphChange(
    GraphSnapshot(graph=ConceptGraph((Concept("b", "B"),))),
    (),
    {"documents": 0, "chunks": 0, "concepts": 1},
)


def test_a_change_is_shown_with_its_revision(graph: KuzuGraph) -> None:
    assert graph.update(CHANGE, 2)
    assert graph.revision == 2
    assert graph.concept_graph().concepts == (Concept("b", "B"),)
    graph.check()


def test_a_graph_that_is_not_what_was_written_is_not_changed_but_made_anew(
    graph: KuzuGraph, tmp_path: Path
) -> None:
    assert not KuzuGraph(tmp_path / "none.kuzu").update(CHANGE, 2)
    content = bytearray((tmp_path / "graph.kuzu").read_bytes())
    content[-1] ^= 1
    (tmp_path / "graph.kuzu").write_bytes(content)
    assert not graph.update(CHANGE, 2)


def test_a_change_that_leaves_other_counts_than_the_catalogs_is_refused(graph: KuzuGraph) -> None:
    missing = GraphChange(CHANGE.snapshot, (), {"documents": 1, "chunks": 0, "concepts": 1})
    with pytest.raises(DamagedError, match="0 documents where the catalog has 1"):
        graph.update(missing, 2)
    assert graph.revision == 1
