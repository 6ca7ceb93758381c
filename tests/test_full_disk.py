"""A full disk is said, and loses nothing."""

from __future__ import annotations

import subprocess

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
