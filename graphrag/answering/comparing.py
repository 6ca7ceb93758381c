"""The two things that a question compares or relates, and which of them the documents know."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from graphrag.wording.general import general
from graphrag.wording.terms import content_words

_KIND = (
    r"(?:differences?|distinction|similarit(?:y|ies)|comparison|contrast|relation(?:ship)?s?"
    r"|connections?|links?)"
)
_PARTIES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b{_KIND} (?:between|of) (?P<one>[^?,;]+?) (?:and|to|from) (?P<other>[^?,;]+)",
        r"\bhow (?:do|does|did) (?P<one>[^?,;]+?) (?:differ|compare|relate) (?:from|to|with) "
        r"(?P<other>[^?,;]+)",
        r"\bhow (?:do|does|did) (?P<one>[^?,;]+?) and (?P<other>[^?,;]+?) "
        r"(?:differ|compare|relate)\b",
        r"\bhow (?:is|are) (?P<one>[^?,;]+?) (?:different|related|connected) (?:from|to|with) "
        r"(?P<other>[^?,;]+)",
        r"\bhow (?:is|are) (?P<one>[^?,;]+?) and (?P<other>[^?,;]+?) "
        r"(?:different|related|connected)\b",
        r"\bwhat (?:distinguishes|separates) (?P<one>[^?,;]+?) from (?P<other>[^?,;]+)",
        r"^\W*(?:compare|contrast|distinguish|relate) (?P<one>[^?,;]+?) "
        r"(?:and|with|to|from) (?P<other>[^?,;]+)",
        r"^\W*(?P<one>[^?,;]+?) (?:vs\.?|versus|compared (?:to|with)) (?P<other>[^?,;]+)",
    )
)
_DETERMINER = re.compile(r"^(?:an?|the|our|my|your|its|their)\s+", re.IGNORECASE)
_LONGEST = 300
_WORDS = 5


@dataclass(frozen=True, slots=True)
class Compared:
    """Of two things that a question relates the one that the documents know, and the other,
    with the articles that the question gives them."""

    known: str
    unknown: str

    @property
    def lead(self) -> str:
        """What the answer to such a question must begin with."""
        return (
            f"No document mentions “{_name(self.unknown)}”, so the two cannot be compared. "
            f"Of “{_name(self.known)}” the documents say:"
        )

    @property
    def asks(self) -> str:
        """The question that is left."""
        name = self.known
        plural = name == _name(name) and name.endswith("s") and not name.endswith("ss")
        return f"What {'are' if plural else 'is'} {name}?"


def parties(question: str) -> tuple[str, str] | None:
    """The two things that a question compares or relates; None for other questions, and where
    they are no names of a few words."""
    if len(question) > _LONGEST:
        return None
    for pattern in _PARTIES:
        match = pattern.search(question)
        if match is not None:
            one, other = (_bare(match[group]) for group in ("one", "other"))
            short = all(0 < len(name.split()) <= _WORDS for name in (one, other))
            return (one, other) if short and one.lower() != other.lower() else None
    return None


def half_known(question: str, occurs: Callable[[str], bool]) -> Compared | None:
    """The known and the unknown of two compared things, where the documents know one alone.

    Unknown is what has a word of its own that occurs nowhere in them (``occurs`` takes a term
    of ``tokens.tokenize``); of the other every word must occur.
    """
    named = parties(question)
    if named is None:
        return None
    foreign = [_is_foreign(name, occurs) for name in named]
    if foreign == [False, True]:
        return Compared(named[0], named[1])
    return Compared(named[1], named[0]) if foreign == [True, False] else None


def _is_foreign(name: str, occurs: Callable[[str], bool]) -> bool:
    return any(word not in general() and not occurs(word) for word in content_words(name))


def _bare(words: str) -> str:
    return words.strip(" \t\n\"'“”‘’.!")


def _name(words: str) -> str:
    return _bare(_DETERMINER.sub("", words))
