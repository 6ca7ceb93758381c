"""Any other embedder or reranker that sentence-transformers can run: a folder or a hub id.

Nothing is downloaded: a hub id must already lie in the local cache.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path

import numpy as np
import torch
from sentence_transformers import CrossEncoder, SentenceTransformer
from transformers.utils import logging as bars

from graphrag.errors import ModelError
from graphrag.ports import ModelIdentity, Vectors
from graphrag.wording.encodable import encodable

_BATCH = 16


class SentenceTransformerEmbedder:
    """A bi-encoder with the prompts and pooling that its own configuration names."""

    def __init__(self, model: SentenceTransformer, name: str) -> None:
        self._model = model
        self._name = name

    @classmethod
    def load(cls, name: str) -> SentenceTransformerEmbedder:
        """The model of a local folder or of a hub id in the local cache.

        Raises ModelError where it is not there or cannot be read.
        """
        try:
            with _without_bars():
                model = SentenceTransformer(name, device="cpu", local_files_only=True)
        except (OSError, ValueError, RuntimeError, KeyError) as error:
            raise _unusable(name, error) from error
        if model.max_seq_length is None or model.get_embedding_dimension() is None:
            raise ModelError(f"model {name} does not say its limit and dimension; choose another")
        return cls(model, name)

    @cached_property
    def identity(self) -> ModelIdentity:
        return ModelIdentity(
            name=Path(self._name).name if Path(self._name).is_dir() else self._name,
            version=str(self._model.model_card_data.base_model_revision or "local"),
            dimension=self._dimension,
            max_tokens=self._limit,
            fingerprint=self._fingerprint(),
        )

    @property
    def trained_for_cuts(self) -> bool:
        """Whether the model's card names a Matryoshka loss or says that it may be cut."""
        # The library keeps the text of the card to itself.
        card = getattr(self._model, "_model_card_text", None) or ""
        return "matryoshka" in card.lower()

    @property
    def _dimension(self) -> int:
        return int(self._model.get_embedding_dimension() or 0)

    @property
    def _limit(self) -> int:
        return int(self._model.max_seq_length or 0)

    def _fingerprint(self) -> str:
        # The weights themselves: vectors differ in the last digits between processors.
        digest = hashlib.sha256()
        for name, tensor in sorted(self._model.state_dict().items()):
            digest.update(f"{name}{tuple(tensor.shape)}".encode())
            digest.update(tensor.contiguous().reshape(-1).view(torch.uint8).numpy().tobytes())
        modules = [
            (type(module).__name__, _configuration(module)) for module in self._model.children()
        ]
        digest.update(repr((modules, sorted(self._model.prompts.items()), self._limit)).encode())
        return digest.hexdigest()[:16]

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        if not texts:
            return []
        encoded = self._model.tokenizer(
            [encodable(text) for text in texts], truncation=False, verbose=False
        )
        return [len(ids) for ids in encoded["input_ids"]]

    def embed_passages(
        self, texts: Sequence[str], *, progress: Callable[[int], None] | None = None
    ) -> Vectors:
        """Unit vectors, shape (n, dimension). ``progress`` gets the number of passages
        that were embedded since its last call."""
        parts = [np.zeros((0, self._dimension), dtype=np.float32)]
        for start in range(0, len(texts), _BATCH * 8):
            window = [encodable(text) for text in texts[start : start + _BATCH * 8]]
            vectors = self._model.encode_document(
                window, batch_size=_BATCH, show_progress_bar=False, convert_to_numpy=True
            )
            parts.append(_unit(vectors, self._name))
            if progress is not None:
                progress(len(window))
        return np.concatenate(parts)

    def embed_questions(self, texts: Sequence[str]) -> Vectors:
        if not texts:
            return np.zeros((0, self._dimension), dtype=np.float32)
        vectors = self._model.encode_query(
            [encodable(text) for text in texts],
            batch_size=_BATCH,
            show_progress_bar=False,
            convert_to_numpy=True,
        )
        return _unit(vectors, self._name)


class SentenceTransformerReranker:
    """A cross-encoder with one output."""

    def __init__(self, model: CrossEncoder, name: str) -> None:
        self._model = model
        self._name = name

    @classmethod
    def load(cls, name: str) -> SentenceTransformerReranker:
        """As ``SentenceTransformerEmbedder.load``."""
        try:
            with _without_bars():
                model = CrossEncoder(name, device="cpu", local_files_only=True)
        except (OSError, ValueError, RuntimeError, KeyError) as error:
            raise _unusable(name, error) from error
        if model.num_labels != 1:
            raise ModelError(f"{name} has {model.num_labels} outputs; a reranker has one")
        return cls(model, name)

    @property
    def name(self) -> str:
        return self._name

    def score(self, question: str, texts: Sequence[str]) -> list[float]:
        """One logit a text, in order."""
        if not texts:
            return []
        logits = self._model.predict(
            [(encodable(question), encodable(text)) for text in texts],
            batch_size=_BATCH,
            show_progress_bar=False,
            activation_fn=torch.nn.Identity(),
        )
        if not np.isfinite(logits).all():
            raise ModelError(f"{self._name} gave a score that is no number; choose another model")
        return [float(logit) for logit in logits]


@contextmanager
def _without_bars() -> Iterator[None]:
    """No progress bar of a library on stderr, which is for warnings; afterwards as before."""
    shown = bars.is_progress_bar_enabled()
    bars.disable_progress_bar()  # type: ignore[no-untyped-call]
    try:
        yield
    finally:
        if shown:
            bars.enable_progress_bar()  # type: ignore[no-untyped-call]


def _configuration(module: torch.nn.Module) -> str:
    describe = getattr(module, "get_config_dict", None)
    return repr(describe()) if describe is not None else ""


def _unusable(name: str, error: BaseException) -> ModelError:
    # The library tells of a connection that it was not allowed to try.
    absent = "it is no folder, and not among the models that were fetched before"
    return ModelError(
        f"model {name} cannot be loaded from this machine: "
        f"{error if Path(name).exists() else absent}; "
        f"give a folder that holds it, or fetch it once with: hf download {name}"
    )


def _unit(vectors: Vectors, name: str) -> Vectors:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    if not (np.isfinite(vectors).all() and (lengths > 0).all()):
        raise ModelError(f"{name} gave a vector that is no direction; choose another model")
    unit: Vectors = (vectors / lengths).astype(np.float32)
    return unit
