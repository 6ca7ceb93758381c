"""Which adapter serves which setting: models are loaded once, when they are first needed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from threading import RLock
from typing import TYPE_CHECKING, TypeVar, cast

from graphrag.ports import Embedder, Reranker, Spotter
from graphrag.settings import OLLAMA_MODEL, Settings
from graphrag.shortened import ShortenedEmbedder, check_trained_for_cuts, parted_name
from graphrag.wording.excerpts import RememberedScore

if TYPE_CHECKING:
    from graphrag.adapters.ollama_connection import OllamaTimeouts
    from graphrag.adapters.ollama_embedder import OllamaEmbedder

# Adapters are imported where they are chosen: each pulls in a heavy library, and most
# commands need one or none of them.

_Model = TypeVar("_Model")

DEFAULT_EMBEDDER = "bge-small-en"
DEFAULT_RERANKER = "ms-marco-minilm-l-12"


class Models:
    """The models of one engine; safe to use from several threads."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._loaded: dict[str, object] = {}
        self._locks: defaultdict[str, RLock] = defaultdict(RLock)  # models load side by side
        self._lock = RLock()

    def _once(self, name: str, load: Callable[[], _Model]) -> _Model:
        with self._lock:
            one = self._locks[name]
        with one:
            if name not in self._loaded:
                self._loaded[name] = load()
            return self._loaded[name]  # type: ignore[return-value]

    def embedder(self) -> Embedder:
        """The model of the settings. Raises ModelError where it cannot be had."""
        return self.named(self._settings.embedding.name)

    def named(self, model: str) -> Embedder:
        """The embedder of that name, as ``EmbeddingSettings.name`` gives it."""
        return self._once(f"embedder {model}", lambda: self._load_embedder(model))

    def _load_embedder(self, name: str) -> Embedder:
        model, dimensions = parted_name(name)
        if dimensions:
            whole = self.named(model)
            if not self._settings.embedding.force_dimensions:
                check_trained_for_cuts(whole, model)
            return ShortenedEmbedder(whole, dimensions)
        if name == DEFAULT_EMBEDDER:
            from graphrag.adapters.onnx_models import OnnxEmbedder

            return OnnxEmbedder.load()
        if name.startswith(OLLAMA_MODEL):
            from graphrag.adapters.ollama import OllamaEmbedder

            return OllamaEmbedder.connect(
                self._settings.ollama.host,
                name.removeprefix(OLLAMA_MODEL),
                timeouts=ollama_timeouts(self._settings),
            )
        from graphrag.adapters.sentence_transformer_models import SentenceTransformerEmbedder

        return SentenceTransformerEmbedder.load(name)

    def reranker(self) -> Reranker:
        """The cross-encoder of ``retrieval.reranker``; it reads no pair twice that it has
        just read. Raises ModelError where it cannot be had."""
        return self._once("reranker", lambda: _Remembering(self._load_reranker()))

    def _load_reranker(self) -> Reranker:
        name = self._settings.retrieval.reranker
        if name == DEFAULT_RERANKER:
            from graphrag.adapters.onnx_models import OnnxReranker

            return OnnxReranker.load()
        from graphrag.adapters.sentence_transformer_models import SentenceTransformerReranker

        return SentenceTransformerReranker.load(name)

    def spotter_fingerprint(self) -> str:
        """The language pipeline's fingerprint, without loading it. Raises ModelError."""
        from graphrag.adapters.spacy_spotter import spotter_fingerprint

        return spotter_fingerprint()

    def spotter(self) -> Spotter:
        """The language pipeline, begun in a process of its own."""

        def load() -> Spotter:
            from graphrag.adapters.spacy_process import ProcessSpotter

            return ProcessSpotter()

        return self._once("spotter", load)

    def close(self) -> None:
        """Give back the connections to Ollama; what is asked for later connects anew."""
        with self._lock:
            for name in [
                each for each in self._loaded if each.startswith(f"embedder {OLLAMA_MODEL}")
            ]:
                cast("OllamaEmbedder", self._loaded.pop(name)).close()


def ollama_timeouts(settings: Settings) -> OllamaTimeouts:
    """The seconds to wait for Ollama, as the settings say."""
    from graphrag.adapters.ollama_connection import OllamaTimeouts

    chosen = settings.ollama
    return OllamaTimeouts(
        chosen.connect_seconds, chosen.first_token_seconds, chosen.silence_seconds
    )


class _Remembering:
    """A reranker that remembers its last scores: search, floor and writer ask for the same."""

    def __init__(self, reranker: Reranker) -> None:
        self._score = RememberedScore(reranker.score)
        self.name = reranker.name

    def score(self, question: str, texts: Sequence[str]) -> list[float]:
        """One logit a text, in order."""
        return self._score(question, texts)
