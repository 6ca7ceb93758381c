"""A full disk is said, and loses nothing."""

from __future__ import annotations

import subprocess
import sys

import pytest

from graphrag.adapters.kuzu_graph import KuzuGraph
from graphrag.errors import StoreError
from graphrag.ports import GraphSnapshot


@pytest.fixture
def small_disk(tmp_path):
    place = tmp_path / "disk"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=6m", "none", str(place)]
    try:
        made = subprocess.run(mount, capture_output=True, check=False)
    except FileNotFoundError:
        pytest.skip("no mount command")
    if made.returncode:
        pytest.skip("mounting a small disk needs rights that these tests do not have")
    yield place
    subprocess.run(["umount", str(place)], check=True)


def test_a_graph_that_does_not_fit_is_refused_before_it_is_built(small_disk):
    graph = KuzuGraph(small_disk / "graph.kuzu")
    with pytest.raises(StoreError, match=r"is full: the graph needs some 16 MB, \d MB are free"):
        graph.replace(GraphSnapshot(), 1)
    assert list(small_disk.iterdir()) == []


LIMITED = """
import resource, sys
from pathlib import Path
import numpy as np
from graphrag.adapters.kuzu_graph import KuzuGraph
from graphrag.adapters.sqlite_catalog import SqliteCatalog
from graphrag.errors import StoreError
from graphrag.ports import GraphSnapshot
place = Path(sys.argv[1])
resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, resource.RLIM_INFINITY))
catalog = SqliteCatalog.open(place / "catalog.sqlite")
vectors = np.ones((1000, 384), np.float32)
for write in (
    lambda: catalog.put_embeddings("model", [str(n) for n in range(1000)], vectors),
    lambda: KuzuGraph(place / "graph.kuzu").replace(GraphSnapshot(), 1),
):
    try:
        write()
    except StoreError as error:
        print(error)
"""


def test_a_limit_on_the_size_of_files_is_told_from_a_broken_disk(tmp_path):
    run = [sys.executable, "-c", LIMITED, str(tmp_path)]
    told = subprocess.run(run, capture_output=True, text=True, check=True).stdout.splitlines()
    assert len(told) == 2
    assert all("raise 'ulimit -f' and run the command again" in line for line in told)
