"""Which documents a search may see: conditions on metadata, access labels, and validity.

All of it is settled on documents before any channel searches, so that a filtered search
fills its ranks with what is allowed.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from difflib import get_close_matches
from posixpath import dirname, join, normpath
from typing import Protocol, TypeVar

from graphrag.errors import QueryError

DocumentMetadata = Mapping[str, Mapping[str, object]]
"""Document id to its metadata, as ``Catalog.metadata`` gives it."""


class MetadataSource(Protocol):
    """What filters ask of the catalog."""

    def counts(self) -> dict[str, int]: ...

    def document_ids(self) -> list[str]: ...

    def metadata(self, ids: Collection[str] | None = None) -> dict[str, Mapping[str, object]]: ...

    def limited_metadata(self) -> dict[str, Mapping[str, object]]: ...

    def documents_where(self, key: str, holds: Callable[[str], bool]) -> set[str] | None: ...


_CONDITION = re.compile(r"\s*([^=<>!]+?)\s*(!=|>=|<=|=|>|<)\s*(.*?)\s*")
_NUMBER = re.compile(r"[+-]?\d+(?:\.\d+)?")
_DATE = re.compile(r"\d{4}(?:-\d{2}){0,2}")
_SUGGESTED = 5
_Ordered = TypeVar("_Ordered", str, float)


@dataclass(frozen=True, slots=True)
class Condition:
    """One ``KEY OPERATOR VALUE`` that a document's metadata must meet."""

    key: str
    operator: str
    value: str

    def holds(self, value: str) -> bool:
        """Whether a document with this among its values meets it; for ``!=``, does not."""
        value = value.strip()
        if self.operator in ("=", "!="):
            return _equal(value, self.value)
        return bool(value) and _ordered(value, self.operator, self.value)


def parse_condition(text: str) -> Condition:
    """``type=policy``, ``date>=2024``, ``author!=Kim``; keys are in lower case.

    Raises QueryError for anything else.
    """
    match = _CONDITION.fullmatch(text)
    if match is None or not match[3]:
        raise QueryError(f"filter '{text}' is not KEY=VALUE (or !=, <, <=, >, >=), like date>=2024")
    return Condition(match[1].casefold(), match[2], match[3])


def allowed_documents(
    source: MetadataSource,
    where: Sequence[str] = (),
    *,
    as_of: date | None = None,
) -> set[str] | None:
    """Ids of the documents that meet every condition (access labels are one key of many:
    ``access=public``) and are valid on the day ``as_of`` (default: today); None where all
    are. Of the others no metadata are read, but those whose validity has limits.

    Raises QueryError for a condition that is malformed, whose key no document has, or whose
    value none has but some nearly.
    """
    limited = _telling(source)
    hidden = limited.keys() - current_documents(limited, as_of or date.today())
    conditions = [parse_condition(text) for text in where]
    if not conditions:
        return set(source.document_ids()) - hidden if hidden else None
    met = set.intersection(*(_meeting(source, condition) for condition in conditions)) - hidden
    return met if len(met) < source.counts()["documents"] else None


def known_successors(source: MetadataSource) -> dict[str, list[str]]:
    """``successors`` of all documents."""
    return successors(_telling(source))


def unmatched_names(source: MetadataSource) -> list[tuple[str, str]]:
    """``unmatched`` of all documents."""
    return unmatched(_telling(source))


def _telling(source: MetadataSource) -> DocumentMetadata:
    """The metadata that say which documents are in force: those of limited validity, and all
    where one ends others, which it may name by any title."""
    limited = source.limited_metadata()
    ending = any(_values(values, "supersedes") for values in limited.values())
    return source.metadata() if ending else limited


def _meeting(source: MetadataSource, condition: Condition) -> set[str]:
    values: list[str] = []

    def holds(value: str) -> bool:
        values.append(value.strip())
        return condition.holds(value)

    found = source.documents_where(condition.key, holds)
    if found is None:
        known = source.metadata()
        if known:
            raise _unknown_key(condition.key, known)
        return set()
    if not found and condition.operator == "=" and (near := _nearest(condition.value, values)):
        raise QueryError(f"no document has {condition.key}={condition.value}; near it: {near}")
    return set(source.document_ids()) - found if condition.operator == "!=" else found


def current_documents(metadata: DocumentMetadata, as_of: date) -> set[str]:
    """Ids of the documents in force on that day.

    A document counts from its ``valid_from`` to its ``valid_to``, both days included. One
    that another supersedes (see ``successors``) is out as soon as that other has begun.
    """
    day = as_of.isoformat()
    begun = {id_ for id_, values in metadata.items() if _begun(values, day)}
    followed = successors(metadata)
    return {
        id_
        for id_ in begun
        if not _ended(metadata[id_], day) and begun.isdisjoint(followed.get(id_, ()))
    }


def successors(metadata: DocumentMetadata) -> dict[str, list[str]]:
    """Document id to the ids of those that supersede it, in the order of ``metadata``.

    A document names what it supersedes by id, source, path from its own folder, or title, and
    never means itself: new versions often keep the title. A title means those documents of it
    that are not younger. Where two name each other, neither says which one holds, and both stay.
    """
    replaced = {id_: set().union(*named.values()) for id_, named in _superseded(metadata).items()}
    found: dict[str, list[str]] = defaultdict(list)
    for id_, olds in replaced.items():
        for old in olds:
            if id_ not in replaced[old]:
                found[old].append(id_)
    return dict(found)


def unmatched(metadata: DocumentMetadata) -> list[tuple[str, str]]:
    """Ids of documents with what each says to supersede and no other document is."""
    return [
        (id_, name)
        for id_, named in _superseded(metadata).items()
        for name, olds in named.items()
        if not olds
    ]


def _superseded(metadata: DocumentMetadata) -> dict[str, dict[str, set[str]]]:
    """Document id to what it says to supersede, each with the ids of the documents meant."""
    identities: dict[str, set[str]] = defaultdict(set)
    titles: dict[str, set[str]] = defaultdict(set)
    for id_, values in metadata.items():
        identities[_spelling(id_)].add(id_)
        identities[_spelling(values.get("source"))].add(id_)
        titles[_spelling(values.get("title"))].add(id_)
    found: dict[str, dict[str, set[str]]] = {id_: {} for id_ in metadata}
    for id_, values in metadata.items():
        for written in _values(values, "supersedes"):
            name, path = _spelling(written), normpath(join(dirname(id_), written))
            older = {old for old in titles[name] if not _younger(metadata[old], values)}
            found[id_][written] = (identities[name] or identities[_spelling(path)] or older) - {id_}
    return found


def _younger(one: Mapping[str, object], other: Mapping[str, object]) -> bool:
    """Whether the one document is from a later day than the other, as far as both say."""
    days = [_values(each, "valid_from") or _values(each, "date") for each in (one, other)]
    if not all(days):
        return False
    mine, its = days[0][0], days[1][0]
    shared = min(len(mine), len(its))
    return mine[:shared] > its[:shared]


def _begun(metadata: Mapping[str, object], day: str) -> bool:
    return all(value[: len(day)] <= day for value in _values(metadata, "valid_from"))


def _ended(metadata: Mapping[str, object], day: str) -> bool:
    # A year or month alone lasts to its end: 2024 has not ended on 2024-05-01.
    return any(value[:10] < day[: len(value[:10])] for value in _values(metadata, "valid_to"))


def _spelling(name: object) -> str:
    return str(name or "\0").strip().casefold()


def _values(metadata: Mapping[str, object], key: str) -> list[str]:
    value = metadata.get(key)
    if value is None or value == "":
        return []
    if isinstance(value, (list, tuple)):
        return [str(item).strip() for item in value]
    return [str(value).strip()]


def _equal(found: str, wanted: str) -> bool:
    if _DATE.fullmatch(wanted) and _DATE.fullmatch(found[:10]):
        return found.startswith(wanted)
    return found.casefold() == wanted.casefold()


def _ordered(found: str, sign: str, wanted: str) -> bool:
    """Dates to the precision that was asked for, numbers as numbers, else by letters."""
    if _DATE.fullmatch(wanted) and _DATE.fullmatch(found[:10]):
        return _compare(found[: len(wanted)], sign, wanted)
    if _NUMBER.fullmatch(wanted) and _NUMBER.fullmatch(found):
        return _compare(float(found), sign, float(wanted))
    return _compare(found.casefold(), sign, wanted.casefold())


def _compare(found: _Ordered, sign: str, wanted: _Ordered) -> bool:
    if found == wanted:
        return "=" in sign
    return (found > wanted) == (">" in sign)


def _nearest(wanted: str, values: Collection[str]) -> str:
    """Values that have the wanted one as a part, or else are spelt much like it."""
    spelt = {value.casefold(): value for value in sorted(values)}
    parts = [each for each in spelt if wanted.casefold() in each]
    near = parts or get_close_matches(wanted.casefold(), spelt)
    return ", ".join(f"'{spelt[each]}'" for each in near[:_SUGGESTED])


def _unknown_key(key: str, metadata: DocumentMetadata) -> QueryError:
    known = {each for values in metadata.values() for each in values}
    near = get_close_matches(key, known, n=1)
    hint = f"did you mean '{near[0]}'?" if near else f"known: {', '.join(sorted(known))}"
    return QueryError(f"no document has the metadata key '{key}'; {hint}")


def day_of(text: str | None) -> date | None:
    """The day, written as YYYY-MM-DD. Raises QueryError for anything else."""
    if text is None:
        return None
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise QueryError(f"'{text}' is no day: write it as YYYY-MM-DD") from error
