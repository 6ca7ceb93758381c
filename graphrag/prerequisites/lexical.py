"""Words in common: how far the text about one concept holds the words of another's name."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy import sparse

from graphrag.concepts.names import key_tokens
from graphrag.concepts.texts import Texts
from graphrag.prerequisites.corpus import Corpus
from graphrag.prerequisites.generality import Scores
from graphrag.prerequisites.occurrences import Table
from graphrag.prerequisites.structure import by_row
from graphrag.stems import stem

_FEWEST_ROWS, _ENTRIES = 64, 1 << 20  # that are spread out at once
_PICKED = 16  # entries that are multiplied in a row while one is picked out
_HELD = 0.7
_PRESENT = 0.5  # a mean section weight of this share of once counts as naming the word


@dataclass(frozen=True, slots=True)
class Words:
    """Term vectors of the text about each concept and of each name, shape (concepts, terms).

    ``texts`` has rows of length 1 (tf-idf; of the name where there is no text); ``present``
    says from 0 to 1 how far a text holds a term; ``names`` spreads 1 over the terms of a name
    by their idf.
    """

    texts: Table
    present: Table
    names: Table

    def coverage(self, a: np.ndarray, b: np.ndarray) -> Scores:
        """How far the texts of the first concepts hold the names of the second, 0 to 1."""
        return row_products(self.present, a, self.names, b)

    def of(self, numbers: np.ndarray) -> Words:
        """The rows of those concepts."""
        return Words(self.texts[numbers], self.present[numbers], self.names[numbers])

    def similarity(self, a: np.ndarray, b: np.ndarray) -> Scores:
        """The cosine of the texts."""
        return row_products(self.texts, a, self.texts, b)

    def holders(self) -> Scores:
        """For each concept, the number of concepts whose texts hold its name."""
        n = self.names.shape[0]
        counts = np.zeros(n)
        turned = self.names.T.tocsc()
        for begin in range(0, n, 256):
            covered = (self.present[begin : begin + 256] @ turned).tocoo()
            held = covered.data > _HELD
            counts += np.bincount(covered.col[held], minlength=n)
        return counts


def count_words(corpus: Corpus, weights: Table, texts: Texts) -> Words:
    """The words of a corpus by the sections that are about each concept."""
    sections = _section_terms(corpus, weights, texts)
    vocabulary: dict[str, int] = {}
    rows, columns, values = [], [], []
    for s, terms in sections.items():
        rows += [s] * len(terms)
        columns += [vocabulary.setdefault(term, len(vocabulary)) for term in terms]
        values += [_damped(count) for count in terms.values()]
    shape = (weights.shape[0], len(vocabulary))
    counts = sparse.csr_matrix((values, (rows, columns)), shape=shape)
    frequency = np.bincount(counts.indices, minlength=shape[1])
    idf = np.maximum(0.0, np.log((len(sections) + 1) / (frequency + 0.5)))
    mean: Table = (by_row(weights.T.tocsr()) @ counts).tocsr()
    present = mean.copy()
    present.data = np.minimum(1.0, present.data / _PRESENT)
    weighted: Table = (mean @ sparse.diags_array(idf)).tocsr()
    names = _names(corpus, vocabulary, idf)
    # Where there is no text, the name is all that is known.
    silent = (np.diff(weighted.indptr) == 0).astype(np.float64)
    texts_or_names: Table = (weighted + sparse.diags_array(silent) @ names).tocsr()
    return Words(_unit_rows(texts_or_names), present, names)


@lru_cache(maxsize=1 << 10)
def _damped(count: int) -> float:
    return float(1.0 + np.log(count))


def _section_terms(corpus: Corpus, weights: Table, texts: Texts) -> dict[int, Counter[str]]:
    found: dict[int, Counter[str]] = {}
    stems: dict[str, str] = {}  # stemming is slow, and a corpus has few different words
    for s in np.flatnonzero(np.diff(weights.indptr)).tolist():
        section = corpus.occurrences.sections[s]
        words = texts.words(corpus.documents[section.document])
        first = bisect_left(words, section.span.start, key=lambda word: word[0])
        last = bisect_left(words, section.span.stop, key=lambda word: word[0])
        terms = found[s] = Counter()
        for word, count in Counter([key for _, _, key in words[first:last]]).items():
            if len(word) > 2:
                if word not in stems:
                    stems[word] = stem(word)
                terms[stems[word]] += count
    return found


def _names(corpus: Corpus, vocabulary: dict[str, int], idf: Scores) -> Table:
    rows, columns, values = [], [], []
    for i, name in enumerate(corpus.usual_names):
        words = {stem(word) for word in key_tokens(name)}
        terms = sorted(vocabulary[word] for word in words if word in vocabulary)
        unseen = sum(len(word) > 2 and word not in vocabulary for word in words)
        total = float(sum(idf[term] for term in terms)) + unseen * float(idf.max(initial=1.0))
        for term in terms:
            rows.append(i)
            columns.append(term)
            values.append(idf[term] / total if total else 0.0)
    return sparse.csr_matrix(
        (values, (rows, columns)), shape=(len(corpus.concepts), len(vocabulary))
    )


def _unit_rows(table: Table) -> Table:
    norms = np.sqrt(np.asarray(table.multiply(table).sum(axis=1)).ravel())
    norms[norms == 0] = 1.0
    scaled: Table = (sparse.diags_array(1.0 / norms) @ table).tocsr()
    return scaled


def row_products(left: Table, a: np.ndarray, right: Table, b: np.ndarray) -> Scores:
    """Inner products of rows ``a`` of ``left`` with rows ``b`` of ``right``, shape (pairs,).

    A few rows of ``left`` at a time are spread out, so that the work goes by the entries of
    ``right`` alone: names have two or three. Where the pairs are a good part of all that there
    are, all are made: one that is picked takes the time of many that are not.
    """
    products = np.zeros(len(a))
    order = np.argsort(a, kind="stable")
    rows, starts = np.unique(a[order], return_index=True)
    stops = [*starts[1:].tolist(), len(order)]
    some = max(_FEWEST_ROWS, _ENTRIES // max(1, left.shape[1]))
    entries = int(np.diff(right.indptr)[b].sum())
    every = len(rows) * right.nnz <= _PICKED * entries
    for begin in range(0, len(rows), some):
        part = order[starts[begin] : stops[min(begin + some, len(rows)) - 1]]
        spread = left[rows[begin : begin + some]].toarray()
        row_of = np.searchsorted(rows, a[part]) - begin
        if every:
            products[part] = (right @ spread.T)[b[part], row_of]
            continue
        picked = right[b[part]]
        row_of = np.repeat(row_of, np.diff(picked.indptr))
        picked.data = picked.data * spread[row_of, picked.indices]
        products[part] = np.asarray(picked.sum(axis=1)).ravel()
    return products
