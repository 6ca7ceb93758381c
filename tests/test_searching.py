"""Plain keyword search needs no model, and finds what BM25 finds."""

from __future__ import annotations

from dataclasses import replace

import pytest

from graphrag import Engine
from graphrag.errors import ModelError, QueryError
from graphrag.settings import EmbeddingSettings, OllamaSettings, Settings
from tests.ollama_server import OllamaServer


def _settings(host: str) -> Settings:
    named = EmbeddingSettings(model="ollama:nomic-embed-text")
    return replace(Settings(), embedding=named, ollama=OllamaSettings(host, 1.0, 5.0, 5.0))


@pytest.fixture(scope="module")
def index_of_a_server_that_is_gone(tmp_path_factory):
    """An index whose embedding model was a server's, and the settings that name it."""
    folder = tmp_path_factory.mktemp("gone")
    text = "# Seal\n\nThe seal is flushed at 2.4 bar.\n\n# Motor\n\nThe motor takes 15 kW.\n"
    (folder / "notes.md").write_text(text)
    with OllamaServer() as server:
        settings = _settings(server.host)
        with Engine.open(folder / "i", settings=settings) as engine:
            engine.ingest([folder / "notes.md"])
    return folder / "i", settings


def test_keywords_are_searched_though_the_embedding_server_is_gone(index_of_a_server_that_is_gone):
    path, settings = index_of_a_server_that_is_gone
    with Engine.open(path, settings=settings) as engine:
        found = engine.retrieve("motor", channels=["bm25"], rerank=False)
    assert [passage.chunk.heading_path for passage in found.passages] == [("Motor",)]
    assert set(found.stages) == {"bm25"}


def test_any_other_search_says_how_to_search_without_the_server(index_of_a_server_that_is_gone):
    path, settings = index_of_a_server_that_is_gone
    with (
        Engine.open(path, settings=settings) as engine,
        pytest.raises(ModelError, match="--channel bm25 --no-rerank"),
    ):
        engine.retrieve("motor")


def test_plain_keyword_search_keeps_the_order_and_the_scores_of_bm25(course):
    plain = course.retrieve("pivot column", k=4, channels=["bm25"], rerank=False)
    whole = course.retrieve("pivot column", k=4, rerank=False)
    assert plain.stages["bm25"] == whole.stages["bm25"]
    shown = [(passage.chunk.id, passage.score) for passage in plain.passages]
    assert shown == [(hit.chunk_id, hit.score) for hit in whole.stages["bm25"][:4]]


def test_plain_keyword_search_refuses_what_makes_no_sense(course):
    with pytest.raises(QueryError, match="empty"):
        course.retrieve(" ", channels=["bm25"], rerank=False)
