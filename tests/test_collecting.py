"""Garbage is looked for again as soon as nobody asks that it rest."""

from __future__ import annotations

import gc

import pytest

from graphrag.collecting import fewer_collections, without_collections


def test_collections_rest_inside_and_go_on_behind() -> None:
    with without_collections():
        with without_collections():
            assert not gc.isenabled()
        assert not gc.isenabled()
    assert gc.isenabled()


def test_collections_go_on_after_an_error() -> None:
    with pytest.raises(ZeroDivisionError), without_collections():
        _ = 1 / 0
    assert gc.isenabled()


def test_collections_are_rarer_inside_and_as_often_as_before_behind() -> None:
    before = gc.get_threshold()
    with fewer_collections():
        assert gc.get_threshold()[0] > before[0]
    assert gc.get_threshold() == before
