"""Answers from all documents at once leave their trace like any other."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from graphrag import Engine
from graphrag.errors import GenerationError
from graphrag.settings import OllamaSettings, Settings, WriterSettings
from tests.ollama_server import OllamaServer

TEXT = (
    "# Pump\n\nThe pump is greased every 200 hours.\n\n# Valve\n\nThe valve closes in 3 seconds.\n"
)


def opened(folder, server: OllamaServer) -> Engine:
    (folder / "notes.md").write_text(TEXT)
    settings = replace(
        Settings(),
        writer=WriterSettings(kind="ollama"),
        ollama=OllamaSettings(server.host, 2.0, 10.0, 10.0),
    )
    engine = Engine.open(folder / "i", settings=settings)
    engine.ingest([folder / "notes.md"])
    return engine


def test_an_answer_from_the_whole_corpus_is_checked_and_traced(tmp_path):
    reply = "The pump is greased every 200 hours [1]. The valve closes in 30 seconds [2]."
    file = tmp_path / "trace.jsonl"
    with OllamaServer(reply=reply) as server, opened(tmp_path, server) as engine:
        answer = engine.ask("How often is the pump greased?", whole=True, trace=file)
        (sent,) = server.bodies("/api/chat")
    kept = json.loads(file.read_text())
    assert answer.text == "The pump is greased every 200 hours [1]."
    assert kept["text"] == answer.text
    assert "closes in 3 seconds" in kept["prompt"]
    assert "closes in 3 seconds" in sent["messages"][-1]["content"]
    assert kept["stages"] == {}
    assert kept["seconds"]["total"] >= kept["seconds"]["answering"] > 0


def test_the_whole_corpus_needs_a_language_model(tmp_path):
    with OllamaServer() as server, opened(tmp_path, server) as engine:
        pass
    with Engine.open(tmp_path / "i") as engine, pytest.raises(GenerationError, match="--whole"):
        engine.ask("How often is the pump greased?", whole=True)
