"""Which sentence of the passages denies what a question takes for granted."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from graphrag.answering.claims import Claim
from graphrag.answering.polarity import is_turned
from graphrag.domain import Passage
from graphrag.wording.expects import is_aside
from graphrag.wording.terms import content_words
from graphrag.wording.units import units

# How much of a statement a sentence must speak of, its headings included, and by itself.
_SAME_MATTER = 0.6
_BY_ITSELF = 0.4
# "The zero vector is excluded", "such a system does not exist": what stands before is denied.
_RULED_OUT = re.compile(
    r"\b(?:is|are) (?:excluded|ruled out|impossible|forbidden|prohibited)\b"
    r"|\b(?:is|are) not (?:possible|allowed)\b"
    r"|\b(?:does not|do not|never|cannot) (?:exist|happen|occur)\b",
    re.IGNORECASE,
)
_MISTAKES = re.compile(r"\b(?:mistakes?|misconceptions?|pitfalls?|myths?)\b", re.IGNORECASE)
# An item of a list of mistakes that is a false belief, and no careless deed.
_BELIEF = re.compile(
    r"^[\W\d]*(?:believing|expecting|assuming|thinking|supposing|imagining|hoping|concluding)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Near:
    """A sentence of the same matter: which words of the statement it holds by itself, whether
    it denies the statement, and the number of its passage."""

    number: int
    text: str
    held: frozenset[str]
    denies: bool


def denial(statement: Claim, passages: Sequence[Passage]) -> tuple[int, str] | None:
    """The number of the passage, from 1, and its sentence that denies the statement; None where
    there is none, or another sentence holds all of the same words and does not deny it.

    Headings say of what a sentence speaks: "Locks aren't handed over", under "Change of shift".
    """
    if len(statement.content) < 2:
        return None
    near = list(_near(statement, passages))
    against = sorted((each for each in near if each.denies), key=lambda each: -len(each.held))
    for each in against:
        if not any(other.held >= each.held and not other.denies for other in near):
            return each.number, each.text
    return None


def _near(statement: Claim, passages: Sequence[Passage]) -> Iterator[_Near]:
    wanted = statement.content
    for number, passage in enumerate(passages, start=1):
        chunk = passage.chunk
        headings = set(content_words(" ".join((passage.title, *chunk.heading_path))))
        mistakes = any(_MISTAKES.search(heading) for heading in chunk.heading_path[-1:])
        if is_aside(chunk.heading_path) and not mistakes:
            continue
        for unit in units(chunk.text, kind=chunk.kind):
            held = wanted & set(content_words(f"{unit.lead} {unit.text}"))
            same_matter = len(wanted & (held | headings)) >= _SAME_MATTER * len(wanted)
            if unit.kind == "heading" or not same_matter or len(held) < _BY_ITSELF * len(wanted):
                continue
            if mistakes:
                if _BELIEF.match(unit.text):
                    yield _Near(number, unit.text, frozenset(held), True)
                continue
            turned = is_turned(statement.text, unit.text) or bool(_RULED_OUT.search(unit.text))
            yield _Near(number, unit.text, frozenset(held), turned)
