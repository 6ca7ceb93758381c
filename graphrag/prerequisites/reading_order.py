"""The order of a course: what is introduced first comes first, where documents are a sequence."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from pathlib import PurePosixPath

import numpy as np
from numpy.typing import NDArray

from graphrag.domain import Document
from graphrag.prerequisites.corpus import Corpus
from graphrag.prerequisites.definitions import defined_terms
from graphrag.prerequisites.generality import Scores, ranks
from graphrag.prerequisites.occurrences import Table

_NUMBERED = re.compile(r"^(?:[a-z]+[-_ ]?)?\d{1,4}(?:[-_. ]|$)", re.IGNORECASE)
_ORDER_KEYS = ("order", "weight", "chapter", "lesson", "sequence", "part")
_SEQUENTIAL_SHARE = 0.6
_DEFINES = 0.5  # strength from which a definition counts
_MOST_TRUST = 4.0
_STEEP = 8.0  # per document

Numbers = NDArray[np.int64]


def is_sequential(documents: Sequence[Document]) -> bool:
    """Whether the documents are meant to be read in order: most file names are numbered, most
    have an order in their front matter, or there is but one document with sections."""
    if not documents:
        return False
    numbered = sum(
        _is_numbered(d.id) or any(key in d.metadata for key in _ORDER_KEYS) for d in documents
    )
    return len(documents) == 1 or numbered >= _SEQUENTIAL_SHARE * len(documents)


@lru_cache(maxsize=1 << 14)
def _is_numbered(document_id: str) -> bool:
    name = PurePosixPath(document_id.rsplit("#", maxsplit=1)[-1]).name
    return _NUMBERED.match(name) is not None


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


def definition_places(corpus: Corpus) -> Scores:
    """Where each concept is first defined, in documents from the first (0.0 to 1.0), not a
    number where it is not, or where the documents are no sequence."""
    first = np.full(len(corpus.concepts), np.inf)
    if is_sequential(corpus.documents):
        place = {document.id: i for i, document in enumerate(corpus.documents)}
        for document, definition, concept, _, score in defined_terms(corpus):
            if score >= _DEFINES:
                position = place[document.id] + definition.term.start / (len(document.text) + 1)
                first[concept] = min(first[concept], position)
    first[np.isinf(first)] = np.nan
    return first


def order_trust(places: Scores, needs: Table) -> float:
    """How far a corpus keeps to its own order, as a logit from 0 to 4.

    ``needs`` are pairs (concept, prerequisite) that its definitions and lists give. Where
    the prerequisite was as a rule defined earlier, order tells much about other pairs too;
    in a reference work, where it was not, it tells nothing.
    """
    entries = needs.tocoo()
    gaps = places[entries.row] - places[entries.col]
    kept, broken = int(np.sum(gaps > 0)), int(np.sum(gaps < 0))
    return float(np.clip(np.log((kept + 1) / (broken + 1)), 0.0, _MOST_TRUST))


def defined_before(places: Scores, trust: float, a: Numbers, b: Numbers) -> Scores:
    """For pairs, how far the second is defined before the first: from -trust to trust."""
    gaps = np.nan_to_num(places[a] - places[b])
    before: Scores = trust * np.tanh(_STEEP * gaps)
    return before
