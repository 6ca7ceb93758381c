"""Names of concepts that look like one name."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from itertools import product
from typing import Literal
from unicodedata import normalize

from graphrag.domain import Concept

Likeness = Literal[
    "the same words", "an abbreviation", "nearly the same letters", "one name, told apart"
]

_Keys = Callable[[str], list[str]]


def near_equal_names(concepts: Sequence[Concept]) -> list[tuple[Concept, Concept, Likeness]]:
    """Pairs of concepts whose names look like one, with the reason; sorted by id.

    Names that differ in a digit, a symbol or a capital-only word (C and C++, HTTP and
    HTTPS) are not alike; an abbreviation is like the words whose initials it has.
    """
    found: dict[tuple[str, str], Likeness] = {}
    by_id = {concept.id: concept for concept in concepts}
    reasons: tuple[tuple[Likeness, _Keys, _Keys], ...] = (
        ("the same words", _word_keys, _word_keys),
        ("an abbreviation", _acronyms, _initials),
        ("nearly the same letters", _deletion_keys, _deletion_keys),
        ("one name, told apart", _homonym_keys, _homonym_keys),
    )
    for reason, keys, other_keys in reasons:
        ones, others = _by_key(concepts, keys), _by_key(concepts, other_keys)
        for key, ids in ones.items():
            for one, other in product(ids, others.get(key, ())):
                if one != other:
                    found.setdefault((min(one, other), max(one, other)), reason)
    return [(by_id[one], by_id[other], found[one, other]) for one, other in sorted(found)]


def _by_key(concepts: Sequence[Concept], keys: _Keys) -> dict[str, set[str]]:
    """Key to the ids of the concepts with a name that has it."""
    found: dict[str, set[str]] = defaultdict(set)
    for concept in concepts:
        for name in (concept.name, *concept.aliases):
            for key in keys(name):
                found[key].add(concept.id)
    return found


def _words(name: str) -> list[str]:
    spaced = "".join(
        letter if letter.isalnum() or letter in "+#*'" else " "
        for letter in normalize("NFKC", name)
    )
    return spaced.split()


def _singular(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def _word_keys(name: str) -> list[str]:
    """One key: the words without number, case and order; acronyms keep their letters."""
    words = [word if word.isupper() else _singular(word.lower()) for word in _words(name)]
    small = {"of", "the", "a", "an", "for"}
    kept = sorted(word for word in words if word not in small)
    return [" ".join(kept)] if kept else []


def _homonym_keys(name: str) -> list[str]:
    """The name without the bracket that tells it from a homonym."""
    base, _, bracket = name.partition(" (")
    return _word_keys(base) if bracket.endswith(")") and not _acronyms(bracket[:-1]) else []


def _acronyms(name: str) -> list[str]:
    words = _words(name)
    short = len(words) == 1 and words[0].isupper() and 2 < len(words[0]) <= 6
    return [words[0].lower()] if short else []


def _initials(name: str) -> list[str]:
    kept = [word for word in _words(name) if word.lower() not in {"of", "the", "and", "for", "a"}]
    return ["".join(word[0] for word in kept).lower()] if 2 < len(kept) <= 6 else []


def _deletion_keys(name: str) -> list[str]:
    """The name with any one letter taken away: alike names of edit distance 1 share one.

    Only for names of at least eight letters without digits, symbols or acronyms."""
    words = _words(name)
    joined = "".join(word.lower() for word in words)
    if len(joined) < 8 or not joined.isalpha() or any(word.isupper() for word in words):
        return []
    return [joined, *(joined[:i] + joined[i + 1 :] for i in range(len(joined)))]
