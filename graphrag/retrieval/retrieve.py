"""A question's way to its passages: channels, fusion, reranking.

Keyword and vector search are blended. Where the collection's titles link its passages and
the question names one of them, the walk over names decides the order instead.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Protocol

import numpy as np

from graphrag.domain import CHANNELS, Channel, Chunk, Hit, Metadata, Passage, Retrieval
from graphrag.errors import ModelError, QueryError
from graphrag.ports import Embedder, Keys, KeywordIndex, Reranker, VectorIndex
from graphrag.retrieval.channels import Query, keyword_hits, vector_hits
from graphrag.retrieval.fusion import blend, fuse, lacking_authority, led_by, ranked, spread
from graphrag.retrieval.hops import GraphFound, GraphSearch, HopSettings
from graphrag.retrieval.name_graph import NameGraph
from graphrag.retrieval.rerank import RerankSettings, probability, rerank


class ChunkSource(Protocol):
    """What retrieval asks of the catalog."""

    def chunk_numbers(self) -> dict[int, str]: ...

    def chunks(self, ids: Sequence[str] | None = None) -> list[Chunk]: ...

    def metadata(self) -> dict[str, Mapping[str, object]]: ...


@dataclass(frozen=True, slots=True)
class RetrieverSettings:
    """``keyword_weight`` of BM25 beside a cosine; ``logit_weight`` of the cross-encoder
    beside the blended score, ``claim_logit_weight`` for a statement, which it was not
    trained to judge, ``walk_logit_weight`` beside the logarithm of the walk's score;
    ``neighbour_penalty`` and ``walk_neighbour_penalty`` for the neighbour of a better chunk;
    ``authority_weight`` of what a document's authority lacks to 1. Below ``linkage`` (share
    of passages whose title another mentions) or ``entries`` (documents a passage) the walk
    does not lead."""

    keyword_weight: float = 0.1
    logit_weight: float = 0.03
    claim_logit_weight: float = 0.005
    walk_logit_weight: float = 0.05
    neighbour_penalty: float = 0.05
    walk_neighbour_penalty: float = 2.0
    authority_weight: float = 0.05
    linkage: float = 0.02
    entries: float = 0.5
    hops: HopSettings = field(default_factory=HopSettings)
    rerank: RerankSettings = field(default_factory=RerankSettings)


@dataclass(frozen=True, slots=True)
class _Fused:
    """Candidates in one order, the scores beside which a logit counts, and how much."""

    hits: list[Hit]
    scores: Mapping[str, float]
    logit_weight: float


class Retriever:
    """Search over one revision of a collection; safe to use from several threads.

    ``reranker`` gives the cross-encoder when it is first needed; ``names`` is absent where
    the graph was left out.
    """

    def __init__(
        self,
        *,
        embedder: Embedder,
        reranker: Callable[[], Reranker],
        keyword: KeywordIndex,
        vectors: VectorIndex,
        names: NameGraph | None,
        chunks: ChunkSource,
        settings: RetrieverSettings | None = None,
    ) -> None:
        if vectors.fingerprint != embedder.identity.fingerprint:
            raise ModelError(
                f"the stored vectors were not made by {embedder.identity.name}: use the model "
                "that made them, or ingest again with this one"
            )
        self._embedder = embedder
        self._reranker = reranker
        self._keyword = keyword
        self._vectors = vectors
        self._names = names
        self._chunks = chunks
        self._settings = settings or RetrieverSettings()

    @cached_property
    def _ids(self) -> dict[int, str]:
        return self._chunks.chunk_numbers()

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {chunk_id: number for number, chunk_id in self._ids.items()}

    @cached_property
    def _metadata(self) -> dict[str, Mapping[str, object]]:
        return self._chunks.metadata()

    def retrieve(
        self,
        question: str,
        *,
        k: int = 5,
        allowed: Keys | None = None,
        channels: Collection[Channel] = CHANNELS,
        rerank: bool = True,
        depth: int = 50,
    ) -> Retrieval:
        """The ``k`` best passages, only among the sorted chunk numbers ``allowed`` where
        given; ``depth`` candidates a channel.

        Raises QueryError where the question, ``k`` or ``channels`` make no sense.
        """
        return self.retrieve_many(
            [question], k=k, allowed=allowed, channels=channels, rerank=rerank, depth=depth
        )[0]

    def retrieve_many(
        self,
        questions: Sequence[str],
        *,
        k: int = 5,
        allowed: Keys | None = None,
        channels: Collection[Channel] = CHANNELS,
        rerank: bool = True,
        depth: int = 50,
    ) -> list[Retrieval]:
        """As ``retrieve``, for many questions, which are embedded together."""
        _check(questions, k, depth, channels)
        began = time.perf_counter()
        vectors = self._embedder.embed_questions(questions)
        embedding = (time.perf_counter() - began) / max(len(questions), 1)
        found = []
        for question, vector in zip(questions, vectors, strict=True):
            query = Query(question, vector, allowed, max(depth, k))
            trace = _Trace(seconds={"embedding": embedding})
            fused = self._search(query, frozenset(channels), trace)
            logits: dict[str, float] = {}
            if rerank and fused.hits:
                fused, logits = self._reread(question, fused, k, trace)
            with trace.timed("passages"):
                passages = self._passages(fused.hits[:k], logits, trace.stages)
            candidates = len(trace.stages["fused"])
            found.append(Retrieval(question, passages, trace.stages, trace.seconds, candidates))
        return found

    def _search(self, query: Query, channels: frozenset[Channel], trace: _Trace) -> _Fused:
        walked = GraphFound([])
        if "bm25" in channels:
            with trace.timed("bm25"):
                trace.stages["bm25"] = tuple(keyword_hits(self._keyword, query, self._ids))
        if "vector" in channels:
            with trace.timed("vector"):
                trace.stages["vector"] = tuple(vector_hits(self._vectors, query, self._ids))
        if "graph" in channels and self._names is not None:
            with trace.timed("graph"):
                walked = GraphSearch(
                    self._names,
                    self._vectors,
                    self._embedder.embed_questions,
                    self._ids,
                    self._settings.hops,
                ).search(query)
                trace.stages["graph"] = tuple(walked.hits)
        with trace.timed("fused"):
            fused = self._fuse(query, walked, trace.stages)
            trace.stages["fused"] = tuple(fused.hits)
        return fused

    def _fuse(
        self, query: Query, walked: GraphFound, stages: Mapping[str, Sequence[Hit]]
    ) -> _Fused:
        settings = self._settings
        blended = spread(self._weighed(self._blend(query, stages)), settings.neighbour_penalty)
        if walked.hits and (self._walk_leads(walked) or not blended):
            hits = led_by(walked.hits, blended, settings.walk_neighbour_penalty)
            scores = {hit.chunk_id: hit.score for hit in hits}
            return _Fused(hits, scores, settings.walk_logit_weight)
        claim = query.question.rstrip().endswith(".")
        return _Fused(
            self._fused_by_rank(stages, blended),
            {hit.chunk_id: hit.score for hit in blended},
            settings.claim_logit_weight if claim else settings.logit_weight,
        )

    def _walk_leads(self, walked: GraphFound) -> bool:
        """Whether names decide the order: where passages are entries that name each other, as
        in an encyclopaedia, and the question names one. In texts of many passages each,
        what stands under a name is not all that is said of it, and the walk would mislead."""
        graph, settings = self._names, self._settings
        return (
            graph is not None
            and graph.linkage >= settings.linkage
            and self.holds_entries
            and bool(walked.names)
        )

    @cached_property
    def holds_entries(self) -> bool:
        """Whether most passages are documents of their own, as in an encyclopaedia."""
        documents = {chunk_id.rpartition("#")[0] for chunk_id in self._ids.values()}
        return len(documents) >= self._settings.entries * max(len(self._ids), 1)

    def _fused_by_rank(
        self, stages: Mapping[str, Sequence[Hit]], blended: Sequence[Hit]
    ) -> list[Hit]:
        """Reciprocal rank fusion of the channels; a chunk that the blend has moved down, for
        its authority or its neighbour, falls behind its equals. Paths are kept."""
        paths = {hit.chunk_id: hit.path for hit in stages.get("graph", ())}
        channels = {name: hits for name, hits in stages.items() if name in ("bm25", "vector")}
        lists = {**channels, "blend": blended} if len(channels) > 1 else {"blend": blended}
        return [replace(hit, path=paths.get(hit.chunk_id, ())) for hit in fuse(lists)]

    def _weighed(self, hits: Sequence[Hit]) -> list[Hit]:
        """The hits with a little taken from those whose documents have less authority."""
        lacking = {hit.chunk_id: self._lacks_authority(hit.chunk_id) for hit in hits}
        if not any(lacking.values()):
            return list(hits)
        weight = self._settings.authority_weight
        return ranked({hit.chunk_id: hit.score - weight * lacking[hit.chunk_id] for hit in hits})

    def _lacks_authority(self, chunk_id: str) -> float:
        document_id = chunk_id.rpartition("#")[0]
        return lacking_authority(self._metadata[document_id].get("authority"))

    def _blend(self, query: Query, stages: Mapping[str, Sequence[Hit]]) -> list[Hit]:
        keyword, vector = stages.get("bm25", ()), stages.get("vector", ())
        if "vector" not in stages:
            best = max((hit.score for hit in keyword), default=0.0) or 1.0
            return ranked({hit.chunk_id: hit.score / best for hit in keyword})
        similarities = {hit.chunk_id: hit.score for hit in vector}
        others = [hit.chunk_id for hit in keyword if hit.chunk_id not in similarities]
        numbers = np.array([self._numbers[chunk_id] for chunk_id in others], dtype=np.int64)
        scores = self._vectors.similarities(query.vector, numbers).tolist()
        similarities |= dict(zip(others, scores, strict=True))
        keyword_scores = {hit.chunk_id: hit.score for hit in keyword}
        return blend(similarities, keyword_scores, self._settings.keyword_weight)

    def _reread(
        self, question: str, fused: _Fused, k: int, trace: _Trace
    ) -> tuple[_Fused, dict[str, float]]:
        with trace.timed("reranked"):
            reranked = rerank(
                self._reranker(),
                question,
                [replace(hit, score=fused.scores[hit.chunk_id]) for hit in fused.hits],
                self._texts,
                weight=fused.logit_weight,
                k=k,
                settings=self._settings.rerank,
            )
            trace.stages["reranked"] = tuple(reranked.hits)
        return replace(fused, hits=reranked.hits), reranked.logits

    def _texts(self, ids: Sequence[str]) -> list[str]:
        found = {chunk.id: chunk.embedded_text for chunk in self._chunks.chunks(ids)}
        return [found.get(chunk_id, "") for chunk_id in ids]

    def _passages(
        self, hits: Sequence[Hit], logits: Mapping[str, float], stages: Mapping[str, Sequence[Hit]]
    ) -> tuple[Passage, ...]:
        # By id: a chunk that a writer has just removed is left out, not misplaced.
        chunks = {c.id: c for c in self._chunks.chunks([hit.chunk_id for hit in hits])}
        wanted = chunks.keys()
        places: dict[str, dict[str, Hit]] = {chunk_id: {} for chunk_id in wanted}
        for stage, found in stages.items():
            for hit in found:
                if hit.chunk_id in wanted:
                    places[hit.chunk_id][stage] = hit
        return tuple(
            make_passage(
                chunks[hit.chunk_id],
                self._metadata[chunks[hit.chunk_id].document_id],
                probability(logits[hit.chunk_id]) if hit.chunk_id in logits else hit.score,
                places[hit.chunk_id],
            )
            for hit in hits
            if hit.chunk_id in chunks
        )


@dataclass(slots=True)
class _Trace:
    """What one question collects on its way."""

    stages: dict[str, tuple[Hit, ...]] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def timed(self, stage: str) -> Iterator[None]:
        began = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[stage] = time.perf_counter() - began


def make_passage(
    chunk: Chunk, about: Mapping[str, object], score: float, channels: Mapping[str, Hit]
) -> Passage:
    """A chunk with its document's metadata, as ``Catalog.metadata`` gives it."""
    written: Metadata = {
        key: tuple(map(str, value)) if isinstance(value, (list, tuple)) else str(value)
        for key, value in about.items()
    }
    return Passage(chunk, str(about["source"]), str(about["title"]), score, channels, written)


def _check(questions: Sequence[str], k: int, depth: int, channels: Collection[Channel]) -> None:
    if k < 1 or depth < 1:
        raise QueryError(f"k {k} and depth {depth} must be at least 1")
    unknown = sorted(set(channels) - set(CHANNELS))
    if unknown or not channels:
        raise QueryError(f"channels {unknown or 'none'} must be of {', '.join(CHANNELS)}")
    for question in questions:
        if not question.strip():
            raise QueryError("the question is empty: write what you want to know")
