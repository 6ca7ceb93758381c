"""The writer that asks a local Ollama server."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any

import jsonschema
import ollama

from graphrag.adapters.ollama_connection import (
    OllamaConnection,
    OllamaTimeouts,
    UnreachableError,
    parsed,
    probe,
)
from graphrag.adapters.ollama_embedder import OllamaEmbedder
from graphrag.adapters.ollama_models import ModelCard, is_local_writer, ranked, thinking
from graphrag.errors import GenerationError, UnusableReplyError
from graphrag.ports import WriteRequest
from graphrag.wording.prompting import estimate_tokens, user_message

__all__ = ["OllamaEmbedder", "OllamaTimeouts", "OllamaWriter", "UnreachableError", "probe"]

# Enough for five passages and an answer; a larger one costs memory for every question.
_USUAL_WINDOW = 8192
# What chat templates add around messages, at most.
_TEMPLATE_TOKENS = 64
_THOUGHT_TOKENS = 2048
_THINK = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class OllamaModel:
    """The model that writes: its window in tokens as it is asked for, what is reserved of
    it for the answer and for thoughts, how its thinking is switched (None: it has none), and
    whether it reads instructions apart from what is asked."""

    name: str
    window: int
    reserve_answer: int
    reserve_thoughts: int
    think: bool | str | None
    takes_system: bool = True


class OllamaWriter:
    """Writes answers with one model of one server."""

    def __init__(
        self, connection: OllamaConnection, model: OllamaModel, *, keep_alive: str = "10m"
    ) -> None:
        self._connection = connection
        self._keep_alive = keep_alive
        self.model = model

    @classmethod
    def connect(
        cls,
        host: str,
        *,
        model: str | None = None,
        num_ctx: int | None = None,
        answer_tokens: int = 800,
        timeouts: OllamaTimeouts | None = None,
        keep_alive: str = "10m",
    ) -> OllamaWriter:
        """Connect to the server at ``host`` and take ``model``, or choose one among those
        installed. ``num_ctx`` is the window, by default 8192 or the model's own if smaller.

        Raises GenerationError if no server answers or no model can write, SettingsError for
        an address or a time-out that is none.
        """
        connection = OllamaConnection(host, timeouts or OllamaTimeouts())
        try:
            described = _describe(connection, model, num_ctx, answer_tokens)
        except GenerationError:
            connection.close()
            raise
        return cls(connection, described, keep_alive=keep_alive)

    @property
    def name(self) -> str:
        """The writer with its model, such as ``ollama:qwen3:8b``."""
        return f"ollama:{self.model.name}"

    @property
    def window(self) -> int:
        """The tokens that prompt and answer share: the model's window without what its
        thoughts and its chat template may take."""
        return self.model.window - self.model.reserve_thoughts - _TEMPLATE_TOKENS

    def close(self) -> None:
        """Give the connection back."""
        self._connection.close()

    def write(self, request: WriteRequest) -> Iterator[str]:
        """The reply as it comes, thoughts left out; closing the iterator frees the server.

        Raises GenerationError if the prompt does not fit, the server fails, or the reply is
        cut, empty, or was made from a truncated prompt.
        """
        return self._reply(self._messages(request.instructions, user_message(request)), None)

    def ask_json(self, instructions: str, text: str, schema: Mapping[str, Any]) -> object:
        """A reply that holds to a JSON schema. Raises GenerationError if it does not."""
        reply = "".join(self._reply(self._messages(instructions, text), schema))
        value = parsed(reply, self.model.name)
        try:
            jsonschema.validate(value, schema)
        except jsonschema.ValidationError as error:
            raise UnusableReplyError(
                f"{self.model.name} replied off the schema ({error.message}): "
                "ask again, or choose a model that follows schemas"
            ) from error
        return value

    def _messages(self, instructions: str, text: str) -> list[dict[str, str]]:
        """Instructions apart, or first where the template would drop them without a word."""
        if not self.model.takes_system:
            return [{"role": "user", "content": f"{instructions}\n\n{text}"}]
        return [
            {"role": "system", "content": instructions},
            {"role": "user", "content": text},
        ]

    def _reply(
        self, messages: Sequence[Mapping[str, str]], schema: Mapping[str, Any] | None
    ) -> Iterator[str]:
        model = self.model
        estimate = sum(estimate_tokens(m["content"]) for m in messages) + _TEMPLATE_TOKENS
        reserved = model.reserve_answer + model.reserve_thoughts
        if estimate + reserved > model.window:
            raise GenerationError(
                f"the prompt of about {estimate} tokens and {reserved} reserved for the reply "
                f"exceed the window of {model.window}: ask for fewer passages, or raise "
                "writer.window"
            )
        parts = self._connection.client.chat(
            model.name,
            messages,
            stream=True,
            think=model.think,
            format=dict(schema) if schema is not None else None,
            options={"num_ctx": model.window, "num_predict": reserved, "temperature": 0, "seed": 1},
            keep_alive=self._keep_alive,
        )
        return self._checked(parts, messages)

    def _checked(
        self, parts: Iterator[ollama.ChatResponse], messages: Sequence[Mapping[str, str]]
    ) -> Iterator[str]:
        last: ollama.ChatResponse | None = None
        begun: list[bool] = []
        thoughts = 0
        written = False
        spoken = _Spoken()
        with closing(parts), self._connection.translated(self.model.name, begun=begun):  # type: ignore[type-var]
            for part in parts:
                last = part
                thoughts += len(part.message.thinking or "")
                if not begun:
                    begun.append(True)
                text = spoken.add(part.message.content or "")
                if text:
                    written = written or bool(text.strip())
                    yield text
                if part.done:
                    break
            rest = spoken.rest()
            if rest:
                written = written or bool(rest.strip())
                yield rest
        self._judge(last, written, thoughts + spoken.thoughts, messages)

    def _judge(
        self,
        last: ollama.ChatResponse | None,
        written: bool,
        thoughts: int,
        messages: Sequence[Mapping[str, str]],
    ) -> None:
        name = self.model.name
        if last is None or not last.done:
            raise GenerationError(
                f"{name}'s reply ended before it was done: the server was stopped or the line "
                "was cut; ask again"
            )
        if not written and thoughts:
            raise UnusableReplyError(
                f"{name} spent all its tokens on thoughts: raise writer.answer, or choose a "
                "model that does not think"
            )
        if last.done_reason == "length":
            raise UnusableReplyError(
                f"{name}'s reply was cut after {last.eval_count or 'its'} tokens: raise "
                "writer.answer, or ask for something shorter"
            )
        if not written:
            reason = f" ({last.done_reason})" if last.done_reason not in (None, "stop") else ""
            raise UnusableReplyError(f"{name} replied with nothing{reason}: ask again")
        self._check_reading(last.prompt_eval_count, messages)

    def _check_reading(self, count: int | None, messages: Sequence[Mapping[str, str]]) -> None:
        """A server that reads far fewer tokens than there are words dropped a part."""
        if not count:
            return
        least = sum(len(re.findall(r"\w+", m["content"])) for m in messages) // 2
        if count < least or count >= self.model.window:
            raise GenerationError(
                f"the server read {count} tokens of a prompt of at least {least}: it was "
                f"truncated; raise writer.window above {self.model.window}, or ask for fewer "
                "passages"
            )


class _Spoken:
    """The text without ``<think>`` blocks, which older servers leave in the reply."""

    def __init__(self) -> None:
        self._pending = ""
        self._started = False
        self.thoughts = 0

    def add(self, text: str) -> str:
        """What can be said now that ``text`` has come."""
        if self._started:
            return text
        self._pending += text
        opening = self._pending.lstrip()
        if "<think" in opening[:10]:
            if re.search(r"</think(?:ing)?>", opening) is None:
                return ""
        elif "<think".startswith(opening[:6]):
            return ""
        return self.rest()

    def rest(self) -> str:
        """What was held back; blanks before the first word are dropped."""
        if self._started:
            return ""
        text = self._pending.lstrip()
        if text.startswith("<think"):
            bare = _THINK.sub("", text, count=1)
            self.thoughts += len(text) - len(bare)
            text = bare.lstrip()
        self._started = bool(text)
        self._pending = ""
        return text


def _describe(
    connection: OllamaConnection, wanted: str | None, num_ctx: int | None, answer: int
) -> OllamaModel:
    name, shown = _named(connection, wanted) if wanted else _chosen(connection)
    window = _window(name, shown.context, num_ctx)
    think, may_think = thinking(name, shown)
    thoughts = min(_THOUGHT_TOKENS, window // 4) if may_think else 0
    return OllamaModel(name, window, answer, thoughts, think, shown.takes_system)


def _named(connection: OllamaConnection, wanted: str) -> tuple[str, ModelCard]:
    """The model of that name. Raises GenerationError where it is not there or cannot write."""
    found = connection.find(wanted)
    shown = connection.show(found.name)
    if not _writes(shown):
        can = ", ".join(sorted(shown.capabilities or ()))
        raise GenerationError(f"model {found.name!r} cannot write, it is for {can}")
    if shown.remote or not is_local_writer(found):
        raise GenerationError(
            f"model {found.name!r} does not write on this machine: choose a local one"
        )
    return found.name, shown


def _chosen(connection: OllamaConnection) -> tuple[str, ModelCard]:
    """The best of the installed models that the server says can write."""
    installed = connection.models()
    for model in ranked(installed):
        shown = connection.show(model.name)
        if _writes(shown) and not shown.remote:
            return model.name, shown
    what = "only embedding or cloud models are" if installed else "no model is"
    raise GenerationError(
        f"{what} installed in Ollama at {connection.host}: run 'ollama pull qwen3:4b', or "
        "use the extractive writer"
    )


def _writes(shown: ModelCard) -> bool:
    return shown.capabilities is None or "completion" in shown.capabilities


def _window(name: str, trained: int, wanted: int | None) -> int:
    if wanted:
        if trained and wanted > trained:
            raise GenerationError(
                f"a window of {wanted} tokens exceeds the {trained} of {name}: lower writer.window"
            )
        return wanted
    return min(trained, _USUAL_WINDOW) if trained else _USUAL_WINDOW // 2
