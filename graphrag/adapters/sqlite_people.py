"""What people gave, in the catalog's tables: syllabus, decisions, learners, named values."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from graphrag.adapters.sqlite_rows import escape, pack, unescape, unpack
from graphrag.domain import Belief, Decision, GivenConcept, Learner


def given_concepts(connection: sqlite3.Connection) -> list[GivenConcept]:
    rows = connection.execute("SELECT id, title, aliases FROM given_concept ORDER BY id")
    return [
        GivenConcept(unescape(key), unescape(title), tuple(unpack(aliases)))
        for key, title, aliases in rows
    ]


def put_given_concepts(connection: sqlite3.Connection, concepts: Sequence[GivenConcept]) -> None:
    """Replace all given concepts."""
    connection.execute("DELETE FROM given_concept")
    connection.executemany(
        "INSERT INTO given_concept VALUES (?, ?, ?)",
        [(escape(c.id), escape(c.title), pack(c.aliases)) for c in concepts],
    )


def decisions(connection: sqlite3.Connection) -> list[Decision]:
    """All decisions, in the order in which they were put."""
    rows = connection.execute("SELECT kind, concept, other, note FROM decision ORDER BY number")
    return [
        Decision(kind, unescape(concept), unescape(other), unescape(note))
        for kind, concept, other, note in rows
    ]


def put_decisions(connection: sqlite3.Connection, taken: Sequence[Decision]) -> None:
    """Replace all decisions."""
    connection.execute("DELETE FROM decision")
    connection.executemany(
        "INSERT INTO decision (kind, concept, other, note) VALUES (?, ?, ?, ?)",
        [(d.kind, escape(d.concept), escape(d.other), escape(d.note)) for d in taken],
    )


def learner(connection: sqlite3.Connection, name: str) -> Learner:
    """The learner of that name; an unknown one knows nothing."""
    rows = connection.execute(
        "SELECT concept, probability, updated, because FROM belief WHERE learner = ? "
        "ORDER BY concept",
        (escape(name),),
    )
    beliefs = (
        Belief(unescape(concept), probability, updated, tuple(unpack(because)))
        for concept, probability, updated, because in rows
    )
    return Learner(name, {belief.concept: belief for belief in beliefs})


def put_learner(connection: sqlite3.Connection, who: Learner) -> None:
    """Replace all that is kept of the learner."""
    name = escape(who.name)
    connection.execute("DELETE FROM belief WHERE learner = ?", (name,))
    connection.executemany(
        "INSERT INTO belief VALUES (?, ?, ?, ?, ?)",
        [
            (name, escape(concept), belief.probability, belief.updated, pack(belief.because))
            for concept, belief in who.beliefs.items()
        ],
    )


def value(connection: sqlite3.Connection, key: str) -> str | None:
    """The named value, or none where it was never put."""
    row = connection.execute("SELECT value FROM value WHERE key = ?", (escape(key),)).fetchone()
    return None if row is None else unescape(row[0])


def put_value(connection: sqlite3.Connection, key: str, text: str) -> None:
    connection.execute("INSERT OR REPLACE INTO value VALUES (?, ?)", (escape(key), escape(text)))
