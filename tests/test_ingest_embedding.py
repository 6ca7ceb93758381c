"""Embedding ends between two texts when it is stopped, and what is done of many is kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from graphrag.adapters.onnx_models import OnnxEmbedder
from graphrag.adapters.sqlite_catalog import SqliteCatalog
from graphrag.ingest.embedding import Embedding
from graphrag.ingest.intake import Clock
from graphrag.ports import ModelIdentity, Vectors


class OneByOne:
    """An embedder that tells of every text, and notes what it was given."""

    identity = ModelIdentity("one", "1", 2, 512, "one")

    def __init__(self) -> None:
        self.begun: list[str] = []

    def embed_passages(
        self, texts: Sequence[str], *, progress: Callable[[int], None] | None = None
    ) -> Vectors:
        for text in texts:
            self.begun.append(text)
            if progress is not None:
                progress(1)
        return np.ones((len(texts), 2), np.float32)


def embedding(catalog: SqliteCatalog, model: OneByOne, told: Callable[[int], None]) -> Embedding:
    return Embedding(catalog, lambda: model, Clock(), told)  # type: ignore[arg-type, return-value]


@pytest.fixture
def catalog(tmp_path: Path) -> SqliteCatalog:
    return SqliteCatalog.open(tmp_path / "catalog")


def test_every_text_is_told_of_and_none_that_comes_after_a_stop_is_begun(
    catalog: SqliteCatalog,
) -> None:
    model = OneByOne()

    def told(count: int) -> None:
        if len(model.begun) == 3:
            under_way.stop()

    under_way = embedding(catalog, model, told)
    with pytest.raises(CancelledError):
        under_way.vectors({str(n): f"text {n}" for n in range(10)})
    assert model.begun == ["text 0", "text 1", "text 2", "text 3"]  # the fourth had begun


def test_of_a_large_document_the_catalog_keeps_what_was_done_before_the_stop(
    catalog: SqliteCatalog,
) -> None:
    model = OneByOne()

    def told(count: int) -> None:
        if len(model.begun) == 600:
            under_way.stop()

    under_way = embedding(catalog, model, told)
    with pytest.raises(CancelledError):
        under_way.vectors({str(n): f"text {n}" for n in range(1_000)})
    kept = catalog.embeddings("one", [str(n) for n in range(1_000)])
    assert sorted(map(int, kept)) == list(range(512))  # two pieces of 256


def test_no_texts_give_no_vectors(catalog: SqliteCatalog) -> None:
    assert len(embedding(catalog, OneByOne(), lambda count: None).vectors({})) == 0


class _Counted:
    """An ONNX session that counts the texts that it was given."""

    def __init__(self, session: Any) -> None:
        self._session, self.runs = session, 0

    def run(self, *arguments: Any) -> Any:
        self.runs += 1
        return self._session.run(*arguments)


def test_the_default_embedder_leaves_the_rest_when_progress_raises() -> None:
    model = OnnxEmbedder.load(threads=2)
    counted = _Counted(model._network.session)
    network = replace(model._network, session=counted)  # type: ignore[arg-type]

    def stop(count: int) -> None:
        raise CancelledError

    stopped = OnnxEmbedder(network, name="n", version="v")
    with pytest.raises(CancelledError):
        stopped.embed_passages(["some words"] * 200, progress=stop)
    assert counted.runs < 100
