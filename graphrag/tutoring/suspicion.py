"""The signs against each suspect of a wrong answer, and how much each counts.

Five things speak against a suspect: how directly and surely what was asked rests on it, that its
passages share rare words with the answer, that its sentences come closer to the answer, and to
the reason that it gives, than those of others do, that a search for the answer finds passages
that speak of it, and that the sentences of these which a cross-encoder takes for the answer's own
speak of it, most of all those that it is the topic of. What every page names is less suspect than
what few do, and so is what the question itself names or was taken to ask about: the learner
missed that, and the idea lies below.

Of no further use on fresh cases were: a cross-encoder over each suspect's own sentences or names,
what the answer brings beyond the question, words that say the opposite, token by token
comparison, lists of common mistakes, needs averaged over several guesses of what was asked, and
what the sentences that answer the question alone speak of.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log

import numpy as np

from graphrag.concepts.names import key_tokens
from graphrag.domain import Concept
from graphrag.prerequisites.order import PrerequisiteOrder
from graphrag.tutoring.bearing import about, spoken_of
from graphrag.tutoring.sightings import Sightings
from graphrag.tutoring.signs import (
    Embed,
    Floats,
    Portrait,
    Texts,
    clauses,
    closeness,
    names_pattern,
    portray,
    reasons,
    shared_words,
    standard,
)
from graphrag.tutoring.suspects import Searched, WrongAnswer
from graphrag.wording.terms import content_words

# Where a chain of needs is as good as none; the strengths that the order gives begin above.
_NO_CHAIN = 0.02
_DEFINITIONS = 3


@dataclass(frozen=True, slots=True)
class Suspicion:
    """How much each sign counts; all but the first four are standardised over the suspects.

    By need: ``needed`` (the weight of a direct edge), ``rests`` (ln of the surest chain),
    ``defines`` (what was asked is defined by it). ``said`` is the share of the words of its
    name that the question says, 1 for what was asked, which is in its favour. By what it is:
    ``sure`` (that it is a concept at all), ``rare`` (few passages name it). By rare words that
    the answer adds: ``words``, ``defining_words``. By what a search finds: ``whole`` (for
    question and answer), ``alone`` (for the answer), ``bears`` (by what the sentences that bear
    on the answer name), ``about`` (by what they are about). By meaning, over the first
    ``shortlist`` suspects: ``naming`` (the closest of at most ``sentences`` that name it),
    ``reason`` (the same for the reason given) and ``name``.

    The weights are those of a conditional logit over the answers to algebra of
    ``tests/benchmarks/diagnosis_fitting.jsonl`` and over three short courses, with graphs
    from documents and from a syllabus, rounded; those of ``said``, ``bears`` and
    ``reason`` were chosen by hand over all courses, that of ``about`` over five of eleven.
    Fitted to all courses but one, the weights do worse on that one, also when they are drawn
    towards these.
    """

    needed: float = 1.3
    rests: float = 0.3
    defines: float = 0.55
    said: float = -2.0
    sure: float = 0.25
    rare: float = 0.4
    words: float = 0.2
    defining_words: float = 0.1
    whole: float = 0.1
    alone: float = 0.2
    bears: float = 0.4
    about: float = 0.25
    naming: float = 0.8
    reason: float = 0.3
    name: float = 0.15
    shortlist: int = 40
    sentences: int = 6


DEFAULT_SUSPICION = Suspicion()


def cheap_signs(
    wrong: WrongAnswer,
    found: Sequence[Concept],
    order: PrerequisiteOrder,
    concepts: Mapping[str, Concept],
    texts: Texts,
    searched: Searched,
) -> tuple[dict[str, Floats], list[Portrait]]:
    """All signs against the suspects ``found`` but those by meaning, and their portraits."""
    portraits = [portray(concept, texts.get(concept.id, ())) for concept in found]
    suspected = {concept.id for concept in found}
    aside = [concepts[key] for key in wrong.asked if key in concepts and key not in suspected]
    signs = need_signs(wrong, found, order, _definitions(wrong, concepts, texts))
    signs |= {"said": said_in(wrong, found)} | place_signs(found, searched.seen)
    signs |= word_signs(wrong, portraits) | search_signs(found, aside, searched)
    return signs, portraits


def place_signs(found: Sequence[Concept], seen: Sightings) -> dict[str, Floats]:
    """Signs by what each suspect is in the documents, each standardised."""
    return {
        "sure": standard([concept.weight for concept in found]),
        "rare": standard([-log(1 + seen.spread.get(concept.id, 0)) for concept in found]),
    }


def said_in(wrong: WrongAnswer, found: Sequence[Concept]) -> Floats:
    """For each suspect the share of the words of its name that the question says; 1 for what
    was asked about, also where that was guessed."""
    said = set(key_tokens(wrong.question))
    names = [key_tokens(concept.name) for concept in found]
    shares = [sum(word in said for word in name) / max(1, len(name)) for name in names]
    asked = [float(concept.id in wrong.asked) for concept in found]
    return np.maximum(shares, asked)


def need_signs(
    wrong: WrongAnswer,
    found: Sequence[Concept],
    order: PrerequisiteOrder,
    definitions: Sequence[str],
) -> dict[str, Floats]:
    """Signs by how what was asked rests on each suspect: the weight of a direct edge, ln of
    the surest chain's strength, and 1 where one of the ``definitions`` of what was asked
    names it, since a graph drawn from documents lacks some edges."""
    direct: dict[str, float] = {}
    chains: dict[str, float] = {}
    for key in wrong.asked:
        for edge in order.edges(key):
            direct[edge.prerequisite_id] = max(edge.weight, direct.get(edge.prerequisite_id, 0.0))
        for below, strength in order.strengths(key).items():
            chains[below] = max(strength, chains.get(below, 0.0))
    patterns = [names_pattern(concept) for concept in found]
    return {
        "needed": np.array([direct.get(each.id, 0.0) for each in found]),
        "rests": np.log([_NO_CHAIN + chains.get(each.id, 0.0) for each in found]),
        "defines": np.array(
            [float(any(pattern.search(each) for each in definitions)) for pattern in patterns]
        ),
    }


def search_signs(
    found: Sequence[Concept], aside: Sequence[Concept], searched: Searched
) -> dict[str, Floats]:
    """Signs by what the passages found, and the sentences of them that bear on the answer,
    speak of and are about, each standardised. A sentence about a concept ``aside``, one that
    was asked about and is no suspect, is about no suspect."""
    patterns = [names_pattern(concept) for concept in found]
    topics = [*patterns, *(names_pattern(concept) for concept in aside)]
    signs = {
        "bears": standard(spoken_of(searched.bearing, patterns)),
        "about": standard(about(searched.bearing, topics)[: len(found)]),
    }
    for name, ranking in (("whole", searched.whole), ("alone", searched.alone)):
        votes = searched.seen.votes(ranking)
        signs[name] = standard([votes.get(concept.id, 0.0) for concept in found])
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
    reason, _ = closeness(embed(reasons(wrong.answer)), sentences, embed)
    name, _ = closeness(embed(clauses(wrong.answer)), [[each] for each in names], embed)
    signs = {"naming": naming, "reason": reason, "name": name}
    return {sign: standard(values) for sign, values in signs.items()}, quotes


def _definitions(wrong: WrongAnswer, concepts: Mapping[str, Concept], texts: Texts) -> list[str]:
    """The first few sentences that open with the name of what was asked, of each."""
    found: list[str] = []
    for key in wrong.asked:
        if key in concepts:
            portrait = portray(concepts[key], texts.get(key, ()))
            found += portrait.naming[: min(_DEFINITIONS, portrait.definitions)]
    return found


def weighed(signs: Mapping[str, Floats], suspicion: Suspicion) -> Floats:
    """The signs' values, each times its weight, summed."""
    parts = [getattr(suspicion, name) * values for name, values in signs.items()]
    total: Floats = np.sum(parts, axis=0)
    return total
