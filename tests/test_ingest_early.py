"""The graph of a first ingest, begun before the last vectors are there."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from pathlib import Path

import numpy as np
import pytest

from graphrag.adapters.sqlite_catalog import SqliteCatalog
from graphrag.chunking import ChunkingOptions
from graphrag.domain import Annotation, Document, Span
from graphrag.errors import ModelError
from graphrag.ingest import early
from graphrag.ingest.early import Awaited
from graphrag.ingest.report import Silent
from graphrag.ingest.run import Tools, ingest
from graphrag.ports import ModelIdentity, Vectors

_PAGES = {
    "2-basis.md": "# Basis\n\nA **basis** spans a [matrix](1-matrix.md).\n\n"
    "## Prerequisites\n\n- Matrix\n",
    "1-matrix.md": "# Matrix\n\nA **matrix** has rows. Every matrix has a rank.\n",
    "3-rank.md": "# Rank\n\nThe **rank** of a matrix. See the basis of a matrix.\n",
}


class Small:
    """An embedder and a spotter in a few lines; ``fails`` on texts that have the word in them."""

    identity = ModelIdentity("small", "1", 3, 512, "small")
    fingerprint = "small"

    def __init__(self, fails: str = "no such text") -> None:
        self._fails = fails

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return [len(text.split()) + 2 for text in texts]

    def embed_passages(
        self, texts: Sequence[str], *, progress: Callable[[int], None] | None = None
    ) -> Vectors:
        if any(self._fails in text for text in texts):
            raise ModelError("the model is damaged")
        rows = np.array([[len(text), text.count("a"), 1] for text in texts], np.float32)
        unit: Vectors = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        return unit

    def embed_questions(self, texts: Sequence[str]) -> Vectors:
        return self.embed_passages(texts)

    def annotate(self, documents: Iterable[Document]) -> Iterator[Annotation]:
        for document in documents:
            yield Annotation((Span(0, len(document.text)),))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "d"
    place.mkdir()
    for name, text in _PAGES.items():
        (place / name).write_text(text)
    return place


def run(path: Path, folder: Path, small: Small) -> list[str]:
    """Ingest, and give all that the catalog then holds."""
    catalog = SqliteCatalog.open(path)
    try:
        ingest([folder], Tools(catalog, lambda: small, lambda: small, ChunkingOptions()), Silent())
    finally:
        catalog.close()
    connection = sqlite3.connect(path)
    held = list(connection.iterdump())
    connection.close()
    return held


def test_it_is_the_graph_that_is_made_when_all_is_stored(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[int] = []
    begin = early.EarlyGraph.begin

    def noted(graph: early.EarlyGraph) -> None:
        begin(graph)
        begun.append(graph.derived is not None)

    monkeypatch.setattr(early.EarlyGraph, "begin", noted)
    first = run(tmp_path / "early", folder, Small())
    monkeypatch.setattr(early, "_MOST_CHUNKS", 0)
    assert run(tmp_path / "late", folder, Small()) == first
    assert begun == [True, False]
    assert sum('INTO "prerequisite"' in line for line in first) > 0


def test_texts_that_cannot_be_embedded_end_the_run_and_hold_up_nobody(
    tmp_path: Path, folder: Path
) -> None:
    with pytest.raises(ModelError, match="damaged"):
        run(tmp_path / "i", folder, Small("See the basis"))


def test_a_second_ingest_makes_its_graph_of_all_that_is_stored(
    tmp_path: Path, folder: Path
) -> None:
    (folder / "3-rank.md").rename(tmp_path / "rank")
    run(tmp_path / "i", folder, Small())
    (tmp_path / "rank").rename(folder / "3-rank.md")
    run(tmp_path / "i", folder, Small())
    run(tmp_path / "fresh", folder, Small())
    one, other = SqliteCatalog.open(tmp_path / "i"), SqliteCatalog.open(tmp_path / "fresh")
    assert one.concept_graph() == other.concept_graph()
    one.close()
    other.close()


def test_vectors_are_fetched_once_and_when_they_are_stored() -> None:
    stored: Future[None] = Future()
    fetched: list[int] = []

    def fetch() -> dict[str, Vectors]:
        fetched.append(1)
        return {"a": np.ones(1, np.float32)}

    vectors = Awaited(stored, fetch)
    assert not fetched
    stored.set_result(None)
    assert list(vectors) == ["a"]
    assert "b" not in vectors
    assert len(fetched) == 1


def test_who_waits_for_vectors_is_told_what_kept_them_from_being_stored() -> None:
    stored: Future[None] = Future()
    stored.set_exception(ModelError("the model is damaged"))
    with pytest.raises(ModelError, match="damaged"):
        len(Awaited(stored, dict))


def test_what_needs_no_concepts_is_done_when_all_else_is_stored(
    tmp_path: Path, folder: Path
) -> None:
    catalog = SqliteCatalog.open(tmp_path / "i")
    seen: list[tuple[int, int]] = []

    def stored() -> None:
        counts = catalog.counts()
        seen.append((counts["documents"], counts["prerequisites"]))

    small = Small()
    tools = Tools(catalog, lambda: small, lambda: small, ChunkingOptions(), stored=stored)
    ingest([folder], tools, Silent())
    counts = catalog.counts()
    (folder / "2-basis.md").unlink()
    ingest([folder], tools, Silent(), prune=True)
    catalog.close()
    assert counts["prerequisites"] > 0
    # Once: a later ingest makes its graph from what is stored, and has nothing to wait for.
    assert seen == [(counts["documents"], 0)]
