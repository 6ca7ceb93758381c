"""What a search asks of the catalog: by number or id, never by going through everything."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Mapping, Sequence

from graphrag.adapters.sqlite_rows import (
    CHUNK_COLUMNS,
    escape,
    pack,
    plain_metadata,
    unescape,
    unpack_chunk,
    unpack_metadata,
)
from graphrag.ports import NumberedChunk

# As schemas/catalog_3.sql has it, whose index then holds these documents alone.
_LIMITED = (
    "instr(metadata, '\"valid_from\"') OR instr(metadata, '\"valid_to\"') "
    "OR instr(metadata, '\"supersedes\"')"
)
_AMONG = "id IN (SELECT value FROM json_each(?))"


def read_metadata(
    connection: sqlite3.Connection, ids: Collection[str] | None
) -> dict[str, Mapping[str, object]]:
    """Of the documents of those ids (all without), in reading order."""
    if ids is None:
        return _metadata(connection, "TRUE")
    return _metadata(connection, _AMONG, packed(ids))


def limited_metadata(connection: sqlite3.Connection) -> dict[str, Mapping[str, object]]:
    """Of the documents whose validity has limits, and perhaps of some more that say so."""
    return _metadata(connection, _LIMITED)


def _metadata(
    connection: sqlite3.Connection, where: str, *values: str
) -> dict[str, Mapping[str, object]]:
    rows = connection.execute(
        "SELECT id, metadata, title, source, format FROM document "
        f"WHERE {where} ORDER BY position, id",
        values,
    )
    return {
        unescape(key): plain_metadata(
            unpack_metadata(metadata), unescape(title), unescape(source), form
        )
        for key, metadata, title, source, form in rows
    }


def chunk_ids(connection: sqlite3.Connection, numbers: Sequence[int]) -> dict[int, str]:
    """Number to id, in the order of the known ones of those numbers."""
    rows = connection.execute(
        "SELECT c.number, c.id FROM json_each(?) j CROSS JOIN chunk c ON c.number = j.value",
        (pack(list(numbers)),),
    )
    return {number: unescape(key) for number, key in rows}


def numbers_of(connection: sqlite3.Connection, document_ids: Collection[str]) -> list[int]:
    """Numbers of the chunks of those documents, ascending."""
    rows = connection.execute(
        "SELECT c.number FROM document d JOIN chunk c ON c.document = d.number "
        "WHERE d.id IN (SELECT value FROM json_each(?))",
        (packed(document_ids),),
    )
    return sorted(number for (number,) in rows)


def spread_of_chunks(connection: sqlite3.Connection) -> tuple[int, int]:
    """How many chunks there are, and how many documents have any."""
    chunks, documents = connection.execute(
        "SELECT count(*), count(DISTINCT document) FROM chunk"
    ).fetchone()
    return chunks, documents


def numbered(
    connection: sqlite3.Connection, documents: Sequence[str], numbers: Sequence[int]
) -> list[NumberedChunk]:
    """The chunks of those documents and those of those numbers, by number."""
    found: dict[int, NumberedChunk] = {}
    for column, wanted in (("d.id", packed(documents)), ("c.number", pack(list(numbers)))):
        rows = connection.execute(
            f"SELECT c.number, c.embedding_key, {CHUNK_COLUMNS} FROM chunk c "
            "JOIN document d ON d.number = c.document "
            f"WHERE {column} IN (SELECT value FROM json_each(?))",
            (wanted,),
        )
        for number, key, *row in rows:
            found[number] = NumberedChunk(number, unpack_chunk(row), key)
    return [found[number] for number in sorted(found)]


def packed(ids: Collection[str]) -> str:
    """Ids as SQLite's ``json_each`` takes them."""
    return pack([escape(key) for key in ids])
