"""Which upstream idea a wrong answer misuses.

The question that was missed says where the learner stood; the ideas it rests on are the
suspects, and what a search for the answer speaks of. Five things speak against a suspect:
how directly and surely what was asked rests on it, that its passages share rare words with
the answer, that its sentences come closer to the answer, and to the reason that it gives,
than those of others do, that a search for the answer finds passages that speak of it, and
that the sentences of these which a cross-encoder takes for the answer's own speak of it, most
of all those that it is the topic of.
What every page names is less suspect than what few do, and so is what the question itself
names or was taken to ask about: the learner missed that, and the idea lies below. Of suspects whose names share words
the likelier one speaks for the others, so that the first three are three ideas. Of no
further use on fresh cases were: a cross-encoder over each suspect's own sentences or names,
what the answer brings beyond the question, words that say the opposite, token by token
comparison, lists of common mistakes, needs averaged over several guesses of what was asked,
and what the sentences that answer the question alone speak of.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log

import numpy as np

from graphrag.concepts.names import key_tokens
from graphrag.domain import Concept, Implicated
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
from graphrag.tutoring.suspects import Searched, WrongAnswer, suspected
from graphrag.wording.terms import content_words

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
    shortlist: int = 24
    sentences: int = 6


DEFAULT_SUSPICION = Suspicion()
# How much of a suspect's share counts beside one whose name holds its name, or shares a word.
_HELD, _SHARING = 0.35, 0.75
_DEFINITIONS = 3
# Where a chain of needs is as good as none; the strengths that the order gives begin above.
_NO_CHAIN = 0.02


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

    ``texts`` maps each concept that is ``suspected`` or asked about to the (chunk id, text)
    of some six passages that explain it, best first; ``embed`` gives unit vectors of shape (texts,
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
    cheap = need_signs(wrong, found, order, _definitions(wrong, concepts, texts))
    cheap |= {"said": said_in(wrong, found)} | place_signs(found, searched.seen)
    aside = [concepts[key] for key in wrong.asked if key in concepts and key not in place]
    cheap |= word_signs(wrong, portraits) | search_signs(found, aside, searched)
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


def _weighed(signs: Mapping[str, Floats], suspicion: Suspicion) -> Floats:
    parts = [getattr(suspicion, name) * values for name, values in signs.items()]
    total: Floats = np.sum(parts, axis=0)
    return total
