"""Where a sentence has something else in the place of a word that a statement has."""

from __future__ import annotations

import re
from collections.abc import Iterator, Set

from graphrag.answering.opposites import are_opposite
from graphrag.answering.polarity import negates
from graphrag.wording.numbers import SPELLED
from graphrag.wording.terms import content_words, words

_COUNTED = re.compile(
    rf"\b(?P<count>one|{'|'.join(SPELLED)}|\d+|several|multiple|single)\s+"
    r"(?P<things>[a-z][\w-]+(?:\s+[a-z][\w-]+)?)",
    re.IGNORECASE,
)
_VAGUE = frozenset({"several", "multiple", "single"})
_ALIKE = {"1": "one", "single": "one", "multiple": "several"}


def replaced(statement: str, sentence: str) -> frozenset[str]:
    """The terms of a statement in whose place a sentence has an opposite ("left-handed" for
    "right-handed") or another count of the same things; empty where there is none, and where
    one of the two denies something."""
    if negates(statement) != negates(sentence):
        return frozenset()
    claims, says = words(statement), words(sentence)
    found = {
        term
        for one in set(claims) - set(says) - _VAGUE
        if any(are_opposite(one, far) for far in set(says) - set(claims))
        for term in content_words(one)
    }
    return frozenset(found) or _counted_otherwise(statement, sentence)


def _counted_otherwise(statement: str, sentence: str) -> frozenset[str]:
    says = list(_counts(sentence))
    for count, things in _counts(statement):
        others = {other for other, named in says if things <= named or named <= things}
        if others and not any(_agree(count, other) for other in others):
            return frozenset(content_words(count))
    return frozenset()


def _agree(one: str, other: str) -> bool:
    """Whether two counts may be one: three are several."""
    both = {_ALIKE.get(count, SPELLED.get(count, count)) for count in (one, other)}
    return len(both) == 1 or ("several" in both and "one" not in both)


def _counts(text: str) -> Iterator[tuple[str, Set[str]]]:
    for match in _COUNTED.finditer(text):
        count = match["count"].lower()
        things = set(content_words(match["things"]))
        if things:
            yield count, things
