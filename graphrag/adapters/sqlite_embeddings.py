"""Vectors in the catalog's tables, by content hash and model."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Sequence

import numpy as np

from graphrag.adapters.sqlite_rows import escape, pack
from graphrag.errors import StoreError
from graphrag.ports import Vectors


def put_embeddings(
    connection: sqlite3.Connection, fingerprint: str, keys: Sequence[str], vectors: Vectors
) -> None:
    """Keep the vectors of keys that are not known yet.

    Raises StoreError where they do not fit the keys or the model, or are no numbers.
    """
    if vectors.ndim != 2 or len(vectors) != len(keys):
        raise StoreError(f"{len(keys)} keys do not fit vectors of shape {vectors.shape}")
    if not np.isfinite(vectors).all():
        raise StoreError(f"model {fingerprint} gave a vector with NaN or infinity: check the model")
    if not keys:
        return
    rows = np.ascontiguousarray(vectors, dtype="<f4")
    model = _model(connection, fingerprint, vectors.shape[1])
    connection.executemany(
        "INSERT OR IGNORE INTO embedding (model, key, vector) VALUES (?, ?, ?)",
        ((model, key, row.tobytes()) for key, row in zip(keys, rows, strict=True)),
    )


def read_embeddings(
    connection: sqlite3.Connection, fingerprint: str, keys: Sequence[str]
) -> dict[str, Vectors]:
    """The known ones of those keys, each with its vector."""
    rows = connection.execute(
        "SELECT e.key, e.vector FROM model m CROSS JOIN json_each(?) j "
        "CROSS JOIN embedding e ON e.model = m.number AND e.key = j.value "
        "WHERE m.fingerprint = ?",
        (pack(list(keys)), fingerprint),
    )
    return {key: np.frombuffer(vector, dtype="<f4") for key, vector in rows}


def drop_unused(connection: sqlite3.Connection, keep: Collection[str]) -> int:
    """Forget vectors that neither a chunk nor ``keep`` refers to; gives their number."""
    dropped = connection.execute(
        "DELETE FROM embedding WHERE NOT EXISTS "
        "(SELECT 1 FROM chunk c WHERE c.embedding_key = embedding.key) "
        "AND key NOT IN (SELECT value FROM json_each(?))",
        (pack([escape(key) for key in sorted(keep)]),),
    )
    connection.execute(
        "DELETE FROM model WHERE NOT EXISTS "
        "(SELECT 1 FROM embedding e WHERE e.model = model.number)"
    )
    return dropped.rowcount


def _model(connection: sqlite3.Connection, fingerprint: str, dimension: int) -> int:
    connection.execute(
        "INSERT OR IGNORE INTO model (fingerprint, dimension) VALUES (?, ?)",
        (fingerprint, dimension),
    )
    number, known = connection.execute(
        "SELECT number, dimension FROM model WHERE fingerprint = ?", (fingerprint,)
    ).fetchone()
    if known != dimension:
        raise StoreError(
            f"model {fingerprint} gave vectors of dimension {dimension}, the stored ones have "
            f"{known}: check the model, or ingest again with another fingerprint"
        )
    return int(number)
