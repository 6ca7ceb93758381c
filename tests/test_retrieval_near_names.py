"""A name graph that is walked often."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from graphrag.retrieval.name_building import NamedPassage, build_name_graph
from graphrag.retrieval.name_files import arrays_of, load_name_graph, save_name_graph
from graphrag.retrieval.near_names import NearNames

KINGS = [
    NamedPassage(3, "Lothair II was a son of Ermengarde of Tours.", ("Lothair II",)),
    NamedPassage(8, "The wife of Lothair I. She died at Tours.", ("Ermengarde of Tours",)),
]


def test_a_graph_walked_often_is_copied_once_and_says_the_same(tmp_path: Path) -> None:
    save_name_graph(build_name_graph(KINGS), tmp_path / "names")
    graph = load_name_graph(tmp_path / "names")
    assert graph is not None
    near = NearNames(graph)
    assert near.walking() is graph  # a single search copies nothing
    for _ in range(20):
        copy = near.walking()
    assert copy is near.walking()
    assert not np.shares_memory(copy.mentions.items, graph.mentions.items)
    for (name, mine), (_, other) in zip(arrays_of(copy), arrays_of(graph), strict=True):
        assert mine.dtype == other.dtype, name
        assert mine.tolist() == other.tolist(), name
    assert (copy.revision, copy.linkage) == (graph.revision, graph.linkage)
