"""The order of a course: what is introduced first comes first, where documents are a sequence."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePosixPath

import numpy as np

from graphrag.domain import Document
from graphrag.prerequisites.corpus import Corpus
from graphrag.prerequisites.definitions import defined_terms
from graphrag.prerequisites.generality import Scores, ranks

_NUMBERED = re.compile(r"^(?:[a-z]+[-_ ]?)?\d{1,4}(?:[-_. ]|$)", re.IGNORECASE)
_ORDER_KEYS = ("order", "weight", "chapter", "lesson", "sequence", "part")
_SEQUENTIAL_SHARE = 0.6


def is_sequential(documents: Sequence[Document]) -> bool:
    """Whether the documents are meant to be read in order: most file names are numbered, most
    have an order in their front matter, or there is but one document with sections."""
    if not documents:
        return False
    numbered = sum(
        bool(_NUMBERED.match(PurePosixPath(d.id.split("#")[-1]).name))
        or any(key in d.metadata for key in _ORDER_KEYS)
        for d in documents
    )
    return len(documents) == 1 or numbered >= _SEQUENTIAL_SHARE * len(documents)


def introduction_ranks(corpus: Corpus) -> Scores:
    """Rank of each concept by where it is first named, the earliest near 1, the last near 0.

    All are equal where the documents are no sequence.
    """
    n = len(corpus.concepts)
    if not is_sequential(corpus.documents):
        return np.full(n, 0.5)
    first = np.full(n, float(len(corpus.mentions) + 1))
    for position in range(len(corpus.mentions) - 1, -1, -1):
        first[corpus.occurrences.concept[position]] = position
    return 1.0 - ranks(first)


def definition_ranks(corpus: Corpus) -> Scores:
    """As ``introduction_ranks``, by the first strong definition, where there is one."""
    n = len(corpus.concepts)
    if not is_sequential(corpus.documents):
        return np.full(n, 0.5)
    place = {document.id: i for i, document in enumerate(corpus.documents)}
    first = np.full(n, np.inf)
    for document, definition, concept, _, score in defined_terms(corpus):
        if score >= 0.5:
            position = place[document.id] + definition.term.start / (len(document.text) + 1)
            first[concept] = min(first[concept], position)
    known = np.isfinite(first)
    scores = np.full(n, 0.5)
    scores[known] = 1.0 - ranks(first[known])
    return scores
