"""A name graph that was changed equals, array by array, one made anew."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphrag.adapters.sqlite_catalog import SqliteCatalog
from graphrag.domain import Concept, ConceptGraph, Mention
from graphrag.ports import StoredDocument
from graphrag.retrieval import name_changes
from graphrag.retrieval.name_arrays import Ragged
from graphrag.retrieval.name_files import _source_arrays, arrays_of, load_names
from graphrag.retrieval.name_keeping import current_name_graph
from tests.store_values import stored

_HEADINGS = ("Summary", "Kings of France", "Loire", "lothair", "Tours (city)", "C++")
_TITLES = ("Lothair II", "Lothair", "Kings", "Kings of France and Tours", "Eigen Values", "")
_WORDS = (
    *("the", "king", "Kings of", "France", "Lothair", "II", "of Tours", "loire", "Loire"),
    *("eigen values", "Eigen", "Summary", "summary", "C++", "and", ".", "X-Ray", "Café"),
)


def some_document(key: str, generator: random.Random) -> StoredDocument:
    texts = [" ".join(generator.choices(_WORDS, k=9)) for _ in range(generator.randrange(1, 4))]
    document = stored(key, *texts, title=generator.choice(_TITLES))
    chunks = tuple(
        replace(chunk, heading_path=tuple(generator.choices(_HEADINGS, k=generator.randrange(3))))
        for chunk in document.chunks
    )
    return replace(document, chunks=chunks)


def some_concepts(catalog: SqliteCatalog, generator: random.Random) -> ConceptGraph:
    chunks = catalog.chunks()
    concepts = [
        Concept("a", generator.choice(("eigen value", "eigenvalues")), ("kings",)),
        Concept("b", "france", generator.choice(((), ("loire",), ("lothair ii",)))),
        Concept("c", "x-ray", (), 1.0, generator.choice(chunks).id if chunks else None),
    ]
    kept = tuple(each for each in concepts if generator.random() < 0.8)
    mentions = tuple(
        Mention(concept.id, chunk.document_id, chunk.id, 0, 1)
        for concept in kept
        for chunk in chunks
        if concept.name[:4] in chunk.text
    )
    return ConceptGraph(kept, mentions)


def arrays(path: Path) -> dict[str, np.ndarray]:
    found = load_names(path)
    assert found is not None
    graph, sources = found
    assert sources is not None
    return {**dict(arrays_of(graph)), **_source_arrays(sources), "linkage": np.array(graph.linkage)}


@pytest.mark.parametrize("seed", range(12))
def test_a_changed_graph_equals_one_made_anew(
    tmp_path: Path, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    if seed % 2:  # texts count as few: only names that stand in them are looked for
        monkeypatch.setattr(name_changes, "LONGEST", 0)
    generator = random.Random(seed)
    catalog = SqliteCatalog.open(tmp_path / "catalog.sqlite")
    for step in range(10):
        keys = [f"d{generator.randrange(9)}" for _ in range(generator.randrange(4))]
        added = [some_document(key, generator) for key in dict.fromkeys(keys)]
        catalog.write_documents(added, [f"d{generator.randrange(9)}"][: generator.randrange(2)])
        if generator.random() < 0.5:
            catalog.put_concept_graph(some_concepts(catalog, generator))
        current_name_graph(tmp_path / "names", catalog)
        current_name_graph(tmp_path / f"fresh{step}", catalog)
        changed, fresh = arrays(tmp_path / "names"), arrays(tmp_path / f"fresh{step}")
        differing = [name for name in fresh if not np.array_equal(changed[name], fresh[name])]
        assert differing == [], step
    catalog.close()


@given(
    st.lists(st.lists(st.integers(0, 9), max_size=4), max_size=30),
    st.data(),
)
def test_chosen_lists_are_copied_in_runs_as_one_by_one(
    lists: list[list[int]], data: st.DataObject
) -> None:
    left_out = data.draw(st.sets(st.integers(0, 30), max_size=3))
    rows = [row for row in range(len(lists)) if row not in left_out]
    starts = np.cumsum([0, *map(len, lists)], dtype=np.int64)
    ragged = Ragged(starts, np.array([item for one in lists for item in one], dtype=np.int32))
    chosen = ragged.of(np.array(rows, dtype=np.int64))
    pairs = pairwise(chosen.starts.tolist())
    assert [chosen.items[a:b].tolist() for a, b in pairs] == [lists[row] for row in rows]
