"""Documents and chunks in the catalog's tables: how a change is written.

A chunk whose embedded text is found among the chunks that go keeps its number, so an
edited or renamed document costs the projections only what really differs.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence

from graphrag.adapters.sqlite_metadata import put_values
from graphrag.adapters.sqlite_rows import (
    escape,
    pack,
    pack_annotation,
    pack_blocks,
    pack_chunk,
    pack_links,
    pack_metadata,
    pack_position,
)
from graphrag.domain import Chunk
from graphrag.errors import StoreError
from graphrag.ports import FileStamp, Rechunked, StoredDocument

_TextKey = tuple[str, str, str]
_Pool = dict[_TextKey, list[int]]


def write_documents(
    connection: sqlite3.Connection,
    added: Sequence[StoredDocument],
    removed: Sequence[str],
    revision: int,
) -> None:
    """Put ``added``, take ``removed`` away; new chunks bear ``revision``."""
    _refuse_inconsistent(added)
    arriving = {stored.document.id for stored in added}
    leaving = [escape(key) for key in dict.fromkeys(removed) if key not in arriving]
    pools = _pools(connection, [*leaving, *(escape(key) for key in arriving)])
    waiting: list[tuple[int, Chunk, str]] = []
    for stored in added:
        number = _put_document(connection, stored)
        own = pools.get(escape(stored.document.id), {})
        waiting += _keep_chunks(connection, stored, number, own)
    _place(connection, waiting, _merged(pools.values()), revision)
    connection.executemany("DELETE FROM document WHERE id = ?", ((key,) for key in leaving))


def replace_chunks(
    connection: sqlite3.Connection, rechunked: Sequence[Rechunked], revision: int
) -> None:
    """Put other chunks in place of those of known documents; new ones bear ``revision``."""
    pools = _pools(connection, [escape(each.document_id) for each in rechunked])
    waiting: list[tuple[int, Chunk, str]] = []
    for each in rechunked:
        known = connection.execute(
            "SELECT number FROM document WHERE id = ?", (escape(each.document_id),)
        ).fetchone()
        if known is None:
            raise StoreError(f"document {each.document_id!r} is not in the catalog")
        waiting += _keep_chunks(connection, each, known[0], pools[escape(each.document_id)])
    _place(connection, waiting, _merged(pools.values()), revision)


def _place(
    connection: sqlite3.Connection,
    waiting: Sequence[tuple[int, Chunk, str]],
    spare: _Pool,
    revision: int,
) -> None:
    """Give each chunk the number of a spare one of the same text, or a new one; what is
    still spare then is buried."""
    for document, chunk, key in waiting:
        known = spare.get(_text_key(chunk, key))
        if known:
            _move_chunk(connection, known.pop(0), document, chunk, key)
        else:
            _insert_chunk(connection, document, chunk, key, revision)
    _bury(connection, [number for numbers in spare.values() for number in numbers], revision)


def stamp_columns(stamp: FileStamp) -> tuple[object, ...]:
    """Columns source, root, size, modified_ns, digest."""
    source, root = escape(stamp.source), escape(stamp.root)
    return source, root, stamp.size, stamp.modified_ns, stamp.digest


def _refuse_inconsistent(added: Sequence[StoredDocument]) -> None:
    seen: set[str] = set()
    for stored in added:
        if stored.document.id in seen:
            raise StoreError(f"document {stored.document.id!r} is given twice in one change")
        seen.add(stored.document.id)
        if len(stored.chunks) != len(stored.embedding_keys):
            raise StoreError(
                f"document {stored.document.id!r} has {len(stored.chunks)} chunks but "
                f"{len(stored.embedding_keys)} embedding keys"
            )


def _pools(connection: sqlite3.Connection, document_ids: Iterable[str]) -> dict[str, _Pool]:
    """The stored chunks of each (escaped) document id: text to numbers, in order."""
    pools: dict[str, _Pool] = {}
    for document_id in document_ids:
        rows = connection.execute(
            "SELECT c.number, c.embedding_key, c.context, c.text FROM chunk c "
            "JOIN document d ON d.number = c.document WHERE d.id = ? ORDER BY c.ordinal",
            (document_id,),
        )
        pool = pools.setdefault(document_id, {})
        for number, key, context, text in rows:
            pool.setdefault((key, context, text), []).append(number)
    return pools


def _merged(pools: Iterable[_Pool]) -> _Pool:
    merged: _Pool = {}
    for pool in pools:
        for text, numbers in pool.items():
            merged.setdefault(text, []).extend(numbers)
    return merged


def _text_key(chunk: Chunk, key: str) -> _TextKey:
    return key, escape(chunk.context), escape(chunk.text)


def _put_document(connection: sqlite3.Connection, stored: StoredDocument) -> int:
    document = stored.document
    number: int = connection.execute(
        "INSERT INTO document (id, position, title, format, language, metadata, "
        "source, root, size, modified_ns, digest) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) "
        "ON CONFLICT (id) DO UPDATE SET position = excluded.position, title = excluded.title, "
        "format = excluded.format, language = excluded.language, metadata = excluded.metadata, "
        "source = excluded.source, root = excluded.root, size = excluded.size, "
        "modified_ns = excluded.modified_ns, digest = excluded.digest RETURNING number",
        (
            escape(document.id),
            pack_position(stored.position),
            escape(document.title),
            document.format,
            document.language,
            pack_metadata(document.metadata),
            escape(document.source),
            *stamp_columns(stored.stamp)[1:],
        ),
    ).fetchone()[0]
    put_values(connection, number, document.metadata)
    connection.execute(
        "INSERT OR REPLACE INTO content VALUES (?, ?, ?, ?, ?)",
        (
            number,
            escape(document.text),
            pack_blocks(document.blocks),
            pack_links(document.links),
            pack_annotation(stored.annotation),
        ),
    )
    return number


def _keep_chunks(
    connection: sqlite3.Connection, stored: StoredDocument | Rechunked, number: int, pool: _Pool
) -> list[tuple[int, Chunk, str]]:
    """Update the document's unchanged chunks in place; gives those still to be placed."""
    waiting = []
    for chunk, key in zip(stored.chunks, stored.embedding_keys, strict=True):
        known = pool.get(_text_key(chunk, key))
        if known:
            _move_chunk(connection, known.pop(0), number, chunk, key)
        else:
            waiting.append((number, chunk, key))
    return waiting


def _move_chunk(
    connection: sqlite3.Connection, number: int, document: int, chunk: Chunk, key: str
) -> None:
    connection.execute(
        "UPDATE chunk SET document = ?, id = ?, ordinal = ?, start = ?, stop = ?, "
        "heading_path = ?, kind = ?, tokens = ?, page = ?, embedding_key = ? WHERE number = ?",
        (document, *pack_chunk(chunk), key, number),
    )


def _insert_chunk(
    connection: sqlite3.Connection, document: int, chunk: Chunk, key: str, revision: int
) -> None:
    connection.execute(
        "INSERT INTO chunk (document, id, ordinal, start, stop, heading_path, kind, tokens, "
        "page, embedding_key, added_revision, context, text) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (document, *pack_chunk(chunk), key, revision, escape(chunk.context), escape(chunk.text)),
    )


def _bury(connection: sqlite3.Connection, numbers: Sequence[int], revision: int) -> None:
    parameters = (revision, pack(list(numbers)))
    connection.execute(
        "INSERT INTO removed_chunk SELECT number, added_revision, ? FROM chunk "
        "WHERE number IN (SELECT value FROM json_each(?))",
        parameters,
    )
    connection.execute(
        "DELETE FROM chunk WHERE number IN (SELECT value FROM json_each(?))", parameters[1:]
    )
