"""What searches look up is fetched once, and not all of it is kept."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from graphrag.retrieval.lookups import Kept

SQUARES = {number: str(number * number) for number in range(20)}


class _Source:
    def __init__(self) -> None:
        self.asked: list[int] = []

    def __call__(self, keys: Sequence[int]) -> dict[int, str]:
        self.asked.extend(keys)
        return {key: SQUARES[key] for key in keys if key in SQUARES}


def test_what_is_known_is_not_fetched_again() -> None:
    source = _Source()
    kept = Kept(source)
    assert kept([2, 3]) == {2: "4", 3: "9"}
    assert kept([3, 4, 4]) == {3: "9", 4: "16"}
    assert sorted(source.asked) == [2, 3, 4]


def test_what_there_is_not_is_left_out() -> None:
    assert Kept(_Source())([1, 99]) == {1: "1"}


def test_no_more_than_twice_as_many_as_allowed_are_kept() -> None:
    source = _Source()
    kept = Kept(source, most=2)
    for key in range(6):
        kept([key])
    source.asked.clear()
    kept([5])
    kept([0])
    assert source.asked == [0]


@given(st.lists(st.lists(st.integers(0, 30), max_size=6), max_size=12), st.integers(1, 5))
def test_what_is_kept_never_changes_what_is_found(asked: list[list[int]], most: int) -> None:
    kept = Kept(_Source(), most=most)
    for keys in asked:
        assert kept(keys) == {key: SQUARES[key] for key in keys if key in SQUARES}
