"""What was found, as passages that tell where each stage had them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from graphrag.domain import Chunk, Hit, Metadata, Passage
from graphrag.retrieval.rerank import probability


class ChunkSource(Protocol):
    """What retrieval asks of the catalog."""

    def chunk_ids(self, numbers: Sequence[int]) -> dict[int, str]: ...

    def chunks(self, ids: Sequence[str] | None = None) -> list[Chunk]: ...

    def numbers_of(self, document_ids: Collection[str]) -> list[int]: ...

    def metadata(self, ids: Collection[str] | None = None) -> dict[str, Mapping[str, object]]: ...

    def spread_of_chunks(self) -> tuple[int, int]: ...


def passages_of(
    hits: Sequence[Hit],
    chunks: Sequence[Chunk],
    metadata: Mapping[str, Mapping[str, object]],
    stages: Mapping[str, Sequence[Hit]],
    logits: Mapping[str, float],
) -> tuple[Passage, ...]:
    """The hits in their order, each with its place in every stage; scored by probability
    where a cross-encoder gave a logit. A hit whose chunk is not among ``chunks`` was
    removed a moment ago, and is left out."""
    known = {chunk.id: chunk for chunk in chunks if chunk.document_id in metadata}
    places: dict[str, dict[str, Hit]] = {chunk_id: {} for chunk_id in known}
    for stage, found in stages.items():
        for hit in found:
            if hit.chunk_id in known:
                places[hit.chunk_id][stage] = hit
    return tuple(
        make_passage(
            known[hit.chunk_id],
            metadata[known[hit.chunk_id].document_id],
            probability(logits[hit.chunk_id]) if hit.chunk_id in logits else hit.score,
            places[hit.chunk_id],
        )
        for hit in hits
        if hit.chunk_id in known
    )


def make_passage(
    chunk: Chunk, about: Mapping[str, object], score: float, channels: Mapping[str, Hit]
) -> Passage:
    """A chunk with its document's metadata, as ``Catalog.metadata`` gives it."""
    written: Metadata = {
        key: tuple(map(str, value)) if isinstance(value, (list, tuple)) else str(value)
        for key, value in about.items()
    }
    return Passage(chunk, str(about["source"]), str(about["title"]), score, channels, written)
