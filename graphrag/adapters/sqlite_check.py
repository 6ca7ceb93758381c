"""What may be wrong inside a catalog, looked for in full."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

from graphrag.adapters.sqlite_rows import unescape

_GLANCED_AT = 64 << 20  # bytes


def damage(connection: sqlite3.Connection) -> list[str]:
    """Every fault found, as sentences; empty when all is well.

    A page that cannot be read ends the search: the sentence says so.
    """
    found: list[str] = []
    try:
        for (line,) in connection.execute("PRAGMA integrity_check"):
            if line != "ok":
                found.append(f"the file is damaged: {line}")
        for table, _, parent, _ in connection.execute("PRAGMA foreign_key_check"):
            found.append(f"a row of table {table} refers to a missing row of {parent}")
        for _, sentence in zip(range(100), _broken_invariants(connection), strict=False):
            found.append(sentence)
    except sqlite3.DatabaseError as error:
        found.append(f"the file is damaged: {error}")
    return found


def damaged_pages(connection: sqlite3.Connection, at_most: int = _GLANCED_AT) -> list[str]:
    """The first fault in the structure of a file of ``at_most`` bytes (of 64 MB in some .2 s of
    processor time); a larger one is not looked through."""
    (size,) = connection.execute(
        "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"
    ).fetchone()
    if size > at_most:
        return []
    try:
        lines = [line for (line,) in connection.execute("PRAGMA quick_check(1)")]
    except sqlite3.DatabaseError as error:
        lines = [str(error)]
    return [f"the file is damaged: {line}" for line in lines if line != "ok"]


def _broken_invariants(connection: sqlite3.Connection) -> Iterator[str]:
    yield from _broken_slices(connection)
    for statement, sentence in _QUERIES:
        for row in connection.execute(statement):
            yield sentence.format(*row)


def _broken_slices(connection: sqlite3.Connection) -> Iterator[str]:
    documents = connection.execute("SELECT document, text FROM content")
    for number, packed in documents:
        text = unescape(packed)
        rows = connection.execute(
            "SELECT id, ordinal, start, stop, text FROM chunk WHERE document = ? ORDER BY ordinal",
            (number,),
        )
        for expected, (chunk, ordinal, start, stop, part) in enumerate(rows):
            if ordinal != expected:
                yield f"chunk {chunk} has ordinal {ordinal}, expected {expected}"
            if text[start:stop] != unescape(part):
                yield f"chunk {chunk} is not the text of its document from {start} to {stop}"


_QUERIES = (
    (
        "SELECT id, count(*) FROM chunk GROUP BY id HAVING count(*) > 1",
        "chunk id {} is used {} times",
    ),
    (
        "SELECT d.id FROM document d LEFT JOIN content t ON t.document = d.number "
        "WHERE t.document IS NULL",
        "document {} has no text",
    ),
    (
        "SELECT number FROM chunk WHERE number IN (SELECT number FROM removed_chunk)",
        "chunk number {} was removed and is used again",
    ),
    (
        "SELECT number FROM chunk, state WHERE added_revision > revision",
        "chunk number {} was added after the catalog's revision",
    ),
    (
        "SELECT e.key, length(e.vector), m.dimension FROM embedding e "
        "JOIN model m ON m.number = e.model WHERE length(e.vector) != 4 * m.dimension",
        "the vector of {} has {} bytes, its model has dimension {}",
    ),
    (
        "SELECT DISTINCT document_id FROM mention "
        "WHERE document_id NOT IN (SELECT id FROM document)",
        "concepts are mentioned in document {}, which is not there",
    ),
    (
        "SELECT DISTINCT chunk_id FROM mention WHERE chunk_id NOT IN (SELECT id FROM chunk)",
        "concepts are mentioned in chunk {}, which is not there",
    ),
)
