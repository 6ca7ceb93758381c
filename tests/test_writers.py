"""The language models of one engine."""

from __future__ import annotations

import json

import pytest

from graphrag.adapters.memory import MemoryCatalog
from graphrag.errors import GenerationError, SettingsError
from graphrag.settings import Settings, load_settings
from graphrag.writers import Writers
from tests.ollama_server import OllamaServer


def settings(host: str) -> Settings:
    return load_settings(flags={"ollama.host": host, "retrieval.expansion": "answer"})


def test_no_model_widens_questions_unless_that_is_asked_for() -> None:
    assert Writers(Settings()).expander() is None


def test_questions_are_widened_by_the_model_that_writes() -> None:
    with OllamaServer(reply=json.dumps({"texts": ["It is primed."]})) as server:
        writers = Writers(settings(server.host))
        expander = writers.expander()
        assert expander is not None
        assert server.requests == []  # before the first question nobody is asked
        assert expander.texts("How is it made ready?") == ("It is primed.",)
        writers.close()


def test_a_model_that_is_not_there_is_an_error_not_a_narrower_search() -> None:
    with OllamaServer() as server:
        gone = server.host
    expander = Writers(settings(gone)).expander()
    assert expander is not None
    with pytest.raises(GenerationError):
        expander.texts("How is it made ready?")


def test_no_model_is_asked_about_prerequisites_unless_that_is_asked_for() -> None:
    assert Writers(Settings()).witness(MemoryCatalog()) is None


def test_a_witness_without_the_name_of_a_model_is_refused() -> None:
    with pytest.raises(SettingsError, match=r"writer\.model"):
        Writers(load_settings(flags={"concepts.witness": 5})).witness(MemoryCatalog())
