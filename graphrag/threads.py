"""One thread for native libraries while they do much that is small."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from threading import Lock, Thread, get_ident
from types import TracebackType

from threadpoolctl import LibController, ThreadpoolController


class OneThread:
    """Within it BLAS and OpenMP work in one thread.

    Threads that share a product of a few milliseconds wait for each other longer than they
    work, the more so where another program has one of the processors; and they add up in
    another order. Several may be entered at once, each left by the thread that entered it:
    the last one out sets the limits back. Libraries that are loaded after this was made are
    not limited.
    """

    def __init__(self) -> None:
        self._libraries: list[LibController] = ThreadpoolController().lib_controllers

    def __enter__(self) -> None:
        _limits().hold(self._libraries)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        _limits().let_go(self._libraries)


_Place = tuple[str, int]


class _Limits:
    """How many hold each library, and how many threads it had before the first."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._holders: dict[_Place, int] = {}
        self._before: dict[_Place, int] = {}

    def hold(self, libraries: list[LibController]) -> None:
        with self._lock:
            fresh = []
            for library in libraries:
                place = _place(library)
                holders = self._holders.get(place, 0)
                if not holders:
                    self._before[place] = library.get_num_threads()
                    fresh.append((library, 1))
                self._holders[place] = holders + 1
            _set(fresh)

    def let_go(self, libraries: list[LibController]) -> None:
        with self._lock:
            free = []
            for library in libraries:
                place = _place(library)
                self._holders[place] -= 1
                if not self._holders[place]:
                    free.append((library, self._before.pop(place)))
                    del self._holders[place]
            _set(free)


def _place(library: LibController) -> _Place:
    """Where a limit holds: OpenMP keeps one for each thread of Python, BLAS one for all."""
    return library.filepath, get_ident() if library.user_api == "openmp" else 0


def _set(limits: Sequence[tuple[LibController, int]]) -> None:
    """Give the libraries so many threads each."""
    shared = []
    for library, number in limits:
        if library.user_api == "openmp":
            library.set_num_threads(number)
        elif library.get_num_threads() != number:
            shared.append((library, number))
    if shared:
        # Only one thread may set the limits of BLAS for as long as it lives; from any other,
        # threadpoolctl does nothing. So one that ends at once does it.
        setting = Thread(target=lambda: [each.set_num_threads(n) for each, n in shared])
        setting.start()
        setting.join()


@cache
def _limits() -> _Limits:
    # One for the process, as the limits are: each holder by itself would take another's limit
    # for what was there before, and leave it behind.
    return _Limits()
