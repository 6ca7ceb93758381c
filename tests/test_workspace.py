"""The index directory: what is damaged is made anew, what lags is brought up to date."""

import errno
import os
import shutil
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Event

import pytest

from graphrag import Engine
from graphrag.domain import Answer
from graphrag.errors import ModelError, StoreError
from graphrag.ingest.report import Silent
from graphrag.ports import ModelIdentity
from graphrag.retrieval.name_files import save_name_graph
from graphrag.workspace import Workspace
from tests.history import shown

TEXT = "# Basis\n\nA **basis** is a list that spans and is independent. It needs the span.\n"


@pytest.fixture
def index(tmp_path):
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "basis.md").write_text(TEXT)
    (folder / "span.md").write_text("# Span\n\nA **span** is a set of linear combinations.\n")
    with Engine.open(tmp_path / "i.graphrag") as engine:
        engine.ingest([folder])
    return tmp_path / "i.graphrag"


def test_every_damaged_projection_is_made_anew(index):
    with Engine.open(index) as engine:
        before = shown(engine)
    for path in index.rglob("*"):
        if path.is_file() and "catalog" not in path.name and path.name != "lock":
            path.write_bytes(b"damaged" + path.read_bytes()[:50])
    with Engine.open(index) as engine:
        assert shown(engine) == before


@pytest.mark.parametrize("store", ["names", "graph.kuzu", "keywords", "vectors.faiss"])
def test_what_a_killed_writer_left_is_taken_away_by_the_next_ingest(index, tmp_path, store):
    left = index / f"{store}.{2**22 + 1}.new"  # beyond the highest process number
    left.write_bytes(b"half")
    with Engine.open(index) as engine:
        engine.ingest([tmp_path / "notes"])
    assert not left.exists()


def test_a_file_where_a_folder_belongs_is_made_anew(index):
    with Engine.open(index) as engine:
        before = shown(engine)
        engine.desk.workspace.rebuild()
        assert shown(engine) == before


def test_verify_finds_a_projection_that_says_it_is_current_and_is_not(index):
    with Engine.open(index) as engine:
        workspace = engine.desk.workspace
        revision = workspace.catalog.revision
        numbers = list(workspace.catalog.chunk_numbers())
        workspace.vectors().update([], [], numbers[:1], revision)
        findings = engine.verify()
        assert any("vectors" in finding for finding in findings)
        assert engine.verify() == []


def test_another_model_is_refused_with_what_to_do(index):
    workspace = Workspace.open(index, create=False)
    known = workspace.embedder_identity()
    assert known is not None
    other = ModelIdentity("other", "1", known.dimension, known.max_tokens, "another print")
    with pytest.raises(ModelError, match=r"made with bge-small-en.*embedding\.model"):
        workspace.agree_on(other)
    workspace.close()


def test_a_second_writer_is_told_who_writes(index, tmp_path):
    with Engine.open(index) as first, Engine.open(index) as second:
        with (
            first.desk.workspace.writing(),
            pytest.raises(StoreError, match="being written by process"),
        ):
            second.ingest([tmp_path / "notes"])
        assert second.ingest([tmp_path / "notes"]).unchanged == 2


def test_a_reader_sees_what_a_writer_adds(index, tmp_path):
    with Engine.open(index) as reader:
        assert reader.search("rank nullity")
        (tmp_path / "notes" / "rank.md").write_text("# Rank\n\nThe **rank** is a number.\n")
        with Engine.open(index) as writer:
            writer.ingest([tmp_path / "notes"])
        assert reader.search("what is the rank?")[0].chunk.document_id == "rank.md"


def test_what_a_person_decided_outlives_every_ingest(index, tmp_path):
    decisions = tmp_path / "mine.txt"
    decisions.write_text("reject basis needs span\n")
    with Engine.open(index) as engine:
        assert engine.apply_decisions(decisions) == 1
        (tmp_path / "notes" / "more.md").write_text("# More\n\nA basis requires a span.\n")
        engine.ingest([tmp_path / "notes"])
        needed = [edge.prerequisite_id for edge in engine.concept("basis").prerequisites]
        assert engine.resolve("span").id not in needed


def test_several_threads_may_ask_at_once(index):
    with Engine.open(index) as engine, ThreadPoolExecutor(4) as pool:
        replies = list(pool.map(engine.ask, ["What is a basis?", "What is a span?"] * 4))
    assert all(isinstance(reply, Answer) for reply in replies)


class _Paused(Silent):
    """An ingest that stops where the catalog has changed and the projections have not."""

    def __init__(self):
        self.there, self.on = Event(), Event()

    def stage(self, name):
        if name == "stores":
            self.there.set()
            assert self.on.wait(60)


def test_asking_goes_on_while_another_thread_ingests(index, tmp_path):
    (tmp_path / "notes" / "rank.md").write_text("# Rank\n\nThe **rank** is a number.\n")
    paused = _Paused()
    with Engine.open(index) as engine, ThreadPoolExecutor(2) as pool:
        ingesting = pool.submit(engine.ingest, [tmp_path / "notes"], progress=paused)
        try:
            assert paused.there.wait(60)
            answer = pool.submit(engine.ask, "What is a basis?").result(60)
            found = pool.submit(engine.search, "what is the rank?").result(60)
            assert not ingesting.done()
        finally:
            paused.on.set()
        assert isinstance(answer, Answer)
        assert {passage.chunk.document_id for passage in found} == {"basis.md", "span.md"}
        ingesting.result(60)
        assert engine.search("what is the rank?")[0].chunk.document_id == "rank.md"


def test_an_index_over_an_empty_folder_has_its_stores(tmp_path):
    (tmp_path / "empty").mkdir()
    with Engine.open(tmp_path / "e.graphrag") as engine:
        engine.ingest([tmp_path / "empty"])
        assert engine.cypher("MATCH (c:Chunk) RETURN c.id").rows == ()
        assert engine.verify() == []


@pytest.mark.parametrize("store", ["keywords", "vectors.faiss", "graph.kuzu", "names"])
def test_verify_finds_one_flipped_bit_in_the_middle_of_a_file(index, store):
    with Engine.open(index) as engine:
        before = shown(engine)
        place = index / store
        file = (
            max(place.iterdir(), key=lambda each: each.stat().st_size) if place.is_dir() else place
        )
        content = bytearray(file.read_bytes())
        content[len(content) // 2] ^= 1
        file.write_bytes(content)
        assert engine.verify() == [f"{store} is damaged: made anew"]
        assert engine.verify() == []
        assert shown(engine) == before


def test_verify_finds_keywords_that_say_they_are_current_and_are_not(index):
    with Engine.open(index) as engine:
        workspace = engine.desk.workspace
        number = next(iter(workspace.catalog.chunk_numbers()))
        workspace.keywords().update({}, [number], workspace.catalog.revision)
        assert engine.verify() == ["keywords differed from the catalog: made anew"]
        assert engine.verify() == []


def test_verify_finds_names_that_say_they_are_current_and_are_not(index):
    with Engine.open(index) as engine:
        names = engine.desk.workspace.names()
        save_name_graph(replace(names, linkage=names.linkage + 1), index / "names")
    with Engine.open(index) as engine:
        assert engine.verify() == ["names differed from the catalog: made anew"]
        assert engine.verify() == []


def test_a_copied_index_is_whole(index, tmp_path):
    shutil.copytree(index, tmp_path / "copy")
    with Engine.open(tmp_path / "copy") as engine:
        assert engine.verify() == []


@pytest.mark.parametrize("lagging", [False, True])
def test_vectors_that_are_lost_are_made_again_without_the_files(index, tmp_path, lagging):
    with Engine.open(index) as engine:
        before = shown(engine)
    shutil.rmtree(tmp_path / "notes")
    with sqlite3.connect(index / "catalog.sqlite") as connection:
        connection.execute("DELETE FROM embedding")
    if lagging:
        shutil.rmtree(index / "vectors.faiss")
    with Engine.open(index) as engine:
        found = engine.verify()
        assert found[0] == "2 chunks had lost their vectors: embedded again"
        assert engine.verify() == []
        assert shown(engine) == before


@pytest.mark.parametrize("trouble", [errno.EACCES, errno.EMFILE])
def test_a_projection_that_cannot_be_opened_just_now_is_not_thrown_away(
    index, monkeypatch, trouble
):
    kept = {path: path.read_bytes() for path in (index / "keywords").iterdir()}

    def refused(path):
        raise OSError(trouble, os.strerror(trouble), str(path))

    with Engine.open(index) as engine:
        with monkeypatch.context() as patched:
            patched.setattr("pathlib.Path.read_bytes", refused)
            with pytest.raises(StoreError, match=os.strerror(trouble)):
                engine.desk.workspace.keywords()
        assert {path: path.read_bytes() for path in (index / "keywords").iterdir()} == kept


def test_verify_of_a_damaged_catalog_fails_with_the_mend(index):
    with sqlite3.connect(index / "catalog.sqlite") as connection:
        connection.execute("DELETE FROM content")
    with Engine.open(index) as engine, pytest.raises(StoreError, match="put back a copy") as told:
        engine.verify()
    assert "has no text" in str(told.value)


def test_a_catalog_without_its_revision_is_damaged(index):
    with sqlite3.connect(index / "catalog.sqlite") as connection:
        connection.execute("DELETE FROM state")
    with Engine.open(index) as engine, pytest.raises(StoreError, match=r"damaged.*put back a copy"):
        engine.search("anything")
