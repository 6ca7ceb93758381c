"""Indexes and a graph that keep everything in the process: see ``memory``."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from graphrag.adapters.bm25_scoring import K1, B, idf, mean_idf
from graphrag.domain import ConceptGraph
from graphrag.errors import ModelError, QueryError, StoreError
from graphrag.ports import GraphChange, GraphSnapshot, Keys, Rows, Vectors
from graphrag.tokens import question_terms, text_terms


class MemoryKeywordIndex:
    """``ports.KeywordIndex``: BM25 computed text by text at each question."""

    def __init__(self) -> None:
        self.revision = 0
        self._texts: dict[int, list[str]] = {}

    def update(self, added: Mapping[int, str], removed: Sequence[int], revision: int) -> None:
        for number in removed:
            self._texts.pop(number, None)
        self._texts |= {number: text_terms(text) for number, text in added.items()}
        self.revision = revision

    def search(
        self, question: str, k: int, *, allowed: Keys | None = None
    ) -> list[tuple[int, float]]:
        count = len(self._texts)
        frequency = Counter(term for terms in self._texts.values() for term in set(terms))
        mean = mean_idf(count, Counter(frequency.values()))
        mean_length = sum(map(len, self._texts.values())) / max(count, 1) or 1.0
        scores: dict[int, float] = {}
        for number, terms in self._texts.items():
            counts = Counter(terms)
            penalty = K1 * (1 - B + B * len(terms) / mean_length)
            scores[number] = sum(
                idf(count, frequency[term], mean)
                * (counts[term] * (K1 + 1) / (counts[term] + penalty))
                for term in question_terms(question)
                if counts[term]
            )
        among = set(scores if allowed is None else allowed.tolist())
        hits = [(n, score) for n, score in scores.items() if score > 0 and n in among]
        return sorted(hits, key=lambda hit: (-hit[1], hit[0]))[: max(k, 0)]


class MemoryVectorIndex:
    """``ports.VectorIndex``: one product at a time."""

    def __init__(self, *, dimension: int, fingerprint: str) -> None:
        self.revision = 0
        self.fingerprint = fingerprint
        self._dimension = dimension
        self._vectors: dict[int, Vectors] = {}

    def update(
        self, numbers: Sequence[int], vectors: Vectors, removed: Sequence[int], revision: int
    ) -> None:
        if len(set(numbers)) < len(numbers):
            raise StoreError("a number is given twice in one change of the vector index")
        if len(vectors) != len(numbers):
            raise ModelError(f"{len(vectors)} vectors do not fit {len(numbers)} numbers")
        fresh = {n: self._checked(v) for n, v in zip(numbers, vectors, strict=True)}
        for number in removed:
            self._vectors.pop(number, None)
        self._vectors |= fresh
        self.revision = revision

    def search(
        self, vector: Vectors, k: int, *, allowed: Keys | None = None
    ) -> list[tuple[int, float]]:
        query = self._checked(vector)
        among = set(self._vectors if allowed is None else allowed.tolist())
        hits = [
            (n, round(math.fsum((v * query).tolist()), 6))
            for n, v in self._vectors.items()
            if n in among
        ]
        return sorted(hits, key=lambda hit: (-hit[1], hit[0]))[: max(k, 0)]

    def similarities(self, vector: Vectors, numbers: Keys) -> NDArray[np.float32]:
        query = self._checked(vector)
        none = np.zeros(self._dimension, dtype=np.float32)
        return np.asarray(
            [self._vectors.get(n, none) @ query for n in numbers.tolist()], dtype=np.float32
        )

    def vectors(self, numbers: Keys) -> Vectors:
        rows = np.zeros((len(numbers), self._dimension), dtype=np.float32)
        for row, number in zip(rows, numbers.tolist(), strict=True):
            row[:] = self._vectors.get(number, 0.0)
        return rows

    def _checked(self, vector: Vectors) -> Vectors:
        row = np.asarray(vector, dtype=np.float32).reshape(-1)
        if len(row) != self._dimension:
            raise ModelError(
                f"a vector of dimension {len(row)} does not fit dimension {self._dimension}: "
                "use the embedding model that made the index"
            )
        if not np.isfinite(row).all():
            raise ModelError("a vector holds NaN or infinity: check the embedding model")
        return row


class MemoryGraph:
    """``ports.GraphStore`` without Cypher: what was put is what is shown."""

    def __init__(self) -> None:
        self.revision = 0
        self._graph = ConceptGraph()

    def replace(self, snapshot: GraphSnapshot, revision: int) -> None:
        known = {concept.id for concept in snapshot.graph.concepts}
        for edge in snapshot.graph.prerequisites:
            if not {edge.concept_id, edge.prerequisite_id} <= known:
                raise StoreError(f"edge {edge.concept_id!r} has an end that is not there")
        self._graph = replace(
            snapshot.graph,
            mentions=(),
            open=(),
            prerequisites=tuple(replace(p, evidence=()) for p in snapshot.graph.prerequisites),
        )
        self.revision = revision

    def update(self, change: GraphChange, revision: int) -> bool:
        self.replace(change.snapshot, revision)  # it holds all that is shown here
        return True

    def concept_graph(self) -> ConceptGraph:
        return self._graph

    def query(
        self, statement: str, parameters: Mapping[str, object] | None = None, *, limit: int = 1000
    ) -> Rows:
        """Raises QueryError: there is no Cypher in memory."""
        raise QueryError(f"no Cypher without a stored graph: {statement!r}")

    def close(self) -> None:
        """Nothing to close."""
