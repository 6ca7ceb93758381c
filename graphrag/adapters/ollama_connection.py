"""The line to an Ollama server: time-outs, and its faults as errors that name the mend."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import httpx  # the transport of the official client: its time-outs and errors are httpx's
import ollama

from graphrag.adapters.ollama_models import (
    InstalledModel,
    ModelCard,
    card,
    listed,
    same_model,
)
from graphrag.errors import GenerationError, SettingsError, UnusableReplyError

_SHORTER_PROMPT = "raise writer.window, or ask for fewer passages"
_TOO_LONG = ("exceeds", "context length", "context size", "too long", "too large to process")


@dataclass(frozen=True, slots=True)
class OllamaTimeouts:
    """Seconds to wait for a connection, for the first token (a cold model loads first), and
    in a silence between two tokens."""

    connect: float = 2.0
    first_token: float = 120.0
    silence: float = 60.0


class UnreachableError(GenerationError):
    """No Ollama server answers at the address."""


class _Client(ollama.Client):
    def reply(self, method: str, path: str, **body: str) -> Any:
        """A reply whole: the official client drops the fields that it does not know."""
        return self._request_raw(method, path, json=body or None).json()  # type: ignore[no-untyped-call]


class OllamaConnection:
    """One client of one server; safe in several threads."""

    def __init__(self, host: str, timeouts: OllamaTimeouts) -> None:
        for name in ("connect", "first_token", "silence"):
            value = getattr(timeouts, name)
            if not value > 0:
                raise SettingsError(
                    f"ollama.{name}_seconds is {value}: a time-out must be above 0 seconds"
                )
        self.host = host
        self.timeouts = timeouts
        if any(c.isspace() for c in host):
            raise SettingsError(_no_address(host, "it holds a blank"))
        try:
            self.client = _Client(
                host,
                timeout=httpx.Timeout(timeouts.first_token, connect=timeouts.connect),
                # An address that sends questions elsewhere must be set, not followed.
                follow_redirects=False,
                # Without TLS there is nothing to verify, and loading certificates takes 0.1 s.
                verify=host.startswith("https:"),
                # A proxy of the environment is not for this machine's own server.
                trust_env=re.search(r"localhost|127\.|\[::1?\]|0\.0\.0\.0|^$|^:", host) is None,
                event_hooks={"response": [self._begin_reply]},
            )
        except (httpx.InvalidURL, ValueError) as error:
            raise SettingsError(_no_address(host, str(error))) from error

    def _begin_reply(self, response: httpx.Response) -> None:
        # The server sends its headers with the first token: from here on, silence counts.
        timeouts = response.request.extensions.get("timeout")
        if isinstance(timeouts, dict):
            timeouts["read"] = self.timeouts.silence

    def close(self) -> None:
        """Give the connections back."""
        self.client.close()  # type: ignore[no-untyped-call]

    def models(self) -> list[InstalledModel]:
        """The models that are installed, in the server's order."""
        with self.translated(""):
            return listed(self.client.reply("GET", "/api/tags"))

    def find(self, name: str) -> InstalledModel:
        """The installed model of that name. Raises GenerationError with the pull command."""
        models = self.models()
        for model in models:
            if same_model(model.name, name):
                return model
        raise GenerationError(_not_pulled(name, [model.name for model in models]))

    def show(self, name: str) -> ModelCard:
        """What the server knows of a model."""
        with self.translated(name):
            return card(self.client.reply("POST", "/api/show", model=name))

    @contextmanager
    def translated(
        self, model: str, *, begun: Sequence[object] = (), shorten: str = _SHORTER_PROMPT
    ) -> Iterator[None]:
        """Turn the client's errors into ours. ``begun`` is not empty once a reply began;
        ``shorten`` is the mend for what is longer than the model's window."""
        try:
            yield
        except ollama.ResponseError as error:
            raise GenerationError(self._refused(error, model, shorten)) from error
        except (ConnectionError, httpx.ConnectError) as error:
            raise UnreachableError(self._unreachable()) from error
        except httpx.ConnectTimeout as error:
            raise UnreachableError(
                f"no connection to Ollama at {self.host} within {self.timeouts.connect:g} s: "
                "start it with 'ollama serve', or raise ollama.connect_seconds"
            ) from error
        except httpx.TimeoutException as error:
            raise GenerationError(self._silent(model, bool(begun))) from error
        except httpx.HTTPError as error:
            raise GenerationError(self._broken(model, bool(begun), error)) from error
        except (ValueError, TypeError, AttributeError) as error:
            # json and pydantic raise ValueError; a reply of another shape trips the client.
            raise GenerationError(
                f"{self.host} sent what is no Ollama reply ({_short(error)}): "
                "check ollama.host, and update Ollama if it is one"
            ) from error

    def _unreachable(self) -> str:
        return (
            f"no Ollama server answers at {self.host}: start it with 'ollama serve' or set "
            "ollama.host; without it answer with --writer extractive, search with --channel bm25 "
            "--no-rerank"
        )

    def _silent(self, model: str, begun: bool) -> str:
        if begun:
            return (
                f"{model} fell silent for {self.timeouts.silence:g} s in the middle of its reply: "
                "ask again, or raise ollama.silence_seconds"
            )
        return (
            f"{model or self.host} did not begin to answer within "
            f"{self.timeouts.first_token:g} s: it may still be loading; ask again, choose a "
            "smaller model, or raise ollama.first_token_seconds"
        )

    def _broken(self, model: str, begun: bool, error: httpx.HTTPError) -> str:
        if begun:
            return (
                f"the connection to {self.host} ended in the middle of {model}'s reply "
                f"({_short(error)}): ask again; if it happens always, read the server's log"
            )
        return f"the connection to Ollama at {self.host} failed ({_short(error)}): ask again"

    def _refused(self, error: ollama.ResponseError, model: str, shorten: str) -> str:
        said = " ".join(str(error.error).split())[:300]
        lower = said.lower()
        if "not found" in lower and ("model" in lower or "pull" in lower):
            return _not_pulled(model, [])
        if error.status_code in (301, 302, 303, 307, 308):
            return f"{self.host} sends requests elsewhere: set ollama.host to the final address"
        if error.status_code in (404, 405) or "<html" in lower:
            return f"{self.host} is no Ollama server ({error.status_code}): check ollama.host"
        for signs, mend in _MENDS:
            if any(sign in lower for sign in signs):
                return f"{model}: {said}; {mend}"
        if any(sign in lower for sign in _TOO_LONG):
            return f"{model}: {said}; {shorten}"
        if error.status_code in (401, 403):
            return f"{self.host} refused the request ({error.status_code}): check its access rules"
        if error.status_code in (429, 503):
            return f"Ollama at {self.host} is busy ({said}): ask again in a moment"
        if error.status_code >= 500 or error.status_code == -1:
            return (
                f"Ollama failed with {model} ({said}): read the server's log, or try another model"
            )
        return f"Ollama refused the request for {model} ({said})"


_MENDS = (
    (("memory", "out of vram"), "choose a smaller model or a smaller writer.window"),
    (("does not support chat", "does not support generate"), "choose a model that writes"),
    (("does not support thinking",), "switch thinking off for this model"),
    (("busy", "pending requests"), "ask again in a moment"),
    (("terminated", "exited", "crashed"), "restart Ollama, or try another model"),
    (
        ("unable to load", "failed to load", "invalid file", "corrupt"),
        "the model file may be damaged: pull it again with 'ollama pull'",
    ),
    (("unauthorized", "sign in", "signin"), "it runs elsewhere: choose a local model"),
    (("schema", "grammar", "invalid format"), "update Ollama, or use another model"),
)


def _no_address(host: str, why: str) -> str:
    return f"ollama.host {host!r} is no address: {why}; write it like http://127.0.0.1:11434"


def _not_pulled(name: str, installed: Sequence[str]) -> str:
    others = f"; installed are {', '.join(installed[:8])}" if installed else ""
    return f"model {name!r} is not installed: run 'ollama pull {name}'{others}"


def _short(error: BaseException) -> str:
    return " ".join(str(error).split())[:160] or type(error).__name__


def parsed(text: str, model: str) -> object:
    """A structured reply as JSON. Raises GenerationError if it is none."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise UnusableReplyError(
            f"{model} did not reply in JSON ({error.msg} at character {error.pos}): "
            "ask again, or choose a model that follows schemas"
        ) from error


def probe(host: str, timeout: float = 1.0) -> list[str] | None:
    """The names of the installed models, or None if no Ollama server answers in time.

    Raises SettingsError for an address that is none.
    """
    connection = OllamaConnection(host, OllamaTimeouts(timeout, timeout, timeout))
    try:
        return [model.name for model in connection.models()]
    except GenerationError:
        return None
    finally:
        connection.close()
