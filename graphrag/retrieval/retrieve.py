"""A question's way to its passages: channels, fusion, reranking.

Keyword and vector search are blended. Where the collection's titles link its passages and
the question names one of them, the walk over names decides the order instead.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from graphrag.domain import CHANNELS, Channel, Hit, Retrieval
from graphrag.errors import ModelError
from graphrag.ports import Embedder, Keys, KeywordIndex, Reranker, VectorIndex, Vectors
from graphrag.retrieval.asked import check_asked, embed_asked, is_claim
from graphrag.retrieval.blending import BlendSettings, blended, by_keywords, with_feedback
from graphrag.retrieval.channels import Query, keyword_hits, vector_hits
from graphrag.retrieval.exact import Shelves, ahead, lifted, lookup, with_lacking
from graphrag.retrieval.expanding import Expander, widened
from graphrag.retrieval.fusion import (
    by_votes,
    lacking_authority,
    led_by,
    on_log_scale,
    spread,
    weighed,
)
from graphrag.retrieval.hops import GraphFound, GraphSearch, HopSettings
from graphrag.retrieval.lookups import Kept
from graphrag.retrieval.name_graph import NameGraph
from graphrag.retrieval.near_names import NearNames
from graphrag.retrieval.pairs import PairSettings, Told, told_by, with_partner
from graphrag.retrieval.passages import ChunkSource, passages_of
from graphrag.retrieval.rerank import RerankSettings, rerank
from graphrag.retrieval.tracing import Trace
from graphrag.threads import OneThread
from graphrag.wording.verbatim import asked_exactly, is_lookup, named_ids

_LOOKED_UP = 2.0  # more than similarity and logit together: what holds it comes first


@dataclass(frozen=True, slots=True)
class RetrieverSettings:
    """``logit_weight`` of the cross-encoder beside the blended score, ``claim_logit_weight``
    for a statement, which it was not trained to judge, ``walk_logit_weight`` beside the
    logarithm of the walk's score; ``blend_votes`` of the blend in rank fusion and
    ``graph_votes`` of a walk from names that does not lead, where bm25 and vectors have one each;
    ``neighbour_penalty`` and ``walk_neighbour_penalty`` for the neighbour of a better chunk;
    ``authority_weight`` and ``walk_authority_weight`` of what a document's authority lacks
    to 1. Below ``linkage`` (share of passages whose title another mentions) or ``entries``
    (documents a passage) the walk does not lead."""

    logit_weight: float = 0.05
    claim_logit_weight: float = 0.005
    walk_logit_weight: float = 0.02
    blend_votes: float = 6.0
    graph_votes: float = 1.0
    neighbour_penalty: float = 0.05
    walk_neighbour_penalty: float = 2.0
    authority_weight: float = 0.05
    walk_authority_weight: float = 0.5
    linkage: float = 0.02
    entries: float = 0.5
    blend: BlendSettings = field(default_factory=BlendSettings)
    hops: HopSettings = field(default_factory=HopSettings)
    rerank: RerankSettings = field(default_factory=RerankSettings)
    pairs: PairSettings = field(default_factory=PairSettings)


@dataclass(frozen=True, slots=True)
class _Fused:
    """Candidates in one order, the scores beside which a logit counts, how much, and whether
    the walk led."""

    hits: list[Hit]
    scores: Mapping[str, float]
    logit_weight: float
    walked: bool


class Retriever:
    """Search over one revision of a collection; safe to use from several threads.

    ``reranker`` gives the cross-encoder when it is first needed; ``names`` is absent where
    the graph was left out; ``expander`` where a language model widens questions.
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
        expander: Expander | None = None,
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
        self._one_thread = OneThread()
        self._names = None if names is None else NearNames(names)
        self._chunks = chunks
        self._ids = Kept(chunks.chunk_ids)
        self._about = Kept(chunks.metadata)  # documents by their ids
        self._settings = settings or RetrieverSettings()
        self._expander = expander

    def retrieve(
        self,
        question: str,
        *,
        k: int = 5,
        allowed: Keys | None = None,
        channels: Collection[Channel] = CHANNELS,
        rerank: bool = True,
        expand: bool = True,
        depth: int = 50,
    ) -> Retrieval:
        """The ``k`` best passages, only among the sorted chunk numbers ``allowed`` where
        given; ``depth`` candidates a channel; ``expand`` lets the expander, if any, work.

        Raises QueryError where the question, ``k`` or ``channels`` make no sense.
        """
        return self.retrieve_many(
            [question],
            k=k,
            allowed=allowed,
            channels=channels,
            rerank=rerank,
            expand=expand,
            depth=depth,
        )[0]

    def retrieve_many(
        self,
        questions: Sequence[str],
        *,
        k: int = 5,
        allowed: Keys | None = None,
        channels: Collection[Channel] = CHANNELS,
        rerank: bool = True,
        expand: bool = True,
        depth: int = 50,
    ) -> list[Retrieval]:
        """As ``retrieve``, for many questions, which are embedded together."""
        check_asked(questions, k, depth, channels)
        began = time.perf_counter()
        vectors = embed_asked(self._embedder, questions)
        embedding = (time.perf_counter() - began) / max(len(questions), 1)
        found = []
        for question, vector in zip(questions, vectors, strict=True):
            trace = Trace(seconds={"embedding": embedding})
            if expand and self._expander is not None:
                vector = self._expanded(question, vector, self._expander, trace)
            query = Query(question, vector, allowed, max(depth, k))
            with self._one_thread:
                fused = self._search(query, frozenset(channels), trace)
            logits: dict[str, float] = {}
            if rerank and fused.hits:
                fused, logits = self._reread(question, fused, k, trace)
            # A statement does not ask what the codes in it are.
            exact = () if is_claim(question) else trace.stages.get("exact", ())
            hits = with_lacking(fused.hits, exact, k)[:k]
            if logits:
                known = logits.keys() | {hit.chunk_id for hit in fused.hits[:k]}
                logits |= self._logits(
                    question, [h.chunk_id for h in hits if h.chunk_id not in known]
                )
            with trace.timed("passages"):
                chunks = self._chunks.chunks([hit.chunk_id for hit in hits])
                about = self._about(chunk.document_id for chunk in chunks)
                passages = passages_of(hits, chunks, about, trace.stages, logits)
            told = (trace.seconds, len(trace.stages["fused"]), trace.expansions)
            found.append(Retrieval(question, passages, trace.stages, *told))
        return found

    def _expanded(
        self, question: str, vector: Vectors, expander: Expander, trace: Trace
    ) -> Vectors:
        with trace.timed("expansion"):
            trace.expansions = expander.texts(question)
            return widened(vector, expander.embedded(trace.expansions, self._embedder))

    def _search(self, query: Query, channels: frozenset[Channel], trace: Trace) -> _Fused:
        walked, ids = GraphFound([]), trace.noting(self._ids)
        asked = query.question
        if "bm25" in channels and (asked_exactly(asked) or named_ids(asked)):
            with trace.timed("exact"):
                shelves = Shelves(self._keyword, self._chunks, ids, query.allowed)
                trace.stages["exact"] = tuple(lookup(asked, shelves))
        if "bm25" in channels:
            with trace.timed("bm25"):
                trace.stages["bm25"] = tuple(keyword_hits(self._keyword, query, ids))
        if "vector" in channels:
            with trace.timed("vector"):
                trace.stages["vector"] = tuple(vector_hits(self._vectors, query, ids))
        if "graph" in channels and self._names is not None:
            with trace.timed("graph"):
                walked = GraphSearch(
                    self._names.walking(),
                    self._vectors,
                    self._embedder.embed_questions,
                    ids,
                    self._hops(channels),
                    lambda ids: [told.text for told in self._told(ids)],
                    self._nearest(query, trace),
                ).search(query)
                trace.stages["graph"] = tuple(walked.hits)
        with trace.timed("fused"):
            fused = self._fuse(query, walked, trace)
            trace.stages["fused"] = tuple(fused.hits)
        return fused

    def _nearest(self, query: Query, trace: Trace) -> list[tuple[int, float]] | None:
        """What the vector channel found, where it looked far enough for the walk's seeds."""
        if "vector" not in trace.stages or query.depth < self._settings.hops.walk.near:
            return None
        return [(trace.numbers[hit.chunk_id], hit.score) for hit in trace.stages["vector"]]

    def _fuse(self, query: Query, walked: GraphFound, trace: Trace) -> _Fused:
        settings = self._settings
        first = self._blend(query, trace)
        blended = self._settled(self._refine(query, first, trace))
        if walked.hits and (self._walk_leads(walked) or not blended):
            leading = on_log_scale(walked.hits)
            leading = weighed(leading, self._lacking(leading), settings.walk_authority_weight)
            hits = led_by(spread(leading, settings.walk_neighbour_penalty), blended)
            scores = {hit.chunk_id: hit.score for hit in hits}
            return _Fused(hits, scores, settings.walk_logit_weight, True)
        # A cross-encoder knows an answer by itself: likeness to the first passages, right or
        # wrong, would only speak against it. A statement it was not trained to judge.
        claim = is_claim(query.question)
        scored = blended if claim else self._settled(first)
        votes = {"blend": settings.blend_votes, "graph": settings.graph_votes}
        found = {str(name): trace.stages[name] for name in CHANNELS if name in trace.stages}
        hits = by_votes(found, blended, votes, graph=bool(walked.names))
        exact = trace.stages.get("exact", ()) if is_lookup(query.question) else ()
        return _Fused(
            ahead(hits, exact),
            lifted({hit.chunk_id: hit.score for hit in scored}, exact, _LOOKED_UP),
            settings.claim_logit_weight if claim else settings.logit_weight,
            False,
        )

    def _settled(self, hits: Sequence[Hit]) -> list[Hit]:
        """The hits with less for those of little authority and for neighbours."""
        settings = self._settings
        fair = weighed(hits, self._lacking(hits), settings.authority_weight)
        return spread(fair, settings.neighbour_penalty)

    def _hops(self, channels: frozenset[Channel]) -> HopSettings:
        """Where the walk cannot lead, it only tells the paths to what others found: that needs
        no second questions, each of which costs as much to embed as the first."""
        hops = self._settings.hops
        if self._names_lead or channels == {"graph"}:
            return hops
        return replace(hops, bridges=0, relations=replace(hops.relations, weight=0.0))

    def _walk_leads(self, walked: GraphFound) -> bool:
        """Whether names decide the order of what was found for this question."""
        return self._names_lead and bool(walked.names)

    @cached_property
    def _names_lead(self) -> bool:
        """Whether passages are entries that name each other, as in an encyclopaedia. In texts of
        many passages what stands under a name is not all that is said of it."""
        linkage = 0.0 if self._names is None else self._names.graph.linkage
        return linkage >= self._settings.linkage and self.holds_entries

    @cached_property
    def holds_entries(self) -> bool:
        """Whether most passages are documents of their own, as in an encyclopaedia."""
        chunks, documents = self._chunks.spread_of_chunks()
        return documents >= self._settings.entries * max(chunks, 1)

    def _lacking(self, hits: Sequence[Hit]) -> dict[str, float]:
        """What the authority of each hit's document lacks to 1."""
        documents = {hit.chunk_id: hit.chunk_id.rpartition("#")[0] for hit in hits}
        about = self._about(documents.values())
        return {
            chunk_id: lacking_authority(about.get(document_id, {}).get("authority"))
            for chunk_id, document_id in documents.items()
        }

    def _blend(self, query: Query, trace: Trace) -> list[Hit]:
        stages, settings = trace.stages, self._settings.blend
        keyword, vector = stages.get("bm25", ()), stages.get("vector", ())
        if "vector" not in stages:
            return by_keywords(keyword)
        if "bm25" not in stages:
            return list(vector)
        return blended(query, keyword, vector, self._vectors, trace.numbers, settings)

    def _refine(self, query: Query, first: Sequence[Hit], trace: Trace) -> list[Hit]:
        if not {"bm25", "vector"} <= trace.stages.keys():
            return list(first)
        keyword, settings = trace.stages["bm25"], self._settings.blend
        return with_feedback(query, first, keyword, self._vectors, trace.numbers, settings)

    def _reread(
        self, question: str, fused: _Fused, k: int, trace: Trace
    ) -> tuple[_Fused, dict[str, float]]:
        with trace.timed("reranked"):
            found = [replace(hit, score=fused.scores[hit.chunk_id]) for hit in fused.hits]
            reranked = rerank(
                self._reranker(),
                question,
                found,
                lambda ids: [told.whole for told in self._told(ids)],
                weight=fused.logit_weight,
                k=k,
                settings=self._settings.rerank,
            )
            hits = reranked.hits
            if fused.walked and reranked.in_time:
                hits = with_partner(
                    self._reranker(), question, found, reranked, self._told, self._settings.pairs
                )
            trace.stages["reranked"] = tuple(hits)
        return replace(fused, hits=hits), reranked.logits

    def _logits(self, question: str, ids: Sequence[str]) -> dict[str, float]:
        texts = [told.whole for told in self._told(ids)]
        return dict(zip(ids, self._reranker().score(question, texts), strict=True))

    def _told(self, ids: Sequence[str]) -> list[Told]:
        """What the chunks say; nothing where one was removed a moment ago."""
        chunks = {chunk.id: chunk for chunk in self._chunks.chunks(ids)}
        about = self._about(chunk.document_id for chunk in chunks.values())
        return [told_by(chunks.get(chunk_id), about) for chunk_id in ids]
