"""What ``status`` says is stale, and what another embedding model must not change."""

from __future__ import annotations

import shutil
from dataclasses import replace

import pytest

from graphrag import Engine
from graphrag.assembly import Models
from graphrag.errors import ModelError
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
