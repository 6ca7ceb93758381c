"""Section structure: what else is talked about where a concept is the topic.

The weight of a section for a concept is (how far its headings name the concept + the
concept's share of all mentions in it) to the power 1.5. A heading further up counts half
per level, and by the share of its words that the concept takes. The topic share of B for A
is the mean share of B over the sections, so weighted, that are about A.
"""

from __future__ import annotations

import numpy as np
from scipy import sparse

from graphrag.prerequisites.corpus import Corpus
from graphrag.prerequisites.occurrences import Table

DECAY = 0.5
POWER = 1.5


def section_weights(corpus: Corpus) -> Table:
    """How far each section is about each concept, shape (sections, concepts)."""
    occurrences = corpus.occurrences
    rows, columns, values = [], [], []
    for s, section in enumerate(occurrences.sections):
        best: dict[int, float] = {}
        document_id = corpus.documents[section.document].id
        for up, heading in enumerate(reversed(section.path)):
            for concept, share in corpus.named_in(heading, document_id).items():
                best[concept] = max(best.get(concept, 0.0), share * DECAY**up)
        rows += [s] * len(best)
        columns += list(best)
        values += list(best.values())
    shape = (len(occurrences.sections), occurrences.size)
    headings = sparse.csr_matrix((values, (rows, columns)), shape=shape, dtype=np.float64)
    shares = by_row(occurrences.section_counts())
    weights: Table = (headings + shares).tocsr()
    weights.data **= POWER
    return weights


def main_sections(weights: Table, most: int = 40) -> Table:
    """The weights of the ``most`` sections that are most about each concept; ties go to the
    earlier section."""
    columns = weights.tocsc()
    columns.sort_indices()
    for concept in range(columns.shape[1]):
        begin, stop = columns.indptr[concept], columns.indptr[concept + 1]
        if stop - begin > most:
            values = columns.data[begin:stop]
            order = np.argsort(-np.round(values, 9), kind="stable")
            values[order[most:]] = 0.0
    kept: Table = columns.tocsr()
    kept.eliminate_zeros()
    return kept


def topic_shares(corpus: Corpus, weights: Table) -> Table:
    """Shape (concepts, concepts): in row A the topic shares of the others, diagonal empty."""
    shares: Table = (
        by_row(weights.T.tocsr()) @ by_row(corpus.occurrences.section_counts())
    ).tocsr()
    shares.setdiag(0.0)
    shares.eliminate_zeros()
    return shares


def by_row(table: Table) -> Table:
    """The table with each row scaled to the sum 1; empty rows stay empty."""
    sums = np.asarray(table.sum(axis=1)).ravel()
    sums[sums == 0] = 1.0
    scaled: Table = (sparse.diags_array(1.0 / sums) @ table).tocsr()
    return scaled
