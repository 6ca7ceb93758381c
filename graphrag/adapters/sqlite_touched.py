"""Which documents changed since when: what lets a projection take the change alone."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

from graphrag.adapters.sqlite_rows import unescape
from graphrag.ports import Touched


def touch(connection: sqlite3.Connection, document_ids: Iterable[str], revision: int) -> None:
    """Note that those (escaped) documents look otherwise from that revision on."""
    connection.executemany(
        "INSERT OR REPLACE INTO touched (document_id, revision) VALUES (?, ?)",
        ((key, revision) for key in document_ids),
    )


def touched_since(connection: sqlite3.Connection, revision: int) -> Touched | None:
    """The documents that were touched after the revision; None where it is too long ago."""
    (known_from,) = connection.execute("SELECT touched_from FROM state").fetchone()
    if revision < known_from:
        return None
    rows = connection.execute(
        "SELECT t.document_id, d.id IS NOT NULL FROM touched t "
        "LEFT JOIN document d ON d.id = t.document_id WHERE t.revision > ? "
        "ORDER BY +t.document_id",  # "+": by the index of revisions, not through the whole table
        (revision,),
    ).fetchall()
    return Touched(
        documents=tuple(unescape(key) for key, there in rows if there),
        removed=tuple(unescape(key) for key, there in rows if not there),
    )
