"""Copies of mapped arrays."""

from __future__ import annotations

import numpy as np
import pytest

from graphrag.adapters import own_copies
from graphrag.adapters.own_copies import OwnCopy


def test_an_array_is_copied_when_it_is_read_once_more_than_whole() -> None:
    mapped = np.arange(12).reshape(4, 3)
    copy = OwnCopy(mapped)
    assert copy.reading(3) is mapped
    assert copy.reading(1) is mapped
    own = copy.reading(1)
    assert own is not mapped
    assert not np.shares_memory(own, mapped)
    assert own.tolist() == mapped.tolist()


def test_an_array_is_copied_once() -> None:
    copy = OwnCopy(np.arange(4))
    copy.reading(4)
    assert copy.reading(9) is copy.reading(9)


def test_an_array_too_large_stays_where_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_copies, "MOST", 31)
    mapped = np.arange(4, dtype=np.int64)  # 32 bytes
    copy = OwnCopy(mapped)
    assert [copy.reading(9) is mapped for _ in range(3)] == [True, True, True]
