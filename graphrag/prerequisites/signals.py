"""All signals of one corpus, computed once, and what they say of any pair of concepts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from graphrag.concepts.names import key_tokens, split_bracket
from graphrag.domain import Chunk, Concept, EvidenceKind
from graphrag.prerequisites.corpus import Corpus, Witness
from graphrag.prerequisites.cues import cue_witnesses
from graphrag.prerequisites.definitions import definition_witnesses
from graphrag.prerequisites.explicit import explicit_witnesses
from graphrag.prerequisites.generality import (
    Scores,
    document_spread,
    ranks,
    section_spread,
    spring_rank,
)
from graphrag.prerequisites.links import link_witnesses
from graphrag.prerequisites.occurrences import Table
from graphrag.prerequisites.reading_order import definition_ranks, introduction_ranks
from graphrag.prerequisites.similarity import Vectors, smoothing, text_vectors, unit
from graphrag.prerequisites.structure import section_weights, topic_shares
from graphrag.prerequisites.titles import title_witnesses

Embed = Callable[[Sequence[str]], NDArray[np.float32]]
Numbers = NDArray[np.int64]

_SMOOTH = 1e-3  # a topic share below this says nothing


@dataclass(frozen=True, slots=True)
class Signals:
    """Per-concept ranks, shape (n,), and sparse tables (concept, prerequisite), shape (n, n)."""

    concepts: tuple[Concept, ...]
    witnesses: tuple[Witness, ...]
    tables: Mapping[EvidenceKind, Table]
    shares: Table
    smoothed: Table
    titles: Vectors
    texts: Vectors
    mentions: Scores
    document_spread: Scores
    section_spread: Scores
    introduced: Scores
    defined: Scores
    named_by: Scores
    topic_rank: Scores
    name_length: Scores

    def features(self, concept: Numbers, prerequisite: Numbers) -> dict[str, Scores]:
        """Each signal for pairs of concept numbers, shape (pairs,); positive speaks for the
        pair, and differences change sign with its direction."""
        a, b = concept, prerequisite
        found: dict[str, Scores] = {
            kind: at(self.tables[kind], a, b)
            for kind in ("section", "front_matter", "definition", "title", "cue", "link")
        }
        found["defined_back"] = at(self.tables["definition"], b, a)
        found["share"] = np.log(at(self.shares, a, b) + _SMOOTH) - np.log(_SMOOTH)
        found["smoothed"] = np.log(at(self.smoothed, a, b) + _SMOOTH) - np.log(_SMOOTH)
        found["reference"] = np.tanh(
            0.5
            * (
                np.log(at(self.smoothed, a, b) + _SMOOTH)
                - np.log(at(self.smoothed, b, a) + _SMOOTH)
            )
        )
        for name, values in (
            ("documents", self.document_spread),
            ("sections", self.section_spread),
            ("introduced", self.introduced),
            ("defined", self.defined),
            ("named_by", self.named_by),
            ("topic_rank", self.topic_rank),
        ):
            found[name] = values[b] - values[a]
        found["length"] = np.tanh(0.5 * (self.name_length[a] - self.name_length[b]))
        found["title_similarity"] = _dot(self.titles[a], self.titles[b])
        found["text_title"] = _dot(self.texts[a], self.titles[b])
        found["title_text"] = _dot(self.titles[a], self.texts[b])
        found["text_similarity"] = _dot(self.texts[a], self.texts[b])
        return found


def at(table: Table, rows: Numbers, columns: Numbers) -> Scores:
    """Entries of a sparse table, shape (pairs,)."""
    if not len(rows):
        return np.zeros(0)
    return np.asarray(table[rows, columns], dtype=np.float64).ravel()


def _dot(left: Vectors, right: Vectors) -> Scores:
    products: Scores = np.sum(left * right, axis=1, dtype=np.float64)
    return products


def measure(
    corpus: Corpus,
    chunks: Sequence[Chunk],
    chunk_vectors: Mapping[str, Vectors],
    embed: Embed,
) -> Signals:
    """All signals of a corpus."""
    concepts = corpus.concepts
    n = len(concepts)
    witnesses = [
        *explicit_witnesses(corpus),
        *definition_witnesses(corpus),
        *cue_witnesses(corpus),
        *title_witnesses(concepts),
        *link_witnesses(corpus),
    ]
    tables = {kind: _table([w for w in witnesses if w.kind == kind], n) for kind in _KINDS}
    weights = section_weights(corpus)
    shares = topic_shares(corpus, weights)
    titles = (
        unit(embed([concept.name for concept in concepts])) if n else np.zeros((0, 1), np.float32)
    )
    near = smoothing(titles)
    occurrences = corpus.occurrences
    named: Table = (tables["definition"] + tables["title"] + tables["cue"]).tocsr()
    return Signals(
        concepts=concepts,
        witnesses=tuple(witnesses),
        tables=tables,
        shares=shares,
        smoothed=(near @ shares).tocsr(),
        titles=titles,
        texts=text_vectors(corpus, weights, tuple(chunks), chunk_vectors, titles.shape[1]),
        mentions=occurrences.totals(),
        document_spread=document_spread(occurrences),
        section_spread=section_spread(occurrences),
        introduced=introduction_ranks(corpus),
        defined=definition_ranks(corpus),
        named_by=ranks(spring_rank(named)),
        topic_rank=ranks(spring_rank(shares, 0.1)),
        name_length=np.array(
            [len(key_tokens(split_bracket(c.name)[0])) for c in concepts], dtype=np.float64
        ),
    )


_KINDS: tuple[EvidenceKind, ...] = (
    "section",
    "front_matter",
    "definition",
    "title",
    "cue",
    "link",
)


def _table(witnesses: Sequence[Witness], n: int) -> Table:
    """The strongest witness of each pair."""
    best: dict[tuple[int, int], float] = {}
    for w in witnesses:
        pair = (w.concept, w.prerequisite)
        best[pair] = max(w.score, best.get(pair, 0.0))
    pairs = np.array(list(best), dtype=np.int64).reshape(-1, 2)
    values = np.array(list(best.values()), dtype=np.float64)
    return sparse.csr_matrix((values, (pairs[:, 0], pairs[:, 1])), shape=(n, n))
