"""The language pipeline in a process of its own, beside the one that embeds.

In one process the two would wait for each other: Python runs one thread at a time. A child
of its own also loads while documents are being read, and loads less: see ``spacy_child``.
It is no child of ``multiprocessing``, which runs the main script of a library's user again.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import weakref
from collections.abc import Iterable, Iterator
from contextlib import suppress
from threading import RLock
from typing import Any, BinaryIO, cast

from graphrag.adapters.spacy_frames import (
    pack_documents,
    read_frame,
    unpack_annotations,
    write_frame,
)
from graphrag.domain import Annotation, Document
from graphrag.errors import ModelError

_BATCH_LETTERS = 200_000
_SECONDS_TO_END = 2.0
# The child imports from where its parent does, and never from the folder it is started in.
_START = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
    "from graphrag.adapters.spacy_child import main; main()"
)


class ProcessSpotter:
    """A ``Spotter`` that asks a child process; results are those of ``SpacySpotter``.

    The child is started at once and ends with this object, with this process, or, where
    this process is killed, at the end of its input. Safe to use from several threads and
    after a fork. Every method raises ModelError where the pipeline cannot be loaded or its
    process has ended; the next call starts another.
    """

    def __init__(self, *, python: str = sys.executable) -> None:
        self._python = python
        self._lock = RLock()
        self._child: _Child | None = _Child(python)
        self._fingerprint = ""

    @property
    def fingerprint(self) -> str:
        """Changes with the pipeline's version and with the rules."""
        with self._lock:
            self._ready()
            return self._fingerprint

    def annotate(self, documents: Iterable[Document]) -> Iterator[Annotation]:
        """One annotation a document, in the same order; so many documents are read ahead as
        go to the child at once."""
        batch: list[Document] = []
        letters = 0
        for document in documents:
            batch.append(document)
            letters += len(document.text)
            if letters >= _BATCH_LETTERS:
                yield from self._annotate(batch)
                batch, letters = [], 0
        if batch:
            yield from self._annotate(batch)

    def close(self) -> None:
        """End the child; the next call starts another."""
        with self._lock:
            child, self._child = self._child, None
            if child is not None:
                child.end()

    def _annotate(self, batch: list[Document]) -> list[Annotation]:
        with self._lock:
            reply = self._asked(self._ready(), pack_documents(batch))
        return unpack_annotations(reply["annotations"])

    def _ready(self) -> _Child:
        """The child, once it has said that its pipeline is loaded."""
        if self._child is None or not self._child.is_ours:
            self.close()
            self._child = _Child(self._python)
        if not self._child.greeted:
            greeting = self._asked(self._child, None)
            if "error" in greeting:
                self.close()
                raise ModelError(str(greeting["error"]))
            self._fingerprint = str(greeting["fingerprint"])
            self._child.greeted = True
        return self._child

    def _asked(self, child: _Child, request: object) -> dict[str, Any]:
        try:
            if request is not None:
                write_frame(child.requests, request)
            reply: dict[str, Any] = read_frame(child.replies)
        except (EOFError, OSError) as error:
            self.close()
            raise ModelError(
                f"the language pipeline's process {child.how_it_ended()}: run the command again; "
                "what was stored is kept"
            ) from error
        except BaseException:
            # Stopped between a request and its reply: the next request must not get that one.
            self.close()
            raise
        return reply


class _Child:
    """A running child, its pipes and what it complained of."""

    def __init__(self, python: str) -> None:
        self.greeted = False
        self._parent = os.getpid()
        complaints = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the child
        try:
            self._process = subprocess.Popen(
                [python, "-P", "-c", _START, json.dumps(sys.path)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=complaints,
                # The parent embeds on every processor; matrices here are small.
                env=os.environ | {"OPENBLAS_NUM_THREADS": "1"},
                # A Ctrl-C is for the parent, which ends the child in good order.
                process_group=0,
            )
        except OSError as error:
            complaints.close()
            raise ModelError(
                f"the language pipeline's process cannot be started with {python}: {error}"
            ) from error
        self.requests = cast("BinaryIO", self._process.stdin)
        self.replies = cast("BinaryIO", self._process.stdout)
        self._complaints = complaints
        # Ends it at once where it waits, else after a while by force.
        self.end = weakref.finalize(self, _end, self._process, self._parent)

    @property
    def is_ours(self) -> bool:
        """False in a fork of the process that started it."""
        return self._parent == os.getpid()

    def how_it_ended(self) -> str:
        """In words, once it has ended: its exit or signal, and its last complaint."""
        code = self._process.returncode
        how = f"was ended by signal {-code}" if code and code < 0 else f"ended with {code}"
        self._complaints.seek(0)
        lines = self._complaints.read().decode(errors="replace").strip().splitlines()
        return f"{how} ({lines[-1].strip()})" if lines else how


def _end(process: subprocess.Popen[bytes], parent: int) -> None:
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            # What was not sent is of no use to a child that has gone.
            with suppress(OSError):
                pipe.close()
    if parent != os.getpid():
        return
    try:
        process.wait(_SECONDS_TO_END)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
