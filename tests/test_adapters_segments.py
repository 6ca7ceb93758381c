"""Places of numbers in segments."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from graphrag.adapters.segments import places_of

numbers = st.sets(st.integers(0, 30)).map(sorted)
without_a_gap = st.builds(lambda first, n: list(range(first, first + n)), *[st.integers(0, 20)] * 2)


@given(numbers | without_a_gap, numbers)
def test_places_are_those_of_the_wanted_numbers_that_are_there(
    held: list[int], wanted: list[int]
) -> None:
    found = places_of(np.array(held, dtype=np.int64), np.array(wanted, dtype=np.int64))
    assert found.tolist() == [held.index(number) for number in wanted if number in held]
