"""The values of documents' metadata in a table of their own, which conditions look up."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping

from graphrag.adapters.sqlite_lookups import read_metadata
from graphrag.adapters.sqlite_rows import escape, pack, unescape, unpack_metadata

_SINCE = 4  # the version of the catalog that has the table
_COLUMNS = ("title", "source", "format")  # of the document itself, and they win


def put_values(
    connection: sqlite3.Connection, document: int, metadata: Mapping[str, object]
) -> None:
    """Replace the stored values of a document, which is given by its number."""
    connection.execute("DELETE FROM metadatum WHERE document = ?", (document,))
    connection.executemany(
        "INSERT OR IGNORE INTO metadatum VALUES (?, ?, ?)",
        (
            (escape(key), escape(str(value)), document)
            for key, values in metadata.items()
            if key not in _COLUMNS
            for value in (values if isinstance(values, tuple) else (values,))
        ),
    )


def fill(connection: sqlite3.Connection) -> None:
    """Put the values of all documents into the table of a file that has just got it."""
    for number, metadata in connection.execute("SELECT number, metadata FROM document").fetchall():
        put_values(connection, number, unpack_metadata(metadata))


def documents_where(
    connection: sqlite3.Connection, key: str, holds: Callable[[str], bool]
) -> set[str] | None:
    """Ids of the documents that have a value of that key for which ``holds``; None where no
    document has the key. Other documents are not looked at, but in a file of an earlier version
    that may only be read."""
    if connection.execute("PRAGMA user_version").fetchone()[0] < _SINCE:
        return _read_through(connection, key, holds)
    values, ids = _statements(key)
    known = [row[0] for row in connection.execute(values, (escape(key),))]
    if not known:
        return None
    wanted = pack([value for value in known if holds(unescape(value))])
    return {unescape(row[0]) for row in connection.execute(ids, (escape(key), wanted))}


def _statements(key: str) -> tuple[str, str]:
    """What gives the values of a key (``?1``), and the documents that have one of ``?2``."""
    among = "IN (SELECT value FROM json_each(?2))"
    if key in _COLUMNS:
        return (
            f"SELECT DISTINCT {key} FROM document WHERE ?1 IS NOT NULL",
            f"SELECT id FROM document WHERE {key} {among} AND ?1 IS NOT NULL",
        )
    return (
        "SELECT DISTINCT value FROM metadatum WHERE key = ?1",
        "SELECT d.id FROM metadatum m JOIN document d ON d.number = m.document "
        f"WHERE m.key = ?1 AND m.value {among}",
    )


def _read_through(
    connection: sqlite3.Connection, key: str, holds: Callable[[str], bool]
) -> set[str] | None:
    having = {
        id_: value if isinstance(value, tuple) else (value,)
        for id_, metadata in read_metadata(connection, None).items()
        if (value := metadata.get(key)) is not None
    }
    met = {id_ for id_, values in having.items() if any(holds(str(value)) for value in values)}
    return met if having else None
