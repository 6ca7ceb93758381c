"""What a question takes for granted: of all things, in numbers, or in so many words."""

from __future__ import annotations

import re
from collections.abc import Iterable

from graphrag.wording.alignment import align
from graphrag.wording.numbers import numbers
from graphrag.wording.terms import content_words

_VERB = r"(is|are|was|were|do|does|did|can|could|may|must|should|will|has|have)(n['’]t)?"
_WHY = re.compile(rf"^\W*why {_VERB} (.+?)\s*\?*\s*$", re.IGNORECASE | re.DOTALL)
# "How does the tool delete ...?" says that it does; "How do I delete ...?" says nothing.
_HOW = re.compile(
    r"^\W*how (is|are|was|were|do|does|did|can)(n['’]t)? (?!(?:i|we|you|one|people)\b)(.+?)"
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
# The same with any verb: enough where the documents deny it.
_GIVEN = re.compile(
    r"^\W*(?:since|because|given that|now that) ([^?,]+(?: [^?,]+){3,}), (?:how|wh\w+)\b",
    re.IGNORECASE,
)
# What is claimed of all, of none, of one kind alone: one does not speak for the other.
_CLAIMS = {
    "all": re.compile(r"\b(?:all|every|each|always|any)\b", re.IGNORECASE),
    "none": re.compile(r"\b(?:never|none)\b|^\W*no\b", re.IGNORECASE),
    "only": re.compile(r"\bonly\b", re.IGNORECASE),
}
# A path must be said to the letter.
_PATH = re.compile(r"(?<![\w/])(?:#!)?(?:/[\w+-]+(?:\.[\w+-]+)*){2,}")
_NOT = re.compile(r"\b(?:not|no|never|none|neither|nor|cannot)\b|n['’]t\b", re.IGNORECASE)
_BEHIND_VERB = re.compile(
    r"(?:be|not|never|always|only|also|often|\w{2,}ed|given|taken|written|chosen|known|made|done"
    r"|have|use|make|take|give|run|go|work|contain|depend|change|modify|remove|delete|start|stop"
    r"|write|read|begin|need)$",
    re.IGNORECASE,
)
_BARE = frozenset({"do", "does", "did"})
# The share of a plain statement's words that say it where they stand in one order.
_NEAR = 0.75


def premise(question: str) -> str:
    """The statement that a question rests on, where it wants checking.

    "Why is every matrix invertible?" claims something of all, "Why must it run at 5 bar?" a
    measure, "Why is it in /usr/lib?" a path, and "Since E7 means low oil, ..." says what it takes
    for granted. Empty for others.
    """
    given = _SINCE.match(question)
    if given is not None:
        return given.group(1).strip()
    match = _WHY.match(question)
    if match is None:
        return ""
    behind = match.group(3)
    claims = _claims(behind) or _measures(behind) or _PATH.search(behind)
    return _statement(match) if claims else ""


def taken_for_granted(question: str) -> str:
    """The statement behind any question why or how something is so, or since it is so; empty
    for others. That the documents word it otherwise is no reason to doubt it."""
    given = _GIVEN.match(question)
    match = _WHY.match(question) or _HOW.match(question)
    behind = given.group(1).strip() if given else _statement(match) if match else ""
    return premise(question) or behind


def _statement(match: re.Match[str]) -> str:
    """A question's verb put where a statement has it: before "be", an adverb, a participle or
    a common verb, or else before the last word."""
    verb, rest = match.group(1).lower(), match.group(3).split()
    denies = "not " if match.group(2) else ""
    if verb in _BARE or len(rest) < 2:
        return f"{denies}{' '.join(rest)}"
    behind = (i for i, word in enumerate(rest) if i and _BEHIND_VERB.match(word))
    place = next(behind, len(rest) - 1)
    return " ".join([*rest[:place], verb, f"{denies}{rest[place]}", *rest[place + 1 :]])


def is_said(statement: str, texts: Iterable[str]) -> bool:
    """Whether one of the texts says what the statement claims: in its words and of all where
    the statement does, with its measures and paths, or else nearly word by word."""
    paths = set(_PATH.findall(statement))
    wanted = set(content_words(_without_measures(statement)))
    claims, measures = _claims(statement), _measures(statement)
    for text in texts:
        if not (claims <= _claims(text) and paths <= set(_PATH.findall(text))):
            continue
        words = wanted & set(content_words(text))
        if measures or paths:
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
