"""The concept graph in the catalog's tables: only what differs is written.

Each part (concepts, prerequisites with evidence, relations, the mentions of one document)
has a digest, so an unchanged part costs its hashing and no more.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from itertools import groupby
from operator import itemgetter
from threading import Lock
from typing import Any

from graphrag.adapters.sqlite_rows import escape, pack, unescape, unpack
from graphrag.domain import (
    Concept,
    ConceptGraph,
    Evidence,
    Mention,
    Prerequisite,
    Relation,
)

_Row = tuple[Any, ...]
_MENTIONS_OF = "mentions of "


def put_graph(connection: sqlite3.Connection, graph: ConceptGraph) -> list[str] | None:
    """Write what differs; gives the (escaped) documents whose mentions did, and None where
    nothing did."""
    mentions = _mention_rows(graph.mentions)
    parts: dict[str, list[_Row]] = {
        "concepts": _concept_rows(graph.concepts),
        "prerequisites": _prerequisite_rows([*graph.prerequisites, *graph.open]),
        "evidence": _evidence_rows([*graph.prerequisites, *graph.open]),
        "relations": _relation_rows(graph.relations),
        **{_MENTIONS_OF + document: rows for document, rows in mentions.items()},
    }
    digests = {name: _digest(rows) for name, rows in parts.items() if rows}
    known: dict[str, bytes] = dict(connection.execute("SELECT name, digest FROM graph_part"))
    changed = sorted(
        name for name in known.keys() | digests.keys() if known.get(name) != digests.get(name)
    )
    for name in changed:
        _write_part(connection, name, parts.get(name, []))
        connection.execute("DELETE FROM graph_part WHERE name = ?", (name,))
        if name in digests:
            connection.execute("INSERT INTO graph_part VALUES (?, ?)", (name, digests[name]))
    if not changed:
        return None
    return [n.removeprefix(_MENTIONS_OF) for n in changed if n.startswith(_MENTIONS_OF)]


def forget_documents(connection: sqlite3.Connection, document_ids: Sequence[str]) -> None:
    """Take away mentions, evidence and relations that rest on those (escaped) documents."""
    ids = pack(list(document_ids))
    among = "document_id IN (SELECT value FROM json_each(?))"
    connection.execute(f"DELETE FROM mention WHERE {among}", (ids,))
    connection.execute(
        "DELETE FROM graph_part WHERE name IN (SELECT ? || value FROM json_each(?))",
        (_MENTIONS_OF, ids),
    )
    for table, part in (("evidence", "evidence"), ("relation", "relations")):
        if connection.execute(f"DELETE FROM {table} WHERE {among}", (ids,)).rowcount:
            # Not deleted: what is left of the part must go when the next graph has none of it.
            connection.execute("UPDATE graph_part SET digest = x'' WHERE name = ?", (part,))


class GraphReader:
    """Reads the stored graph. All but the mentions is kept, and read again only when it has
    changed; safe to share between threads, whatever other processes write."""

    def __init__(self) -> None:
        self._kept: tuple[list[_Row], ConceptGraph] | None = None
        self._reading = Lock()

    def read(
        self, connection: sqlite3.Connection, mentions_of: Collection[str] | None = None
    ) -> ConceptGraph:
        """The graph as stored: concepts by id, all else by its fields from the first on; only
        the mentions of some (escaped) documents where they are given."""
        state = connection.execute(
            "SELECT name, digest FROM graph_part WHERE name IN (SELECT value FROM json_each(?))",
            (pack(list(_PART_TABLES)),),
        ).fetchall()
        with self._reading:  # what two ask for at once is read once
            kept = self._kept
            if kept is None or kept[0] != state:
                kept = (state, _without_mentions(connection))
                # A part without its digest has lost rows: the digests do not tell what is left.
                if all(digest for _, digest in state):
                    self._kept = kept
        return replace(kept[1], mentions=_read_mentions(connection, mentions_of))


def _read_mentions(
    connection: sqlite3.Connection, mentions_of: Collection[str] | None
) -> tuple[Mention, ...]:
    among = "" if mentions_of is None else "WHERE document_id IN (SELECT value FROM json_each(?)) "
    mentions = connection.execute(
        f"SELECT concept_id, document_id, chunk_id, start, stop, kind FROM mention {among}"
        "ORDER BY concept_id, document_id, chunk_id, start, stop, kind",
        () if mentions_of is None else (pack(list(mentions_of)),),
    )
    return tuple(
        Mention(unescape(concept), unescape(document), unescape(chunk), start, stop, kind)
        for concept, document, chunk, start, stop, kind in mentions
    )


def _without_mentions(connection: sqlite3.Connection) -> ConceptGraph:
    concepts = connection.execute(
        "SELECT id, name, aliases, weight, definition, given FROM concept ORDER BY id"
    )
    relations = connection.execute(
        "SELECT source_id, kind, target_id, weight, sentence, document_id, chunk_id FROM relation "
        "ORDER BY source_id, kind, target_id, weight, sentence, document_id, chunk_id"
    )
    pairs = _read_prerequisites(connection)
    return ConceptGraph(
        concepts=tuple(
            Concept(
                unescape(key),
                unescape(name),
                tuple(unpack(aliases)),
                weight,
                None if definition is None else unescape(definition),
                bool(given),
            )
            for key, name, aliases, weight, definition, given in concepts
        ),
        mentions=(),
        prerequisites=tuple(pair for pair in pairs if pair.status != "open"),
        relations=tuple(
            Relation(
                unescape(source),
                kind,
                unescape(target),
                weight,
                unescape(sentence),
                unescape(document),
                unescape(chunk),
            )
            for source, kind, target, weight, sentence, document, chunk in relations
        ),
        open=tuple(pair for pair in pairs if pair.status == "open"),
    )


def _read_prerequisites(connection: sqlite3.Connection) -> tuple[Prerequisite, ...]:
    evidence: dict[tuple[str, str], list[Evidence]] = {}
    for concept, other, kind, score, sentence, document, chunk in connection.execute(
        "SELECT concept_id, prerequisite_id, kind, score, sentence, document_id, chunk_id "
        "FROM evidence ORDER BY concept_id, prerequisite_id, ordinal"
    ):
        evidence.setdefault((concept, other), []).append(
            Evidence(kind, score, unescape(sentence), unescape(document), unescape(chunk))
        )
    rows = connection.execute(
        "SELECT concept_id, prerequisite_id, weight, status, direct, reason FROM prerequisite "
        "ORDER BY concept_id, prerequisite_id"
    )
    return tuple(
        Prerequisite(
            unescape(concept),
            unescape(other),
            weight,
            status,
            tuple(evidence.get((concept, other), ())),
            bool(direct),
            unescape(reason),
        )
        for concept, other, weight, status, direct, reason in rows
    )


def _concept_rows(concepts: Iterable[Concept]) -> list[_Row]:
    return [
        (
            escape(c.id),
            escape(c.name),
            pack(c.aliases),
            float(c.weight),
            None if c.definition is None else escape(c.definition),
            int(c.given),
        )
        for c in concepts
    ]


def _prerequisite_rows(prerequisites: Iterable[Prerequisite]) -> list[_Row]:
    return [
        (
            escape(p.concept_id),
            escape(p.prerequisite_id),
            float(p.weight),
            p.status,
            int(p.direct),
            escape(p.reason),
        )
        for p in prerequisites
    ]


def _evidence_rows(prerequisites: Iterable[Prerequisite]) -> list[_Row]:
    return [
        (
            escape(p.concept_id),
            escape(p.prerequisite_id),
            ordinal,
            e.kind,
            float(e.score),
            escape(e.sentence),
            escape(e.document_id),
            escape(e.chunk_id),
        )
        for p in prerequisites
        for ordinal, e in enumerate(p.evidence)
    ]


def _relation_rows(relations: Iterable[Relation]) -> list[_Row]:
    return [
        (
            escape(r.source_id),
            r.kind,
            escape(r.target_id),
            float(r.weight),
            escape(r.sentence),
            escape(r.document_id),
            escape(r.chunk_id),
        )
        for r in relations
    ]


def _mention_rows(mentions: Iterable[Mention]) -> dict[str, list[_Row]]:
    """Rows by (escaped) document id, sorted."""
    rows = sorted(
        (
            escape(m.document_id),
            escape(m.concept_id),
            escape(m.chunk_id),
            m.start,
            m.stop,
            m.kind,
        )
        for m in mentions
    )
    return {document: list(group) for document, group in groupby(rows, key=itemgetter(0))}


def _digest(rows: Sequence[_Row]) -> bytes:
    return hashlib.blake2b(pack(rows).encode(), digest_size=16).digest()


_PART_TABLES = {
    "concepts": ("concept", "id, name, aliases, weight, definition, given"),
    "prerequisites": (
        "prerequisite",
        "concept_id, prerequisite_id, weight, status, direct, reason",
    ),
    "evidence": (
        "evidence",
        "concept_id, prerequisite_id, ordinal, kind, score, sentence, document_id, chunk_id",
    ),
    "relations": (
        "relation",
        "source_id, kind, target_id, weight, sentence, document_id, chunk_id",
    ),
}
_MENTION_COLUMNS = "document_id, concept_id, chunk_id, start, stop, kind"


def _write_part(connection: sqlite3.Connection, part: str, rows: Sequence[_Row]) -> None:
    """Make the part's rows equal ``rows``, touching only those that differ."""
    only: tuple[str, ...] = ()
    if part.startswith(_MENTIONS_OF):
        table, names = "mention", _MENTION_COLUMNS
        where, only = " WHERE document_id = ?", (part.removeprefix(_MENTIONS_OF),)
    else:
        (table, names), where = _PART_TABLES[part], ""
    columns = names.split(", ")
    old = set(connection.execute(f"SELECT {names} FROM {table}{where}", only))
    new = dict.fromkeys(rows)
    matches = " AND ".join(f"{column} IS ?" for column in columns)
    connection.executemany(
        f"DELETE FROM {table} WHERE {matches}", [row for row in old if row not in new]
    )
    marks = ", ".join("?" * len(columns))
    connection.executemany(
        f"INSERT INTO {table} ({names}) VALUES ({marks})",
        [row for row in new if row not in old],
    )
