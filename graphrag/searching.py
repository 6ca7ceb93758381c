"""One search of an open index: what it looks in, and its trace."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from graphrag.answering.trace import traced_search
from graphrag.desk import Desk
from graphrag.domain import CHANNELS, Channel, Retrieval
from graphrag.ports import Keys
from graphrag.recording import record, wanted
from graphrag.retrieval.asked import check_asked
from graphrag.retrieval.channels import Query, keyword_hits
from graphrag.retrieval.lookups import Kept
from graphrag.retrieval.passages import passages_of
from graphrag.retrieval.tracing import Trace

_NO_VECTOR = np.zeros(0, dtype=np.float32)


@dataclass(frozen=True, slots=True)
class Searched:
    """A question with all that bears on its search (see ``Engine.retrieve``); ``k`` None takes
    that of the settings."""

    question: str
    k: int | None = None
    where: tuple[str, ...] = ()
    channels: tuple[Channel, ...] = CHANNELS
    rerank: bool = True
    as_of: str | None = None
    trace: Path | None = None


def search(desk: Desk, asked: Searched) -> Retrieval:
    """What every stage found. Raises QueryError, ModelError."""
    started = time.time()
    allowed = desk.allowed(asked.where, asked.as_of)
    chosen = desk.settings.retrieval
    k = chosen.k if asked.k is None else asked.k
    if set(asked.channels) == {"bm25"} and not asked.rerank:
        found = _by_keywords_alone(desk, asked.question, k, allowed)
    else:
        found = desk.retriever(rerank=asked.rerank).retrieve(
            asked.question,
            k=k,
            allowed=allowed,
            channels=asked.channels,
            rerank=asked.rerank,
            depth=chosen.depth,
        )
    if wanted(asked.trace):
        seconds = time.time() - started
        record(traced_search(found, started=started, seconds=seconds), asked.trace)
    return found


def _by_keywords_alone(desk: Desk, question: str, k: int, allowed: Keys | None) -> Retrieval:
    """Plain keyword search, as BM25 has it: no model is loaded, so none can be missing."""
    depth = max(desk.settings.retrieval.depth, k)
    check_asked([question], k, depth, ["bm25"])
    catalog, trace = desk.workspace.catalog, Trace()
    with trace.timed("bm25"):
        query = Query(question, _NO_VECTOR, allowed, depth)
        hits = keyword_hits(desk.workspace.keywords(), query, Kept(catalog.chunk_ids))
        trace.stages["bm25"] = tuple(hits)
    with trace.timed("passages"):
        chunks = catalog.chunks([hit.chunk_id for hit in hits[:k]])
        about = catalog.metadata({chunk.document_id for chunk in chunks})
        passages = passages_of(hits[:k], chunks, about, trace.stages, {})
    return Retrieval(question, passages, trace.stages, trace.seconds, len(hits))
