"""Work that runs ahead of the one who needs it, by so much and no more."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from threading import Condition
from typing import Generic, TypeVar

_Item = TypeVar("_Item")


@contextmanager
def ahead(
    items: Iterator[_Item], *, room: int, weigh: Callable[[_Item], int]
) -> Iterator[Iterator[_Item]]:
    """The items in their order, made in a thread of their own from here on, while others are
    used or something else is done.

    No further item is begun while those that wait weigh ``room`` or more. What making one
    raises is raised by the iterator, behind the items before it. Leave to stop early.
    """
    shelf: _Shelf[_Item] = _Shelf(room)
    with ThreadPoolExecutor(1, thread_name_prefix="ahead") as pool:
        filling = pool.submit(shelf.fill, items, weigh)
        try:
            yield shelf.drain(filling)
        finally:
            shelf.close()


class _Shelf(Generic[_Item]):
    """Where items wait, between the thread that makes them and the one that takes them."""

    def __init__(self, room: int) -> None:
        self._room = room
        self._waiting: deque[tuple[_Item, int]] = deque()
        self._weight = 0
        self._ended = False
        self._closed = False
        self._changed = Condition()

    def fill(self, items: Iterator[_Item], weigh: Callable[[_Item], int]) -> None:
        try:
            while self._has_room():
                item = next(items, self)
                if isinstance(item, _Shelf):
                    return
                with self._changed:
                    self._waiting.append((item, weigh(item)))
                    self._weight += self._waiting[-1][1]
                    self._changed.notify_all()
        finally:
            with self._changed:
                self._ended = True
                self._changed.notify_all()

    def drain(self, filling: Future[None]) -> Iterator[_Item]:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._waiting or self._ended)
                if not self._waiting:
                    break
                item, weight = self._waiting.popleft()
                self._weight -= weight
                self._changed.notify_all()
            yield item
        filling.result()

    def close(self) -> None:
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def _has_room(self) -> bool:
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self._weight < self._room)
            return not self._closed
