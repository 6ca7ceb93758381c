"""From signals to a probability that one concept must be understood before another.

Three questions are kept apart. *Before*: which of two concepts is the more basic one?
*Relevance*: which few concepts does one need to have at hand? *Need*: must the one be
understood before the other at all, however far away? All are plain weighted sums. The
weights are round numbers: on labelled textbooks equal ones do about as well as fitted ones,
and fitted ones move badly from one subject to another.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from graphrag.domain import Evidence, EvidenceKind, Status
from graphrag.prerequisites.generality import Scores

# Differences of ranks and hyperbolic tangents, from -1 to 1.
BEFORE: Mapping[str, float] = {
    "names": 1.5,
    "defines": 0.8,
    "named_by": 0.7,
    "introduced": 0.6,
    "length": 0.6,
    "topic_rank": 0.5,
    "held": 0.5,
    "documents": 0.4,
    "reference": 0.4,
    "defined": 1.0,
    "field": 2.0,
    "explicit": 4.0,
}
RELEVANCE: Mapping[str, float] = {
    "title_similarity": 1.0,
    "text_similarity": 0.7,
    "common_words": 0.3,
    "name_in_text": 0.2,
    "definition": 0.1,
    "named": 0.05,
    "share": 0.05,
}
NEED: Mapping[str, float] = {
    "names": 1.0,
    "named_by": 0.8,
    "defines": 0.8,
    "introduced": 0.8,
    "documents": 0.6,
    "length": 0.6,
    "central": 0.5,
    "defined": 0.8,
    "topic_rank": 0.3,
    "held": 0.3,
    "reference": 0.3,
    "short": 0.3,
    "field": 2.2,
    "title_similarity": 6.0,
    "common_words": 1.0,
    "named": 0.7,
    "definition": 0.5,
    "text_similarity": 0.5,
    "name_in_text": 0.2,
    "share": 0.15,
    "explicit": 4.0,
}
# The logit of the need: how steep, and where a pair is as likely as not, on the pairs of
# three labelled courses, each counted alike.
_SLOPE, _MIDDLE = 1.0, 6.5
_TOWARDS_BASIC = 0.02
STATED = 0.97
CERTAIN_TWICE, CERTAIN, CERTAIN_UNSEEN = 0.95, 0.97, 0.985
LIKELY, POSSIBLE = 0.5, 0.05
_SHOWS = 0.3
_SQUARELY: Mapping[EvidenceKind, float] = {
    "stated": 0.0,
    "section": 0.0,
    "front_matter": 0.0,
    "definition": 0.8,
    "title": 0.0,
    "cue": 0.5,
}


def before(features: Mapping[str, Scores]) -> Scores:
    """How far the prerequisite is the more basic of the two: above 0 where it is."""
    return _sum(features, BEFORE)


def relevance(features: Mapping[str, Scores]) -> Scores:
    """How much the concept has to do with the prerequisite, for choosing the few to list."""
    return _sum(features, RELEVANCE) + _TOWARDS_BASIC * np.tanh(before(features))


def probability(features: Mapping[str, Scores]) -> Scores:
    """The probability that the pair holds, at hand or far away, shape (pairs,)."""
    logit = _SLOPE * (_sum(features, NEED) - _MIDDLE)
    return 1.0 / (1.0 + np.exp(-logit))


def status_of(weight: float, evidence: Sequence[Evidence] = ()) -> Status:
    """What an edge is called in front of people.

    Certain is one of at least 0.95 that two kinds of evidence show (a definition, a name, a
    cue sentence), of at least 0.97 that one kind shows squarely or a list or a person states,
    or of at least 0.985; likely is one of at least 0.5.
    """
    shown = {each.kind for each in evidence if each.score >= _SHOWS}
    squarely = any(each.score >= _SQUARELY.get(each.kind, 2.0) for each in evidence)
    if weight >= CERTAIN_UNSEEN or (weight >= CERTAIN and squarely):
        return "certain"
    if weight >= CERTAIN_TWICE and len(shown & _SQUARELY.keys()) >= 2:
        return "certain"
    return "likely" if weight >= LIKELY else "possible"


def _sum(features: Mapping[str, Scores], weights: Mapping[str, float]) -> Scores:
    size = len(next(iter(features.values())))
    total = np.zeros(size)
    for name, weight in weights.items():
        total += weight * features[name]
    return total
