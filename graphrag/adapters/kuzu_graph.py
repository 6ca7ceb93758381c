"""The property graph in Kùzu: written beside the old one, read through Cypher."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from graphrag.adapters import kuzu_tables
from graphrag.adapters.cypher_guard import guarded
from graphrag.adapters.durable_files import (
    TOO_LARGE,
    checksum,
    copied,
    flush,
    identity,
    largest_file,
    make_folder,
    replacing,
    write_whole,
)
from graphrag.adapters.kuzu_change import apply_change, build
from graphrag.adapters.kuzu_connection import (
    BUFFER_POOL,
    log,
    one_line,
    opened,
    remove,
    translated,
)
from graphrag.domain import Concept, ConceptGraph, Prerequisite, Relation
from graphrag.errors import DamagedError, QueryError, StoreError
from graphrag.ports import GraphChange, GraphSnapshot, Rows
from graphrag.resources import schema

_EMPTY_BYTES = 16 << 20  # that a graph without chunks takes on disk while it is built
_MENTION_BYTES = 200
_MEMORY = 1 << 30  # that a statement of the console may take, in bytes
_SECONDS = 30.0
_CONSOLE = Path(__file__).with_name("kuzu_console.py")
_EXAMPLES = (
    "MATCH (c:Concept) RETURN c.name, c.weight ORDER BY c.weight DESC LIMIT 10",
    "MATCH (c:Concept {name: 'eigenvalue'})-[r:REQUIRES]->(p:Concept) "
    "WHERE r.status IN ['certain', 'likely', 'possible'] RETURN p.name, r.weight, r.sentence",
    "MATCH (a:Concept {name: 'eigenvalue'})-[r:REQUIRES* SHORTEST 1..30]->(b:Concept) "
    "RETURN b.name, length(r) ORDER BY length(r)",
    "MATCH (k:Chunk)-[m:MENTIONS]->(c:Concept) WHERE c.name = $name "
    "RETURN k.document, k.heading, m.count ORDER BY m.count DESC LIMIT 10",
    "MATCH (k:Chunk)-[:PART_OF]->(d:Document) RETURN d.title, count(k) AS chunks",
)


class KuzuGraph:
    """``ports.GraphStore`` in one Kùzu file, opened for each call and closed again.

    A new graph is made in a file beside, built whole or as the old one's copy with the change
    put into it, and takes the old one's place: open readers keep what they see, a crash
    leaves the old graph. (Written in place, the file would be locked against readers, and
    readers would lock it against the writer. To copy 300 MB takes .1 s of CPU, to build
    them 8 s.)
    """

    def __init__(
        self, path: Path, *, query_seconds: float = _SECONDS, query_memory: int = _MEMORY
    ) -> None:
        self._path = path
        self._query_seconds = query_seconds
        self._query_memory = query_memory

    @property
    def revision(self) -> int:
        """The catalog revision that the graph shows; 0 where there is no graph.

        Raises StoreError when the file is damaged or of another version.
        """
        if not self._path.exists():
            return 0
        noted = self._noted_revision()
        if noted is not None:
            return noted
        self.check()  # Kùzu ends the whole process where it opens a damaged file
        rows = self._read("MATCH (m:Meta {key: 'revision'}) RETURN m.value")
        if not rows:
            raise DamagedError(f"graph {self._path} has no revision: build it anew")
        return int(rows[0][0])

    def replace(self, snapshot: GraphSnapshot, revision: int) -> None:
        tables = list(kuzu_tables.tables(snapshot, revision))
        make_folder(self._path.parent)
        _refuse_a_full_disk(self._path, _bytes_of(snapshot))
        with replacing(self._path) as beside:
            remove(beside)
            pool = _pool_to_build(snapshot)
            try:
                with translated(self._path), opened(beside, pool=pool) as connection:
                    build(connection, tables)
            finally:
                log(beside).unlink(missing_ok=True)
            self._drop_note()
        self._write_note(revision, built=self._path.stat().st_size)

    def update(self, change: GraphChange, revision: int) -> bool:
        """Show the change too; False where there is no whole graph yet to change, or changes
        have let the file grow far beyond what was built.

        Raises DamagedError where the file turns out not to hold what it should.
        """
        note = self._noted()
        built = note.get("built", 0)
        if self._noted_revision() is None or self._path.stat().st_size > 2 * built + _EMPTY_BYTES:
            return False
        size = self._path.stat().st_size
        _refuse_a_full_disk(self._path, size + _bytes_of(change.snapshot))
        with replacing(self._path) as beside:
            remove(beside)
            try:
                # A copy of a damaged file would have a right checksum again.
                if copied(self._path, beside) != note.get("checksum"):
                    return False
                pool = _pool_to_build(change.snapshot)
                with translated(self._path), opened(beside, pool=pool) as connection:
                    apply_change(connection, change, revision)
                    connection.execute("CHECKPOINT")
            finally:
                log(beside).unlink(missing_ok=True)
            self._drop_note()
        self._write_note(revision, built=built)
        return True

    def check(self) -> None:
        """Read the whole file. Raises StoreError where it is not what was written, as far as
        its note tells: who was killed before it was written left a graph without one."""
        noted = self._note.exists()
        if noted and self._path.exists() and self._noted().get("checksum") != checksum(self._path):
            raise DamagedError(
                f"graph {self._path} is damaged: run `graphrag verify` (wrong checksum)"
            )

    def concept_graph(self) -> ConceptGraph:
        concepts = self._read(
            "MATCH (c:Concept) RETURN c.id, c.name, c.aliases, c.weight, c.definition, c.given "
            "ORDER BY c.id"
        )
        prerequisites = self._read(
            "MATCH (c:Concept)-[r:REQUIRES]->(p:Concept) "
            "RETURN c.id, p.id, r.weight, r.status, r.direct, r.reason ORDER BY c.id, p.id"
        )
        relations = self._read(
            "MATCH (a:Concept)-[r:RELATED]->(b:Concept) "
            "RETURN a.id, r.kind, b.id, r.weight, r.sentence, r.document, r.chunk"
        )
        return ConceptGraph(
            concepts=tuple(
                Concept(key, name, tuple(aliases), weight, definition, given)
                for key, name, aliases, weight, definition, given in concepts
            ),
            prerequisites=tuple(
                Prerequisite(concept, other, weight, status, (), direct, reason)
                for concept, other, weight, status, direct, reason in prerequisites
            ),
            relations=tuple(Relation(*row) for row in sorted(map(tuple, relations))),
        )

    def query(
        self, statement: str, parameters: Mapping[str, object] | None = None, *, limit: int = 1000
    ) -> Rows:
        """Run one reading statement in a process that can neither write nor open files.

        Raises QueryError for a statement that is not allowed, is wrong, or takes too
        long or too much; StoreError where there is no graph, or it is damaged.
        """
        safe = guarded(statement, parameters or {})
        if not self._path.exists():
            raise StoreError(f"there is no graph at {self._path}: run `graphrag ingest` first")
        request = {
            "path": str(self._path.absolute()),
            "statement": safe,
            "parameters": dict(parameters or {}),
            "limit": max(limit, 0),
            "memory": self._query_memory,
            "seconds": int(self._query_seconds) + 1,
        }
        try:
            body = json.dumps(request, ensure_ascii=False).encode()
        except UnicodeEncodeError as error:
            raise QueryError(
                f"the statement or a parameter cannot be written as UTF-8 ({error.reason}): "
                "leave out lone surrogates"
            ) from error
        except (TypeError, ValueError) as error:
            raise QueryError(f"the parameters are no JSON values: {error}") from error
        reply = self._ask_console(body)
        if "error" in reply:
            raise QueryError(self._explained(one_line(str(reply["error"]))))
        return Rows(
            tuple(reply["columns"]),
            tuple(tuple(row) for row in reply["rows"]),
            bool(reply["truncated"]),
        )

    def describe(self) -> str:
        """Labels, edges, their keys and example statements, for people."""
        examples = "\n".join(f"  {example}" for example in _EXAMPLES)
        return f"{schema('graph.cypher').strip()}\n\nExamples:\n\n{examples}\n"

    def close(self) -> None:
        """Nothing stays open between calls."""

    @property
    def _note(self) -> Path:
        return self._path.with_name(f"{self._path.name}.revision")

    def _write_note(self, revision: int, *, built: int) -> None:
        note = {
            "revision": revision,
            "file": identity(self._path),
            "checksum": checksum(self._path),
            "built": built,
        }
        write_whole(self._note, json.dumps(note).encode())

    def _drop_note(self) -> None:
        """Before another file takes the graph's place: a note is never one of an older file."""
        self._note.unlink(missing_ok=True)
        flush(self._note.parent)

    def _noted_revision(self) -> int | None:
        """The revision as noted beside the file when it was built, if it is still that very
        file: saves the 0.1 s that it takes to import Kùzu and open the graph."""
        note = self._noted()
        try:
            return int(note["revision"]) if note["file"] == identity(self._path) else None
        except (ValueError, KeyError, TypeError):
            return None

    def _noted(self) -> dict[str, Any]:
        """What the note says; nothing where it is missing or damaged."""
        try:
            note = json.loads(self._note.read_bytes())
        except (OSError, ValueError):
            return {}
        return note if isinstance(note, dict) else {}

    def _ask_console(self, body: bytes) -> dict[str, Any]:
        with tempfile.TemporaryDirectory(prefix="graphrag-cypher-") as folder:
            try:
                ended = subprocess.run(
                    [sys.executable, "-I", str(_CONSOLE)],
                    input=body,
                    capture_output=True,
                    timeout=self._query_seconds,
                    cwd=folder,
                    env={},
                    check=False,
                )
            except subprocess.TimeoutExpired as error:
                raise QueryError(
                    f"the statement took longer than {self._query_seconds:g} seconds: "
                    "bound its hops or add a LIMIT"
                ) from error
        try:
            reply: dict[str, Any] = json.loads(ended.stdout)
        except ValueError as error:
            if ended.returncode < 0:
                self.check()
                raise QueryError(
                    f"the statement took more than {self._query_memory >> 20} MB, too much time, "
                    f"or broke Kùzu (signal {-ended.returncode}): bound its hops or add a LIMIT, "
                    "and pass flat parameters"
                ) from error
            last = ended.stderr.decode(errors="replace").strip().splitlines()[-1:]
            raise QueryError(f"the console failed: {' '.join(last) or 'no reply'}") from error
        return reply

    def _explained(self, error: str) -> str:
        if "bad_alloc" in error or "Unable to allocate memory" in error or error == "out of memory":
            return (
                f"the statement took more than {self._query_memory >> 20} MB: "
                "bound its hops or add a LIMIT"
            )
        return error

    def _read(self, statement: str) -> list[list[Any]]:
        if not self._path.exists():
            return []
        with translated(self._path), opened(self._path, read_only=True) as connection:
            rows: list[list[Any]] = connection.execute(statement).get_all()
            return rows


def _bytes_of(snapshot: GraphSnapshot) -> int:
    """What a graph of the snapshot takes on disk at most while it is built."""
    texts = sum(len(chunk.text) + len(chunk.context) for chunk in snapshot.chunks)
    return _EMPTY_BYTES + 4 * texts + _MENTION_BYTES * len(snapshot.graph.mentions)


def _refuse_a_full_disk(path: Path, needed: int) -> None:
    """Raises StoreError where so many bytes would not fit: Kùzu ends the whole process,
    without an error, when a write fails."""
    free = shutil.disk_usage(path.parent).free
    if free < needed:
        raise StoreError(
            f"the disk of {path} is full: the graph needs some {needed >> 20} MB, "
            f"{free >> 20} MB are free; make room and run the command again"
        )
    if largest_file() < needed:
        raise StoreError(f"the graph {path} needs some {needed >> 20} MB: {TOO_LARGE}")


def _pool_to_build(snapshot: GraphSnapshot) -> int:
    """Bytes that Kùzu may use: COPY holds a table's strings several times over (135 MB of
    text did not fit into 512 MB and fit into 1 GB), but never more than half the memory."""
    text = sum(len(chunk.text) for chunk in snapshot.chunks)
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return max(BUFFER_POOL, min(BUFFER_POOL + 4 * text, memory // 2))
