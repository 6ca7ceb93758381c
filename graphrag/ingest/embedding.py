"""Embedding that can be stopped between two texts, and that keeps what it has done."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import CancelledError
from dataclasses import dataclass, field
from threading import Event

import numpy as np

from graphrag.ingest.intake import Clock
from graphrag.ports import Catalog, Embedder, Vectors

_KEPT_AT_ONCE = 256  # texts: what may be lost of a large document when a run is stopped


@dataclass(frozen=True, slots=True)
class Embedding:
    """Embeds what is to be committed; several threads may.

    ``told`` hears of every few texts that are done.
    """

    catalog: Catalog
    embedder: Callable[[], Embedder]
    clock: Clock
    told: Callable[[int], None]
    _stopped: Event = field(default_factory=Event)

    def stop(self) -> None:
        """Let no text be begun any more."""
        self._stopped.set()

    def vectors(self, texts: Mapping[str, str]) -> Vectors:
        """The vectors of texts by their keys, shape (n, dimension).

        Where there are many, the catalog keeps them piece by piece, so that a run that is
        stopped within a large document need not begin it again. Raises CancelledError once
        it was stopped.
        """
        keys = list(texts)
        rows = []
        for begin in range(0, len(keys), _KEPT_AT_ONCE):
            piece = keys[begin : begin + _KEPT_AT_ONCE]
            embedder = self.embedder()
            with self.clock.stage("embedding"):
                made = embedder.embed_passages([texts[key] for key in piece], progress=self._on)
            rows.append(made)
            if len(keys) > _KEPT_AT_ONCE:
                self.catalog.put_embeddings(embedder.identity.fingerprint, piece, made)
        return np.concatenate(rows) if rows else np.zeros((0, 1), np.float32)

    def _on(self, count: int) -> None:
        if self._stopped.is_set():
            raise CancelledError
        self.told(count)
