"""How near the closest excerpts are to a question in meaning, whatever the words."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from graphrag.wording.expects import quantity_given
from graphrag.wording.general import general
from graphrag.wording.terms import content_words, words

# How alike two words must be (cosine of their vectors) for one to stand for the other.
_STANDS_FOR = 0.75
# What an embedder on average finds, taken where there is none: the cosine of a question with
# its closest excerpts, and how far an absent word is from one that stands for it.
_USUAL_LIKENESS, _USUAL_DISTANCE = 0.65, 0.05

_SOUGHT = re.compile(r"\b(?:which|what) ([\w' -]+)", re.IGNORECASE)
_SOUGHT_WORDS = 3
_ENDS_SOUGHT = (
    "is are was were do does did can could may might must shall should will would has have had the "
    "a an to of in for on at with by from i you he we she they it one my our your this that these "
    "those if when how what which who not s about"
)


@dataclass(frozen=True, slots=True)
class Meaning:
    """What an embedder tells of texts: ``likeness`` the cosine of each text with a question,
    ``alike`` the highest cosine of each word with any of the others."""

    likeness: Callable[[str, Sequence[str]], Sequence[float]]
    alike: Callable[[Sequence[str], Sequence[str]], Sequence[float]]


def likeness(question: str, excerpts: Sequence[str], meaning: Meaning | None) -> float:
    """The mean cosine of the excerpts with the question."""
    if meaning is None or not excerpts:
        return _USUAL_LIKENESS
    found = meaning.likeness(question, excerpts)
    return float(sum(found)) / len(found)


def unmet(absent: Sequence[str], texts: Sequence[str], meaning: Meaning | None) -> float:
    """How far, in sum, the absent words of a question are from words of the texts that could
    stand for them: little where "cheapest" meets "smallest"."""
    asked = [part for word in absent for part in words(word)]
    if meaning is None:
        return _USUAL_DISTANCE * len(asked)
    said = [word for word in dict.fromkeys(words("\n".join(texts))) if content_words(word)]
    if not asked or not said:
        return 0.0
    return float(sum(max(0.0, _STANDS_FOR - cosine) for cosine in meaning.alike(asked, said)))


def sought_absent(question: str, texts: Sequence[str]) -> int:
    """How many words of what is asked for by "which" or "what" ("which password does ...")
    no text holds. A word of every subject ends it ("what becomes possible"), and a measure that
    is given need not be named: "45 Nm" is a torque, though the text does not call it so."""
    if quantity_given(question, texts):
        return 0
    held = set(content_words("\n".join(texts)))
    return sum(not terms & held for terms in map(set, _sought(question)))


def _sought(question: str) -> list[list[str]]:
    match = _SOUGHT.search(question)
    found: list[list[str]] = []
    for word in match.group(1).split()[:_SOUGHT_WORDS] if match else ():
        terms = content_words(word)
        if word.lower() in _ENDS_SOUGHT.split() or set(terms) <= general():
            break
        found.append(terms)
    return found
