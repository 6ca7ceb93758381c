"""Vectors from an embedding model of a local Ollama server."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from functools import cached_property

import numpy as np
import ollama

from graphrag.adapters.ollama_connection import OllamaConnection, OllamaTimeouts
from graphrag.errors import GenerationError, ModelError
from graphrag.ports import ModelIdentity, Vectors
from graphrag.wording.prompting import estimate_tokens

_BATCH = 16
_SHORTER_TEXTS = "lower chunking.limit and chunking.target, or choose a model that reads more"
_USUAL_LIMIT = 512
# More tokens of a window than a chunk ever has would only cost memory.
_LONGEST = 8192
# Question and passage prefixes that the makers of a model trained it with.
_PREFIXES = {
    "nomic-embed": ("search_query: ", "search_document: "),
    "mxbai-embed": ("Represent this sentence for searching relevant passages: ", ""),
    "bge-small": ("Represent this sentence for searching relevant passages: ", ""),
    "bge-base": ("Represent this sentence for searching relevant passages: ", ""),
    "bge-large": ("Represent this sentence for searching relevant passages: ", ""),
    "snowflake-arctic-embed": ("Represent this sentence for searching relevant passages: ", ""),
    "embeddinggemma": ("task: search result | query: ", "title: none | text: "),
    "qwen3-embedding": (
        "Instruct: Given a question, retrieve passages that answer it\nQuery: ",
        "",
    ),
}
_PROBES = ("What is a matrix?", "A matrix is a rectangular table of numbers.", "The sea is blue.")


class OllamaEmbedder:
    """An embedding model of Ollama; questions and passages take the model's own prefixes."""

    def __init__(self, connection: OllamaConnection, model: str, digest: str, limit: int) -> None:
        self._connection = connection
        self._model = model
        self._digest = digest
        self._limit = limit
        bare = model.rsplit("/", 1)[-1].lower()
        self._question, self._passage = next(
            (pair for name, pair in _PREFIXES.items() if bare.startswith(name)), ("", "")
        )

    @classmethod
    def connect(
        cls, host: str, model: str, *, timeouts: OllamaTimeouts | None = None
    ) -> OllamaEmbedder:
        """Connect to the server at ``host``. Raises ModelError if the model is not there."""
        connection = OllamaConnection(host, timeouts or OllamaTimeouts())
        try:
            found = connection.find(model)
            limit = min(connection.show(found.name).context or _USUAL_LIMIT, _LONGEST)
        except GenerationError as error:
            connection.close()
            raise ModelError(str(error)) from error
        return cls(connection, found.name, found.digest, limit)

    @cached_property
    def identity(self) -> ModelIdentity:
        """The model's name and digest, and a fingerprint over both, prefixes and dimension."""
        dimension = int(self._embed(_PROBES[:1], None).shape[1])
        parts = (self._model, self._digest, self._question, self._passage, str(self._limit))
        text = "\x1f".join((*parts, str(dimension)))
        return ModelIdentity(
            name=f"ollama:{self._model}",
            version=self._digest[:12],
            dimension=dimension,
            max_tokens=self._limit,
            fingerprint=hashlib.sha256(text.encode()).hexdigest()[:16],
        )

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """A count rather too high than too low: the server has no tokenizer of its own to
        ask, and a chunk must never exceed the model's limit."""
        prefix = estimate_tokens(self._passage) + 2
        return [estimate_tokens(text) + prefix for text in texts]

    def embed_passages(
        self, texts: Sequence[str], *, progress: Callable[[int], None] | None = None
    ) -> Vectors:
        """Unit vectors, shape (n, dimension). Raises ModelError, also for a text beyond the
        model's limit. ``progress`` gets the number embedded since its last call."""
        return self._rows([self._passage + text for text in texts], progress)

    def embed_questions(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors of questions, shape (n, dimension). Raises ModelError."""
        return self._rows([self._question + text for text in texts], None)

    def close(self) -> None:
        """Give the connection back."""
        self._connection.close()

    def _rows(self, texts: Sequence[str], progress: Callable[[int], None] | None) -> Vectors:
        if not texts:
            return np.zeros((0, self.identity.dimension), dtype=np.float32)
        rows = self._embed(texts, progress)
        if rows.shape[1] != self.identity.dimension:
            raise ModelError(
                f"{self._model} gave vectors of {rows.shape[1]} numbers after ones of "
                f"{self.identity.dimension}: was the model exchanged? ingest again"
            )
        return rows

    def _embed(self, texts: Sequence[str], progress: Callable[[int], None] | None) -> Vectors:
        rows = []
        for start in range(0, len(texts), _BATCH):
            batch = list(texts[start : start + _BATCH])
            rows.append(self._vectors(batch))
            if progress is not None:
                progress(len(batch))
        return np.concatenate(rows)

    def _vectors(self, batch: Sequence[str]) -> Vectors:
        # An empty text has no vector in some models; a blank always has.
        given = [text or " " for text in batch]
        try:
            with self._connection.translated(self._model, shorten=_SHORTER_TEXTS):
                # The server's own window may be smaller than the model's.
                reply: ollama.EmbedResponse = self._connection.client.embed(
                    self._model,
                    given,
                    truncate=False,
                    options={"num_ctx": self._limit},
                    keep_alive="10m",
                )
                vectors = np.array(reply.embeddings, dtype=np.float32)
        except GenerationError as error:
            raise ModelError(str(error)) from error
        if vectors.ndim != 2 or len(vectors) != len(batch):
            raise ModelError(
                f"{self._model} gave {len(vectors)} vectors for {len(batch)} texts: "
                "update Ollama, or choose another embedding model"
            )
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        if not np.isfinite(vectors).all() or not (lengths > 0).all():
            raise ModelError(
                f"{self._model} gave a vector that is empty or not a number: "
                "choose another embedding model"
            )
        unit: Vectors = (vectors / lengths).astype(np.float32)
        return unit
