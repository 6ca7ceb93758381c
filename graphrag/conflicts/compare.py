"""Which statements of different documents contradict each other, and which would win."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import combinations
from typing import Literal

from graphrag.conflicts.claims import claims
from graphrag.conflicts.prose import prose_statements
from graphrag.conflicts.statements import MEASURED, Statement, statements
from graphrag.conflicts.subjects import Subject, share_subject, subjects
from graphrag.conflicts.values import Value, answers_contradict, contradict
from graphrag.conflicts.wordings import worded_alike
from graphrag.domain import Annotation, Document
from graphrag.retrieval.filters import DocumentMetadata, current_documents, successors
from graphrag.retrieval.fusion import lacking_authority
from graphrag.wording.terms import content_words, identifiers

Reason = Literal["authority", "date", "supersedes", "validity", "nothing"]

_TEMPLATE_DOCUMENTS = 4
_AGREEING = 0.75  # of so many documents fewer agree on a fact, it is a field of each
_RECORD_KEYS = 2
_RECORD_CLAIMS = 5
_FORM = 3
_RANK = {"claim": 1, "cell": 1, "wording": 2}
_PROSE = ("sentence", "claim", "wording")
_MARKS = {"question": "?", "claim": "@", "cell": "@", "wording": "="}
_DIRECTED = re.compile(r"\b(?:to|from|into|than|versus|vs)\b", re.IGNORECASE)
_NUMBER = re.compile(r"\d+(?:\.\d+)*")
_PER_VALUE = 5  # documents named for each value


@dataclass(frozen=True, slots=True)
class Conflict:
    """Statements of two or more documents that cannot all hold, in reading order.

    ``winner`` is the document that would win, for ``reason``; empty where nothing decides.
    """

    key: str
    sides: tuple[Statement, ...]
    winner: str
    reason: Reason


@dataclass(frozen=True, slots=True)
class ConflictReport:
    """``open`` conflicts are between documents in force; ``settled`` ones are between a
    document in force and one that it supersedes, or that is not valid (yet, or any more).
    ``about`` has the metadata of the documents that are named."""

    open: tuple[Conflict, ...] = ()
    settled: tuple[Conflict, ...] = ()
    about: DocumentMetadata = field(default_factory=dict)


def find_conflicts(
    documents: Sequence[Document],
    annotations: Mapping[str, Annotation],
    metadata: DocumentMetadata,
    as_of: date,
) -> ConflictReport:
    """Compare all documents, given in reading order, as they hold on that day.

    ``annotations`` and ``metadata`` are by document id.
    """
    by_key: dict[_Key, list[Statement]] = defaultdict(list)
    titles = {}
    about = subjects({document.id: document for document in documents})
    for document in documents:
        titles[document.id] = document.title
        spotted = annotations.get(document.id, Annotation())
        for statement in (
            *statements(document),
            *prose_statements(document, spotted),
            *claims(document),
            *worded_alike(document),
        ):
            by_key[_key(statement)].append(statement)
    said = _said(by_key)
    followed = successors(metadata)
    pairs = [
        pair
        for group in by_key.values()
        if not _is_template(group)
        for pair in _contradicting(group, titles)
        if _versions(pair, followed) or not _are_apart(pair, said, titles, about)
    ]
    pairs = _once(pairs)
    current = current_documents(metadata, as_of)
    standing = [pair for pair in pairs if _documents(pair) <= current]
    settled = [pair for pair in pairs if _is_settled(pair, current, followed)]
    return ConflictReport(
        tuple(_conflict(sides, metadata) for sides in _joined(standing, titles)),
        tuple(_settled(sides, followed, current) for sides in _joined(settled, titles)),
        {id_: metadata[id_] for pair in (*standing, *settled) for id_ in sorted(_documents(pair))},
    )


_Key = tuple[str, ...]
_Pair = tuple[Statement, Statement]
_Followed = Mapping[str, Sequence[str]]
_Said = Mapping[str, Mapping[_Key, set[tuple[Value, ...]]]]


def _key(statement: Statement) -> _Key:
    # A question is answered by another question's answer only, a claim meets claims. Order
    # does not matter in what names a thing ("retention of backups"), nor whether a table has it
    # in its rows or in its columns; it does in "ratio of sand to lime".
    mark = _MARKS.get(statement.kind, "")
    if mark == "?" or (not mark and not _DIRECTED.search(statement.name)):
        return (mark, *sorted(set(statement.key) - {"/"}))
    return (mark, *statement.key)


def _documents(pair: _Pair) -> frozenset[str]:
    return frozenset(each.document_id for each in pair)


def _said(by_key: Mapping[_Key, Sequence[Statement]]) -> _Said:
    """Document id to what it says under each key; of a claim, the name alone is the key, which
    other statements may have as well."""
    said: dict[str, dict[_Key, set[tuple[Value, ...]]]] = defaultdict(lambda: defaultdict(set))
    for key, group in by_key.items():
        field = ("", *sorted(set(key[1 : key.index("/")]))) if key[0] == "@" else key
        for each in group:
            said[each.document_id][field].add(each.values)
    return said


# --- what is no contradiction ---------------------------------------------------------------


def _is_template(group: Sequence[Statement]) -> bool:
    """Whether the key is a field that every document fills in for itself."""
    holders: dict[tuple[Value, ...], set[str]] = defaultdict(set)
    for each in group:
        holders[each.values].add(each.document_id)
    documents = len(set().union(*holders.values()))
    most = max(len(ids) for ids in holders.values())
    return documents >= _TEMPLATE_DOCUMENTS and most < documents * _AGREEING


def _contradicting(group: Sequence[Statement], titles: Mapping[str, str]) -> list[_Pair]:
    """Pairs that contradict each other. A document that itself says several things under
    the key does not take it for one fact, and contradicts nobody."""
    by_document: dict[str, dict[tuple[Value, ...], Statement]] = defaultdict(dict)
    for each in group:
        by_document[each.document_id].setdefault(each.values, each)
    by_values: dict[tuple[Value, ...], list[Statement]] = defaultdict(list)
    for said in by_document.values():
        for values, each in said.items():
            if len(said) == 1:
                by_values[values].append(each)
    return [
        (one, other)
        for (mine, ones), (its, others) in combinations(by_values.items(), 2)
        if _oppose(mine, its, question=group[0].kind == "question")
        for one in ones[:_PER_VALUE]
        for other in others[:_PER_VALUE]
        if _about_one_thing(one, other, titles) and not one.kind == other.kind == "cell"
    ]


def _oppose(mine: Sequence[Value], its: Sequence[Value], *, question: bool) -> bool:
    return answers_contradict(mine, its) if question else contradict(mine[0], its[0])


def _about_one_thing(one: Statement, other: Statement, titles: Mapping[str, str]) -> bool:
    """Whether the surroundings let the same key mean the same: neither is about a thing (a
    code) that the other is not, and a key of one word stands under the same heading and has
    no mere name for its value."""
    paths = [(titles[each.document_id], *each.heading_path) for each in (one, other)]
    named = [frozenset(identifiers(" ".join(path))) for path in paths]
    if all(named) and named[0].isdisjoint(named[1]):
        return False
    if _is_specific(one):
        return True
    heads = [content_words(path[-1]) for path in paths]
    return bool(heads[0]) and heads[0] == heads[1] and one.values[0].kind in MEASURED


def _once(pairs: Sequence[_Pair]) -> list[_Pair]:
    """The pairs without those that say again what another one says: the same values of the
    same documents, under a key with the same words."""
    kept: list[_Pair] = []
    told: dict[tuple[tuple[str, Value], ...], list[set[str]]] = defaultdict(list)
    for pair in sorted(pairs, key=lambda pair: _RANK.get(pair[0].kind, 0)):
        by_id = sorted(pair, key=lambda each: each.document_id)
        values = tuple((each.document_id, replace(each.values[0], units=())) for each in by_id)
        subject = set(_subject(pair[0]))
        # Yes and no say little: there, one key must be a part of the other.
        parted = set.isdisjoint if pair[0].values[0].kind != "flag" else _neither_holds
        if all(parted(subject, other) for other in told[values]):
            kept.append(pair)
        told[values].append(subject)
    return kept


def _neither_holds(one: set[str], other: set[str]) -> bool:
    return not (one <= other or other <= one)


def _subject(statement: Statement) -> tuple[str, ...]:
    """The key without what is said of it: a column, a unit, the other half of a sentence."""
    key = statement.key
    return key[: key.index("/")] if "/" in key else key


def _is_specific(statement: Statement) -> bool:
    return len(_subject(statement)) > 1 or bool(identifiers(statement.name))


def _versions(pair: _Pair, followed: _Followed) -> bool:
    """Whether one of the two documents replaces the other, at once or by way of others."""
    one, other = (each.document_id for each in pair)
    return other in _later(one, followed) or one in _later(other, followed)


def _is_settled(pair: _Pair, current: Collection[str], followed: _Followed) -> bool:
    """Whether one of the two is not in force, and none but the other has taken its place."""
    old = [each.document_id for each in pair if each.document_id not in current]
    return len(old) == 1 and (old[0] not in followed or _versions(pair, followed))


def _later(document_id: str, followed: _Followed) -> list[str]:
    """The documents that supersede this one, those that supersede them, and so on."""
    found = [document_id]
    for each in found:  # which grows on the way
        found.extend(key for key in followed.get(each, ()) if key not in found)
    return found[1:]


def _are_apart(
    pair: _Pair, said: _Said, titles: Mapping[str, str], about: Mapping[str, Subject]
) -> bool:
    """Whether the two documents tell of different things: their titles differ in numbers
    alone (chapters, years), or they are records of one form."""
    ids = [each.document_id for each in pair]
    one, other = (titles[id_] for id_ in ids)
    if one == other:
        return False
    if _NUMBER.sub("", one) == _NUMBER.sub("", other):
        return True
    return _are_records(pair, said) and not share_subject(*(about[id_] for id_ in ids))


def _are_records(pair: _Pair, said: _Said) -> bool:
    """Whether the two documents have one form that each fills in for itself: they share a third
    of the keys of the shorter one, and under most of them they contradict each other. Prose has
    no form: it takes more keys, or values for most of what the shorter one says; to deny
    what another says is no value."""
    one, other = (each.document_id for each in pair)
    shared = [key for key in said[one] if key in said[other] and key[0] != "?"]
    shorter = min(len(said[one]), len(said[other]))
    if len(shared) * _FORM < shorter:
        return False
    agreeing = sum(not said[one][key].isdisjoint(said[other][key]) for key in shared)
    opposed = sum(_all_oppose(said[one][key], said[other][key]) for key in shared)
    is_prose = any(each.kind in _PROSE for each in pair)
    if is_prose and pair[0].values[0].kind != "flag":
        is_prose = len(shared) * 3 < shorter * 2
    least = _RECORD_CLAIMS if is_prose else _RECORD_KEYS
    return agreeing + opposed >= least and agreeing < opposed


def _all_oppose(mine: Collection[tuple[Value, ...]], its: Collection[tuple[Value, ...]]) -> bool:
    """Whether no value of the one can stand beside one of the other."""
    return all(contradict(one[0], other[0]) for one in mine for other in its)


# --- who would win --------------------------------------------------------------------------


def _joined(pairs: Sequence[_Pair], order: Mapping[str, object]) -> list[tuple[Statement, ...]]:
    """The statements of each key, joined over its pairs, in reading order."""
    places = {id_: at for at, id_ in enumerate(order)}

    def place(side: Statement) -> int:
        return places[side.document_id]

    sides: dict[_Key, dict[Statement, None]] = {}
    for pair in pairs:
        sides.setdefault(_key(pair[0]), {}).update(dict.fromkeys(pair))
    return [
        tuple(sorted(each, key=lambda side: places[side.document_id])) for each in sides.values()
    ]


def _conflict(sides: tuple[Statement, ...], metadata: DocumentMetadata) -> Conflict:
    """The highest authority wins, among equals the youngest, if they agree."""
    left: Sequence[Statement] = sides
    ranks: tuple[tuple[Reason, Callable[[Mapping[str, object]], float | str]], ...] = (
        ("authority", lambda about: -lacking_authority(about.get("authority"))),
        ("date", _day),
    )
    for reason, rank in ranks:
        best = max(rank(metadata[each.document_id]) for each in left)
        kept = [each for each in left if rank(metadata[each.document_id]) == best]
        if len(kept) < len(left) and _agree(kept):
            return Conflict(sides[0].name, sides, kept[0].document_id, reason)
        left = kept
    return Conflict(sides[0].name, sides, "", "nothing")


def _agree(kept: Sequence[Statement]) -> bool:
    return len({each.values for each in kept}) == 1


def _day(about: Mapping[str, object]) -> str:
    return str(about.get("valid_from") or about.get("date") or "")


def _settled(
    sides: tuple[Statement, ...], followed: _Followed, current: Collection[str]
) -> Conflict:
    winner = next(each.document_id for each in sides if each.document_id in current)
    old = [each.document_id for each in sides if each.document_id not in current]
    replaced = all(followed.get(id_) for id_ in old)
    return Conflict(sides[0].name, sides, winner, "supersedes" if replaced else "validity")
