"""Ollama as a writer: whether it is there, and one connection for each of its models."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import partial
from threading import RLock
from typing import TYPE_CHECKING, Any, cast

from graphrag.adapters.reachable import listens
from graphrag.assembly import ollama_timeouts
from graphrag.errors import SettingsError
from graphrag.ports import Catalog, Spotter
from graphrag.retrieval.expanding import Expander, Expansion
from graphrag.settings import OLLAMA_MODEL, Settings
from graphrag.wording.prompting import AskJson

if TYPE_CHECKING:
    from graphrag.adapters.ollama import OllamaWriter
    from graphrag.concepts.extraction import ModelSpotter
    from graphrag.prerequisites.testimony import ModelWitness

# The client takes a fifth of a second to import: only where Ollama is asked.


class Writers:
    """The writing models of one engine; safe to use from several threads."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._connected: dict[str, OllamaWriter] = {}
        self._replies: dict[tuple[str, ...], object] = {}
        self._lock = RLock()

    def ollama(self, model: str) -> OllamaWriter:
        """The model of that name (empty: chosen among those installed), connected once and
        kept until ``close``. Raises GenerationError where it cannot be had."""
        from graphrag.adapters.ollama import OllamaWriter

        chosen = self._settings.writer
        with self._lock:
            if model not in self._connected:
                self._connected[model] = OllamaWriter.connect(
                    self._settings.ollama.host,
                    model=model or None,
                    num_ctx=chosen.window or None,
                    answer_tokens=chosen.answer,
                    timeouts=ollama_timeouts(self._settings),
                )
            return self._connected[model]

    def installed(self) -> list[str] | None:
        """The models that Ollama has, or None where it does not answer."""
        chosen = self._settings.ollama
        if not listens(chosen.host, chosen.connect_seconds):
            return None
        from graphrag.adapters.ollama_connection import probe

        return probe(chosen.host, timeout=chosen.connect_seconds)

    def expander(self) -> Expander | None:
        """What widens questions, as ``retrieval.expansion`` says; None where it is off.
        Ollama is asked for its model at the first question, which raises GenerationError
        where it cannot be had."""
        kind = self._settings.retrieval.expansion
        if kind == "off":
            return None

        return Expander(cast(Expansion, kind), self._ask_json)

    def witness(self, catalog: Catalog) -> ModelWitness | None:
        """Who is asked about doubtful prerequisites, as ``concepts.witness`` says; None where it
        is 0. What is said is kept in the catalog. Ollama is asked for its model at the first
        question, which raises GenerationError where it cannot be had. Raises SettingsError where
        no model is named: verdicts are kept by its name."""
        most, model = self._settings.concepts.witness, self._settings.writer.model
        if most == 0:
            return None
        if not model:
            raise SettingsError(
                f"concepts.witness is {most}, but no model is named: set writer.model to one that "
                "Ollama has, or concepts.witness to 0"
            )
        from graphrag.prerequisites.testimony import ModelWitness

        return ModelWitness(model, self._ask_json, catalog.value, catalog.put_value, most)

    def extractor(self, catalog: Catalog, pipeline: Callable[[], Spotter]) -> ModelSpotter | None:
        """Who says which concepts the prose names, as ``concepts.extraction`` says; None where
        that is the language ``pipeline``. What is replied is kept in the catalog. Ollama is asked
        for its model at the first passage, which raises GenerationError where it cannot be had."""
        chosen = self._settings.concepts
        model = chosen.extraction.removeprefix(OLLAMA_MODEL)
        if model == chosen.extraction or not chosen.extract:
            return None
        from graphrag.concepts.extraction import ModelSpotter

        ask = partial(self._ask, model)
        return ModelSpotter(pipeline, model, ask, catalog.value, catalog.put_value)

    def remembering(self, model: str) -> AskJson:
        """What asks the model of that name for JSON, and keeps its replies as long as the
        engine is open. Raises GenerationError where it cannot be had."""
        asking = self.ollama(model).ask_json

        def ask_once(instructions: str, text: str, schema: Mapping[str, Any]) -> object:
            key = (model, instructions, text, json.dumps(schema, sort_keys=True))
            with self._lock:
                if key not in self._replies:
                    self._replies[key] = asking(instructions, text, schema)
                return self._replies[key]

        return ask_once

    def _ask_json(self, instructions: str, text: str, schema: Mapping[str, Any]) -> object:
        return self._ask(self._settings.writer.model, instructions, text, schema)

    def _ask(self, model: str, instructions: str, text: str, schema: Mapping[str, Any]) -> object:
        return self.ollama(model).ask_json(instructions, text, schema)

    def close(self) -> None:
        """Give back all connections."""
        with self._lock:
            for writer in self._connected.values():
                writer.close()
            self._connected.clear()
