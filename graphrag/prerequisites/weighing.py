"""From signals to a probability that one concept must be understood before another.

Two questions are kept apart. *Before*: is the prerequisite the more basic one? Generality and
order answer it. *Related*: do the two have to do with each other? Definitions, names, cue
sentences, shared sections and embeddings answer that. The logit is the plain sum of both.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from graphrag.domain import Status
from graphrag.prerequisites.generality import Scores

# Ranks and hyperbolic tangents run from -1 to 1. The weights are round numbers near what a
# logistic regression finds on labelled textbooks; equal ones do about as well.
BEFORE: Mapping[str, float] = {
    "documents": 1.0,
    "introduced": 1.0,
    "named_by": 1.0,
    "topic_rank": 1.0,
    "reference": 0.5,
    "length": 0.7,
}
RELATED: Mapping[str, float] = {
    "title_similarity": 4.0,
    "title_text": 1.0,
    "smoothed": 0.1,
    "definition": 0.7,
    "title": 1.0,
    "cue": 0.3,
}
OFFSET = -4.6
STATED = 0.97
CERTAIN, LIKELY, POSSIBLE = 0.85, 0.5, 0.15


def before(features: Mapping[str, Scores]) -> Scores:
    """How far the prerequisite is the more basic of the two: above 0 where it is."""
    return _sum(features, BEFORE)


def related(features: Mapping[str, Scores]) -> Scores:
    """How much the two have to do with each other, whatever their order."""
    return _sum(features, RELATED)


def probability(features: Mapping[str, Scores]) -> Scores:
    """The probability of each pair, shape (pairs,), from everything but stated lists."""
    logit = before(features) + related(features) + OFFSET
    return 1.0 / (1.0 + np.exp(-logit))


def status_of(weight: float) -> Status:
    """What a weight is called in front of people."""
    if weight >= CERTAIN:
        return "certain"
    return "likely" if weight >= LIKELY else "possible"


def _sum(features: Mapping[str, Scores], weights: Mapping[str, float]) -> Scores:
    size = len(next(iter(features.values())))
    total = np.zeros(size)
    for name, weight in weights.items():
        total += weight * features[name]
    return total
