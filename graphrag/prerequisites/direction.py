"""Direction: which of two concepts is the more basic one, and so comes before the other?

A weighted sum of signals that change their sign with the direction of a pair. The weights are
round numbers, alike for signals of one kind.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from graphrag.domain import EvidenceKind
from graphrag.prerequisites.generality import Scores
from graphrag.prerequisites.lexical import Words
from graphrag.prerequisites.need import Numbers
from graphrag.prerequisites.occurrences import Table, at
from graphrag.prerequisites.similarity import Vectors, dots

LATENT_NAMES, NAMES = 1.0, 1.0
# Ranks and other columns of single concepts, high for what is basic.
BASIC: Mapping[str, float] = {
    "named_by": 1.0,
    "introduced": 1.0,
    "documents": 1.0,
    "topic_rank": 1.0,
    "held": 1.0,
    "short": 0.7,
    "field": 2.0,
}
TABLES: Mapping[EvidenceKind, float] = {"definition": 1.5, "cue": 3.0, "link": 1.5}
EXPLICIT = 6.0
# Features of pairs, averaged already where that helps; ``defined`` is a logit of its own.
DIRECT: Mapping[str, float] = {"defined": 1.0, "reference": 0.7, "length": 0.7}


@dataclass(frozen=True, slots=True)
class Direction:
    """The averaged rows and columns of n concepts.

    ``left`` and ``right`` are vectors, shape (n, dimension), whose inner products count, less
    those the other way round; so do the names held by the texts of ``words``. ``table`` has
    opposite entries for opposite pairs, shape (n, n); ``basic`` counts by its differences,
    shape (n,).
    """

    left: Vectors
    right: Vectors
    table: Table
    basic: Scores
    words: Words

    def of(self, concept: Numbers, other: Numbers, features: Mapping[str, Scores]) -> Scores:
        """The logit that the second of each pair comes before the first, shape (pairs,);
        ``features`` holds those of ``DIRECT`` for the same pairs."""
        total = self.basic[other] - self.basic[concept]
        total += dots(self.left, concept, self.right, other)
        total -= dots(self.left, other, self.right, concept)
        held = self.words.coverage(concept, other) - self.words.coverage(other, concept)
        total += NAMES * held
        total += at(self.table, concept, other)
        for name, weight in DIRECT.items():
            total += weight * features[name]
        return total


def averaged_direction(
    near: Table,
    latent: Vectors,
    latent_names: Vectors,
    tables: Mapping[EvidenceKind, Table],
    basic: Mapping[str, Scores],
    words: Words,
) -> Direction:
    """The rows and columns of direction, averaged over the neighbours in ``near``."""
    table = sum((weight * tables[kind] for kind, weight in TABLES.items()), 0.0 * near)
    table = table + EXPLICIT * tables["section"].maximum(tables["front_matter"])
    columns = sum((weight * basic[name] for name, weight in BASIC.items()), np.zeros(len(latent)))
    return Direction(
        left=np.asarray(LATENT_NAMES * (near @ latent), dtype=np.float32),
        right=np.asarray(near @ latent_names, dtype=np.float32),
        table=(near @ (table - table.T) @ near.T).tocsr(),
        basic=near @ columns,
        words=replace(words, names=(near @ words.names).tocsr()),
    )
