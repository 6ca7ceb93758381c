"""Which upstream idea a wrong answer misuses.

The question that was missed says where the learner stood; the ideas it rests on are the
suspects. Four things speak against a suspect: where it stands below what was asked, that
its passages share rare words with the answer, that its sentences come closer to the answer
than those of others do, and that a search for the answer finds passages that speak of it.
What every page names is less suspect than what few do. Of suspects whose names share words
the likelier one speaks for the others, so that the first three are three ideas. A
cross-encoder had no further say that held on fresh cases, nor had lists of common mistakes,
nor a search among single sentences, so none is asked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import log

import numpy as np

from graphrag.concepts.names import key_tokens
from graphrag.domain import Concept, Implicated
from graphrag.prerequisites.order import PrerequisiteOrder
from graphrag.tutoring.sightings import Sightings
from graphrag.tutoring.signs import (
    Embed,
    Floats,
    Portrait,
    Texts,
    clauses,
    closeness,
    portray,
    shared_words,
    standard,
)
from graphrag.tutoring.suspects import WrongAnswer, suspects
from graphrag.wording.terms import content_words

__all__ = [
    "Searched",
    "Suspicion",
    "WrongAnswer",
    "apart",
    "asked_about",
    "diagnose",
    "suspected",
    "suspects",
    "unanswered",
]

_FILLERS = re.compile(
    r"(?:\W|\b(?:i|we|sorry|really|just|honestly|have|has|do|don'?t|can'?t|cannot|not|no|"
    r"know|idk|idea|clue|sure|unsure|skip(?:ped)?|pass|n/?a|none|blank|tell|say|remember|"
    r"answer|am|i'?m|the|a|it|this|that|help|me|please|forgot|forgotten|what|is|to|of)\b)*",
    re.IGNORECASE,
)
_MARK = re.compile(r"^(?:[-*•]|\d{1,3}[.)])\s+")
_GIVES_UP = re.compile(
    r"\b(?:know|idk|idea|clue|sure|unsure|skip|skipped|pass|n/?a|blank|say|tell|remember|forgot|"
    r"forgotten|answer|help)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Suspicion:
    """How much each sign counts; signs are standardised over the suspects first.

    By place: ``near`` (fewer steps below), ``sure`` (that it is a concept at all), ``rare``
    (few passages name it). By rare words that the answer adds: ``words``,
    ``defining_words``. By what a search finds: ``whole`` (for question and answer),
    ``alone`` (for the answer). By meaning, over the first ``shortlist`` suspects:
    ``naming`` (the closest of at most ``sentences`` that name it) and ``name``.

    The weights were fitted on a hundred wrong answers that are no part of any corpus here,
    over graphs drawn by hand and from documents, and rounded; fitted on four fifths of
    them they did as well on the last.
    """

    near: float = 0.75
    sure: float = 0.7
    rare: float = 0.35
    words: float = 0.5
    defining_words: float = 0.2
    whole: float = 0.25
    alone: float = 0.15
    naming: float = 0.5
    name: float = 0.25
    shortlist: int = 24
    sentences: int = 6


@dataclass(frozen=True, slots=True)
class Searched:
    """What a search finds: the ids of chunks, best first, for question and answer together
    (``whole``) and for the answer alone, with where the graph's concepts are named."""

    whole: Sequence[str] = ()
    alone: Sequence[str] = ()
    seen: Sightings = field(default_factory=Sightings)


DEFAULT_SUSPICION = Suspicion()
# How much of a suspect's share counts beside one whose name holds its name, or shares a word.
_HELD, _SHARING = 0.35, 0.75
# What more than this share of the passages names is no topic of a question.
_EVERYWHERE = 0.12


def unanswered(answer: str) -> bool:
    """Whether an answer says nothing: empty, only marks, or "I don't know"."""
    if not any(letter.isalnum() for letter in answer):
        return True
    return bool(_GIVES_UP.search(answer)) and bool(_FILLERS.fullmatch(answer))


def diagnose(
    wrong: WrongAnswer,
    order: PrerequisiteOrder,
    concepts: Mapping[str, Concept],
    texts: Texts,
    embed: Embed,
    *,
    searched: Searched | None = None,
    k: int = 5,
    suspicion: Suspicion = DEFAULT_SUSPICION,
) -> list[Implicated]:
    """At most ``k`` concepts that the answer misuses, the likeliest first.

    ``texts`` maps each concept that is ``suspected`` to the (chunk id, text) of some six
    passages that explain it, best first; ``embed`` gives unit vectors of shape (texts,
    dimension). Scores are shares of suspicion among the suspects; the quote is the
    suspect's sentence that comes closest to the answer. Empty for an answer that says
    nothing: unanswered is not wrong.
    """
    if unanswered(wrong.answer):
        return []
    searched = searched or Searched()
    place = suspected(wrong, order, concepts, searched)
    if not place:
        return []
    keys = sorted(place)
    found = [concepts[key] for key in keys]
    portraits = [portray(concept, texts.get(concept.id, ())) for concept in found]
    cheap = place_signs([place[key] for key in keys], found, searched.seen)
    cheap |= word_signs(wrong, portraits) | search_signs(keys, searched)
    total = _weighed(cheap, suspicion)
    listed = sorted(range(len(keys)), key=lambda i: (-total[i], keys[i]))[: suspicion.shortlist]
    sentences = [portraits[i].naming[: suspicion.sentences] for i in listed]
    meant, quotes = meaning_signs(wrong, sentences, [found[i].name for i in listed], embed)
    final = total[listed] + _weighed(meant, suspicion)
    shares = np.exp(final - final.max())
    shares /= shares.sum()
    likeliest = sorted(range(len(listed)), key=lambda j: (-final[j], keys[listed[j]]))
    names = [key_tokens(found[i].name) for i in listed]
    ranked = apart(likeliest, shares.tolist(), names, k=k)
    return [
        Implicated(
            found[listed[j]],
            round(float(shares[j]), 6),
            (_MARK.sub("", quotes[j]),) if quotes[j] else (),
        )
        for j in ranked
    ]


def apart(
    order: Sequence[int], shares: Sequence[float], names: Sequence[Sequence[str]], *, k: int
) -> list[int]:
    """The first ``k`` of ``order``, each chosen for its share, less where its name shares
    words with one chosen before: much less where the one name holds the other (``pivot``,
    ``pivot column``). Ties keep the order.

    Source: the idea of maximal marginal relevance, Carbonell and Goldstein, SIGIR 1998.
    """
    chosen: list[int] = []
    rest = list(order)
    while rest and len(chosen) < k:
        worth = {
            j: shares[j] * min((_novelty(names[j], names[i]) for i in chosen), default=1.0)
            for j in rest
        }
        best = max(rest, key=lambda j: worth[j])
        chosen.append(best)
        rest.remove(best)
    return chosen


def _novelty(name: Sequence[str], other: Sequence[str]) -> float:
    one, two = set(name), set(other)
    if one <= two or two <= one:
        return _HELD
    return _SHARING if one & two else 1.0


def asked_about(
    linked: Sequence[str], seen: Sightings, search: Callable[[], Sequence[str]]
) -> tuple[str, ...]:
    """The concepts that a question asks about: those ``linked`` in it; where it names none,
    or only such as many passages name, also what a ``search`` for it speaks of most."""
    most = _EVERYWHERE * len(seen.named)
    if any(seen.spread.get(key, 0) <= most for key in linked):
        return tuple(linked)
    votes = seen.votes(search())
    likeliest = sorted(votes, key=lambda key: (-votes[key], key))[:1]
    return tuple(dict.fromkeys([*linked, *likeliest]))


def suspected(
    wrong: WrongAnswer,
    order: PrerequisiteOrder,
    concepts: Mapping[str, Concept],
    searched: Searched,
) -> dict[str, int]:
    """The suspects by the graph (see ``suspects``), with their steps below what was asked;
    where the question names no concept, what a search for it speaks of, at one step."""
    place = {key: steps for key, steps in suspects(wrong, order).items() if key in concepts}
    if place:
        return place
    votes = searched.seen.votes(searched.whole)
    return {key: 1 for key in votes if key in concepts and key not in wrong.asked}


def place_signs(
    steps: Sequence[int], found: Sequence[Concept], seen: Sightings
) -> dict[str, Floats]:
    """Signs by the place of each suspect in graph and documents, each standardised."""
    return {
        "near": standard([-log(max(1, count)) for count in steps]),
        "sure": standard([concept.weight for concept in found]),
        "rare": standard([-log(1 + seen.spread.get(concept.id, 0)) for concept in found]),
    }


def search_signs(keys: Sequence[str], searched: Searched) -> dict[str, Floats]:
    """Signs by what the passages found speak of, each standardised."""
    signs = {}
    for name, ranking in (("whole", searched.whole), ("alone", searched.alone)):
        votes = searched.seen.votes(ranking)
        signs[name] = standard([votes.get(key, 0.0) for key in keys])
    return signs


def word_signs(wrong: WrongAnswer, portraits: Sequence[Portrait]) -> dict[str, Floats]:
    """Signs by the rare words that the answer adds to the question, each standardised."""
    asked = set(content_words(wrong.question))
    added = [word for word in content_words(wrong.answer) if word not in asked]
    bags = [portrait.words for portrait in portraits]
    defining = [portrait.defining_words for portrait in portraits]
    return {
        "words": standard(shared_words(added, bags, bags)),
        "defining_words": standard(shared_words(added, defining, bags)),
    }


def meaning_signs(
    wrong: WrongAnswer,
    sentences: Sequence[Sequence[str]],
    names: Sequence[str],
    embed: Embed,
) -> tuple[dict[str, Floats], list[str]]:
    """Signs by closeness in meaning, each standardised, and each suspect's best sentence."""
    said = embed([f"{wrong.question} {wrong.answer}"])
    naming, quotes = closeness(said, sentences, embed)
    name, _ = closeness(embed(clauses(wrong.answer)), [[each] for each in names], embed)
    return {"naming": standard(naming), "name": standard(name)}, quotes


def _weighed(signs: Mapping[str, Floats], suspicion: Suspicion) -> Floats:
    parts = [getattr(suspicion, name) * values for name, values in signs.items()]
    total: Floats = np.sum(parts, axis=0)
    return total
