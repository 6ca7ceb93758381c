"""Which sentence of the passages denies what a question takes for granted."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass

from graphrag.answering.claims import Claim
from graphrag.answering.contrast import replaced
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
# "There is no audition": under the same headings, what is named does not exist at all.
_NONE_OF = re.compile(r"\bthere (?:is|are|was|were) no ([\w-]+)", re.IGNORECASE)
# How many words besides one that is replaced a sentence must hold, and what share of them it
# must speak of, its headings included.
_BESIDE, _REST = 2, 0.75
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
            if unit.kind in ("heading", "code"):
                continue
            held = frozenset(wanted & set(content_words(f"{unit.lead} {unit.text}")))
            if mistakes:
                if _is_near(wanted, held, headings) and _BELIEF.match(unit.text):
                    yield _Near(number, unit.text, held, True)
                continue
            swapped = replaced(statement.text, unit.text) & wanted
            rest = wanted - swapped
            if (
                swapped
                and len(held) >= _BESIDE
                and len(rest & (held | headings)) >= _REST * len(rest)
            ):
                # Only what holds the replaced word itself speaks for the statement.
                yield _Near(number, unit.text, held | swapped, True)
            elif _is_near(wanted, held, headings):
                turned = is_turned(statement.text, unit.text) or bool(_RULED_OUT.search(unit.text))
                denies = turned or _says_none(wanted, unit.text)
                yield _Near(number, unit.text, held, denies)
            elif _says_none(wanted, unit.text) and _speaks_of(wanted, held | headings):
                yield _Near(number, unit.text, held, True)


def _is_near(wanted: Set[str], held: Set[str], headings: Set[str]) -> bool:
    """Whether a sentence that holds some of the words wanted is of the same matter."""
    by_itself = len(held) >= _BY_ITSELF * len(wanted)
    return by_itself and _speaks_of(wanted, held | headings)


def _speaks_of(wanted: Set[str], known: Set[str]) -> bool:
    return len(wanted & known) >= _SAME_MATTER * len(wanted)


def _says_none(wanted: Set[str], said: str) -> bool:
    return any(wanted & set(content_words(name)) for name in _NONE_OF.findall(said))
