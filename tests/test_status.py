"""What ``status`` says is stale, and what another embedding model must not change."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace

import jsonschema
import pytest
from typer.testing import CliRunner

from graphrag import Engine
from graphrag.assembly import Models
from graphrag.cli.app import app
from graphrag.errors import ModelError, StoreError
from graphrag.resources import schema
from graphrag.settings import Settings

QUOTING = replace(Settings(), writer=replace(Settings().writer, kind="extractive"))


class _OtherModels:
    """The same models but for the embedder's fingerprint."""

    def __init__(self, models):
        self._models = models

    def __getattr__(self, name):
        return getattr(self._models, name)

    def embedder(self):
        return _OtherEmbedder(self._models.embedder())


class _OtherEmbedder:
    def __init__(self, embedder):
        self._embedder = embedder
        self.identity = replace(embedder.identity, name="other", fingerprint="another")

    def __getattr__(self, name):
        return getattr(self._embedder, name)


@pytest.fixture(scope="module")
def models():
    return Models(QUOTING)


@pytest.fixture
def index(models, tmp_path):
    """A small index, closed."""
    (tmp_path / "d").mkdir()
    (tmp_path / "d" / "a.md").write_text("# Vector\n\nA **vector** is an arrow with a length.\n")
    with Engine.open(tmp_path / "i.graphrag", settings=QUOTING) as engine:
        engine.desk.models = models
        engine.ingest([tmp_path / "d"])
        assert engine.status().stale == ()
    return tmp_path / "i.graphrag"


@pytest.mark.parametrize("name", ["graph.kuzu", "keywords", "names", "vectors.faiss"])
def test_a_store_that_is_missing_is_stale(index, name):
    store = index / name
    if store.is_dir():
        shutil.rmtree(store)
    else:
        store.unlink()
    with Engine.open(index, settings=QUOTING) as engine:
        assert engine.status().stale == (name,)


def test_in_an_index_without_documents_nothing_is_stale(tmp_path):
    with Engine.open(tmp_path / "i.graphrag", settings=QUOTING) as engine:
        assert engine.status().stale == ()


def test_what_supersedes_no_document_is_a_problem(index, models, tmp_path):
    for name, old in (("b", "a.md"), ("c", "./a.md"), ("d", "away.md")):
        page = f"---\nsupersedes: {old}\n---\n# {name}\n\nAn arrow.\n"
        (tmp_path / "d" / f"{name}.md").write_text(page)
    with Engine.open(index, settings=QUOTING) as engine:
        engine.desk.models = models
        engine.ingest([tmp_path / "d"])
    shown = CliRunner().invoke(app, ["--index", str(index), "status", "--json"])
    found = json.loads(shown.stdout)
    jsonschema.validate(found, json.loads(schema("status.schema.json")))
    assert [each.partition(",")[0] for each in found["problems"]] == ["d.md supersedes 'away.md'"]


def test_another_model_is_refused_before_a_syllabus_or_a_decision_is_taken(index, models, tmp_path):
    syllabus = tmp_path / "syllabus.jsonl"
    syllabus.write_text('{"id": "arrow", "title": "Arrow"}\n')
    decisions = tmp_path / "decisions.txt"
    with Engine.open(index, settings=QUOTING) as engine:
        catalog = engine.desk.workspace.catalog
        engine.desk.models = _OtherModels(models)
        decisions.write_text("merge Vector = Arrow\n")
        with pytest.raises(ModelError, match="the model at hand is other"):
            engine.ingest([tmp_path / "d"], concepts=syllabus)
        with pytest.raises(ModelError, match="the model at hand is other"):
            engine.apply_decisions(decisions)
        assert catalog.given_concepts() == []
        assert catalog.decisions() == []


def test_contradicting_documents_are_shown_with_who_would_win(index, models, tmp_path):
    old = "---\nauthority: 0.5\n---\n# Notes\n\nLog retention: 14 days\n"
    (tmp_path / "d" / "notes.md").write_text(old)
    (tmp_path / "d" / "rules.md").write_text("# Rules\n\nLog retention: 30 days\n")
    with Engine.open(index, settings=QUOTING) as engine:
        engine.desk.models = models
        engine.ingest([tmp_path / "d"])
        (conflict,) = engine.conflicts().open
    assert (conflict.winner, conflict.reason) == ("rules.md", "authority")
    run = CliRunner().invoke(app, ["--index", str(index), "status", "--conflicts", "--json"])
    shown = json.loads(run.stdout)
    jsonschema.validate(shown, json.loads(schema("conflicts.schema.json")))
    assert [side["authority"] for side in shown["conflicts"][0]["sides"]] == ["0.5", None]
    run = CliRunner().invoke(app, ["--index", str(index), "status", "--conflicts"])
    assert "rules.md wins: it has the higher authority" in run.stdout


def test_a_store_that_another_process_is_making_first_is_waited_for(index, models, monkeypatch):
    monkeypatch.setattr("graphrag.workspace._PATIENCE", 0.2)
    shutil.rmtree(index / "vectors.faiss")
    with (
        Engine.open(index, settings=QUOTING) as reader,
        Engine.open(index, settings=QUOTING) as writer,
    ):
        reader.desk.models = models
        with writer.desk.workspace.writing():
            with pytest.raises(StoreError, match="is being written by"):
                reader.search("arrow", rerank=False)
            writer.desk.workspace.vectors()
            assert reader.search("arrow", rerank=False)[0].channels["vector"].rank == 1


def test_status_says_that_a_page_of_the_catalog_is_damaged(index):
    path = index / "catalog.sqlite"
    content = bytearray(path.read_bytes())
    # Pages of 8 kB; the last ones hold what status itself does not read.
    content[-8192:] = b"\xa5" * 8192
    path.write_bytes(content)
    shown = CliRunner().invoke(app, ["--index", str(index), "status"])
    assert shown.exit_code == 1
    assert isinstance(shown.exception, StoreError)
    assert "is damaged" in str(shown.exception)
