"""Which upstream idea a wrong answer misuses.

The question that was missed says where the learner stood; the ideas it rests on are the
suspects. A suspect is the likelier the nearer it lies below what was asked, and the better
its passages meet what was said, in meaning and in words. What was asked itself, and what
builds on it, is never implicated.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import log

import numpy as np
from numpy.typing import NDArray

from graphrag.domain import Concept, Implicated
from graphrag.prerequisites.order import PrerequisiteOrder
from graphrag.sentences import split_sentences
from graphrag.wording.terms import content_words

Embed = Callable[[Sequence[str]], NDArray[np.float32]]
Texts = Mapping[str, Sequence[tuple[str, str]]]

_UNANSWERED = re.compile(
    r"(?:\W|\b(?:i|we|sorry|really|just|honestly|have|has|do|don'?t|dont|can'?t|cannot|not|no|"
    r"know|idk|idea|clue|sure|unsure|skip(?:ped)?|pass|n/?a|none|blank|tell|say|remember|"
    r"answer|am|i'?m|the|a|it|this|that|help|me|please|forgot|forgotten|what|is|to|of)\b)*",
    re.IGNORECASE,
)
_SAYS_NOTHING = re.compile(
    r"\b(?:know|idk|idea|clue|sure|unsure|skip|skipped|pass|n/?a|blank|say|tell|remember|forgot|"
    r"forgotten|answer|help)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class WrongAnswer:
    """A question, the answer given, and the ids of the concepts that each names."""

    question: str
    answer: str
    asked: tuple[str, ...] = ()
    named: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Suspicion:
    """How much each sign counts; signs are standardised over the suspects first.

    ``near``: steps below what was asked; ``meaning``: the likeness of question and answer
    to the suspect's best sentence; ``words``: rare words shared with its passages;
    ``named``: the answer names it. ``shortlist`` suspects are compared by meaning.
    """

    near: float = 1.0
    meaning: float = 1.0
    words: float = 0.3
    named: float = 0.5
    shortlist: int = 30
    sentences: int = 8


DEFAULT_SUSPICION = Suspicion()


def unanswered(answer: str) -> bool:
    """Whether an answer says nothing: empty, only marks, or "I don't know"."""
    if not any(letter.isalnum() for letter in answer):
        return True
    return bool(_SAYS_NOTHING.search(answer)) and bool(_UNANSWERED.fullmatch(answer))


def suspects(wrong: WrongAnswer, order: PrerequisiteOrder) -> dict[str, int]:
    """Concept id to the fewest steps below what was asked: all that it rests on, and what
    the answer names that neither was asked nor builds on it (one step further than all)."""
    targets = _targets(wrong.asked, order)
    steps = dict.fromkeys(targets, 0)
    waiting = list(targets)
    for concept_id in waiting:  # grows while it is walked
        for edge in order.edges(concept_id):
            if edge.prerequisite_id not in steps:
                steps[edge.prerequisite_id] = steps[concept_id] + 1
                waiting.append(edge.prerequisite_id)
    later = {above for target in targets for above in order.descendants(target)}
    farthest = max(steps.values(), default=0) + 1
    for concept_id in (*wrong.asked, *wrong.named):
        if concept_id not in later:
            steps.setdefault(concept_id, farthest)
    return {key: count for key, count in steps.items() if key not in targets}


def _targets(asked: Sequence[str], order: PrerequisiteOrder) -> list[str]:
    """Of the concepts asked about, those that no other of them rests on."""
    below = {key for concept_id in asked for key in order.ancestors(concept_id)}
    return [concept_id for concept_id in dict.fromkeys(asked) if concept_id not in below]


def diagnose(
    wrong: WrongAnswer,
    order: PrerequisiteOrder,
    concepts: Mapping[str, Concept],
    texts: Texts,
    embed: Embed,
    *,
    k: int = 5,
    suspicion: Suspicion = DEFAULT_SUSPICION,
) -> list[Implicated]:
    """At most ``k`` concepts that the answer misuses, the likeliest first.

    ``texts`` maps each of the ``suspects`` to (chunk id, text) of the passages that explain
    it, best first; ``embed`` gives unit vectors of shape (texts, dimension). Scores are
    shares of suspicion among the suspects. Quotes are the suspect's sentence that meets
    the answer best. Empty for an answer that says nothing: unanswered is not wrong.
    """
    if unanswered(wrong.answer):
        return []
    steps = {key: count for key, count in suspects(wrong, order).items() if key in concepts}
    if not steps:
        return []
    said = f"{wrong.question} {wrong.answer}"
    keys = sorted(steps)
    near = _standard([-float(steps[key]) for key in keys])
    words = _standard(_shared_words(said, [texts.get(key, ()) for key in keys]))
    named = _standard([float(key in wrong.named) for key in keys])
    total = suspicion.near * near + suspicion.words * words + suspicion.named * named
    listed = sorted(range(len(keys)), key=lambda i: (-total[i], keys[i]))[: suspicion.shortlist]
    best = _best_sentences(
        said, [_sentences(concepts[keys[i]], texts, suspicion.sentences) for i in listed], embed
    )
    meaning = _standard([likeness for likeness, _ in best])
    final = total[listed] + suspicion.meaning * meaning
    shares = np.exp(final - final.max())
    shares /= shares.sum()
    ranked = sorted(range(len(listed)), key=lambda j: (-final[j], keys[listed[j]]))
    return [
        Implicated(
            concepts[keys[listed[j]]],
            round(float(shares[j]), 6),
            (best[j][1],) if best[j][1] else (),
        )
        for j in ranked[:k]
    ]


def _standard(values: Sequence[float]) -> NDArray[np.float64]:
    array = np.asarray(values, dtype=np.float64)
    spread = float(array.std()) if array.size else 0.0
    return (array - array.mean()) / spread if spread > 1e-12 else np.zeros_like(array)


def _shared_words(said: str, passages: Sequence[Sequence[tuple[str, str]]]) -> list[float]:
    """The summed inverse frequencies of the said words that stand in each one's passages."""
    bags = [{word for _, text in group for word in content_words(text)} for group in passages]
    rarity = {
        word: log((1 + len(bags)) / (1 + sum(word in bag for bag in bags)))
        for word in sorted(set(content_words(said)))
    }
    return [sum(rarity[word] for word in rarity if word in bag) for bag in bags]


def _sentences(concept: Concept, texts: Texts, most: int) -> list[str]:
    """The sentences that name the concept, in the order of its passages, else the first."""
    every = [
        " ".join(text[span.start : span.stop].split())
        for _, text in texts.get(concept.id, ())
        for span in split_sentences(text)
    ]
    long_enough = [sentence for sentence in every if len(sentence.split()) > 3]
    names = [name.casefold() for name in (concept.name, *concept.aliases)]
    naming = [s for s in long_enough if any(name in s.casefold() for name in names)]
    return list(dict.fromkeys([*naming, *long_enough]))[:most]


def _best_sentences(
    said: str, groups: Sequence[Sequence[str]], embed: Embed
) -> list[tuple[float, str]]:
    """Each group's likest sentence to what was said, with its cosine; 0 for none."""
    flat = [sentence for group in groups for sentence in group]
    if not flat:
        return [(0.0, "") for _ in groups]
    vectors = embed([said, *flat])
    likeness = vectors[1:] @ vectors[0]
    best, start = [], 0
    for group in groups:
        mine = likeness[start : start + len(group)]
        place = int(mine.argmax()) if len(mine) else -1
        best.append((float(mine[place]), group[place]) if len(mine) else (0.0, ""))
        start += len(group)
    return best
