"""A hit grows to its section, within the budget."""

from __future__ import annotations

import pytest

from graphrag.adapters.memory import MemoryCatalog
from graphrag.domain import Chunk, Passage
from graphrag.widening import widen, widen_passages
from tests.store_values import stored

PATHS = [(), ("A",), ("A", "B"), ("A", "B"), ("A", "B"), ("A", "C"), ("D",)]
TEXT = "".join(f"{n}" * 10 for n in range(len(PATHS)))
# Ten tokens a chunk: A is 1 to 5, A > B is 2 to 4.
CHUNKS = [
    Chunk(f"d#{n}", "d", n, n * 10, n * 10 + 10, str(n) * 10, path, "T", "prose", 10)
    for n, path in enumerate(PATHS)
]


@pytest.mark.parametrize(
    "budget, first, last, path",
    [
        (5, 3, 3, ("A", "B")),
        (20, 3, 4, ("A", "B")),  # a neighbour: what follows first
        (30, 2, 4, ("A", "B")),  # its section
        (40, 2, 5, ("A",)),  # and a neighbour in the section around
        (50, 1, 5, ("A",)),
        (70, 0, 6, ()),  # the document
        (1000, 0, 6, ()),
    ],
)
def test_the_widest_section_that_fits_is_taken(budget, first, last, path):
    found = widen(CHUNKS[3], CHUNKS, TEXT, budget)
    assert (found.start, found.stop) == (first * 10, last * 10 + 10)
    assert found.text == TEXT[found.start : found.stop]
    assert (found.id, found.heading_path) == ("d#3", path)
    assert found.tokens == (last - first + 1) * 10


def test_a_section_of_the_same_name_elsewhere_is_not_joined():
    paths = [("A",), ("B",), ("A",)]
    chunks = [
        Chunk(f"d#{n}", "d", n, n * 10, n * 10 + 10, str(n) * 10, path, "T", "prose", 10)
        for n, path in enumerate(paths)
    ]
    assert widen(chunks[0], chunks, TEXT, 20).text == TEXT[:20]
    assert widen(chunks[2], chunks, TEXT, 10).text == "2" * 10


def test_passages_grow_by_what_the_catalog_holds():
    catalog = MemoryCatalog()
    catalog.write_documents([stored("one", "alpha beta", "gamma delta"), stored("two", "x")], [])
    (chunk,) = catalog.chunks(["one#1"])
    (found,) = widen_passages([Passage(chunk, "/notes/one", "Title", 0.5)], catalog, 4)
    assert (found.chunk.text, found.score) == ("alpha beta\n\ngamma delta", 0.5)
