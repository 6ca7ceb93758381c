"""The catalog in one SQLite file: the truth that every projection is made from."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Self

from graphrag.adapters import sqlite_lookups as lookups
from graphrag.adapters import sqlite_people as people
from graphrag.adapters.sqlite_check import damage, damaged_pages
from graphrag.adapters.sqlite_concepts import GraphReader, forget_documents, put_graph
from graphrag.adapters.sqlite_documents import replace_chunks, stamp_columns, write_documents
from graphrag.adapters.sqlite_embeddings import drop_unused, put_embeddings, read_embeddings
from graphrag.adapters.sqlite_lookups import packed
from graphrag.adapters.sqlite_metadata import documents_where
from graphrag.adapters.sqlite_rows import (
    CHUNK_COLUMNS,
    DOCUMENT_COLUMNS,
    escape,
    unescape,
    unpack_annotation,
    unpack_chunk,
    unpack_document,
)
from graphrag.adapters.sqlite_session import DAMAGED, Session
from graphrag.adapters.sqlite_touched import touch, touched_since
from graphrag.domain import (
    IN_FORCE,
    Annotation,
    Chunk,
    ConceptGraph,
    Decision,
    Document,
    GivenConcept,
    Learner,
)
from graphrag.errors import StoreError
from graphrag.ports import (
    ChunkChanges,
    FileStamp,
    NumberedChunk,
    Rechunked,
    StoredDocument,
    Touched,
    Vectors,
)

_CHUNKS = f"SELECT {CHUNK_COLUMNS} FROM chunk c JOIN document d ON d.number = c.document"
_DOCUMENTS = f"SELECT {DOCUMENT_COLUMNS} FROM document d JOIN content t ON t.document = d.number"


class SqliteCatalog:
    """``ports.Catalog`` in SQLite (WAL, foreign keys, a flush to disk at every commit). Safe
    in several threads; one process writes, others read. A chunk whose embedded text
    stays keeps its number through edits and renames. Errors of SQLite are StoreErrors.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._graphs = GraphReader()

    @classmethod
    def open(cls, path: Path, *, read_only: bool = False) -> Self:
        """Open the file, making it where it is missing and may be written.

        Raises StoreError when it is missing and read-only, damaged, or of another version.
        """
        if read_only and not path.is_file():
            raise StoreError(f"there is no catalog at {path}: run `graphrag ingest` first")
        session = Session(path, read_only=read_only)
        try:
            session.prepare()
        except BaseException:
            session.close()
            raise
        return cls(session)

    def close(self) -> None:
        self._session.close()

    @property
    def revision(self) -> int:
        with self._session.reading() as connection:
            return _revision(connection)

    # --- documents and chunks ---------------------------------------------------------

    def write_documents(self, added: Sequence[StoredDocument], removed: Sequence[str]) -> None:
        with self._session.writing() as connection:
            named = packed([*removed, *(stored.document.id for stored in added)])
            gone = [
                key
                for (key,) in connection.execute(
                    "SELECT id FROM document WHERE id IN (SELECT value FROM json_each(?))", (named,)
                )
            ]
            if not added and not gone:
                return
            revision = _raise_revision(connection)
            write_documents(connection, added, removed, revision)
            forget_documents(connection, gone)
            touch(connection, [*gone, *(escape(each.document.id) for each in added)], revision)

    def stamps(self) -> dict[str, FileStamp]:
        with self._session.reading() as connection:
            rows = connection.execute(
                "SELECT id, source, root, size, modified_ns, digest FROM document "
                "ORDER BY position, id"
            )
            return {
                unescape(key): FileStamp(unescape(source), unescape(root), size, modified, digest)
                for key, source, root, size, modified, digest in rows
            }

    def restamp(self, stamps: Mapping[str, FileStamp]) -> None:
        with self._session.writing() as connection:
            connection.executemany(
                "UPDATE document SET source = ?, root = ?, size = ?, modified_ns = ?, digest = ? "
                "WHERE id = ?",
                ((*stamp_columns(stamp), escape(key)) for key, stamp in stamps.items()),
            )
            # The source is shown too, by projections of the next revision.
            touch(connection, map(escape, stamps), _revision(connection) + 1)

    def counts(self) -> dict[str, int]:
        with self._session.reading() as connection:
            row = connection.execute(
                "SELECT (SELECT count(*) FROM document), (SELECT count(*) FROM chunk), "
                "(SELECT count(*) FROM concept)"
            ).fetchone()
            by_status = dict(
                connection.execute("SELECT status, count(*) FROM prerequisite GROUP BY status")
            )
        held = {name: by_status.get(name, 0) for name in IN_FORCE}
        totals = dict(zip(("documents", "chunks", "concepts"), row, strict=True))
        return {**totals, "prerequisites": sum(held.values()), **held}

    def document_ids(self) -> list[str]:
        with self._session.reading() as connection:
            rows = connection.execute("SELECT id FROM document ORDER BY position, id")
            return [unescape(key) for (key,) in rows]

    def documents(self, ids: Sequence[str] | None = None) -> list[Document]:
        with self._session.reading() as connection:
            if ids is None:
                rows = connection.execute(f"{_DOCUMENTS} ORDER BY d.position, d.id")
            else:
                rows = connection.execute(
                    f"{_DOCUMENTS} WHERE d.id IN (SELECT value FROM json_each(?)) "
                    "ORDER BY d.position, d.id",
                    (packed(ids),),
                )
            return [unpack_document(row) for row in rows]

    def metadata(self, ids: Collection[str] | None = None) -> dict[str, Mapping[str, object]]:
        with self._session.reading() as connection:
            return lookups.read_metadata(connection, ids)

    def limited_metadata(self) -> dict[str, Mapping[str, object]]:
        with self._session.reading() as connection:
            return lookups.limited_metadata(connection)

    def documents_where(self, key: str, holds: Callable[[str], bool]) -> set[str] | None:
        with self._session.reading() as connection:
            return documents_where(connection, key, holds)

    def annotations(self) -> dict[str, Annotation]:
        with self._session.reading() as connection:
            rows = connection.execute(
                "SELECT d.id, t.annotation FROM document d JOIN content t "
                "ON t.document = d.number ORDER BY d.position, d.id"
            )
            return {unescape(key): unpack_annotation(packed) for key, packed in rows}

    def chunks(self, ids: Sequence[str] | None = None) -> list[Chunk]:
        with self._session.reading() as connection:
            if ids is None:
                rows = connection.execute(f"{_CHUNKS} ORDER BY d.position, d.id, c.ordinal")
            else:
                rows = connection.execute(
                    f"SELECT {CHUNK_COLUMNS} FROM json_each(?) j CROSS JOIN chunk c "
                    "ON c.id = j.value JOIN document d ON d.number = c.document ORDER BY j.key",
                    (packed(ids),),
                )
            return [unpack_chunk(row) for row in rows]

    def chunk_numbers(self) -> dict[int, str]:
        with self._session.reading() as connection:
            rows = connection.execute("SELECT number, id FROM chunk ORDER BY number")
            return {number: unescape(key) for number, key in rows}

    def chunk_ids(self, numbers: Sequence[int]) -> dict[int, str]:
        with self._session.reading() as connection:
            return lookups.chunk_ids(connection, numbers)

    def numbers_of(self, document_ids: Collection[str]) -> list[int]:
        with self._session.reading() as connection:
            return lookups.numbers_of(connection, document_ids)

    def spread_of_chunks(self) -> tuple[int, int]:
        with self._session.reading() as connection:
            return lookups.spread_of_chunks(connection)

    def chunks_of(self, document_ids: Collection[str]) -> list[str]:
        with self._session.reading() as connection:
            rows = connection.execute(
                "SELECT c.id FROM document d JOIN chunk c ON c.document = d.number "
                "WHERE d.id IN (SELECT value FROM json_each(?)) "
                "ORDER BY d.position, d.id, c.ordinal",
                (packed(document_ids),),
            )
            return [unescape(key) for (key,) in rows]

    def changes_since(self, revision: int) -> ChunkChanges:
        with self._session.reading() as connection:
            current = _revision(connection)
            if revision > current:
                raise StoreError(
                    f"a projection of revision {revision} is ahead of catalog "
                    f"{self._session.path} at revision {current}: build it anew"
                )
            # "+": SQLite would go through the whole table in its order, rather than look up
            # the few rows in the index of revisions and sort them.
            added = connection.execute(
                f"SELECT c.number, c.embedding_key, {CHUNK_COLUMNS} FROM chunk c "
                "JOIN document d ON d.number = c.document WHERE c.added_revision > ? "
                "ORDER BY +c.number",
                (revision,),
            ).fetchall()
            removed = connection.execute(
                "SELECT number FROM removed_chunk WHERE removed_revision > ? "
                "AND added_revision <= ? ORDER BY +number",
                (revision, revision),
            ).fetchall()
        return ChunkChanges(
            current,
            tuple(NumberedChunk(number, unpack_chunk(row), key) for number, key, *row in added),
            tuple(number for (number,) in removed),
        )

    def numbered(
        self, *, documents: Sequence[str] = (), numbers: Sequence[int] = ()
    ) -> list[NumberedChunk]:
        with self._session.reading() as connection:
            return lookups.numbered(connection, documents, numbers)

    def touched_since(self, revision: int) -> Touched | None:
        with self._session.reading() as connection:
            return touched_since(connection, revision)

    # --- embeddings -------------------------------------------------------------------

    def put_embeddings(self, fingerprint: str, keys: Sequence[str], vectors: Vectors) -> None:
        with self._session.writing() as connection:
            put_embeddings(connection, fingerprint, keys, vectors)

    def embeddings(self, fingerprint: str, keys: Sequence[str]) -> dict[str, Vectors]:
        with self._session.reading() as connection:
            return read_embeddings(connection, fingerprint, keys)

    def drop_unused_embeddings(self, keep: Collection[str] = ()) -> int:
        with self._session.writing() as connection:
            return drop_unused(connection, keep)

    def adopt_model(
        self, fingerprint: str, rechunked: Sequence[Rechunked], values: Mapping[str, str]
    ) -> None:
        with self._session.writing() as connection:
            revision = _raise_revision(connection)
            ids = [escape(each.document_id) for each in rechunked]
            replace_chunks(connection, rechunked, revision)
            forget_documents(connection, ids)
            touch(connection, ids, revision)
            for key, text in values.items():
                people.put_value(connection, key, text)
            connection.execute("DELETE FROM model WHERE fingerprint <> ?", (fingerprint,))

    # --- concepts ---------------------------------------------------------------------

    def put_concept_graph(self, graph: ConceptGraph) -> None:
        with self._session.writing() as connection:
            touched = put_graph(connection, graph)
            if touched is not None:
                touch(connection, touched, _raise_revision(connection))

    def concept_graph(self, mentions_of: Collection[str] | None = None) -> ConceptGraph:
        ids = None if mentions_of is None else [escape(key) for key in mentions_of]
        with self._session.reading() as connection:
            return self._graphs.read(connection, ids)

    # --- what people gave -------------------------------------------------------------

    def given_concepts(self) -> list[GivenConcept]:
        with self._session.reading() as connection:
            return people.given_concepts(connection)

    def put_given_concepts(self, concepts: Sequence[GivenConcept]) -> None:
        with self._session.writing() as connection:
            people.put_given_concepts(connection, concepts)

    def decisions(self) -> list[Decision]:
        with self._session.reading() as connection:
            return people.decisions(connection)

    def put_decisions(self, decisions: Sequence[Decision]) -> None:
        with self._session.writing() as connection:
            people.put_decisions(connection, decisions)

    def learner(self, name: str) -> Learner:
        with self._session.reading() as connection:
            return people.learner(connection, name)

    def put_learner(self, learner: Learner) -> None:
        with self._session.writing() as connection:
            people.put_learner(connection, learner)

    def value(self, key: str) -> str | None:
        with self._session.reading() as connection:
            return people.value(connection, key)

    def put_value(self, key: str, value: str) -> None:
        with self._session.writing() as connection:
            people.put_value(connection, key, value)

    def check(self) -> list[str]:
        with self._session.reading() as connection:
            return damage(connection)

    def glance(self) -> list[str]:
        with self._session.reading() as connection:
            return damaged_pages(connection)


def _revision(connection: sqlite3.Connection) -> int:
    with closing(connection.execute("SELECT revision FROM state")) as rows:
        row = rows.fetchone()
    if row is None or not isinstance(row[0], int):
        raise StoreError(f"the catalog has no revision: {DAMAGED}")
    return row[0]


def _raise_revision(connection: sqlite3.Connection) -> int:
    connection.execute("UPDATE state SET revision = revision + 1")
    return _revision(connection)
