"""Questions about one's learning in words that no pattern foresees.

With its concepts masked a question is compared in meaning with examples of such questions and
of others (``learning_examples``): the kind of the nearest ones is taken, if they are near and
clearly nearer than questions of another sort.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from itertools import accumulate, pairwise

import numpy as np
from numpy.typing import NDArray

from graphrag.answering.learning_examples import EXAMPLES, Intent
from graphrag.answering.route import (
    LONGEST_ROUTED,
    LinkedConcept,
    Manner,
    Routed,
    goal_first,
    ids_of,
    longest,
    qualifiers,
    told_known,
)
from graphrag.answering.talk import OF_TALK
from graphrag.wording.terms import content_words

Embed = Callable[[Sequence[str]], NDArray[np.float32]]
"""Gives the unit vectors of texts, of shape (texts, dimension)."""

_FIRST, _FURTHER = "this topic", "that topic"
# How near a kind is tells the mean cosine of so many of its examples, the nearest ones.
_EXAMPLES = 3
# In cosines of the default model: a question is of learning where such a kind is so near, and
# nearer by so much than other questions. Of the examples themselves, each left out in turn, 41 of
# 70 on learning are told so, and 1 of 57 others.
_NEAR, _NEARER = 0.75, 0.03
# Who asks for lessons speaks of a person or of learning.
_OF_A_PERSON = re.compile(
    r"\b(?:i|i'\w+|me|my|we|us|our|beginners?|newcomers?|novices?|starters?|students?|learners?|"
    r"learn\w*|stud(?:y|ies|ying)|understand\w*|teach|lessons?|chapters?|topics?|plan|drill|quiz|"
    r"test|exercises?|practi[cs]e|questions?|prepare)\b",
    re.IGNORECASE,
)


def in_free_words(question: str, linked: Sequence[LinkedConcept], embed: Embed) -> Routed | None:
    """The tutoring route of a question, given the concepts that were found in it; None for a
    question of another sort, or for one that lacks the concept that it would be about.

    What was found by its exact spelling puts all else aside.
    """
    if len(question) > LONGEST_ROUTED or not _OF_A_PERSON.search(question):
        return None
    concepts = longest([each for each in linked if each.exact] or linked)
    intent = _intent(_masked(question, concepts), embed)
    if intent == "other" or (intent != "next" and not concepts):
        return None
    before = tuple(word for word in qualifiers(question, concepts) if word not in _talk())
    if intent == "check":
        return Routed("lookup", ids_of(concepts), (), "check", before)
    if intent == "next":
        return Routed("next", (), ids_of(concepts), "" if concepts else "begin", before)
    known = told_known(question, concepts)
    goals = [each for each in concepts if each not in known] or concepts
    goal = goal_first(question, goals)[:1]
    manner: Manner = "ready" if intent == "ready" else ""
    return Routed("prerequisite", goal, ids_of(known), manner, before)


def subject(question: str) -> list[str]:
    """What a question on where to begin calls the subject: ``bookkeeping``; empty for none."""
    return [word for word in content_words(question) if word not in _talk()]


@cache
def _talk() -> frozenset[str]:
    """The words of talk about learning, which qualify no concept."""
    examples = (text for texts in EXAMPLES.values() for text in texts)
    return OF_TALK.union(content_words(" ".join(examples)))


def _intent(masked: str, embed: Embed) -> Intent:
    """The kind of the nearest examples, ``other`` where these are far or hardly nearer."""
    groups = list(EXAMPLES.items())
    vectors = embed([masked, *(text for _, texts in groups for text in texts)])
    cosines = vectors[1:] @ vectors[0]
    bounds = accumulate((len(texts) for _, texts in groups), initial=0)
    nearest = {
        intent: float(np.sort(cosines[start:stop])[-_EXAMPLES:].mean())
        for (intent, _), (start, stop) in zip(groups, pairwise(bounds), strict=True)
    }
    other = nearest.pop("other")
    best = max(nearest, key=lambda intent: nearest[intent])
    taken = nearest[best] >= max(_NEAR, other + _NEARER)
    return best if taken else "other"


def _masked(question: str, concepts: Sequence[LinkedConcept]) -> str:
    """The question with its concepts, given in its order, as one topic and another."""
    masked, end = "", 0
    for number, concept in enumerate(concepts):
        before = re.sub(r"\b(?:an?|the)\s+$", "", question[end : concept.start], flags=re.I)
        masked += before + (_FURTHER if number else _FIRST)
        end = concept.stop
    return masked + question[end:]
