"""One thread for native libraries while they do much that is small."""

from __future__ import annotations

from threading import Lock
from types import TracebackType

from threadpoolctl import ThreadpoolController


class OneThread:
    """Within it BLAS and OpenMP work in one thread.

    Threads that share a product of a few milliseconds wait for each other longer than they
    work, the more so where another program has one of the processors. Several threads of
    Python may be inside at once; the last one out sets the limits back. Libraries that are
    loaded after this was made are not limited.
    """

    def __init__(self) -> None:
        self._controller = ThreadpoolController()
        self._lock = Lock()
        self._inside = 0
        self._limit = None

    def __enter__(self) -> None:
        with self._lock:
            if not self._inside:
                self._limit = self._controller.limit(limits=1)
            self._inside += 1

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with self._lock:
            self._inside -= 1
            if not self._inside and self._limit is not None:
                self._limit.restore_original_limits()
