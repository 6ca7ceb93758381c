"""Typed relations between concepts, each with the sentence that shows it."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from graphrag.domain import Document, Relation, RelationKind, Span
from graphrag.prerequisites.claims import says
from graphrag.prerequisites.corpus import Corpus
from graphrag.prerequisites.cues import cue_ends
from graphrag.sentences import bare, split_sentences

_LEAST_FIT = 0.34
_SYMMETRIC = frozenset({"contrasts"})
_LEAST_TOGETHER = 3
_LEAST_ASSOCIATION = 0.35
_MOST_ASSOCIATES = 5
_NO_PROSE = frozenset({"heading", "table", "code", "formula"})


def cue_relations(corpus: Corpus) -> list[Relation]:
    """One relation for each pair and kind of cue, with its most fitting sentence.

    The weight is the fit of that sentence, raised by a tenth of the way to 1 for every
    further one. Sentences that deny are left out, and those that say something else than
    they seem to (see ``claims``).
    """
    best: dict[tuple[int, RelationKind, int], tuple[float, int, Relation]] = {}
    for document, cue, subject, other, fit in cue_ends(corpus):
        if cue.negated or fit < _LEAST_FIT or not says(corpus, document, cue, (subject, other)):
            continue
        if cue.kind in _SYMMETRIC and subject > other:
            subject, other = other, subject
        known = best.get((subject, cue.kind, other))
        count = known[1] + 1 if known else 1
        if known is not None and known[0] >= fit:
            best[subject, cue.kind, other] = (known[0], count, known[2])
            continue
        relation = Relation(
            corpus.concepts[subject].id,
            cue.kind,
            corpus.concepts[other].id,
            fit,
            bare(document.text[cue.sentence.start : cue.sentence.stop]),
            document.id,
            corpus.chunk_at(document.id, cue.sentence.start),
        )
        best[subject, cue.kind, other] = (fit, count, relation)
    return [
        Relation(
            r.source_id,
            r.kind,
            r.target_id,
            round(1.0 - (1.0 - fit) * 0.9 ** (count - 1), 4),
            r.sentence,
            r.document_id,
            r.chunk_id,
        )
        for fit, count, r in best.values()
    ]


def association_relations(corpus: Corpus) -> list[Relation]:
    """Pairs that are named together in the same sections far more often than chance, and in
    one sentence at least: the first that names both.

    The weight is the normalised pointwise mutual information over sections. Each concept
    keeps its five strongest.

    Source: Bouma, GSCL 2009.
    """
    occurrences = corpus.occurrences
    present = occurrences.section_counts().astype(bool).astype(np.float64)
    # Sections that name very much (indexes, long lists) associate everything with everything.
    wide = np.asarray(present.sum(axis=1)).ravel() > 60
    present = present[~wide]
    total = present.shape[0]
    if total == 0:
        return []
    together = (present.T @ present).tocoo()
    counts = np.asarray(present.sum(axis=0)).ravel()
    upper = (together.row < together.col) & (together.data >= _LEAST_TOGETHER)
    a, b, n = together.row[upper], together.col[upper], together.data[upper]
    joint = n / total
    pmi = np.log(joint * total * total / (counts[a] * counts[b]))
    npmi = np.where(joint < 1.0, pmi / -np.log(np.minimum(joint, 1 - 1e-12)), 0.0)
    strong = npmi >= _LEAST_ASSOCIATION
    order = np.lexsort((b[strong], a[strong], -np.round(npmi[strong], 6)))
    kept: dict[int, int] = {}
    found: list[Relation] = []
    sentences = _Sentences(corpus)
    for i in order:
        first, second = int(a[strong][i]), int(b[strong][i])
        if min(kept.get(first, 0), kept.get(second, 0)) >= _MOST_ASSOCIATES:
            continue
        sentence, document_id, chunk_id = sentences.naming(first, second)
        if not sentence:
            continue
        kept[first] = kept.get(first, 0) + 1
        kept[second] = kept.get(second, 0) + 1
        found.append(
            Relation(
                corpus.concepts[first].id,
                "co_occurs",
                corpus.concepts[second].id,
                round(float(npmi[strong][i]), 4),
                sentence,
                document_id,
                chunk_id,
            )
        )
    return found


class _Sentences:
    """Finds the first sentence that names two concepts."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._places: dict[int, list[int]] = {}
        for position, concept in enumerate(corpus.occurrences.concept.tolist()):
            self._places.setdefault(concept, []).append(position)

    def naming(self, first: int, second: int) -> tuple[str, str, str]:
        """The sentence with its document and chunk; empty where none names both."""
        mentions = self._corpus.mentions
        places = sorted(
            [(p, 0) for p in self._places.get(first, ())]
            + [(p, 1) for p in self._places.get(second, ())]
        )
        for (p, side), (q, other) in pairwise(places):
            left, right = mentions[p], mentions[q]
            if side == other or left.chunk_id != right.chunk_id or right.start - left.stop > 300:
                continue
            if right.start < left.stop:
                continue
            document = self._corpus.documents[int(self._corpus.occurrences.document[p])]
            span = _sentence_of(document, left.start, right.stop)
            if span is not None:
                sentence = document.text[span.start : span.stop]
                return bare(sentence), document.id, left.chunk_id
        return "", "", ""


def _sentence_of(document: Document, start: int, stop: int) -> Span | None:
    """The sentence of the prose from ``start`` to ``stop`` or beyond; headings, tables and
    code have none."""
    for block in document.blocks:
        if block.kind not in _NO_PROSE and block.start <= start < block.stop:
            for span in split_sentences(document.text, block.start, block.stop):
                if span.start <= start and stop <= span.stop:
                    return span
    return None
