"""What SQLite alone can do to a catalog, and what it must not."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphrag.adapters.sqlite_catalog import SqliteCatalog
from graphrag.adapters.sqlite_check import damaged_pages
from graphrag.adapters.sqlite_lookups import limited_metadata
from graphrag.adapters.sqlite_rows import escape, pack_position, unescape
from graphrag.domain import Concept, ConceptGraph, Evidence, Prerequisite
from graphrag.errors import StoreError
from graphrag.ports import Touched
from tests.store_values import stored


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "catalog.sqlite"


@given(st.text(st.characters(exclude_categories=[])))
def test_escaping_is_reversible_and_leaves_utf_8(text: str) -> None:
    kept = escape(text)
    kept.encode("utf-8")
    assert "\0" not in kept
    assert unescape(kept) == text


names = st.lists(st.text("a\0b/\xff\u3042", max_size=4), max_size=3).map(tuple)


@given(names, names)
def test_packed_positions_sort_as_the_tuples_do(
    one: tuple[str, ...], other: tuple[str, ...]
) -> None:
    assert (pack_position(one) < pack_position(other)) == (one < other)


def test_a_catalog_outlives_its_process(path: Path) -> None:
    catalog = SqliteCatalog.open(path)
    catalog.write_documents([stored("one", "Alpha")], [])
    catalog.close()
    again = SqliteCatalog.open(path)
    assert again.document_ids() == ["one"]
    assert again.revision == 1
    again.close()


def test_a_read_only_catalog_reads_and_refuses_to_write(path: Path) -> None:
    SqliteCatalog.open(path).write_documents([stored("one", "Alpha")], [])
    reader = SqliteCatalog.open(path, read_only=True)
    assert reader.document_ids() == ["one"]
    with pytest.raises(StoreError, match="cannot be written"):
        reader.write_documents([], ["one"])
    reader.close()


def test_a_missing_catalog_cannot_be_read(path: Path) -> None:
    with pytest.raises(StoreError, match="run `graphrag ingest` first"):
        SqliteCatalog.open(path, read_only=True)
    assert not path.exists()


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="its folder exists"):
        SqliteCatalog.open(tmp_path / "none" / "catalog.sqlite")


def test_another_version_is_refused_with_the_mend(path: Path) -> None:
    SqliteCatalog.open(path).close()
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(StoreError, match=r"has version 99, this program reads 4: .* ingest again"):
        SqliteCatalog.open(path)


def test_a_catalog_of_version_1_is_brought_up_to_date_and_keeps_what_it_holds(path: Path) -> None:
    catalog = SqliteCatalog.open(path)
    catalog.write_documents([stored("one", "Alpha.", metadata={"author": ("Kim", "Lee")})], [])
    catalog.close()
    with sqlite3.connect(path) as connection:
        connection.executescript(
            "DROP TABLE touched; ALTER TABLE state DROP COLUMN touched_from;"
            "DROP INDEX document_of_limited_validity; DROP INDEX document_by_title;"
            "DROP INDEX document_by_source; DROP INDEX document_by_format;"
            "DROP TABLE metadatum; PRAGMA user_version = 1"
        )
    reader = SqliteCatalog.open(path, read_only=True)
    assert reader.document_ids() == ["one"]
    assert reader.documents_where("author", "Lee".__eq__) == {"one"}
    assert reader.documents_where("editor", "Lee".__eq__) is None
    reader.close()
    catalog = SqliteCatalog.open(path)
    assert catalog.document_ids() == ["one"]
    assert catalog.documents_where("author", "Lee".__eq__) == {"one"}
    assert catalog.touched_since(0) is None
    catalog.write_documents([stored("two", "Beta.")], [])
    assert catalog.touched_since(1) == Touched(("two",), ())
    catalog.close()
    SqliteCatalog.open(path).close()


def test_documents_of_limited_validity_are_found_without_a_look_at_the_others(path: Path) -> None:
    catalog = SqliteCatalog.open(path)
    with sqlite3.connect(path) as connection:
        queries: list[str] = []
        connection.set_trace_callback(queries.append)
        limited_metadata(connection)
        (plan,) = connection.execute(f"EXPLAIN QUERY PLAN {queries[0]}").fetchall()
    catalog.close()
    assert "document_of_limited_validity" in plan[3]


@pytest.mark.parametrize("key", ["author", "title", "source", "format"])
def test_a_condition_on_metadata_looks_at_no_other_documents(path: Path, key: str) -> None:
    catalog = SqliteCatalog.open(path)
    catalog.write_documents([stored("one", "Alpha.", metadata={"author": "Kim"})], [])
    queries: list[str] = []
    with catalog._session.reading() as connection:
        connection.set_trace_callback(queries.append)
        catalog.documents_where(key, lambda value: True)
        connection.set_trace_callback(None)
        selects = [query for query in queries if query.startswith("SELECT")]
        plans = [
            row[3] for query in selects for row in connection.execute(f"EXPLAIN QUERY PLAN {query}")
        ]
    catalog.close()
    assert len(selects) == 2
    assert [plan for plan in plans if plan in ("SCAN document", "SCAN d", "SCAN m")] == []


def test_what_changed_is_found_without_a_look_at_the_others(path: Path) -> None:
    catalog = SqliteCatalog.open(path)
    catalog.write_documents([stored("one", "Alpha.")], [])
    queries: list[str] = []
    with catalog._session.reading() as connection:
        connection.set_trace_callback(queries.append)
        catalog.changes_since(1)
        catalog.touched_since(1)
        connection.set_trace_callback(None)
        plans = [
            step[3]
            for query in queries
            if "WHERE" in query
            for step in connection.execute(f"EXPLAIN QUERY PLAN {query}")
        ]
    catalog.close()
    indexes = ("chunk_by_revision", "removed_by_revision", "touched_by_revision")
    assert all(any(index in plan for plan in plans) for index in indexes)
    assert not [plan for plan in plans if plan.startswith("SCAN")]


def test_a_foreign_database_is_refused(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE other (x)")
    connection.close()
    with pytest.raises(StoreError, match="has version 0"):
        SqliteCatalog.open(path)


def test_a_file_that_is_no_database_is_refused(path: Path) -> None:
    path.write_bytes(b"rubbish" * 2000)
    with pytest.raises(StoreError, match="no catalog, or damaged"):
        SqliteCatalog.open(path)


def test_a_damaged_page_is_found_and_said(path: Path) -> None:
    catalog = SqliteCatalog.open(path)
    catalog.write_documents([stored(f"d{i}", f"Alpha {i} " * 200) for i in range(100)], [])
    catalog.close()
    content = bytearray(path.read_bytes())
    middle = len(content) // 2 // 8192 * 8192
    content[middle : middle + 8192] = os.urandom(8192)
    path.write_bytes(content)
    damaged = SqliteCatalog.open(path)
    assert any("damaged" in sentence for sentence in damaged.check())
    assert any("damaged" in sentence for sentence in damaged.glance())
    damaged.close()


def test_a_glance_at_a_sound_catalog_finds_nothing_and_leaves_a_large_one_alone(path: Path) -> None:
    catalog = SqliteCatalog.open(path)
    catalog.write_documents([stored("one", "Alpha")], [])
    assert catalog.glance() == []
    catalog.close()
    with sqlite3.connect(path) as connection:
        damage = "UPDATE sqlite_schema SET rootpage = 2 WHERE name = 'chunk'"
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute(damage)
    with sqlite3.connect(path) as connection:
        assert damaged_pages(connection) != []
        assert damaged_pages(connection, at_most=0) == []
    connection.close()


@pytest.mark.parametrize(
    ("statement", "sentence"),
    [
        ("UPDATE chunk SET text = 'Other'", "is not the text of its document"),
        ("UPDATE chunk SET ordinal = 7", "has ordinal 7, expected 0"),
        ("UPDATE chunk SET added_revision = 9", "added after the catalog's revision"),
        ("DELETE FROM content", "has no text"),
        ("INSERT INTO mention VALUES ('x', 'c', 'x#0', 0, 1, 'text')", "missing row of concept"),
        ("INSERT INTO removed_chunk VALUES (1, 1, 1)", "was removed and is used again"),
    ],
)
def test_broken_invariants_are_found(path: Path, statement: str, sentence: str) -> None:
    catalog = SqliteCatalog.open(path)
    catalog.write_documents([stored("one", "Alpha")], [])
    with sqlite3.connect(path) as connection:
        connection.execute(statement)
    connection.close()
    assert any(sentence in found for found in catalog.check()), catalog.check()
    catalog.close()


def test_a_second_writer_waits_and_then_says_so(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("graphrag.adapters.sqlite_session._BUSY_SECONDS", 0.05)
    catalog = SqliteCatalog.open(path)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreError, match="another process is writing"):
        catalog.put_value("k", "v")
    assert catalog.value("k") is None
    other.rollback()
    other.close()
    catalog.put_value("k", "v")
    assert catalog.value("k") == "v"
    catalog.close()


def test_a_full_disk_is_said_and_nothing_is_lost(path: Path) -> None:
    catalog = SqliteCatalog.open(path)
    catalog.write_documents([stored("one", "Alpha")], [])
    with catalog._session.reading() as connection:
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
    connection.execute(f"PRAGMA max_page_count = {pages + 2}")
    with pytest.raises(StoreError, match="the disk is full: free some space"):
        catalog.write_documents([stored("two", "Beta " * 50_000)], [])
    assert catalog.document_ids() == ["one"]
    assert catalog.revision == 1
    assert catalog.check() == []
    connection.execute("PRAGMA max_page_count = 1000000")
    catalog.write_documents([stored("two", "Beta")], [])
    assert catalog.document_ids() == ["one", "two"]
    catalog.close()


def test_a_closed_catalog_says_so(path: Path) -> None:
    catalog = SqliteCatalog.open(path)
    catalog.close()
    catalog.close()
    with pytest.raises(StoreError, match="is closed"):
        catalog.document_ids()


def test_a_graph_that_another_process_wrote_is_read_anew(path: Path) -> None:
    one, other = SqliteCatalog.open(path), SqliteCatalog.open(path)
    one.put_concept_graph(ConceptGraph((Concept("a", "A"),)))
    assert other.concept_graph().concepts == (Concept("a", "A"),)
    one.put_concept_graph(ConceptGraph((Concept("a", "B"),)))
    assert other.concept_graph().concepts == (Concept("a", "B"),)
    one.close()
    other.close()


def test_evidence_that_goes_with_its_document_is_read_no_more(path: Path) -> None:
    catalog = SqliteCatalog.open(path)
    catalog.write_documents([stored("one", "Alpha"), stored("two", "Beta")], [])
    evidence = tuple(Evidence("cue", 1.0, "s", document) for document in ("one", "two"))
    edge = Prerequisite("a", "b", 0.5, "likely", evidence)
    graph = ConceptGraph((Concept("a", "A"), Concept("b", "B")), prerequisites=(edge,))
    catalog.put_concept_graph(graph)
    assert catalog.concept_graph() == graph
    for gone, left in (("one", evidence[1:]), ("two", ())):
        catalog.write_documents([], [gone])
        assert catalog.concept_graph().prerequisites[0].evidence == left
    catalog.close()


def test_many_threads_read_while_one_writes(path: Path) -> None:
    catalog = SqliteCatalog.open(path)
    catalog.write_documents([stored("d0", "Alpha", "Beta")], [])
    faults: list[object] = []
    done = threading.Event()

    def read() -> None:
        while not done.is_set():
            chunks = len(catalog.chunks())
            if chunks % 2:
                faults.append(chunks)

    readers = [threading.Thread(target=read) for _ in range(4)]
    for reader in readers:
        reader.start()
    for i in range(1, 20):
        catalog.write_documents([stored(f"d{i}", "Alpha", "Beta")], [])
    done.set()
    for reader in readers:
        reader.join()
    assert faults == []
    assert len(catalog.chunks()) == 40
    catalog.close()


def test_threads_that_ended_leave_no_open_file(path: Path) -> None:
    catalog = SqliteCatalog.open(path)
    catalog.write_documents([stored("one", "Alpha")], [])
    before = len(list(Path("/proc/self/fd").iterdir()))
    for _ in range(30):
        reader = threading.Thread(target=catalog.chunks)
        reader.start()
        reader.join()
    assert len(list(Path("/proc/self/fd").iterdir())) <= before + 3
    catalog.close()


def test_a_new_thread_reads_while_a_long_change_is_written(path: Path) -> None:
    catalog = SqliteCatalog.open(path)
    catalog.write_documents([stored("one", "Alpha")], [])
    seen: list[str] = []
    with catalog._session.writing() as connection:
        connection.execute("DELETE FROM chunk")
        reader = threading.Thread(target=lambda: seen.extend(c.id for c in catalog.chunks()))
        reader.start()
        reader.join(timeout=5)
        assert seen == ["one#0"]
    catalog.close()


def test_writers_in_threads_take_turns(path: Path) -> None:
    catalog = SqliteCatalog.open(path)
    writers = [
        threading.Thread(target=catalog.write_documents, args=([stored(f"d{i}", "Alpha")], []))
        for i in range(8)
    ]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert catalog.revision == 8
    assert len(set(catalog.chunk_numbers())) == 8
    catalog.close()


_WRITER = """
import sys
from pathlib import Path
from graphrag.adapters.sqlite_catalog import SqliteCatalog
from graphrag.adapters.sqlite_lookups import limited_metadata
from tests.store_values import stored
catalog = SqliteCatalog.open(Path(sys.argv[1]))
for i in range(100000):
    catalog.write_documents([stored(f"d{i}", "Alpha", f"Beta {i}")], [f"d{i - 3}"])
    print(i, flush=True)
"""


def test_a_killed_writer_loses_nothing_that_it_acknowledged(path: Path) -> None:
    for lines in (3, 11):
        path.unlink(missing_ok=True)
        writer = subprocess.Popen(
            [sys.executable, "-c", _WRITER, str(path)], stdout=subprocess.PIPE, text=True
        )
        assert writer.stdout is not None
        acknowledged = [int(writer.stdout.readline()) for _ in range(lines)]
        writer.send_signal(signal.SIGKILL)
        rest = [int(line) for line in writer.stdout.read().split()]
        writer.wait()
        last = [*acknowledged, *rest][-1]
        catalog = SqliteCatalog.open(path)
        assert f"d{last}" in catalog.document_ids()
        assert len(catalog.document_ids()) == 3
        assert catalog.revision in (last + 1, last + 2)
        assert catalog.check() == []
        catalog.close()
        for beside in path.parent.glob("catalog.sqlite-*"):
            beside.unlink()
