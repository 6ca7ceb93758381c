"""Opening the catalog's file: connections of threads, transactions, errors in plain words."""

from __future__ import annotations

import os
import shutil
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from graphrag.adapters.durable_files import TOO_LARGE, largest_file
from graphrag.adapters.sqlite_metadata import fill as fill_metadata
from graphrag.collecting import without_collections
from graphrag.errors import StoreError
from graphrag.resources import schema

SCHEMA_VERSION = 4
# By the version that each makes, and what then is worked out from the rows.
_CHANGES = {2: "catalog_2.sql", 3: "catalog_3.sql", 4: "catalog_4.sql"}
_FILLED = {4: fill_metadata}
_BUSY_SECONDS = 10.0
_WRITTEN_AT_ONCE = 64 << 10  # bytes, at most
_NO_SHARED_MEMORY = ("SQLITE_IOERR_SHM", "SQLITE_IOERR_WRITE", "SQLITE_FULL")  # the disk is full
_LARGEST_LOG = 64 << 20  # bytes of the write-ahead log that stay after a large change

DAMAGED = "it is damaged: put back a copy, or delete the index and ingest again"
_MENDS = {
    "SQLITE_FULL": "the disk is full: free some space and run the command again",
    "SQLITE_READONLY": "it cannot be written: check the permissions of the file and its folder",
    "SQLITE_CANTOPEN": "it cannot be opened: check that its folder exists and may be written",
    "SQLITE_PERM": "access is denied: check the permissions of the file and its folder",
    "SQLITE_BUSY": "another process is writing: wait for it to end and run the command again",
    "SQLITE_LOCKED": "another process is writing: wait for it to end and run the command again",
    "SQLITE_CORRUPT": DAMAGED,
    "SQLITE_NOTADB": "it is no catalog, or damaged: put back a copy, or delete it and ingest again",
    "SQLITE_IOERR": "the disk reports an error: check its health and free space",
    "SQLITE_TOOBIG": "a text is larger than SQLite can keep (1 GB): split the document",
}


class Session:
    """One connection a thread to one file; writing transactions exclude each other."""

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        self.path = path
        self.read_only = read_only or (path.exists() and not os.access(path, os.W_OK))
        self._local = threading.local()
        self._connections: dict[threading.Thread, sqlite3.Connection] = {}
        self._writers = threading.RLock()
        self._registry = threading.RLock()
        self._closed = False

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """This thread's connection in one consistent view of the file."""
        with self._translated(), without_collections():
            connection = self._connection()
            if connection.in_transaction:
                yield connection
                return
            connection.execute("BEGIN")
            try:
                yield connection
            finally:
                connection.rollback()

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """This thread's connection in a writing transaction: all or nothing."""
        with self._translated(), self._writers:
            connection = self._connection()
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.commit()
            except BaseException:
                # The error that brought us here is the one to tell, not the rollback's.
                with suppress(sqlite3.Error):
                    connection.rollback()
                raise

    def prepare(self) -> None:
        """Create the tables of a new file, and what a file of an earlier version lacks; refuse
        a file of a later version."""
        with self._translated():
            connection = self._connection()
            version = connection.execute("PRAGMA user_version").fetchone()[0]
            empty = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0] == 0
            if version == 0 and empty and not self.read_only:
                whole = "\n".join(schema(name) for name in ("catalog.sql", *_CHANGES.values()))
                connection.executescript(f"BEGIN EXCLUSIVE;\n{whole}\nCOMMIT;")
            elif 0 < version < SCHEMA_VERSION and not self.read_only:
                self._upgrade(connection)
            elif not 0 < version <= SCHEMA_VERSION:
                raise StoreError(
                    f"catalog {self.path} has version {version}, this program reads "
                    f"{SCHEMA_VERSION}: use the program that made it, or delete the index "
                    "directory and ingest again"
                )

    def _upgrade(self, connection: sqlite3.Connection) -> None:
        connection.execute("BEGIN EXCLUSIVE")
        try:
            # Another process may have done it in the meantime.
            version = connection.execute("PRAGMA user_version").fetchone()[0]
            for made in sorted(made for made in _CHANGES if made > version):
                for statement in schema(_CHANGES[made]).split(";"):
                    connection.execute(statement)
                if made in _FILLED:
                    _FILLED[made](connection)
            connection.commit()
        except BaseException:
            with suppress(sqlite3.Error):
                connection.rollback()
            raise

    def close(self) -> None:
        """Close the connections of all threads; safe to call twice."""
        with self._writers, self._registry, self._translated():
            self._closed = True
            for connection in self._connections.values():
                connection.close()
            self._connections.clear()

    def _connection(self) -> sqlite3.Connection:
        if self._closed:
            raise StoreError(f"catalog {self.path} is closed: open the workspace again")
        connection: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            connection = self._connect()
            self._local.connection = connection
            with self._registry:
                self._close_those_of_dead_threads()
                self._connections[threading.current_thread()] = connection
        return connection

    def _close_those_of_dead_threads(self) -> None:
        for thread in [thread for thread in self._connections if not thread.is_alive()]:
            self._connections.pop(thread).close()

    def _connect(self) -> sqlite3.Connection:
        uri = self.path.absolute().as_uri()
        if self.read_only:
            uri += "?mode=ro"
            if not os.access(self.path.parent, os.W_OK) and not _has_log(self.path):
                # WAL needs a shared-memory file beside; on a read-only disk nobody writes.
                uri += "&immutable=1"
            return self._opened(uri)
        try:
            return self._opened(uri)
        except sqlite3.OperationalError as error:
            if not getattr(error, "sqlite_errorname", "").startswith(_NO_SHARED_MEMORY):
                raise
            # What stands there can be read all the same: the memory that SQLite would share
            # by a file beside the catalog is this process's own then, and others wait.
            with suppress(sqlite3.OperationalError):
                return self._opened(f"{uri}?vfs=unix-excl")
            raise

    def _opened(self, uri: str) -> sqlite3.Connection:
        connection = sqlite3.connect(
            uri, uri=True, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False
        )
        with ExitStack() as failing:
            failing.callback(connection.close)
            connection.execute("PRAGMA foreign_keys = ON")
            connection.execute("PRAGMA cache_size = -32768")
            if not self.read_only:
                connection.execute("PRAGMA page_size = 8192")
                connection.execute("PRAGMA journal_mode = WAL")
                connection.execute("PRAGMA synchronous = FULL")
                connection.execute(f"PRAGMA journal_size_limit = {_LARGEST_LOG}")
            failing.pop_all()
        return connection

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            free = shutil.disk_usage(self.path.parent).free if self.path.parent.exists() else None
            told = TOO_LARGE if _may_not_grow(self.path, error) else explain(error, free)
            raise StoreError(f"catalog {self.path}: {told}") from error


def explain(error: sqlite3.Error, free: int | None = None) -> str:
    """What went wrong and the mend, from SQLite's own code and how many bytes are free: where
    none are, it speaks of an error of the disk for its files beside the catalog."""
    name = getattr(error, "sqlite_errorname", "")
    if name.startswith("SQLITE_IOERR") and free is not None and free < _WRITTEN_AT_ONCE:
        name = "SQLITE_FULL"
    for prefix, mend in _MENDS.items():
        if name.startswith(prefix):
            return f"{mend} ({error})"
    return str(error)


def _may_not_grow(path: Path, error: sqlite3.Error) -> bool:
    """Whether an error of the disk is the limit on the size of a file, which SQLite does not
    tell: one of its files has come to it."""
    if not getattr(error, "sqlite_errorname", "").startswith("SQLITE_IOERR"):
        return False
    files = [path.with_name(path.name + end) for end in ("", "-wal", "-shm")]
    sizes = [file.stat().st_size for file in files if file.exists()]
    return max(sizes, default=0) + _WRITTEN_AT_ONCE > largest_file()


def _has_log(path: Path) -> bool:
    log = path.with_name(path.name + "-wal")
    return log.exists() and log.stat().st_size > 0
