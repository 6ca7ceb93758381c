"""Projections whose writer is killed, or whose disk is full, keep the last whole state."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from graphrag.adapters.bm25_index import Bm25Index
from graphrag.adapters.faiss_index import FaissIndex
from graphrag.adapters.kuzu_graph import KuzuGraph
from graphrag.domain import Concept, ConceptGraph
from graphrag.ports import GraphSnapshot

# Each store shows, at revision r, the numbers r-2, r-1 and r and nothing else.


def step_keywords(path: Path, revision: int) -> None:
    others = {100_000 + i: f"other{i}" for i in range(9)}
    added = {revision: f"word{revision} x"} | others
    Bm25Index.open(path).update(added, [revision - 3], revision)


def step_vectors(path: Path, revision: int) -> None:
    index = FaissIndex.open(path, dimension=4, fingerprint="model")
    index.update([revision], np.ones((1, 4), dtype=np.float32), [revision - 3], revision)


def step_graph(path: Path, revision: int) -> None:
    shown = [str(number) for number in range(max(1, revision - 2), revision + 1)]
    graph = ConceptGraph(tuple(Concept(name, name) for name in sorted(shown)))
    KuzuGraph(path).replace(GraphSnapshot(graph=graph), revision)


def see_keywords(path: Path) -> tuple[int, set[int]]:
    index = Bm25Index.open(path)
    numbers = range(max(1, index.revision - 5), index.revision + 3)
    return index.revision, {n for n in numbers if index.search(f"word{n}", 1)}


def see_vectors(path: Path) -> tuple[int, set[int]]:
    index = FaissIndex.open(path, dimension=4, fingerprint="model")
    return index.revision, {n for n, _ in index.search(np.ones(4, dtype=np.float32), 99)}


def see_graph(path: Path) -> tuple[int, set[int]]:
    graph = KuzuGraph(path)
    return graph.revision, {int(concept.id) for concept in graph.concept_graph().concepts}


STORES: dict[str, tuple[Callable[[Path, int], None], Callable[[Path], tuple[int, set[int]]]]] = {
    "keywords": (step_keywords, see_keywords),
    "vectors": (step_vectors, see_vectors),
    "graph": (step_graph, see_graph),
}

_WRITER = """
import sys
from pathlib import Path
from tests.test_projection_crashes import STORES
step, _ = STORES[sys.argv[1]]
for revision in range(int(sys.argv[3]), 100000):
    step(Path(sys.argv[2]), revision)
    print(revision, flush=True)
"""

_FULL = """
import resource, sys
from pathlib import Path
from graphrag.errors import StoreError
from tests.test_projection_crashes import STORES
step, _ = STORES[sys.argv[1]]
resource.setrlimit(resource.RLIMIT_FSIZE, (40, 40))
try:
    step(Path(sys.argv[2]), 2)
except StoreError as error:
    print(error)
"""


@pytest.mark.parametrize("store", STORES)
def test_a_killed_writer_leaves_the_last_whole_state(tmp_path: Path, store: str) -> None:
    step, see = STORES[store]
    path = tmp_path / store
    begin = 1
    for lines in (1, 3):
        writer = subprocess.Popen(
            [sys.executable, "-c", _WRITER, store, str(path), str(begin)],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert writer.stdout is not None
        acknowledged = [int(writer.stdout.readline()) for _ in range(lines)]
        writer.send_signal(signal.SIGKILL)
        last = [*acknowledged, *(int(line) for line in writer.stdout.read().split())][-1]
        writer.wait()
        revision, shown = see(path)
        assert revision in (last, last + 1)
        assert shown == {n for n in range(revision - 2, revision + 1) if n > 0}
        begin = revision + 1
    step(path, begin)
    assert not [file.name for file in tmp_path.rglob("*") if ".new" in file.name]


@pytest.mark.parametrize("store", STORES)
def test_a_disk_without_room_is_said_and_leaves_the_old_state(tmp_path: Path, store: str) -> None:
    step, see = STORES[store]
    path = tmp_path / store
    step(path, 1)
    ended = subprocess.run(
        [sys.executable, "-c", _FULL, store, str(path)], capture_output=True, text=True, check=False
    )
    assert str(path) in ended.stdout, ended.stderr
    assert see(path) == (1, {1})
    step(path, 2)
    assert see(path) == (2, {1, 2})
