"""Lists picked from two arrays of lists, and the different ones of many names."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from graphrag.retrieval.name_arrays import Ragged, distinct

_lists = st.lists(st.lists(st.integers(0, 9), max_size=3), max_size=40)


def _ragged(lists: list[list[int]]) -> Ragged:
    starts = np.cumsum([0, *map(len, lists)], dtype=np.int64)
    return Ragged(starts, np.array([item for one in lists for item in one], dtype=np.int32))


@given(_lists, _lists, st.data())
def test_rows_are_taken_from_both_wherever_they_lie(
    own: list[list[int]], others: list[list[int]], data: st.DataObject
) -> None:
    both = [*own, *others]
    left_out = data.draw(st.sets(st.integers(0, len(both)), max_size=4))
    last_first = data.draw(st.booleans())
    rows = [row for row in range(len(both)) if row not in left_out]
    if last_first:
        rows = rows[len(rows) // 2 :] + rows[: len(rows) // 2]
    found = _ragged(own).followed_by(_ragged(others), np.array(rows, dtype=np.int64))
    expected = _ragged([both[row] for row in rows])
    assert found.starts.tolist() == expected.starts.tolist()
    assert found.items.tolist() == expected.items.tolist()
    assert (found.starts.dtype, found.items.dtype) == (expected.starts.dtype, np.dtype(np.int32))


@given(st.lists(st.integers(0, 300)))
def test_the_different_names_are_given_once_and_in_order(names: list[int]) -> None:
    assert distinct(np.array(names, dtype=np.int32)).tolist() == sorted(set(names))
