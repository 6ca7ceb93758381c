"""Question sets with their corpora, read, cut and embedded as the engine does it.

Data lie in ``../shared/data`` or the folder that ``GRAPHRAG_BENCH_DATA`` names, and in
``corpora``; vectors are kept by content in ``GRAPHRAG_BENCH_CACHE`` (default: the
temporary folder), so that a second run embeds nothing.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np

from graphrag.adapters.bm25_index import Bm25Index
from graphrag.adapters.faiss_index import FaissIndex
from graphrag.adapters.onnx_models import OnnxEmbedder
from graphrag.chunking import ChunkingOptions, chunk_document
from graphrag.domain import Chunk, ConceptGraph, Document
from graphrag.evaluation.relevance import document_of, gains
from graphrag.ports import NumberedChunk, Vectors
from graphrag.reading.discover import discover
from graphrag.reading.read import read_file
from graphrag.retrieval.name_building import name_graph_of
from graphrag.retrieval.name_graph import NameGraph

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


@dataclass(frozen=True)
class Collection:
    """A corpus as the engine holds it, and the questions on it."""

    name: str
    documents: Mapping[str, Document]
    numbered: Sequence[NumberedChunk]
    cases: Sequence[Case]
    embedder: VectorCache
    folder: Path = field(default_factory=lambda: Path(tempfile.mkdtemp(prefix="graphrag-bench-")))

    def chunk_numbers(self) -> dict[int, str]:
        return {each.number: each.chunk.id for each in self.numbered}

    def chunks(self, ids: Sequence[str] | None = None) -> list[Chunk]:
        return (
            [each.chunk for each in self.numbered] if ids is None else [self._by_id[i] for i in ids]
        )

    @cached_property
    def _by_id(self) -> dict[str, Chunk]:
        return {each.chunk.id: each.chunk for each in self.numbered}

    def metadata(self) -> dict[str, Mapping[str, object]]:
        return {
            id_: {**document.metadata, "title": document.title, "source": document.source}
            for id_, document in self.documents.items()
        }

    @cached_property
    def texts(self) -> dict[int, str]:
        return {each.number: each.chunk.embedded_text for each in self.numbered}

    @cached_property
    def matrix(self) -> Vectors:
        """Vectors of the chunks, shape (n, dimension), in the order of their numbers."""
        vectors = self.embedder.embed_passages(list(self.texts.values()))
        self.embedder.save()
        return vectors

    @cached_property
    def keyword(self) -> Bm25Index:
        index = Bm25Index.open(self.folder / "keywords")
        index.update(self.texts, [], 1)
        return index

    @cached_property
    def vectors(self) -> FaissIndex:
        identity = self.embedder.identity
        index = FaissIndex.open(
            self.folder / "vectors", dimension=identity.dimension, fingerprint=identity.fingerprint
        )
        index.update(list(self.texts), self.matrix, [], 1)
        return index

    @cached_property
    def names(self) -> NameGraph:
        titles = {id_: document.title for id_, document in self.documents.items()}
        return name_graph_of(self.numbered, titles, ConceptGraph(), 1)


def gains_of(chunk_ids: Sequence[str], case: Case) -> tuple[list[int], int]:
    """What each document of a ranking is worth, at the rank of its first chunk, and how many
    documents are relevant."""
    documents = list(dict.fromkeys(map(document_of, chunk_ids)))
    found = gains([f"{document}#0" for document in documents], case.relevant)
    return found, len(set(case.relevant))


def load(name: str, questions: str = "questions.jsonl") -> Collection:
    """The collection of that name in the data folder or in ``corpora``."""
    embedder = VectorCache(name)
    folder = DATA / name
    if folder.is_dir():
        corpus = folder / "corpus.jsonl"
        documents = read_file(corpus, document_id=name, root=folder)
    else:
        folder = ROOT / "corpora" / name
        documents = _folder(folder / "documents")
    numbered = []
    for document in documents:
        for chunk in chunk_document(document, embedder, ChunkingOptions()):
            numbered.append(NumberedChunk(len(numbered) + 1, chunk, chunk.id))
    cases = [
        Case(line["question"], tuple(line["relevant"]), line.get("type", ""))
        for line in map(json.loads, (folder / questions).read_text(encoding="utf-8").splitlines())
    ]
    by_id = {document.id: document for document in documents}
    return Collection(name, by_id, numbered, cases, embedder)


def _folder(root: Path) -> list[Document]:
    documents: list[Document] = []
    for file in discover([root]).files:
        id_ = file.path.relative_to(root).as_posix()
        documents.extend(read_file(file.path, document_id=id_, root=root))
    return documents
