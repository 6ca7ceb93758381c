"""One writer at a time: an advisory lock on a file that names its holder."""

from __future__ import annotations

import fcntl
import os
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from threading import RLock, get_ident

from graphrag.errors import StoreError

_POLL_SECONDS = 0.1


class WriterLock:
    """The right to write, shared by the threads of a process: one process has it, and of
    its threads one, which may take it again inside."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._turn = RLock()
        self._writer: int | None = None

    @property
    def is_ours(self) -> bool:
        """Whether this thread has it now."""
        return self._writer == get_ident()

    @contextmanager
    def held(self, *, wait: float = 0.0, turn: float = -1.0) -> Iterator[None]:
        """Have it while inside. Raises StoreError naming who has it: another process after
        ``wait`` seconds, another thread after ``turn`` (-1: it is waited for)."""
        if not self._turn.acquire(timeout=turn):
            raise StoreError(
                f"the index {self._path.parent} is being written by another thread of this "
                "process; wait until it is done"
            )
        with ExitStack() as held:
            held.callback(self._turn.release)
            if self._writer is None:
                held.enter_context(_patient_lock(self._path, wait))
                held.callback(setattr, self, "_writer", None)
                self._writer = get_ident()
            yield

    @contextmanager
    def if_free(self) -> Iterator[bool]:
        """Have it while inside where nobody else has; whether it was had."""
        with ExitStack() as held:
            try:
                held.enter_context(self.held(turn=0.0))
            except StoreError:
                free = False
            else:
                free = True
            yield free


@contextmanager
def _patient_lock(path: Path, seconds: float) -> Iterator[None]:
    """The ``writer_lock``, waited for as long as that."""
    until = time.monotonic() + seconds
    with ExitStack() as held:
        while True:
            try:
                held.enter_context(writer_lock(path))
                break
            except StoreError:
                if time.monotonic() >= until:
                    raise
                time.sleep(_POLL_SECONDS)
        yield


@contextmanager
def writer_lock(path: Path) -> Iterator[None]:
    """Hold the lock while inside; the system frees it when the process ends, however it ends.

    Raises StoreError naming the holder when another process (or another part of this one)
    has it, or when the folder cannot be written.
    """
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except OSError as error:
        raise StoreError(
            f"cannot write the index {path.parent}: {error.strerror}; check its permissions"
        ) from error
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.pread(handle, 500, 0).decode("utf-8", "replace").strip()
            raise StoreError(
                f"the index {path.parent} is being written by {holder or 'another process'}; "
                "wait until it is done, or stop it"
            ) from None
        started = time.strftime("%Y-%m-%d %H:%M:%S")
        note = f"process {os.getpid()} ({' '.join(sys.argv)[:200]}) since {started}"
        os.ftruncate(handle, 0)
        with suppress(OSError):  # the name of the holder, for which a full disk has no room
            os.pwrite(handle, note.encode("utf-8", "replace"), 0)
        try:
            yield
        finally:
            os.ftruncate(handle, 0)
    finally:
        os.close(handle)
