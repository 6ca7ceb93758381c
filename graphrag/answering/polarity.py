"""What a text denies: which of its words stand under a negation, and whether another text
affirms them."""

from __future__ import annotations

import re
from functools import lru_cache

from graphrag.answering.opposites import are_opposite
from graphrag.wording.alignment import plain_phrases
from graphrag.wording.terms import content_words, words

_NEGATION = re.compile(
    r"\b(?:not|no|never|none|nothing|nobody|neither|nor|cannot|without|hardly|unless|isn't|aren't|"
    r"wasn't|weren't|don't|doesn't|didn't|won't|wouldn't|can't|couldn't|shouldn't|mustn't|needn't|"
    r"hasn't|haven't|false|fails? to|forbidden|prohibited|omitted|missing|lacks?|lacking"
    r"|refuses? to)\b(?! (?:only|merely|necessarily)\b)",
    re.IGNORECASE,
)
# "Believing that ..." at the head of a sentence names a mistake: what follows is denied.
_MISTAKE = re.compile(
    r"^\W*(?:believing|thinking|assuming|supposing|saying|concluding|expecting) that\b",
    re.IGNORECASE,
)
# Behind these nothing is denied by itself.
_BARE = frozenset({"unless", "false", "forbidden", "prohibited", "omitted", "missing"})
# What "unless it is set" or "..., otherwise ..." says may be said with a plain "not" as well.
_UNLESS = re.compile(r"\bunless\b[^,.;:]*", re.IGNORECASE)
_OTHERWISE = re.compile(r"\b(?:otherwise|or else|except|instead of|rather than)\b", re.IGNORECASE)
_ASIDE = re.compile(r"\([^)]{0,60}\)")
# "none" in a table's cell negates nothing in the others.
_EMPTY_CELL = re.compile(r"\|\s*(?:none|no|yes|never|not \w+)\s*(?=\|)", re.IGNORECASE)
# How much of the words of both two texts share where an opposite put for a word tells.
_SAME_MATTER = 0.6
# How many words of content a negation reaches: "not recurse into directories".
_REACH = 2


@lru_cache(maxsize=4096)
def denials(text: str) -> tuple[tuple[str, ...], ...]:
    """The first words of content behind each negation, within its clause."""
    plain = _plain(text)
    mistake = _MISTAKE.match(plain)
    found = [tuple(content_words(plain[mistake.end() :])[:_REACH])] if mistake else []
    for negation in _NEGATION.finditer(plain):
        if negation.group().casefold() not in _BARE:
            clause = re.split(r"[,;:]|\.\s", plain[negation.end() : negation.end() + 60])[0]
            found.append(tuple(content_words(clause)[:_REACH]))
    return tuple(words for words in found if words)


def denied(text: str) -> set[str]:
    """The first word of content behind each negation."""
    return {words[0] for words in denials(text)}


def is_turned(text: str, other: str) -> bool:
    """Whether one of two texts denies what the other affirms, or an opposite stands in a
    word's place.

    One of them must be without any negation, and hold a word that the other denies: of two
    that deny something each, which denies what is beyond comparing words.
    """
    if negates(text) != negates(other):
        # "It refuses unless a second one is given" affirms by two negations.
        if any(_UNLESS.search(said) and denials(said) for said in (text, other)):
            return False
        return _denies(text, other) or _denies(other, text)
    said, stands = set(words(_plain(text))), set(words(_plain(other)))
    if len(said & stands) < _SAME_MATTER * len(said | stands):
        return False
    return any(are_opposite(one, far) for one in said - stands for far in stands - said)


def negates(text: str) -> bool:
    """Whether there is any negation."""
    plain = _plain(text)
    return _NEGATION.search(plain) is not None or _MISTAKE.match(plain) is not None


def _denies(text: str, other: str) -> bool:
    """Whether a text denies a word that the other holds and does not deny in any way; "do not
    remove" and "keep" are one."""
    plain = _plain(other)
    if _OTHERWISE.search(f"{text} {other}"):
        return False
    held = set(content_words(plain))
    for condition in _UNLESS.findall(plain):
        held -= set(content_words(condition))
    return any(
        held & set(words) and not any(are_opposite(words[0], stands) for stands in held)
        for words in denials(text)
    )


def _plain(text: str) -> str:
    return _EMPTY_CELL.sub("|", _ASIDE.sub(" ", plain_phrases(text)))
