"""From signals to a probability that one concept must be understood before another.

Three questions are kept apart. *Before*: which of two concepts is the more basic one?
*Relevance*: which few concepts does one need to have at hand? *Need*: if the one is the more
basic, must it be understood before the other at all, however far away? A pair holds if it
passes both the first and the last, so what is far more basic is not needed for that alone.
All are plain weighted sums (that of *before* in ``direction``, that of *need* in ``need``). The
weights are round numbers, alike for signals of one kind: on labelled courses scaling whole
groups of them up or down gains less than half a point of F1, and weights fitted to one subject
move badly to another.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from graphrag.domain import Evidence, EvidenceKind, Status
from graphrag.prerequisites.generality import Scores
from graphrag.prerequisites.listable import LISTED

RELEVANCE: Mapping[str, float] = {
    "text_similarity": 1.0,
    "common_words": 0.6,
    "title_similarity": 0.5,
    "latent": 0.4,
    "name_in_text": 0.25,
    "definition": 0.1,
    "named": 0.05,
    "share": 0.05,
}
# Where a pair whose direction is settled is as likely as not to be one.
_MIDDLE, _STEEP = 0.7, 0.9
# The slope of the logit by which 0.8 is right in four of five labelled edges, each course
# counting alike.
_SLOPE = 1.35
_SURE = 20.0  # a logit that is as good as infinite
_TOWARDS_BASIC, _TOWARDS_NEEDED = 0.07, 0.03
STATED = 0.97
CERTAIN, CERTAIN_UNSEEN = 0.875, 0.975
LIKELY, POSSIBLE = 0.5, 0.05
# From which weight an edge is in force that has neither a sentence nor a name to show: of those
# below, less than half are right in labelled courses, and a fifth in a manual.
UNSHOWN = 0.65
# In standard deviations of pairs drawn from the corpus: how far above their mean the need of an
# edge in force must lie, with a sentence or a name to show and without. What is only far more
# basic (*line*, *file*, *function* in a manual) has a high weight and little need.
NEEDED_SHOWN, NEEDED = 1.0, 2.5
# From which logit the direction of an edge is good enough to list it, and to call it certain.
LISTABLE, SETTLED = 0.5, 2.0
_HALF_THE_NAME = 0.5
_SHOWN_BESIDE_THE_NAME: Mapping[EvidenceKind, float] = {"definition": 0.5, "cue": 0.3}
_GLOSSARY = 1.0
_NOT_NAMED_BACK = 0.2


def relevance(features: Mapping[str, Scores]) -> Scores:
    """How much the concept has to do with the prerequisite, for choosing the few to list."""
    near = _sum(features, RELEVANCE) + _TOWARDS_BASIC * np.tanh(features["before"])
    listed: Scores = near + _TOWARDS_NEEDED * features["need"]
    return listed


def probability(features: Mapping[str, Scores]) -> Scores:
    """The probability that the pair holds, at hand or far away, shape (pairs,)."""
    needed = _odds(_STEEP * (features["need"] - _MIDDLE))
    both = _odds(features["before"]) * needed
    return _odds(_SLOPE * np.log(both / (1.0 - both)))


def _odds(logit: Scores) -> Scores:
    even: Scores = 1.0 / (1.0 + np.exp(-np.clip(logit, -_SURE, _SURE)))
    return even


def status_of(
    weight: float,
    evidence: Sequence[Evidence] = (),
    *,
    direction: float = 0.0,
    named_back: float = 1.0,
    explained: bool = True,
) -> Status:
    """What an edge is called in front of people, by the kinds of evidence that it has.

    ``direction`` is the logit that the prerequisite is the more basic of the two;
    ``named_back`` says from 0 to 1 how far the text about it names the concept in turn;
    ``explained`` whether somebody says what the prerequisite is.

    Certain is what a person or a list of prerequisites states; else, with a weight of at
    least 0.875, a name that is half of the concept's name or more, its direction settled; a
    prerequisite that a glossary entry names and whose own text does not name the concept;
    and with any likely weight a name that is part of the concept's, shown by a definition or a
    cue sentence too. A weight of 0.975 needs no such evidence. A name that nobody explains is an
    everyday word as likely as not (*data type* and *data*), and being contained makes nothing
    certain. Likely is a weight of at least 0.5.
    """
    scores: dict[EvidenceKind, float] = {}
    for each in evidence:
        scores[each.kind] = max(each.score, scores.get(each.kind, 0.0))
    named = scores.get("title", 0.0) if explained else 0.0
    beside = any(scores.get(k, 0.0) >= least for k, least in _SHOWN_BESIDE_THE_NAME.items())
    in_glossary = scores.get("definition", 0.0) >= _GLOSSARY and named_back < _NOT_NAMED_BACK
    in_name = named >= _HALF_THE_NAME and direction >= SETTLED
    if (
        weight >= CERTAIN_UNSEEN
        or (weight >= STATED and any(kind in scores for kind in LISTED))
        or (weight >= CERTAIN and (in_glossary or in_name))
        or (weight >= LIKELY and named > 0.0 and beside)
    ):
        return "certain"
    return "likely" if weight >= LIKELY else "possible"


def _sum(features: Mapping[str, Scores], weights: Mapping[str, float]) -> Scores:
    size = len(next(iter(features.values())))
    total = np.zeros(size)
    for name, weight in weights.items():
        total += weight * features[name]
    return total
