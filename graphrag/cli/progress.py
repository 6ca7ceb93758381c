"""How far a long command has come, on stderr: a bar on a terminal, else a line now and then."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from graphrag.ingest.report import Progress, Silent

_SECONDS_A_LINE = 10.0


@contextmanager
def shown_progress(counted: str, *, quiet: bool = False) -> Iterator[Progress]:
    """A bar on stderr where people look at it, now and then a line where it is a file."""
    if quiet:
        yield Silent()
    elif not sys.stderr.isatty():
        yield ProgressLines(counted)
    else:
        with _Bar(counted) as bar:
            yield bar


class ProgressLines:
    """A line on stderr every so many seconds: what was done, the rate and the time left."""

    def __init__(
        self,
        counted: str,
        *,
        every: float = _SECONDS_A_LINE,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._counted, self._every, self._now = counted, every, now
        self._begin = self._last = now()
        self._stage = ""

    def stage(self, name: str) -> None:
        """What the next lines name."""
        self._stage = name

    def advance(self, files: int, total_files: int, chunks: int, total_chunks: int = 0) -> None:
        """Print a line where it is time for one."""
        now = self._now()
        if now - self._last < self._every:
            return
        self._last = now
        taken = now - self._begin
        left = _left(taken, chunks, total_chunks) or _left(taken, files, total_files)
        print(
            f"{self._stage}: {files} of {total_files} {self._counted}, {chunks} chunks, "
            f"{chunks / taken:.0f}/s{left}",
            file=sys.stderr,
            flush=True,
        )


def _left(taken: float, done: int, total: int) -> str:
    """The time left, if all go on taking as long; nothing before the first, nor where it is
    not known how many there are."""
    return f", {_spelt(taken / done * (total - done))} left" if done and total else ""


def _spelt(seconds: float) -> str:
    whole = round(seconds)
    return f"{whole // 60} min {whole % 60} s" if whole >= 60 else f"{whole} s"


class _Bar(Progress):
    """A bar on stderr: files done, chunks, rate and time left."""

    def __init__(self, counted: str) -> None:
        # rich costs a tenth of a second to import; only a bar needs it.
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
        from rich.progress import Progress as Bar

        self._bar = Bar(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn(counted + ", {task.fields[done]}"),
            console=Console(stderr=True),
        )
        self._task = self._bar.add_task("reading", total=None, done="")
        self._begin = time.perf_counter()

    def __enter__(self) -> _Bar:
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def stage(self, name: str) -> None:
        self._bar.update(self._task, description=name)

    def advance(self, files: int, total_files: int, chunks: int, total_chunks: int = 0) -> None:
        taken = max(time.perf_counter() - self._begin, 1e-6)
        left = _left(taken, chunks, total_chunks) or _left(taken, files, total_files)
        done = f"{chunks} chunks, {chunks / taken:.0f}/s{left}"
        self._bar.update(self._task, completed=files, total=total_files, done=done)
