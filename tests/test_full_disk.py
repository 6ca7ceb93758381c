"""A full disk is said, and loses nothing."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from graphrag.adapters.kuzu_graph import KuzuGraph
from graphrag.adapters.sqlite_catalog import SqliteCatalog
from graphrag.adapters.sqlite_session import explain
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


@pytest.mark.parametrize("name", ["SQLITE_IOERR_SHMSIZE", "SQLITE_IOERR_WRITE"])
def test_an_error_of_a_disk_without_room_is_said_to_be_a_full_disk(name):
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorname = name
    assert explain(error, 0).startswith("the disk is full: free some space")
    assert explain(error, 1 << 20).startswith("the disk reports an error")


def test_a_catalog_on_a_disk_without_room_is_read_and_a_change_is_refused(small_disk):
    path = small_disk / "catalog.sqlite"
    catalog = SqliteCatalog.open(path)
    catalog.put_value("key", "value")
    catalog.close()
    (small_disk / "filler").write_bytes(bytes(shutil.disk_usage(small_disk).free))
    catalog = SqliteCatalog.open(path)
    assert catalog.value("key") == "value"
    assert read_in_a_thread(catalog) == "value"
    with pytest.raises(StoreError, match="the disk is full: free some space"):
        catalog.put_value("key", "other")
    catalog.close()
    (small_disk / "filler").unlink()
    catalog = SqliteCatalog.open(path)
    assert catalog.check() == []
    assert catalog.value("key") == "value"
    catalog.close()


def read_in_a_thread(catalog: SqliteCatalog) -> str | None:
    with ThreadPoolExecutor(1) as other:
        return other.submit(catalog.value, "key").result()


READING = """
import resource, sys
from pathlib import Path
from graphrag.adapters.file_lock import writer_lock
from graphrag.adapters.sqlite_catalog import SqliteCatalog
from graphrag.errors import StoreError
place = Path(sys.argv[1])
resource.setrlimit(resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))
catalog = SqliteCatalog.open(place / "catalog.sqlite")
with writer_lock(place / "lock"):
    print(catalog.value("key"))
    try:
        catalog.put_value("key", "other")
    except StoreError:
        print("refused")
"""


def test_where_no_file_may_grow_the_catalog_is_read_and_the_lock_is_had(tmp_path):
    catalog = SqliteCatalog.open(tmp_path / "catalog.sqlite")
    catalog.put_value("key", "value")
    catalog.close()
    run = [sys.executable, "-c", READING, str(tmp_path)]
    told = subprocess.run(run, capture_output=True, text=True, check=True).stdout.split()
    assert told == ["value", "refused"]


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
