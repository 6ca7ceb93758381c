"""What a question takes for granted: of all things, in numbers, or in so many words."""

from __future__ import annotations

import re
from collections.abc import Iterable

from graphrag.wording.alignment import align
from graphrag.wording.numbers import numbers
from graphrag.wording.terms import content_words

_WHY = re.compile(
    r"^\W*why (is|are|was|were|do|does|did|can|could|may|must|should|will|has|have) (.+?)"
    r"\s*\?*\s*$",
    re.IGNORECASE | re.DOTALL,
)
# "Since every matrix is invertible, how ...": a point of time ("since 2020") has no verb.
_SINCE = re.compile(
    r"^\W*(?:since|because|given that|now that) ([^?]*?\b(?:is|are|was|were|has|have|can|may|must"
    r"|means?|equals?|needs?|requires?|does|do)\b[^?]*?), (?:how|wh\w+|can|do|does|is|are|may|must"
    r"|should)\b",
    re.IGNORECASE,
)
# What is claimed of all, of none, of one kind alone: one does not speak for the other.
_CLAIMS = {
    "all": re.compile(r"\b(?:all|every|each|always|any)\b", re.IGNORECASE),
    "none": re.compile(r"\b(?:never|none)\b|^\W*no\b", re.IGNORECASE),
    "only": re.compile(r"\bonly\b", re.IGNORECASE),
}
_NOT = re.compile(r"\b(?:not|no|never|none|neither|nor|cannot)\b|n['’]t\b", re.IGNORECASE)
_BARE = frozenset({"do", "does", "did"})
# The share of a plain statement's words that say it where they stand in one order.
_NEAR = 0.75


def premise(question: str) -> str:
    """The statement that a question rests on, where it wants checking.

    "Why is every matrix invertible?" claims something of all, "Why must it run at 5 bar?" a
    measure, and "Since E7 means low oil, ..." says what it takes for granted. Empty for others.
    """
    given = _SINCE.match(question)
    if given is not None:
        return given.group(1).strip()
    match = _WHY.match(question)
    if match is None:
        return ""
    statement = match.group(2)
    if not _claims(statement) and not _measures(statement):
        return ""
    verb, rest = match.group(1).lower(), statement.split()
    if verb in _BARE or len(rest) < 2:
        return " ".join(rest)
    place = next((i for i, word in enumerate(rest) if word == "be"), len(rest) - 1)
    return " ".join([*rest[:place], verb, *rest[place:]])


def is_said(statement: str, texts: Iterable[str]) -> bool:
    """Whether one of the texts says what the statement claims: in its words and of all where
    the statement does, with its measures, or else nearly word by word."""
    wanted = set(content_words(_without_measures(statement)))
    claims, measures = _claims(statement), _measures(statement)
    for text in texts:
        if not claims <= _claims(text):
            continue
        words = wanted & set(content_words(text))
        if measures:
            said = measures <= _measures(text) and 2 * len(words) >= len(wanted)
        elif claims:
            said = words == wanted
        else:
            alike = bool(_NOT.search(statement)) == bool(_NOT.search(text))
            said = alike and align(statement, text).share >= _NEAR
        if said:
            return True
    return False


def _claims(text: str) -> set[str]:
    return {kind for kind, words in _CLAIMS.items() if words.search(text)}


def _without_measures(text: str) -> str:
    for each in reversed(numbers(text)):
        text = text[: each.start] + text[each.stop :] if each.unit else text
    return text


def _measures(text: str) -> set[tuple[str, str]]:
    return {(each.value, each.unit) for each in numbers(text, spelled=True) if each.unit}
