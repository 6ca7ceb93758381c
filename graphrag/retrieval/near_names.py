"""A name graph that is walked often, its arrays in memory where they are read faster.

A walk looks up some ten thousand places all over the arrays that lead from passages to names
and back. In a mapped file they lie in pages of 4 KB, whose addresses the processor looks up
one by one; copied into one large array, they lie in pages of 2 MB where the system has them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphrag.retrieval.name_graph import Lists, NameGraph

_WALKS = 8  # after so many a copy has cost less than it saves; one search makes none
_ALIGNMENT = 64  # bytes


class NearNames:
    """A ``graph``, copied when it was walked some times. Safe in several threads: two may
    copy at once."""

    def __init__(self, graph: NameGraph) -> None:
        self.graph = graph
        self._walks = 0

    def walking(self) -> NameGraph:
        """The graph, which is walked now."""
        self._walks += 1
        if self._walks == _WALKS:
            self.graph = _together(self.graph)
        return self.graph


def _together(graph: NameGraph) -> NameGraph:
    """The graph with what a walk reads in one piece of memory."""
    lists = (graph.mentions, graph.mentioned_in, graph.titles, graph.titled)
    ends = [array for each in lists for array in (each.starts, each.items)]
    numbers, frequency, *copied = _copied([graph.numbers, graph.frequency, *ends])
    pairs = zip(copied[::2], copied[1::2], strict=True)
    mentions, mentioned_in, titles, titled = (Lists(*pair) for pair in pairs)
    return replace(
        graph,
        numbers=numbers,
        frequency=frequency,
        mentions=mentions,
        mentioned_in=mentioned_in,
        titles=titles,
        titled=titled,
    )


def _copied(arrays: list[NDArray[Any]]) -> list[NDArray[Any]]:
    """Copies of the arrays, one after the other in one array of bytes."""
    sizes = [array.nbytes + -array.nbytes % _ALIGNMENT for array in arrays]
    memory = np.empty(sum(sizes), dtype=np.uint8)
    starts = np.cumsum([0, *sizes])[:-1].tolist()
    copies = []
    for array, start in zip(arrays, starts, strict=True):
        copy = memory[start : start + array.nbytes].view(array.dtype)
        copy[:] = array
        copies.append(copy)
    return copies
