"""Native libraries are held to one thread, and set free again."""

from __future__ import annotations

import numpy as np
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from graphrag.threads import OneThread


@pytest.fixture
def two_threads():
    np.ones((2, 2)) @ np.ones((2, 2))
    with threadpool_limits(2):
        yield


def threads() -> set[int]:
    return {pool["num_threads"] for pool in threadpool_info()}


def test_within_it_native_libraries_work_in_one_thread(two_threads):
    with OneThread():
        assert threads() == {1}
    assert threads() == {2}


def test_the_last_one_out_sets_the_limits_back(two_threads):
    one = OneThread()
    with one:
        with one:
            pass
        assert threads() == {1}
    assert threads() == {2}


def test_an_error_sets_the_limits_back(two_threads):
    with pytest.raises(ValueError, match="bad"), OneThread():
        raise ValueError("bad")
    assert threads() == {2}
