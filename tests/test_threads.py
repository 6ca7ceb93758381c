"""Native libraries are held to one thread, and set free again."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from graphrag.threads import OneThread


@pytest.fixture
def two_threads():
    """What the libraries work with, BLAS with two; OpenMP counts by thread and machine."""
    np.ones((2, 2)) @ np.ones((2, 2))
    # In a thread that ends: this one would keep the limits of BLAS to itself.
    with ThreadPoolExecutor(1) as passing:
        limits = passing.submit(threadpool_limits, 2).result()
    yield threads()
    with ThreadPoolExecutor(1) as passing:
        passing.submit(limits.restore_original_limits).result()


def threads() -> set[int]:
    return {pool["num_threads"] for pool in threadpool_info()}


def shared_threads() -> set[int]:
    """Of the libraries that have one limit for the whole process: BLAS, but not over OpenMP."""
    return {
        pool["num_threads"]
        for pool in threadpool_info()
        if pool["user_api"] == "blas" and pool.get("threading_layer") != "openmp"
    }


def test_within_it_native_libraries_work_in_one_thread(two_threads):
    with OneThread():
        assert threads() == {1}
    assert threads() == two_threads


def test_the_last_one_out_sets_the_limits_back(two_threads):
    one = OneThread()
    with one:
        with one:
            pass
        assert threads() == {1}
    assert threads() == two_threads


def test_an_error_sets_the_limits_back(two_threads):
    with pytest.raises(ValueError, match="bad"), OneThread():
        raise ValueError("bad")
    assert threads() == two_threads


def test_holders_that_overlap_in_two_threads_leave_the_limits_as_they_were(two_threads):
    first, second = OneThread(), OneThread()
    first.__enter__()
    with ThreadPoolExecutor(1) as other:
        other.submit(second.__enter__).result()
        first.__exit__(None, None, None)
        assert shared_threads() == {1}
        other.submit(second.__exit__, None, None, None).result()
    assert threads() == two_threads
