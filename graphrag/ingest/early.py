"""The concept graph of a first ingest, begun while its texts are still being embedded.

All but a part of it rests on texts and annotations alone, and these are complete long before
the last vector: so it is made from what is about to be stored, and waits where it comes to
vectors until everything is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from types import TracebackType
from typing import Self

import numpy as np
from numpy.typing import NDArray

from graphrag.domain import Annotation
from graphrag.ingest.derive import ConceptGraphInputs, Derived, TitleVectors, chunk_vectors
from graphrag.ingest.intake import Prepared
from graphrag.ports import Catalog, Embedder
from graphrag.wording.encodable import encodable

_Vector = NDArray[np.float32]

# What is read is kept in memory until then. Beyond, deriving begins when all is stored.
_MOST_CHUNKS = 5_000


@dataclass(slots=True)
class Awaited(Mapping[str, _Vector]):
    """Vectors by chunk id, fetched when the first is asked for, which waits until they are
    stored. Raises what kept them from being."""

    stored: Future[None]
    fetch: Callable[[], Mapping[str, _Vector]]
    _vectors: Mapping[str, _Vector] | None = None

    def _fetched(self) -> Mapping[str, _Vector]:
        if self._vectors is None:
            self.stored.result()
            self._vectors = self.fetch()
        return self._vectors

    def __getitem__(self, chunk_id: str) -> _Vector:
        return self._fetched()[chunk_id]

    def __iter__(self) -> Iterator[str]:
        return iter(self._fetched())

    def __len__(self) -> int:
        return len(self._fetched())


class EarlyGraph:
    """Makes the graph of the batches that are added, into a catalog that was empty before.

    ``make`` is ``derive.derived`` but for its first argument. Leave to end the thread: what
    waits for vectors that were not stored ends with an error then.
    """

    def __init__(
        self,
        catalog: Catalog,
        embedder: Callable[[], Embedder],
        make: Callable[[ConceptGraphInputs], Derived],
    ) -> None:
        self._catalog = catalog
        self._embedder = embedder
        self._make = make
        self._batches: list[tuple[Sequence[Prepared], Future[list[Annotation]]]] | None = []
        self._chunks = 0
        self._stored: Future[None] = Future()
        self._pool = ThreadPoolExecutor(1, "concepts")
        self.derived: Future[Derived] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stored.cancel()
        self._pool.shutdown()

    def add(self, prepared: Sequence[Prepared], annotations: Future[list[Annotation]]) -> None:
        """Documents that are going to be stored, with what the language pipeline will say."""
        self._chunks += sum(len(each.chunks) for each in prepared)
        if self._chunks > _MOST_CHUNKS or any(
            # Catalogs spell such ids out, and so may order them otherwise.
            encodable(each.document.id) != each.document.id
            for each in prepared
        ):
            self._batches = None
        if self._batches is not None:
            self._batches.append((prepared, annotations))

    def begin(self) -> None:
        """Everything was added: make the graph, beside what is still going on."""
        if self._batches:
            self.derived = self._pool.submit(self._derive, self._batches)

    def stored(self) -> None:
        """Everything that was added is in the catalog, its vectors too."""
        self._stored.set_result(None)

    def _derive(
        self, batches: Sequence[tuple[Sequence[Prepared], Future[list[Annotation]]]]
    ) -> Derived:
        rows = [
            (each, annotation)
            for prepared, annotations in batches
            for each, annotation in zip(prepared, annotations.result(), strict=True)
        ]
        # As the catalog gives them.
        rows.sort(key=lambda row: (row[0].position, row[0].document.id))
        chunks = [chunk for each, _ in rows for chunk in each.chunks]
        return self._make(
            {
                "documents": [each.document for each, _ in rows],
                "chunks": chunks,
                "annotations": {each.document.id: annotation for each, annotation in rows},
                "given": self._catalog.given_concepts(),
                "decisions": self._catalog.decisions(),
                "chunk_vectors": Awaited(
                    self._stored, lambda: chunk_vectors(self._catalog, self._embedder, chunks)
                ),
                "embed": TitleVectors(self._catalog, self._embedder),
            }
        )
