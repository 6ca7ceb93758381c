"""Spellings that are one concept: joined fields, hyphens, acronyms, people's decisions."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence

from graphrag.concepts.names import (
    acronym_of,
    compact,
    family_key,
    inverted_key,
    name_key,
    split_bracket,
)
from graphrag.domain import Decision

_SHORTEST_COMPACT = 7
_WAYS = frozenset({"process", "method", "algorithm", "procedure", "technique"})
_NOUN_ENDINGS = ("ence", "ency", "ity", "tion", "ism")


class Groups:
    """Keys joined into groups; a group's head is its smallest key by the order given."""

    def __init__(self, keys: Iterable[str]) -> None:
        self._parent = {key: key for key in keys}

    def head(self, key: str) -> str:
        """The key that stands for the group; an unknown key stands for itself."""
        while self._parent.get(key, key) != key:
            self._parent[key] = self._parent[self._parent[key]]
            key = self._parent[key]
        return key

    def join(self, kept: str, gone: str) -> None:
        """Make ``kept``'s head the head of ``gone``'s group as well."""
        first, second = self.head(kept), self.head(gone)
        if first != second and first in self._parent and second in self._parent:
            self._parent[second] = first

    def members(self) -> dict[str, list[str]]:
        """Head to its sorted keys, itself included; heads sorted."""
        found: dict[str, list[str]] = {}
        for key in sorted(self._parent):
            found.setdefault(self.head(key), []).append(key)
        return dict(sorted(found.items()))


def merge_spellings(
    written: Mapping[str, Sequence[str]],
    acronyms: Mapping[str, str],
    decisions: Sequence[Decision] = (),
    *,
    separate: Collection[str] = (),
) -> Groups:
    """Groups of the keys that are one concept.

    ``written`` maps each key to its spellings, the commonest first; ``acronyms`` an acronym
    to its long form. Joined are: keys equal without blanks (``feed-forward`` and
    ``feedforward``), a name and the same with its acronym in brackets, an acronym and its
    long form (in brackets, or by its initials), a person's name with and without middle
    initial, ``inverse of a matrix`` and ``matrix inverse``, ``linearly independent`` and
    ``linear independence``, ``Gram-Schmidt`` and ``Gram-Schmidt process``. Decisions come
    last: merges and aliases always hold, a split keeps two keys apart from the start. Of the
    ``separate`` keys (the titles of a syllabus) no two are joined.
    """
    groups = Groups(written)
    apart = {
        frozenset((name_key(d.concept), name_key(d.other))) for d in decisions if d.kind == "split"
    }

    def join(kept: str, gone: str) -> None:
        both_given = kept in separate and gone in separate
        if not both_given and frozenset((kept, gone)) not in apart:
            groups.join(kept, gone)

    by_compact: dict[str, str] = {}
    for key in sorted(written, key=lambda key: (-len(key.split()), key)):
        if len(compact(key)) >= _SHORTEST_COMPACT:
            join(by_compact.setdefault(compact(key), key), key)
    for key in sorted(written):
        spelling = written[key][0] if written[key] else key
        base = name_key(split_bracket(spelling)[0])
        if base != key and base in written and _is_acronym_bracket(spelling):
            join(base, key)
        plain = name_key(re.sub(r"(?<=\w )[A-Z]\. (?=[A-Z])", "", spelling))
        if plain != key and plain in written:
            join(plain, key)
        if inverted_key(key) in written:
            join(inverted_key(key), key)
        way = key.rpartition(" ")
        if way[2] in _WAYS and " " in way[0] and _is_proper(written.get(way[0], ())):
            join(key, way[0])
    for keys in _families(written):
        for key in keys[1:]:
            join(keys[0], key)
    for short, name in sorted({**_initials(written), **acronyms}.items()):
        if name_key(short) in written and name_key(name) in written:
            join(name_key(name), name_key(short))
    for decision in decisions:
        if decision.kind in ("merge", "alias"):
            groups.join(name_key(decision.concept), name_key(decision.other))
    return groups


def _is_proper(written: Sequence[str]) -> bool:
    """Whether a name is a proper one: ``Gram-Schmidt`` is a process, a ``base class`` has
    methods."""
    return bool(written) and not written[0].islower()


def _families(written: Iterable[str]) -> list[list[str]]:
    """Names of several words that differ only in the forms of these, nouns first."""
    found: dict[str, list[str]] = {}
    for key in sorted(written, key=lambda key: (not key.endswith(_NOUN_ENDINGS), key)):
        if " " in key:
            found.setdefault(family_key(key), []).append(key)
    return [keys for keys in found.values() if len(keys) > 1]


def _initials(written: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Candidates in capitals whose letters are the initials of exactly one longer candidate."""
    names: dict[str, list[str]] = {}
    for key in sorted(written):
        if len(key.split()) >= 3 and written[key]:
            names.setdefault(acronym_of(written[key][0]), []).append(written[key][0])
    return {
        spellings[0]: names[spellings[0]][0]
        for spellings in written.values()
        if spellings and spellings[0].isupper() and len(names.get(spellings[0], ())) == 1
    }


def _is_acronym_bracket(spelling: str) -> bool:
    bracket = split_bracket(spelling)[1]
    return 2 <= len(bracket) <= 8 and sum(c.isupper() for c in bracket) >= 2
