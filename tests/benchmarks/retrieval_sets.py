"""Question sets with their corpora, ingested into an index of an engine.

Data lie in ``../shared/data`` or the folder that ``GRAPHRAG_BENCH_DATA`` names, and in
``corpora``; vectors are kept by content in ``GRAPHRAG_BENCH_CACHE`` (default: the
temporary folder), so that a second run embeds nothing. The index is made anew in each run.
"""

from __future__ import annotations

import atexit
import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Collection as Several
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from graphrag.adapters.bm25_index import Bm25Index
from graphrag.adapters.faiss_index import FaissIndex
from graphrag.adapters.onnx_models import OnnxEmbedder
from graphrag.assembly import Models
from graphrag.domain import Chunk
from graphrag.engine import Engine
from graphrag.evaluation.relevance import document_of, gains
from graphrag.ports import Embedder, NumberedChunk, Vectors
from graphrag.retrieval.name_graph import NameGraph
from graphrag.settings import Settings
from graphrag.workspace import Workspace

ROOT = Path(__file__).parents[2]
DATA = Path(os.environ.get("GRAPHRAG_BENCH_DATA", ROOT.parent / "shared" / "data"))
CACHE = Path(os.environ.get("GRAPHRAG_BENCH_CACHE", Path(tempfile.gettempdir()) / "graphrag-bench"))


@dataclass(frozen=True, slots=True)
class Case:
    """A question with the ids of the documents that answer it."""

    question: str
    relevant: tuple[str, ...]
    kind: str


class VectorCache:
    """An embedder that remembers, on disk, what it has embedded."""

    def __init__(self, name: str) -> None:
        self._model = OnnxEmbedder.load()
        self.identity = self._model.identity
        self._path = CACHE / f"{name}-{self.identity.fingerprint}.npz"
        self._known: dict[str, Vectors] = {}
        if self._path.exists():
            with np.load(self._path) as stored:
                self._known = dict(zip(stored["keys"].tolist(), stored["vectors"], strict=True))

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return self._model.count_tokens(texts)

    def embed_passages(self, texts: Sequence[str], *, progress: object = None) -> Vectors:
        return self._embed("passage", texts)

    def embed_questions(self, texts: Sequence[str]) -> Vectors:
        return self._embed("question", texts)

    def _embed(self, kind: str, texts: Sequence[str]) -> Vectors:
        keys = [hashlib.sha1(f"{kind}\0{text}".encode()).hexdigest() for text in texts]
        missing = {
            key: text for key, text in zip(keys, texts, strict=True) if key not in self._known
        }
        if missing:
            embed = self._model.embed_passages if kind == "passage" else self._model.embed_questions
            self._known |= dict(zip(missing, embed(list(missing.values())), strict=True))
        return np.stack([self._known[key] for key in keys])

    def save(self) -> None:
        """Keep on disk what was embedded in this run."""
        CACHE.mkdir(parents=True, exist_ok=True)
        np.savez(
            self._path,
            keys=np.array(list(self._known)),
            vectors=np.stack(list(self._known.values())),
        )


class _CachedModels(Models):
    """An engine's models, the embedder being one that remembers."""

    def __init__(self, settings: Settings, embedder: VectorCache) -> None:
        super().__init__(settings)
        self._embedder = embedder

    def named(self, model: str) -> Embedder:
        return self._embedder


@dataclass(frozen=True)
class Collection:
    """A corpus as an engine holds it after an ingest, and the questions on it."""

    name: str
    engine: Engine
    cases: Sequence[Case]
    embedder: VectorCache

    def chunk_numbers(self) -> dict[int, str]:
        return {each.number: each.chunk.id for each in self.numbered}

    def chunk_ids(self, numbers: Iterable[int]) -> dict[int, str]:
        return {number: self._ids[number] for number in numbers if number in self._ids}

    def numbers_of(self, document_ids: Several[str]) -> list[int]:
        return self._workspace.catalog.numbers_of(document_ids)

    def spread_of_chunks(self) -> tuple[int, int]:
        return self._workspace.catalog.spread_of_chunks()

    def chunks(self, ids: Sequence[str] | None = None) -> list[Chunk]:
        return (
            [each.chunk for each in self.numbered] if ids is None else [self._by_id[i] for i in ids]
        )

    def metadata(self, ids: Several[str] | None = None) -> dict[str, Mapping[str, object]]:
        known = self._metadata
        return known if ids is None else {key: known[key] for key in ids if key in known}

    @cached_property
    def numbered(self) -> list[NumberedChunk]:
        """All chunks by ascending number."""
        catalog = self._workspace.catalog
        return catalog.numbered(numbers=sorted(catalog.chunk_numbers()))

    @cached_property
    def _ids(self) -> dict[int, str]:
        return self.chunk_numbers()

    @cached_property
    def _by_id(self) -> dict[str, Chunk]:
        return {each.chunk.id: each.chunk for each in self.numbered}

    @cached_property
    def _metadata(self) -> dict[str, Mapping[str, object]]:
        return self._workspace.catalog.metadata()

    @property
    def _workspace(self) -> Workspace:
        return self.engine.desk.workspace

    @cached_property
    def texts(self) -> dict[int, str]:
        return {each.number: each.chunk.embedded_text for each in self.numbered}

    @cached_property
    def matrix(self) -> Vectors:
        """Vectors of the chunks, shape (n, dimension), in the order of their numbers."""
        return self.embedder.embed_passages(list(self.texts.values()))

    @property
    def keyword(self) -> Bm25Index:
        return self._workspace.keywords()

    @property
    def vectors(self) -> FaissIndex:
        return self._workspace.vectors()

    @property
    def names(self) -> NameGraph:
        return self._workspace.names()


def gains_of(chunk_ids: Sequence[str], case: Case) -> tuple[list[int], int]:
    """What each document of a ranking is worth, at the rank of its first chunk, and how many
    documents are relevant."""
    documents = list(dict.fromkeys(map(document_of, chunk_ids)))
    found = gains([f"{document}#0" for document in documents], case.relevant)
    return found, len(set(case.relevant))


def load(name: str, questions: str = "questions.jsonl") -> Collection:
    """The collection of that name in the data folder or in ``corpora``, ingested."""
    embedder = VectorCache(name)
    folder = DATA / name
    if folder.is_dir():
        documents = folder / "corpus.jsonl"
    else:
        folder = ROOT / "corpora" / name
        documents = folder / "documents"
    place = Path(tempfile.mkdtemp(prefix="graphrag-bench-"))
    atexit.register(shutil.rmtree, place, ignore_errors=True)
    engine = Engine.open(place)
    engine.desk.models = _CachedModels(engine.desk.settings, embedder)
    engine.ingest([documents])
    embedder.save()
    cases = [
        Case(line["question"], tuple(line["relevant"]), line.get("type", ""))
        for line in map(json.loads, (folder / questions).read_text(encoding="utf-8").splitlines())
    ]
    return Collection(name, engine, cases, embedder)
