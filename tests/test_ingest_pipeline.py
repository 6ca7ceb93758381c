"""The stages of an ingest side by side: one catalog whatever their pace, and clean stops."""

from __future__ import annotations

import hashlib
import random
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from graphrag.adapters.sqlite_catalog import SqliteCatalog
from graphrag.chunking import ChunkingOptions
from graphrag.domain import Annotation, Document, Span
from graphrag.errors import ModelError
from graphrag.ingest.report import Silent
from graphrag.ingest.run import Tools, ingest
from graphrag.ports import ModelIdentity, Vectors
from graphrag.reading.read import read_file


class Paced:
    """An embedder and a spotter that take their time, as a random generator has it."""

    identity = ModelIdentity("paced", "1", 4, 512, "paced")
    fingerprint = "paced"

    def __init__(self, seed: int, *, fails_at: str = "") -> None:
        self._random = random.Random(seed)
        self._fails_at = fails_at

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return [len(text.split()) + 2 for text in texts]

    def embed_passages(
        self, texts: Sequence[str], *, progress: Callable[[int], None] | None = None
    ) -> Vectors:
        self._wait()
        digests = [hashlib.blake2b(text.encode(), digest_size=4).digest() for text in texts]
        rows = np.array([list(digest) for digest in digests], np.float32).reshape(-1, 4) + 1
        unit: Vectors = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        return unit

    def embed_questions(self, texts: Sequence[str]) -> Vectors:
        return self.embed_passages(texts)

    def annotate(self, documents: Iterable[Document]) -> Iterator[Annotation]:
        for document in documents:
            self._wait()
            if document.id == self._fails_at:
                raise ModelError("the language pipeline's process was ended by signal 9")
            yield Annotation((Span(0, len(document.text)),))

    def _wait(self) -> None:
        time.sleep(self._random.choice([0, 0, 0.002, 0.01]))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Enough files for several batches, some of them equal, one that cannot be read."""
    place = tmp_path / "d"
    place.mkdir()
    for number in range(60):
        words = f"word{number % 50} " * 40
        sections = "\n\n".join(f"## Part {part}\n\n{words}{part}." for part in range(6))
        (place / f"{number}.md").write_text(f"# Page {number % 50}\n\n{sections}\n")
    (place / "61.docx").write_bytes(b"no zip")
    return place


def run(path: Path, folder: Path, paced: Paced) -> list[str]:
    """Ingest, and give all that the catalog then holds."""
    catalog = SqliteCatalog.open(path)
    tools = Tools(catalog, lambda: paced, lambda: paced, ChunkingOptions(60, 120, 0.0))
    try:
        ingest([folder], tools, Silent())
    finally:
        catalog.close()
    connection = sqlite3.connect(path)
    held = list(connection.iterdump())
    connection.close()
    return held


def test_the_catalog_is_the_same_whatever_the_pace(tmp_path: Path, folder: Path) -> None:
    expected = run(tmp_path / "0", folder, Paced(0))
    assert sum('INTO "chunk"' in line for line in expected) > 300
    for seed in range(1, 4):
        assert run(tmp_path / str(seed), folder, Paced(seed)) == expected


def test_a_model_that_cannot_be_loaded_ends_the_run_and_holds_up_nobody(
    tmp_path: Path, folder: Path
) -> None:
    def broken() -> Paced:
        time.sleep(0.5)  # one file is read by then, and waits for its words to be counted
        raise ModelError("the model file is damaged")

    read_file(folder / "0.md", document_id="0.md", root=folder)  # takes less the second time
    catalog = SqliteCatalog.open(tmp_path / "catalog")
    tools = Tools(catalog, broken, lambda: Paced(0), ChunkingOptions(60, 120, 0.0))
    with pytest.raises(ModelError, match="damaged"):
        ingest([folder], tools, Silent())
    assert catalog.document_ids() == []
    catalog.close()


def test_what_was_committed_before_a_failure_stays_and_the_next_run_goes_on(
    tmp_path: Path, folder: Path
) -> None:
    with pytest.raises(ModelError, match="signal 9"):
        run(tmp_path / "broken", folder, Paced(1, fails_at="50.md"))
    catalog = SqliteCatalog.open(tmp_path / "broken")
    kept = catalog.document_ids()
    catalog.close()
    assert kept == [f"{number}.md" for number in range(len(kept))]
    assert 20 < len(kept) <= 50
    run(tmp_path / "broken", folder, Paced(2))
    run(tmp_path / "fresh", folder, Paced(3))
    broken = SqliteCatalog.open(tmp_path / "broken")
    fresh = SqliteCatalog.open(tmp_path / "fresh")
    assert broken.documents() == fresh.documents()
    assert broken.chunks() == fresh.chunks()
    assert broken.annotations() == fresh.annotations()
    assert broken.concept_graph() == fresh.concept_graph()
    broken.close()
    fresh.close()
