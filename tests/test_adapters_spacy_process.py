"""The language pipeline's process: how it ends, and what is said when it does."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from graphrag.adapters.spacy_frames import (
    pack_annotations,
    pack_documents,
    unpack_annotations,
    unpack_documents,
)
from graphrag.adapters.spacy_process import ProcessSpotter
from graphrag.domain import Annotation, Block, Cue, Definition, Document, Link, Phrase, Span
from graphrag.errors import ModelError
from tests.concept_values import document

_PAGE = document("# Basis\n\nA basis is a set of independent vectors.")


def test_documents_and_annotations_survive_the_pipes() -> None:
    page = Document(
        "a\ud800.md",
        "/x/a.md",
        "Title",
        "text \udfff",
        (Block("table", 0, 6, ("One", "Two"), 0, 3, (Span(1, 2),), "en"),),
        "markdown",
        {"author": "me", "tags": ("a", "b")},
        (Link(0, 4, "b.md"),),
        "de",
    )
    annotation = Annotation(
        (Span(0, 6),),
        (Phrase(0, 4, "text"),),
        (Definition(Span(0, 4), Span(0, 6), "bold"),),
        (Cue("requires", Span(0, 1), Span(2, 3), Span(0, 6), True),),
    )
    assert unpack_documents(pack_documents([page])) == [page]
    assert unpack_annotations(pack_annotations([annotation])) == [annotation]


def test_many_documents_go_in_several_batches() -> None:
    long = document("# Long\n\n" + "A basis is a set of vectors. " * 4000)
    spotter = ProcessSpotter()
    found = list(spotter.annotate([long, _PAGE, long, _PAGE]))
    spotter.close()
    assert [len(each.sentences) for each in found] == [4000, 1, 4000, 1]


def test_a_killed_pipeline_is_an_error_and_the_next_call_starts_another() -> None:
    spotter = ProcessSpotter()
    before = list(spotter.annotate([_PAGE]))
    os.kill(_children()[-1], signal.SIGKILL)
    with pytest.raises(ModelError, match="ended by signal 9"):
        list(spotter.annotate([_PAGE]))
    assert list(spotter.annotate([_PAGE])) == before
    spotter.close()
    assert not _children()


def test_a_pipeline_that_cannot_start_says_why(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="cannot be started"):
        ProcessSpotter(python=str(tmp_path / "none"))
    broken = tmp_path / "python"
    broken.write_text("#!/bin/sh\necho no such module >&2\nexit 3\n")
    broken.chmod(0o755)
    spotter = ProcessSpotter(python=str(broken))
    with pytest.raises(ModelError, match=r"ended with 3 \(no such module\)"):
        list(spotter.annotate([_PAGE]))


def test_the_pipeline_ends_with_its_owner() -> None:
    spotter = ProcessSpotter()
    list(spotter.annotate([_PAGE]))
    assert _children()
    del spotter
    assert not _children()


def test_a_fork_has_a_pipeline_of_its_own() -> None:
    spotter = ProcessSpotter()
    expected = list(spotter.annotate([_PAGE]))
    child = os.fork()
    if child == 0:
        os._exit(list(spotter.annotate([_PAGE])) != expected)
    assert os.waitpid(child, 0)[1] == 0
    assert list(spotter.annotate([_PAGE])) == expected
    spotter.close()


def test_the_pipeline_dies_with_a_killed_parent() -> None:
    script = (
        "import sys, time\n"
        "from graphrag.adapters.spacy_process import ProcessSpotter\n"
        "spotter = ProcessSpotter()\n"
        "spotter.fingerprint\n"
        "print('ready', flush=True)\n"
        "time.sleep(60)\n"
    )
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        assert parent.stdout.readline() == b"ready\n"
        (pipeline,) = _children(parent.pid)
        parent.kill()
    deadline = time.monotonic() + 20
    while _runs(pipeline) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not _runs(pipeline)


def _children(parent: int | None = None) -> list[int]:
    """Pids of the pipelines that a process has, oldest first."""
    path = Path(f"/proc/{parent or os.getpid()}/task")
    pids = [int(pid) for task in path.iterdir() for pid in (task / "children").read_text().split()]
    return sorted(pid for pid in pids if _runs(pid) and b"spacy_child" in _command(pid))


def _command(pid: int) -> bytes:
    return Path(f"/proc/{pid}/cmdline").read_bytes()


def _runs(pid: int) -> bool:
    """Whether a process is there and no zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
