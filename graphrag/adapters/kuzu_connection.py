"""Opening a Kùzu file, its errors in plain words, and rows put into its tables.

Kùzu and pyarrow are imported where they are first needed: the console and the commands
that never open the graph here start without them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graphrag.adapters.kuzu_tables import Table
from graphrag.errors import DamagedError, StoreError

if TYPE_CHECKING:
    import pyarrow as pa

BUFFER_POOL = 1 << 29
_ONE_THREAD = BUFFER_POOL + (1 << 20)  # smaller pools are for little, where threads cost more
_MAX_SIZE = 1 << 34
# What Kùzu says where the file may be whole.
_PASSING = (
    *("set lock", "Too many open files", "Permission denied", "No space left"),
    *("Buffer manager exception", "Cannot allocate memory", "Mmap"),
)
_BATCH = 100_000  # rows a COPY: keeps arrow's text columns below 2 GB


def load() -> None:
    """Import both libraries now, where there is time for it."""
    import kuzu  # noqa: F401
    import pyarrow  # noqa: F401


@contextmanager
def opened(path: Path, *, read_only: bool = False, pool: int = BUFFER_POOL) -> Iterator[Any]:
    """A connection to the file, with ``pool`` bytes of memory; when it is closed, all is in
    the file itself."""
    import importlib.util  # noqa: F401  # kuzu uses it for parameters without importing it

    import kuzu  # 0.1 s: not on the way of commands that need no graph

    database = kuzu.Database(
        str(path),
        read_only=read_only,
        buffer_pool_size=pool,
        max_db_size=_MAX_SIZE,
        max_num_threads=1 if pool < _ONE_THREAD else 0,
    )
    try:
        connection = kuzu.Connection(database)
        try:
            yield connection
        finally:
            connection.close()
    finally:
        database.close()


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Turn Kùzu's errors into StoreErrors: DamagedErrors, where the file is to blame."""
    try:
        yield
    except RuntimeError as error:  # the only exception class Kùzu has
        said = one_line(str(error))
        if any(words in said for words in _PASSING):
            raise StoreError(f"graph {path} cannot be used just now: {said}") from error
        raise DamagedError(
            f"graph {path} cannot be used: {said}; delete it and build it anew"
        ) from error


def statements(ddl: str) -> list[str]:
    """The statements of a script, without comments."""
    bare = re.sub(r"//[^\n]*", "", ddl)
    return [statement.strip() for statement in bare.split(";") if statement.strip()]


def copy(connection: Any, table: Table) -> None:
    """COPY in autocommit: all or nothing, and the only safe way (never in a transaction)."""
    for start in range(0, len(table.rows), _BATCH):
        part = columns(table.rows[start : start + _BATCH], table.types)
        connection.execute(f"COPY {table.name} FROM $rows", {"rows": part})


def columns(rows: Sequence[tuple[object, ...]], types: Sequence[str]) -> pa.Table:
    """Rows as columns ``c0``, ``c1``, ... of those types (see ``kuzu_tables.Table``)."""
    import pyarrow as pa  # 0.2 s: only a build needs it

    kinds = {
        "string": pa.string(),
        "int": pa.int64(),
        "float": pa.float64(),
        "bool": pa.bool_(),
        "strings": pa.list_(pa.string()),
    }
    arrays = [
        pa.array(column, type=kinds[kind])
        for column, kind in zip(zip(*rows, strict=True), types, strict=True)
    ]
    return pa.table(arrays, names=[f"c{i}" for i in range(len(arrays))])


def log(path: Path) -> Path:
    """Kùzu's write-ahead log beside a file."""
    return path.with_name(f"{path.name}.wal")


def remove(path: Path) -> None:
    """Take the file and its log away, if they are there."""
    path.unlink(missing_ok=True)
    log(path).unlink(missing_ok=True)


def one_line(message: str) -> str:
    """The first line of an error, blanks made single."""
    return " ".join(message.split("\n", maxsplit=1)[0].split()) or "unknown error"
