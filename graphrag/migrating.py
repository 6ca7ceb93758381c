"""Another embedding model for an index, while the old one goes on serving.

What the new model needs (chunks as its tokenizer cuts them, their vectors) is made beside
what is in use, batch by batch, so that a stopped run goes on where it was. When nothing is
missing, one transaction makes the new model the index's own and forgets the old vectors.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from graphrag.adapters.file_lock import writer_lock
from graphrag.chunking import chunk_document
from graphrag.desk import Desk
from graphrag.domain import Chunk
from graphrag.errors import ModelError, StoreError
from graphrag.ingest.derive import derive_concepts, embedding_key
from graphrag.ingest.report import Progress
from graphrag.ports import Catalog, Embedder, Rechunked
from graphrag.serving import announce, identity_of, name_model, own_model, taken_over, target_model

_LOCK = "migration.lock"
_BATCH_DOCUMENTS = 32
_BATCH_TEXTS = 256  # what a run that is killed loses at most
_PATIENCE = 3600.0  # seconds to wait for an ingest that is under way


@dataclass(frozen=True, slots=True)
class MigrationReport:
    """From which model to which, how many vectors this run made, and how many documents
    were cut anew because the new model counts or limits otherwise."""

    former: str
    model: str
    embedded: int = 0
    rechunked: int = 0
    chunks: int = 0
    seconds: float = 0.0


def migrate(desk: Desk, model: str, progress: Progress) -> MigrationReport:
    """Make ``model`` (default: the configured one) the index's own.

    Raises StoreError for an empty index or while another migration runs, ModelError where
    the model cannot be had.
    """
    begin = time.perf_counter()
    workspace, catalog = desk.workspace, desk.workspace.catalog
    model = model or desk.settings.embedding.name
    identity = identity_of(catalog)
    if identity is None:
        raise StoreError(
            f"the index {workspace.path} is empty: nothing to migrate; ingest with "
            f"'embedding.model' {model}"
        )
    former = own_model(catalog)
    with writer_lock(workspace.path / _LOCK):
        target = _announced(desk, model)
        made = _Migration(desk, target, progress)
        if target.identity.fingerprint == identity.fingerprint:
            with workspace.writing(wait=_PATIENCE):
                name_model(catalog, model)
                announce(catalog, "")
                made.settle()
        else:
            made.run(model)
    return MigrationReport(
        former=former,
        model=model,
        embedded=made.embedded,
        rechunked=made.rechunked,
        chunks=len(catalog.chunk_numbers()),
        seconds=time.perf_counter() - begin,
    )


def _announced(desk: Desk, model: str) -> Embedder:
    """The model. Who is configured for it is served by the old one as from now."""
    catalog = desk.workspace.catalog
    before = target_model(catalog)
    announce(catalog, model)
    try:
        return desk.models.named(model)
    except ModelError:
        announce(catalog, before)
        raise


class _Migration:
    """One run towards the target."""

    def __init__(self, desk: Desk, target: Embedder, progress: Progress) -> None:
        self._desk = desk
        self._target = target
        self._progress = progress
        self._options = desk.chunking.within(target.identity.max_tokens)
        self.embedded = 0
        self.rechunked = 0

    def run(self, model: str) -> None:
        """Prepare until nothing has changed meanwhile, then switch."""
        workspace, catalog = self._desk.workspace, self._desk.workspace.catalog
        done = False
        while not done:
            revision = catalog.revision
            self._progress.stage("embedding")
            rechunked = list(self._prepared(catalog))
            with workspace.writing(wait=_PATIENCE):
                if catalog.revision == revision:
                    values = taken_over(catalog, model, self._target.identity)
                    catalog.adopt_model(self._target.identity.fingerprint, rechunked, values)
                    self.rechunked = len(rechunked)
                    self.settle()
                    done = True

    def settle(self) -> None:
        """Bring the stores and the concept graph up to the index's own model."""
        desk = self._desk
        self._progress.stage("stores")
        # First what searches wait for.
        desk.workspace.vectors()
        desk.workspace.heal()
        if desk.settings.concepts.extract:
            self._progress.stage("concepts")
            derive_concepts(desk.workspace.catalog, lambda: self._target, desk.witness())
            desk.workspace.heal()

    def _prepared(self, catalog: Catalog) -> Iterator[Rechunked]:
        """Embed what is missing; gives the documents whose chunks the target cuts otherwise."""
        ids = iter(catalog.document_ids())
        total, done, chunked = catalog.counts()["documents"], 0, 0
        while batch := list(islice(ids, _BATCH_DOCUMENTS)):
            chunks: list[Chunk] = []
            for document in catalog.documents(batch):
                own = tuple(chunk_document(document, self._target, self._options))
                chunks.extend(own)
                if own != tuple(catalog.chunks(catalog.chunks_of([document.id]))):
                    yield Rechunked(document.id, own, tuple(embedding_key(each) for each in own))
            self._embed(catalog, chunks)
            done, chunked = done + len(batch), chunked + len(chunks)
            self._progress.advance(done, total, chunked)

    def _embed(self, catalog: Catalog, chunks: Sequence[Chunk]) -> None:
        fingerprint = self._target.identity.fingerprint
        texts = {embedding_key(chunk): chunk.embedded_text for chunk in chunks}
        known = catalog.embeddings(fingerprint, list(texts))
        missing = [key for key in texts if key not in known]
        for start in range(0, len(missing), _BATCH_TEXTS):
            keys = missing[start : start + _BATCH_TEXTS]
            vectors = self._target.embed_passages([texts[key] for key in keys])
            catalog.put_embeddings(fingerprint, keys, vectors)
            self.embedded += len(keys)
