"""Items made ahead of who takes them: their order, their bound, and how it ends."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from graphrag.ingest.ahead import ahead


def test_items_come_in_their_order_whatever_they_weigh() -> None:
    with ahead(iter(range(100)), room=3, weigh=lambda item: item % 5) as taken:
        assert list(taken) == list(range(100))


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

    with ahead(items(), room=4, weigh=lambda _: 2) as taken:
        assert next(taken) == 0
        assert not full.wait(0.2)
    assert made == 3


def test_what_making_an_item_raises_comes_behind_those_before_it() -> None:
    def items() -> Iterator[int]:
        yield 1
        raise ValueError("no second one")

    with ahead(items(), room=10, weigh=lambda _: 1) as taken:
        assert next(taken) == 1
        with pytest.raises(ValueError, match="no second one"):
            next(taken)


def test_the_first_item_is_made_before_anyone_asks_for_it() -> None:
    begun = threading.Event()

    def items() -> Iterator[int]:
        begun.set()
        yield 1

    with ahead(items(), room=10, weigh=lambda _: 1):
        assert begun.wait(10)


def test_leaving_ends_the_thread() -> None:
    before = threading.active_count()
    with ahead(iter(range(100)), room=2, weigh=lambda _: 1) as taken:
        next(taken)
    assert threading.active_count() == before
