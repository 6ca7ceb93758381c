"""Vectors cut to their first coordinates, for models that were trained to be cut.

Source: Kusupati et al., Matryoshka Representation Learning, NeurIPS 2022.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Protocol, runtime_checkable

import numpy as np

from graphrag.errors import ModelError
from graphrag.ports import Embedder, ModelIdentity, Vectors

_MARK = "@"  # between a model's name and its number of dimensions


def shortened_name(model: str, dimensions: int) -> str:
    """The name of a model that is cut to so many dimensions, its own where it is not (0)."""
    return f"{model}{_MARK}{dimensions}" if dimensions else model


def parted_name(name: str) -> tuple[str, int]:
    """The model and its dimensions (0: all) that ``shortened_name`` put together."""
    model, mark, dimensions = name.rpartition(_MARK)
    if mark and model and dimensions.isdecimal():
        return model, int(dimensions)
    return name, 0


@runtime_checkable
class TrainedForCuts(Protocol):
    """An embedder that knows whether its first coordinates say the most."""

    @property
    def trained_for_cuts(self) -> bool: ...


def check_trained_for_cuts(embedder: Embedder, name: str) -> None:
    """Raises ModelError where the model does not say that it was trained to be cut."""
    if not (isinstance(embedder, TrainedForCuts) and embedder.trained_for_cuts):
        raise ModelError(
            f"{name} does not say that it was trained to be cut (Matryoshka): set "
            "'embedding.dimensions' to 0, or 'embedding.force_dimensions' to cut it all the same"
        )


class ShortenedEmbedder:
    """An embedder's first ``dimensions`` coordinates, at length 1 again; a model of its own,
    with a fingerprint of its own."""

    def __init__(self, embedder: Embedder, dimensions: int) -> None:
        """Raises ModelError where the model has no more coordinates than that."""
        whole = embedder.identity
        if not 0 < dimensions < whole.dimension:
            raise ModelError(
                f"setting 'embedding.dimensions' ({dimensions}) must be below the "
                f"{whole.dimension} dimensions of {whole.name}, or 0 for all of them"
            )
        self._embedder = embedder
        self._identity = replace(
            whole,
            name=shortened_name(whole.name, dimensions),
            dimension=dimensions,
            fingerprint=shortened_name(whole.fingerprint, dimensions),
        )

    @property
    def identity(self) -> ModelIdentity:
        return self._identity

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return self._embedder.count_tokens(texts)

    def embed_passages(
        self, texts: Sequence[str], *, progress: Callable[[int], None] | None = None
    ) -> Vectors:
        return self._cut(self._embedder.embed_passages(texts, progress=progress))

    def embed_questions(self, texts: Sequence[str]) -> Vectors:
        return self._cut(self._embedder.embed_questions(texts))

    def _cut(self, vectors: Vectors) -> Vectors:
        first = vectors[:, : self._identity.dimension]
        lengths = np.linalg.norm(first, axis=1, keepdims=True)
        if not (lengths > 0).all():
            raise ModelError(
                f"the first {self._identity.dimension} coordinates of a vector are all 0: "
                "choose more 'embedding.dimensions', or 0 for all of them"
            )
        unit: Vectors = (first / lengths).astype(np.float32)
        return unit
