"""Concepts named by an Ollama model while an index is made."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from graphrag import Engine
from graphrag.assembly import Models
from graphrag.errors import GenerationError, SettingsError
from graphrag.settings import ConceptSettings, OllamaSettings, Settings, load_settings
from tests.history import run_history
from tests.ollama_server import OllamaServer

PAGE = """# Pumps

The relief valve opens first. The relief valve guards the seal chamber.

## Seal

Flush the seal chamber before a start.
"""


def longest_words(body: Mapping[str, Any]) -> str:
    """A model of its own mind: every word of seven letters, and one that is nowhere."""
    passage = body["messages"][-1]["content"]
    found = re.findall(r"\b[a-z]{7,}\b", passage.replace("passage", ""))
    return json.dumps({"concepts": [*dict.fromkeys(found), "nowhere"]})


def pairs(body: Mapping[str, Any]) -> str:
    passage = body["messages"][-1]["content"]
    names = [name for name in ("relief valve", "seal chamber") if name in passage]
    return json.dumps({"concepts": names})


def extracting(host: str, model: str = "qwen3:8b", seconds: float = 30.0) -> Settings:
    return Settings(
        ollama=OllamaSettings(host=host, first_token_seconds=seconds, silence_seconds=seconds),
        concepts=ConceptSettings(extraction=f"ollama:{model}"),
    )


@pytest.fixture(scope="module")
def models() -> Models:
    return Models(Settings())


@pytest.fixture
def opened(tmp_path: Path, models: Models) -> Callable[[Settings], Engine]:
    """Opens one index with other settings each time; the models are loaded once."""

    def open_with(settings: Settings) -> Engine:
        engine = Engine.open(tmp_path / "i", settings=settings)
        engine.desk.models = models
        return engine

    return open_with


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "pumps.md").write_text(PAGE)
    return folder


def names(engine: Engine) -> set[str]:
    return {each.name for each in engine.desk.workspace.catalog.concept_graph().concepts}


def test_its_names_become_concepts_and_are_asked_for_once(
    folder: Path, opened: Callable[[Settings], Engine]
) -> None:
    with OllamaServer(reply=pairs) as server:
        with opened(extracting(server.host)) as engine:
            report = engine.ingest([folder])
            assert {"relief valve", "seal chamber"} <= names(engine)
            assert report.extraction is not None
            assert (report.extraction.asked, report.extraction.kept) == (2, 0)
            (folder / "pumps.md").write_text(PAGE.replace("Flush", "Drain"))
            report = engine.ingest([folder])
            assert report.extraction is not None
            assert (report.extraction.asked, report.extraction.kept) == (1, 1)
        assert [body["options"]["temperature"] for body in server.bodies("/api/chat")] == [0] * 3
        assert all(
            body["format"]["required"] == ["concepts"] for body in server.bodies("/api/chat")
        )


def test_nothing_changed_asks_nobody_not_even_whether_ollama_is_there(
    folder: Path, opened: Callable[[Settings], Engine]
) -> None:
    with OllamaServer(reply=pairs) as server:
        settings = extracting(server.host)
        with opened(settings) as engine:
            engine.ingest([folder])
    with opened(settings) as engine:
        assert engine.ingest([folder]).unchanged == 1


@pytest.mark.parametrize("first", ["spacy", "ollama:qwen3:8b"])
def test_another_choice_reads_every_file_again(
    folder: Path, opened: Callable[[Settings], Engine], first: str
) -> None:
    with OllamaServer(reply=pairs) as server:
        chosen = {"spacy": Settings(), "ollama:qwen3:8b": extracting(server.host)}
        for choice in (first, *(chosen.keys() - {first})):
            with opened(chosen[choice]) as engine:
                engine.ingest([folder])
                (annotation,) = engine.desk.workspace.catalog.annotations().values()
                assert (annotation.names is None) == (choice == "spacy")


@pytest.mark.parametrize(
    "fault",
    ["no model", "memory", "crash", "busy", "no chat", "bad schema", "internal", "hang", "html",
     "error line", "cut", "cut json", "unfinished", "silence", "nothing", "empty", "blank",
     "length", "only thoughts", "truncated", "not json", "list", "no message", "redirect"],
)  # fmt: skip
def test_a_fault_is_an_error_never_a_graph_without_the_models_names(
    folder: Path, opened: Callable[[Settings], Engine], fault: str
) -> None:
    with (
        OllamaServer(reply=pairs, fault=fault) as server,
        opened(extracting(server.host, seconds=1.0)) as engine,
    ):
        with pytest.raises(GenerationError):
            engine.ingest([folder])
        assert engine.desk.workspace.catalog.documents() == []


def test_a_run_that_failed_goes_on_where_it_was(
    folder: Path, opened: Callable[[Settings], Engine]
) -> None:
    served = {"left": 1}

    def once(body: Mapping[str, Any]) -> str:
        served["left"] -= 1
        return pairs(body) if served["left"] >= 0 else "no JSON"

    (folder / "pumps.md").write_text(PAGE + "\nIt is slow. It is loud.\n")
    with (
        OllamaServer(reply=once) as server,
        opened(extracting(server.host)) as engine,
        pytest.raises(GenerationError),
    ):
        engine.ingest([folder])
    with OllamaServer(reply=pairs) as server, opened(extracting(server.host)) as engine:
        report = engine.ingest([folder])
    assert report.extraction is not None
    assert (report.extraction.asked, report.extraction.kept) == (1, 1)


def test_settings_changed_after_a_stopped_run_leave_no_half_of_the_old_ones(
    folder: Path, opened: Callable[[Settings], Engine]
) -> None:
    """What a stopped first run had stored is read again by a run with another choice."""
    with OllamaServer(reply=pairs) as server:
        with opened(extracting(server.host)) as engine:
            engine.ingest([folder])
        (folder / "b.md").write_text("# B\n\nThe relief valve leaks.\n")
        server.fault = "crash"
        # Read anew for another model's sake, and stopped in the middle.
        with (
            opened(extracting(server.host, "other")) as engine,
            pytest.raises(GenerationError),
        ):
            engine.ingest([folder])
        server.fault = ""
        with opened(extracting(server.host)) as engine:
            report = engine.ingest([folder])
    assert (report.changed, report.added) == (1, 1)


def test_random_histories_equal_a_fresh_build(tmp_path: Path, models: Models) -> None:
    with OllamaServer(reply=longest_words) as server:
        settings = extracting(server.host)
        for seed in (1, 2):
            place = tmp_path / str(seed)
            run_history(
                place / "docs", place / "i", place / "j", seed, models=models, settings=settings
            )


@pytest.mark.parametrize("choice", ["spaCy", "ollama", "ollama:", "ollama: "])
def test_a_choice_that_is_none_is_refused(choice: str) -> None:
    with pytest.raises(SettingsError, match=r"concepts\.extraction"):
        load_settings(flags={"concepts.extraction": choice})
