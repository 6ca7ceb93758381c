"""Two published walks over names, written from their papers, to stand beside ours.

Both get the chunks, vectors and names that ours gets (capitalised spans, linked to the
question by the same rules), so that the walks are compared and not who finds the names.
Where a question names nothing, both papers fall back on vectors, and so do these.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from graphrag.ports import Vectors
from graphrag.retrieval.links import link_question
from graphrag.retrieval.names import proper_names, tokens_of
from graphrag.sentences import split_sentences
from tests.benchmarks.retrieval_sets import Collection

Scores = NDArray[np.float64]


def pagerank(links: sparse.csr_array, restart: Scores, damping: float, rounds: int = 50) -> Scores:
    """Personalised PageRank by the power method; ``links`` (n, n) is symmetric."""
    out = np.asarray(links.sum(axis=1)).ravel()
    shares = sparse.diags_array(1 / np.where(out > 0, out, 1.0)) @ links
    step = sparse.csr_array(shares.T)
    restart = restart / restart.sum()
    mass = restart
    for _ in range(rounds):
        mass = (1 - damping) * restart + damping * (step @ mass)
    return mass


@dataclass(frozen=True)
class TriGraph:
    """Passages, sentences and names of a collection; names are columns everywhere."""

    held: Collection

    @cached_property
    def sentences(self) -> list[tuple[int, str]]:
        """Every sentence, with the row of its passage."""
        return [
            (row, text[span.start : span.stop])
            for row, text in enumerate(self.held.texts.values())
            for span in split_sentences(text)
        ]

    @cached_property
    def _found(self) -> list[set[str]]:
        return [proper_names(tokens_of(sentence)) for _, sentence in self.sentences]

    @cached_property
    def columns(self) -> dict[str, int]:
        """The names by key."""
        keys = sorted({key for found in self._found for key in found})
        return {key: column for column, key in enumerate(keys)}

    @cached_property
    def in_sentence(self) -> sparse.csr_array:
        """Which sentence holds which name, shape (sentences, names)."""
        places = [(i, self.columns[key]) for i, found in enumerate(self._found) for key in found]
        rows, columns = np.array(places).T
        shape = (len(self.sentences), len(self.columns))
        return sparse.csr_array((np.ones(len(rows)), (rows, columns)), shape=shape)

    @cached_property
    def of_name(self) -> sparse.csr_array:
        """The sentences of each name, shape (names, sentences)."""
        return sparse.csr_array(self.in_sentence.T)

    @cached_property
    def in_passage(self) -> sparse.csr_array:
        """In how many sentences of a passage a name stands, shape (passages, names)."""
        owner = np.array([row for row, _ in self.sentences])
        shape = (len(self.held.texts), len(owner))
        of = sparse.csr_array((np.ones(len(owner)), (owner, np.arange(len(owner)))), shape=shape)
        return sparse.csr_array(of @ self.in_sentence)

    @cached_property
    def links(self) -> sparse.csr_array:
        """Passages and names as one graph: first the passages, then the names."""
        return sparse.csr_array(
            sparse.block_array([[None, self.in_passage], [self.in_passage.T, None]])
        )

    @cached_property
    def sentence_vectors(self) -> Vectors:
        """Shape (sentences, dimension)."""
        vectors = self.held.embedder.embed_passages([text for _, text in self.sentences])
        self.held.embedder.save()
        return vectors

    def asked(self, question: str) -> list[int]:
        """Columns of the names that the question holds."""
        names = self.held.names
        keys = {names.key(name) for name in link_question(names, question)}
        return sorted(self.columns[key] for key in keys & self.columns.keys())


def hipporag(graph: TriGraph, question: str, vector: Vectors) -> Scores:
    """Scores of the passages (n,). Walkers start at the question's names, rare ones rather
    (a name's weight is one by the number of its passages), and with a twentieth of the
    weight at all passages by similarity; damping .5.

    After Gutiérrez et al., From RAG to memory, ICML 2025 (HippoRAG 2): its triples, its
    filter by a language model and its edges between synonyms are left out.
    """
    similarity = _from_zero_to_one(graph.held.matrix @ vector)
    asked = graph.asked(question)
    if not asked:
        return similarity
    restart = np.zeros(graph.links.shape[0])
    count = len(similarity)
    passages = np.asarray((graph.in_passage[:, asked] > 0).sum(axis=0)).ravel()
    restart[count + np.array(asked)] = 1 / np.maximum(passages, 1)
    restart[:count] = 0.05 * similarity
    return pagerank(graph.links, restart, damping=0.5)[:count]


def linearrag(graph: TriGraph, question: str, vector: Vectors) -> Scores:
    """Scores of the passages (n,). The question's names wake other names through the
    sentence nearest to the question that holds them; what a passage holds of names that
    woke, beside its own similarity, is where the walkers start; damping .5.

    After Zhuang et al., LinearRAG, 2025 (arXiv 2510.10114): a threshold of .4, three
    rounds, weights of .05. Similarities are stretched to 0 to 1 for each question, since
    the threshold was set for an embedder whose similarities are spread like that.
    """
    similarity = _from_zero_to_one(graph.held.matrix @ vector)
    asked = graph.asked(question)
    if not asked:
        return similarity
    awake, level = _wakened(graph, asked, _from_zero_to_one(graph.sentence_vectors @ vector))
    counted = graph.in_passage.copy()
    counted.data = np.log1p(counted.data)
    gain = counted @ (awake / np.maximum(level, 1))
    restart = np.concatenate([0.05 * (0.05 * similarity + np.log1p(gain)), awake])
    return pagerank(graph.links, restart, damping=0.5)[: len(similarity)]


def _wakened(
    graph: TriGraph, asked: Sequence[int], near: Scores
) -> tuple[Scores, NDArray[np.int64]]:
    """How awake each name is, and in which round it woke (1: the question's own)."""
    awake, level = np.zeros(len(graph.columns)), np.zeros(len(graph.columns), dtype=np.int64)
    awake[asked], level[asked] = 1.0, 1
    fresh = list(asked)
    for round_ in (2, 3, 4):
        woken = []
        for name in fresh:
            begin, end = graph.of_name.indptr[name : name + 2]
            sentences = graph.of_name.indices[begin:end]
            best = int(sentences[np.argmax(near[sentences])])
            start, stop = graph.in_sentence.indptr[best : best + 2]
            for other in graph.in_sentence.indices[start:stop].tolist():
                score = awake[name] * near[best]
                if score >= 0.4 and not level[other]:
                    awake[other], level[other] = score, round_
                    woken.append(other)
        fresh = woken
    return awake, level


def _from_zero_to_one(values: NDArray[np.floating]) -> Scores:
    return ((values - values.min()) / max(float(np.ptp(values)), 1e-9)).astype(np.float64)
