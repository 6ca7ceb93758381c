"""Need: must what is more basic be understood first at all, or is it just far more basic?

The signals of need are averaged over neighbours (see ``neighbours``), and weigh a good deal more
than the concept's own: what must be understood first is alike for all that speak of the same.

How large the sums are depends on how long and how alike the texts of a corpus are. So they are
told in standard deviations from their mean over pairs drawn from the corpus; where there are
few pairs, that leans on the mean and deviation that courses have.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from graphrag.domain import EvidenceKind
from graphrag.prerequisites.generality import Scores
from graphrag.prerequisites.lexical import Words
from graphrag.prerequisites.occurrences import Table, at
from graphrag.prerequisites.similarity import Vectors, dots

Numbers = NDArray[np.int64]

TITLES, LATENT, LATENT_NAME, NAME_IN_TEXT = 3.5, 1.2, 1.6, 0.8
NAMED = 1.8
TABLES: Mapping[EvidenceKind, float] = {
    "definition": 1.2,
    "cue": 2.0,
    "link": 1.0,
    "section": 4.0,
    "front_matter": 4.0,
}
BASIC, FIELD = 0.25, 1.8  # of each rank of generality; of the name of a field
# Features of pairs, averaged already.
DIRECT: Mapping[str, float] = {"smoothed": 0.15, "length": 0.4}

_DRAWN = 5_000
_USUAL_MEAN, _USUAL_DEVIATION, _USUAL_PAIRS = 2.6, 1.07, 5_000


@dataclass(frozen=True, slots=True)
class Need:
    """The averaged rows and columns of n concepts.

    ``left`` and ``right`` are vectors, shape (n, dimension), whose inner products count;
    ``table`` counts as it is, shape (n, n), ``basic`` by its differences, shape (n,); ``words``
    holds the texts and the averaged names. ``mean`` and ``deviation`` are those of the sums.
    """

    left: Vectors
    right: Vectors
    table: Table
    basic: Scores
    words: Words
    mean: float = _USUAL_MEAN
    deviation: float = _USUAL_DEVIATION

    def of(self, concept: Numbers, other: Numbers, features: Mapping[str, Scores]) -> Scores:
        """How far pairs lie above the mean of the corpus, in deviations, shape (pairs,);
        ``features`` holds those of ``DIRECT`` for the same pairs."""
        total = dots(self.left, concept, self.right, other)
        total += self.basic[other] - self.basic[concept]
        total += NAME_IN_TEXT * self.words.coverage(concept, other)
        total += at(self.table, concept, other)
        for name, weight in DIRECT.items():
            total += weight * features[name]
        return (total - self.mean) / self.deviation

    def scaled(self, drawn: Scores) -> Need:
        """With the mean and deviation of what ``of`` gave for pairs drawn from the corpus."""
        sums = drawn * self.deviation + self.mean
        total = len(sums) + _USUAL_PAIRS
        mean = (float(sums.sum()) + _USUAL_PAIRS * _USUAL_MEAN) / total
        squares = float(((sums - mean) ** 2).sum()) + _USUAL_PAIRS * _USUAL_DEVIATION**2
        return replace(self, mean=round(mean, 6), deviation=round((squares / total) ** 0.5, 6))


def drawn_pairs(n: int) -> tuple[Numbers, Numbers]:
    """Numbers of different concepts of n, some 5,000 pairs, drawn alike every time."""
    most = min(_DRAWN, n * (n - 1))
    first, second = np.random.default_rng(0).integers(0, max(n, 1), (2, most))
    different = first != second
    return first[different], second[different]


def averaged_need(
    near: Table,
    titles: Vectors,
    latent: Vectors,
    latent_names: Vectors,
    tables: Mapping[EvidenceKind, Table],
    basic: Scores,
    words: Words,
) -> Need:
    """The rows and columns of need, averaged over the neighbours in ``near``."""
    near_titles, near_latent = near @ titles, near @ latent
    columns = LATENT * near_latent + LATENT_NAME * (near @ latent_names)
    named = (tables["title"] > 0).astype(np.float64)
    table = sum((weight * tables[kind] for kind, weight in TABLES.items()), NAMED * named)
    return Need(
        left=np.hstack([near_titles, near_latent]).astype(np.float32),
        right=np.hstack([TITLES * near_titles, columns]).astype(np.float32),
        table=(near @ table @ near.T).tocsr(),
        basic=near @ basic,
        words=replace(words, names=(near @ words.names).tocsr()),
    )
