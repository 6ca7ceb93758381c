"""A server that speaks the documented Ollama protocol over HTTP, with faults to switch on.

It counts a token for every word, truncates like Ollama (beyond ``num_ctx`` the front of the
prompt goes, half a window is kept, and no error is given), and streams one word a line.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import re
import socket
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Reply = str | Callable[[Mapping[str, Any]], str]

WRITER = {
    "name": "qwen3:8b",
    "family": "qwen3",
    "parameter_size": "8.2B",
    "context_length": 40960,
    "capabilities": ["completion", "tools", "thinking"],
}
EMBEDDER = {
    "name": "nomic-embed-text:latest",
    "family": "nomic-bert",
    "parameter_size": "137M",
    "context_length": 2048,
    "capabilities": ["embedding"],
}

# Each fault, with what the server then does.
FAULTS = {
    "hang": "accepts the request and never answers",
    "no model": "404, the model is not pulled",
    "not ollama": "404 with a page of HTML",
    "html": "200 with a page of HTML",
    "memory": "500, not enough memory",
    "crash": "500, the runner ended",
    "busy": "503, too many requests are waiting",
    "too many": "429",
    "unauthorized": "401",
    "forbidden": "403",
    "no chat": "400, the model only embeds",
    "no thinking": "400, the model does not think",
    "damaged": "500, the model file cannot be loaded",
    "bad schema": "400, the schema cannot be turned into a grammar",
    "internal": "500 without a word",
    "error line": "an error in the middle of the stream",
    "cut": "the line is cut in the middle of the stream",
    "cut json": "the line is cut in the middle of a JSON object",
    "unfinished": "the stream ends in good order before the reply is done",
    "silence": "nothing more comes in the middle of the stream",
    "nothing": "an empty stream",
    "empty": "a reply without a word",
    "blank": "a reply of blanks",
    "loaded": "the model was loaded, and nothing was written",
    "length": "the reply is cut at num_predict",
    "only thoughts": "all tokens were spent on thoughts",
    "inline thoughts only": "the same, between think tags",
    "truncated": "the front of the prompt was dropped",
    "full": "the prompt fills the window to the brim",
    "not json": "a line that is no JSON",
    "list": "a line that is a JSON list",
    "no message": "a line without its message",
    "redirect": "sends the client in circles",
    "null vector": "a vector of nothing but zeros",
    "short vectors": "one vector too few",
    "ragged": "vectors of several lengths",
    "word vectors": "vectors of words",
    "too long": "400, the input exceeds the context length",
}  # fmt: skip

_STATUS = {
    "no model": (404, "model 'qwen3:8b' not found"),
    "memory": (500, "model requires more system memory (9.1 GiB) than is available (3.9 GiB)"),
    "crash": (500, "llama runner process has terminated: exit status 2"),
    "busy": (503, "server busy, please try again.  maximum pending requests exceeded"),
    "too many": (429, "too many requests"),
    "unauthorized": (401, "unauthorized"),
    "forbidden": (403, "origin not allowed"),
    "no chat": (400, '"qwen3:8b" does not support chat'),
    "no thinking": (400, '"qwen3:8b" does not support thinking'),
    "damaged": (500, "unable to load model: /models/blobs/sha256-12"),
    "bad schema": (400, "invalid JSON schema in format"),
    "internal": (500, "internal server error"),
    "too long": (400, "the input length exceeds the context length"),
}


@dataclass
class OllamaServer:
    """Runs on a free port of this machine while it is entered.

    ``requests`` keeps (path, body) of what was asked; ``cancelled`` is set once a client
    has hung up during a stream. Faults strike ``/api/chat``, ``/api/generate`` and
    ``/api/embed``; with ``everywhere`` all paths.
    """

    reply: Reply = "The bolts are torqued to 45 Nm [1]."
    models: Sequence[Mapping[str, Any]] = (WRITER, EMBEDDER)
    fault: str = ""
    everywhere: bool = False
    thoughts: str = ""
    delay: float = 0.0
    cached_prompt: bool = False
    version: str = "0.12.6"
    requests: list[tuple[str, Any]] = field(default_factory=list)
    cancelled: threading.Event = field(default_factory=threading.Event)

    def __enter__(self) -> OllamaServer:
        if self.fault and self.fault not in FAULTS:
            raise ValueError(f"unknown fault {self.fault!r}")
        self._released = threading.Event()
        self.sockets: list[socket.socket] = []
        owner = self

        class Handler(_Handler):
            server_state = owner

        self._http = _QuietServer(("127.0.0.1", 0), Handler)
        self._http.daemon_threads = True
        self._thread = threading.Thread(
            target=self._http.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True
        )
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._released.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()
        for line in self.sockets:
            with contextlib.suppress(OSError):
                line.shutdown(socket.SHUT_RDWR)

    @property
    def host(self) -> str:
        return f"http://127.0.0.1:{self._http.server_address[1]}"

    def bodies(self, path: str) -> list[Any]:
        """What was sent to a path, in order."""
        return [body for asked, body in self.requests if asked == path]

    def wait(self, seconds: float) -> None:
        """Sleep, but not beyond the end of the test."""
        self._released.wait(seconds)


class _QuietServer(ThreadingHTTPServer):
    def handle_error(self, request: object, client_address: object) -> None:
        """A client that hangs up is no news."""


class _Handler(BaseHTTPRequestHandler):
    server_state: OllamaServer
    protocol_version = "HTTP/1.1"

    def setup(self) -> None:
        self.server_state.sockets.append(self.request)
        super().setup()

    def log_message(self, *_: object) -> None:
        """Keep the test's output clean."""

    def do_GET(self) -> None:
        self._serve(None)

    def do_HEAD(self) -> None:
        self._send(200, b"", "text/plain")

    def do_POST(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        self._serve(json.loads(self.rfile.read(length) or b"{}"))

    def _serve(self, body: Any) -> None:
        state = self.server_state
        state.requests.append((self.path, body))
        serves_models = self.path in ("/api/chat", "/api/generate", "/api/embed")
        if state.fault and (state.everywhere or serves_models) and self._strike(state.fault):
            return
        routes: dict[str, Callable[[Any], None]] = {
            "/": lambda _: self._send(200, b"Ollama is running", "text/plain"),
            "/api/version": lambda _: self._json({"version": state.version}),
            "/api/tags": lambda _: self._json({"models": [_listed(m) for m in state.models]}),
            "/api/ps": lambda _: self._json({"models": [_running(m) for m in state.models[:1]]}),
            "/api/show": self._show,
            "/api/chat": lambda asked: self._write(asked, chat=True),
            "/api/generate": lambda asked: self._write(asked, chat=False),
            "/api/embed": self._embed,
        }
        handler = routes.get(self.path)
        if handler is None:
            self._send(404, b"404 page not found", "text/plain")
        else:
            handler(body)

    def _strike(self, fault: str) -> bool:
        """Answer with the fault; False if it strikes later, in the stream."""
        if fault == "hang":
            self.server_state.wait(30)
            self.close_connection = True
        elif fault in ("html", "not ollama"):
            page = b"<html><body>Welcome to nginx!</body></html>"
            self._send(200 if fault == "html" else 404, page, "text/html")
        elif fault == "redirect":
            self.send_response(307)
            self.send_header("Location", self.path)
            self.send_header("Content-Length", "0")
            self.end_headers()
        elif fault in _STATUS:
            status, message = _STATUS[fault]
            self._json({"error": message}, status)
        else:
            return False
        return True

    def _model(self, name: str) -> Mapping[str, Any] | None:
        for model in self.server_state.models:
            if model["name"] in (name, f"{name}:latest"):
                return model
        self._json({"error": f"model '{name}' not found"}, 404)
        return None

    def _show(self, body: Any) -> None:
        model = self._model(body.get("model") or body.get("name", ""))
        if model is None:
            return
        family = model["family"]
        known: dict[str, Any] = {"general.architecture": family}
        if model.get("context_length"):
            known[f"{family}.context_length"] = model["context_length"]
        shown = {
            "modelfile": model.get("modelfile", "FROM x"),
            "parameters": "temperature 0.6",
            "template": model.get("template", "{{ .System }}\n{{ .Prompt }}"),
            "details": _details(model),
            "model_info": known,
            "modified_at": "2026-01-05T10:00:00Z",
        }
        for key in ("capabilities", "thinking", "remote_host", "remote_model"):
            if key in model:
                shown[key] = model[key]
        self._json(shown)

    def _write(self, body: Any, *, chat: bool) -> None:
        if self._model(body["model"]) is None:
            return
        state = self.server_state
        options = body.get("options") or {}
        window = options.get("num_ctx", 4096)
        prompt = _prompt(body, chat)
        read = len(prompt.split())
        if read > window:
            read = window // 2
        if state.fault == "truncated":
            read = max(1, read // 8)
        elif state.fault == "full":
            read = window
        reply = state.reply(body) if callable(state.reply) else state.reply
        thoughts = state.thoughts if body.get("think") is not False else ""
        lines = self._lines(body["model"], reply, thoughts, chat, options)
        done = lines.pop()
        if not state.cached_prompt:
            done["prompt_eval_count"] = read
        if body.get("stream", True):
            self._stream([*lines, done], chat)
        else:
            whole = "".join(_content(line, chat) for line in lines)
            self._json({**done, **_said(whole, "", chat)})

    def _lines(
        self, model: str, reply: str, thoughts: str, chat: bool, options: Mapping[str, Any]
    ) -> list[dict[str, Any]]:
        fault = self.server_state.fault
        words = re.findall(r"\s*\S+|\s+$", reply)
        if fault == "only thoughts":
            words, thoughts = [], "So I wonder about it."
        elif fault == "inline thoughts only":
            words = ["<think>", "So I wonder", " about it."]
        elif fault in ("empty", "loaded"):
            words = []
        elif fault == "blank":
            words = [" ", "\n", " "]
        limit = options.get("num_predict", -1)
        cut = fault in ("length", "only thoughts", "inline thoughts only")
        if 0 < limit < len(words):
            words, cut = words[:limit], True
        base = {"model": model, "created_at": "2026-01-05T10:00:00.000000Z"}
        lines = [
            {**base, **_said("", t, chat), "done": False} for t in re.findall(r"\s*\S+", thoughts)
        ]
        lines += [{**base, **_said(word, "", chat), "done": False} for word in words]
        reason = "load" if fault == "loaded" else "length" if cut else "stop"
        done = {
            **base,
            **_said("", "", chat),
            "done": True,
            "done_reason": reason,
            "total_duration": 5_000_000,
            "load_duration": 1_000_000,
            "prompt_eval_duration": 1_000_000,
            "eval_count": len(words),
            "eval_duration": 3_000_000,
        }
        return [*lines, done]

    def _stream(self, lines: Sequence[Mapping[str, Any]], chat: bool) -> None:
        state = self.server_state
        self.send_response(200)
        self.send_header("Content-Type", "application/x-ndjson")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        middle = len(lines) // 2
        try:
            for n, line in enumerate(lines):
                if n == middle and self._strike_midway():
                    return
                if state.fault == "no message" and n == middle:
                    line = {key: value for key, value in line.items() if key != "message"}
                self._chunk(json.dumps(line).encode() + b"\n")
                state.wait(state.delay)
            self.wfile.write(b"0\r\n\r\n")
        except (BrokenPipeError, ConnectionResetError):
            state.cancelled.set()
            self.close_connection = True

    def _strike_midway(self) -> bool:
        state = self.server_state
        if state.fault == "cut json":
            self._chunk(b'{"model": "qwen3:8b", "mess')
        elif state.fault == "not json":
            self._chunk(b"oops, this is no JSON\n")
            return False
        elif state.fault == "list":
            self._chunk(b"[1, 2]\n")
            return False
        elif state.fault == "error line":
            self._chunk(b'{"error":"an error was encountered while running the model"}\n')
        elif state.fault == "silence":
            state.wait(30)
        elif state.fault in ("unfinished", "nothing"):
            pass
        elif state.fault != "cut":
            return False
        if state.fault in ("unfinished", "nothing", "error line"):
            self.wfile.write(b"0\r\n\r\n")
        self.close_connection = True
        return True

    def _chunk(self, content: bytes) -> None:
        self.wfile.write(f"{len(content):x}\r\n".encode() + content + b"\r\n")
        self.wfile.flush()

    def _embed(self, body: Any) -> None:
        if self._model(body["model"]) is None:
            return
        given = body["input"]
        texts = [given] if isinstance(given, str) else given
        vectors: list[list[Any]] = [_vector(text) for text in texts]
        fault = self.server_state.fault
        if fault == "null vector":
            vectors[0] = [0.0] * len(vectors[0])
        elif fault == "short vectors":
            vectors.pop()
        elif fault == "ragged":
            vectors[0] = vectors[0][:-1]
            vectors.append(vectors[0]) if len(vectors) == 1 else None
        elif fault == "word vectors":
            vectors[0] = ["one", "two"]
        self._json(
            {
                "model": body["model"],
                "embeddings": vectors,
                "total_duration": 1,
                "load_duration": 1,
                "prompt_eval_count": sum(len(text.split()) for text in texts),
            }
        )

    def _json(self, value: Any, status: int = 200) -> None:
        self._send(status, json.dumps(value).encode(), "application/json; charset=utf-8")

    def _send(self, status: int, content: bytes, kind: str) -> None:
        try:
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True


def _said(content: str, thinking: str, chat: bool) -> dict[str, Any]:
    if not chat:
        return {"response": content, **({"thinking": thinking} if thinking else {})}
    message = {"role": "assistant", "content": content}
    return {"message": {**message, "thinking": thinking} if thinking else message}


def _content(line: Mapping[str, Any], chat: bool) -> str:
    return line["message"]["content"] if chat else line["response"]


def _prompt(body: Any, chat: bool) -> str:
    if chat:
        return "\n".join(message.get("content") or "" for message in body["messages"])
    return f"{body.get('system', '')}\n{body.get('prompt', '')}"


def _details(model: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "parent_model": "",
        "format": "gguf",
        "family": model["family"],
        "families": [model["family"]],
        "parameter_size": model["parameter_size"],
        "quantization_level": "Q4_K_M",
    }


def _listed(model: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "name": model["name"],
        "model": model["name"],
        "modified_at": "2026-01-05T10:00:00.123456789+01:00",
        "size": 5_200_000_000,
        "digest": hashlib.sha256(model["name"].encode()).hexdigest(),
        "details": _details(model),
        **{key: model[key] for key in ("remote_host", "remote_model") if key in model},
    }


def _running(model: Mapping[str, Any]) -> dict[str, Any]:
    return {
        **_listed(model),
        "expires_at": "2026-01-05T10:10:00Z",
        "size_vram": 0,
        "context_length": 4096,
    }


def _vector(text: str, dimension: int = 32) -> list[float]:
    """Words hashed into a vector: texts that share words are near each other."""
    vector = [0.001] * dimension
    for word in re.findall(r"\w+", text.lower()):
        digest = hashlib.sha256(word[:6].encode()).digest()
        vector[digest[0] % dimension] += 1.0
    return vector


if __name__ == "__main__":
    with OllamaServer() as server:
        print(server.host)
        while True:
            time.sleep(3600)
