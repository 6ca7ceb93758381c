"""Which upstream idea a wrong answer misuses.

The question that was missed says where the learner stood; the ideas it rests on are the
suspects, and what a search for the answer speaks of. The signs against each, see
``tutoring.suspicion``, are weighed and summed. Of suspects whose names share words the likelier
one speaks for the others, so that the first three are three ideas.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from graphrag.concepts.names import key_tokens
from graphrag.domain import Concept, Implicated
from graphrag.prerequisites.order import PrerequisiteOrder
from graphrag.tutoring.signs import Embed, Floats, Texts
from graphrag.tutoring.suspects import Searched, WrongAnswer, suspected
from graphrag.tutoring.suspicion import (
    DEFAULT_SUSPICION,
    Suspicion,
    cheap_signs,
    meaning_signs,
    weighed,
)

_FILLERS = re.compile(
    r"(?:\W|\b(?:i|we|sorry|really|just|honestly|have|has|do|don'?t|can'?t|cannot|not|no|"
    r"know|idk|idea|clue|sure|unsure|skip(?:ped)?|pass|n/?a|none|blank|tell|say|remember|"
    r"answer|am|i'?m|the|a|it|this|that|help|me|please|forgot|forgotten|what|is|to|of)\b)*",
    re.IGNORECASE,
)
# The mark of a list, and the outer bars of a table's row.
_MARK = re.compile(r"^(?:[-*•]|\d{1,3}[.)])\s+|^\|\s*|\s*\|$")
_GIVES_UP = re.compile(
    r"\b(?:know|idk|idea|clue|sure|unsure|skip|skipped|pass|n/?a|blank|say|tell|remember|forgot|"
    r"forgotten|answer|help)\b",
    re.IGNORECASE,
)
# How much of a suspect's share counts beside one whose name holds its name, or shares a word.
_HELD, _SHARING = 0.35, 0.75


def unanswered(answer: str) -> bool:
    """Whether an answer says nothing: empty, only marks, or "I don't know"."""
    if not any(letter.isalnum() for letter in answer):
        return True
    return bool(_GIVES_UP.search(answer)) and bool(_FILLERS.fullmatch(answer))


@dataclass(frozen=True, slots=True)
class Accused:
    """The likeliest suspects of a wrong answer: for each sign its value for each of them, and
    of each the sentence that comes closest to the answer, "" for none."""

    concepts: tuple[Concept, ...] = ()
    signs: Mapping[str, Floats] = field(default_factory=dict)
    quotes: tuple[str, ...] = ()


def accused(
    wrong: WrongAnswer,
    order: PrerequisiteOrder,
    concepts: Mapping[str, Concept],
    texts: Texts,
    embed: Embed,
    *,
    searched: Searched | None = None,
    suspicion: Suspicion = DEFAULT_SUSPICION,
) -> Accused:
    """The first suspects by all signs but meaning, with all their signs.

    ``texts`` maps each concept that is ``suspected`` or asked about to the (chunk id, text)
    of some six passages that explain it, best first; ``embed`` gives unit vectors of shape (texts,
    dimension). None for an answer that says nothing: unanswered is not wrong.
    """
    if unanswered(wrong.answer):
        return Accused()
    searched = searched or Searched()
    found = [concepts[key] for key in sorted(suspected(wrong, order, concepts, searched))]
    if not found:
        return Accused()
    signs, portraits = cheap_signs(wrong, found, order, concepts, texts, searched)
    total = weighed(signs, suspicion)
    listed = sorted(range(len(found)), key=lambda i: (-total[i], i))[: suspicion.shortlist]
    sentences = [portraits[i].naming[: suspicion.sentences] for i in listed]
    meant, quotes = meaning_signs(wrong, sentences, [found[i].name for i in listed], embed)
    kept = {name: values[listed] for name, values in signs.items()}
    return Accused(tuple(found[i] for i in listed), kept | meant, tuple(quotes))


def ranked(
    found: Accused, *, k: int = 5, suspicion: Suspicion = DEFAULT_SUSPICION
) -> list[Implicated]:
    """At most ``k`` of the accused, the likeliest first and apart in name. Scores are shares
    of suspicion among the accused."""
    if not found.concepts:
        return []
    total = weighed(found.signs, suspicion)
    shares = np.exp(total - total.max())
    shares /= shares.sum()
    likeliest = sorted(range(len(total)), key=lambda j: (-total[j], found.concepts[j].id))
    names = [key_tokens(concept.name) for concept in found.concepts]
    return [
        Implicated(
            found.concepts[j],
            round(float(shares[j]), 6),
            (_MARK.sub("", found.quotes[j]),) if found.quotes[j] else (),
        )
        for j in apart(likeliest, shares.tolist(), names, k=k)
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
