"""Items made ahead of who takes them: their order, their bound, and how it ends."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import closing

import pytest

from graphrag.ingest.ahead import ahead


def test_items_come_in_their_order_whatever_they_weigh() -> None:
    assert list(ahead(iter(range(100)), room=3, weigh=lambda item: item % 5)) == list(range(100))


def test_no_more_is_made_than_there_is_room_for() -> None:
    made = 0
    full = threading.Event()

    def items() -> Iterator[int]:
        nonlocal made
        for item in range(100):
            made += 1
            if made == 4:  # one is taken, and two weigh as much as there is room for
                full.set()
            yield item

    with closing(ahead(items(), room=4, weigh=lambda _: 2)) as taken:
        assert next(taken) == 0
        assert not full.wait(0.2)
    assert made == 3


def test_what_making_an_item_raises_comes_behind_those_before_it() -> None:
    def items() -> Iterator[int]:
        yield 1
        raise ValueError("no second one")

    taken = ahead(items(), room=10, weigh=lambda _: 1)
    assert next(taken) == 1
    with pytest.raises(ValueError, match="no second one"):
        next(taken)


def test_closing_ends_the_thread() -> None:
    before = threading.active_count()
    with closing(ahead(iter(range(100)), room=2, weigh=lambda _: 1)) as taken:
        next(taken)
    assert threading.active_count() == before
