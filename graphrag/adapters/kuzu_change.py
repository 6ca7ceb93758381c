"""A graph put into an empty file, and a change put into a graph, at the price of the change.

Changed documents go with all that hangs on them and come anew. Concepts that stay keep
their nodes, for chunks of other documents point to them. The tables of edges between
concepts are small: where a row of one differs, the table is dropped and copied anew.

Everything is in autocommit, in a file that nobody else has yet. In one transaction
Kùzu 0.11.3 keeps edges that were created and deleted in it (122 of 123).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from graphrag.adapters import kuzu_tables
from graphrag.adapters.kuzu_connection import columns, copy, statements
from graphrag.adapters.kuzu_tables import Table, clean
from graphrag.errors import DamagedError
from graphrag.ports import GraphChange
from graphrag.resources import schema

# How rows become nodes: a third of the time of COPY for 1,000, a tenth for one. A passage comes
# with its edge, which alone would take as long as all of them.
_FEW = 1_000
_CREATE = {
    "Meta": "CREATE (:Meta {key: c0, value: c1})",
    "Document": "CREATE (:Document {id: c0, title: c1, source: c2, format: c3, type: c4, "
    "date: c5, author: c6, authority: c7, metadata: c8})",
    "Chunk": "MATCH (d:Document) WHERE d.id = c1 CREATE (:Chunk {id: c0, document: c1, "
    "ordinal: c2, heading: c3, text: c4, page: c5, kind: c6, tokens: c7})-[:PART_OF]->(d)",
    "Concept": "CREATE (:Concept {id: c0, name: c1, aliases: c2, weight: c3, given: c4, "
    "definition: c5})",
}
_COUNTED = {"documents": "Document", "chunks": "Chunk", "concepts": "Concept"}
_CONCEPTS = "MATCH (c:Concept) RETURN c.id, c.name, c.aliases, c.weight, c.given, c.definition"
_EDGES = {
    "DEFINES": "MATCH (a:Chunk)-[r:DEFINES]->(b:Concept) RETURN a.id, b.id",
    "REQUIRES": "MATCH (a:Concept)-[r:REQUIRES]->(b:Concept) RETURN a.id, b.id, r.weight, "
    "r.status, r.evidence, r.direct, r.sentence, r.document, r.reason",
    "RELATED": "MATCH (a:Concept)-[r:RELATED]->(b:Concept) RETURN a.id, b.id, r.kind, r.weight, "
    "r.sentence, r.document, r.chunk",
}


def apply_change(connection: Any, change: GraphChange, revision: int) -> None:
    """Make the open graph show the change too, and the revision.

    Raises StoreError when an edge has an end that is no node, DamagedError when the graph
    does not hold as many nodes then as the change says.
    """
    tables = {table.name: table for table in kuzu_tables.tables(change.snapshot, revision)}
    ids = [*change.removed, *(document[0] for document in change.snapshot.documents)]
    _delete_documents(connection, [clean(key) for key in ids])
    _change_concepts(connection, tables["Concept"])
    for name in ("Document", "Chunk"):
        _create(connection, tables[name])
    for name in ("NEXT", "MENTIONS"):
        copy(connection, tables[name])
    for name in ("REQUIRES", "RELATED"):
        _put_edges(connection, tables[name])
    _put_edges(connection, _definitions(connection, tables))
    connection.execute(
        "MATCH (m:Meta {key: 'revision'}) SET m.value = $revision", {"revision": str(revision)}
    )
    _check_counts(connection, change.totals)


def build(connection: Any, tables: Iterable[Table]) -> None:
    """Make the schema and its rows in an empty file. Raises StoreError as ``kuzu_tables.tables``.

    What is made in a transaction of its own waits for the disk once more, so all tables are
    made in one; rows never are (see ``copy``).
    """
    connection.execute("BEGIN TRANSACTION")
    for statement in statements(schema("graph.cypher")):
        connection.execute(statement)
    connection.execute("COMMIT")
    for table in tables:
        # Passages would come with their edges, which are a table of their own here.
        if len(table.rows) <= _FEW and table.name in _CREATE and table.name != "Chunk":
            _create(connection, table)
        else:
            copy(connection, table)


def _delete_documents(connection: Any, ids: Sequence[str]) -> None:
    if ids:
        for pattern in ("(n:Chunk) WHERE n.document", "(n:Document) WHERE n.id"):
            connection.execute(f"MATCH {pattern} IN $ids DETACH DELETE n", {"ids": list(ids)})


def _change_concepts(connection: Any, wanted: Table) -> None:
    """Take away concepts that are no more, change those that differ, add new ones."""
    known = {row[0]: tuple(row) for row in connection.execute(_CONCEPTS).get_all()}
    gone = sorted(known.keys() - {row[0] for row in wanted.rows})
    if gone:
        connection.execute("MATCH (c:Concept) WHERE c.id IN $ids DETACH DELETE c", {"ids": gone})
    differing = [row for row in wanted.rows if known.get(str(row[0]), row) != row]
    if differing:
        connection.execute(
            "LOAD FROM $rows MATCH (c:Concept) WHERE c.id = c0 SET c.name = c1, c.aliases = c2, "
            "c.weight = c3, c.given = c4, c.definition = c5",
            {"rows": columns(differing, wanted.types)},
        )
    new = [row for row in wanted.rows if row[0] not in known]
    _create(connection, Table("Concept", wanted.types, new))


def _create(connection: Any, table: Table) -> None:
    if table.rows:
        rows = columns(table.rows, table.types)
        connection.execute(f"LOAD FROM $rows {_CREATE[table.name]}", {"rows": rows})


def _put_edges(connection: Any, wanted: Table) -> None:
    """Make a table of edges hold the wanted rows and no others."""
    held = sorted(map(tuple, connection.execute(_EDGES[wanted.name]).get_all()))
    if held == sorted(wanted.rows):
        return
    connection.execute(f"DROP TABLE {wanted.name}")
    for statement in statements(schema("graph.cypher")):
        if statement.startswith(f"CREATE REL TABLE {wanted.name}("):
            connection.execute(statement)
    copy(connection, wanted)


def _definitions(connection: Any, tables: Mapping[str, Table]) -> Table:
    """All rows of DEFINES: chunks that define by a mention, and those that concepts name."""
    mentions = connection.execute(
        "MATCH (k:Chunk)-[m:MENTIONS]->(c:Concept) WHERE m.kind = 'definition' RETURN k.id, c.id"
    ).get_all()
    named = [(row[5], row[0]) for row in tables["Concept"].rows if row[5]]
    there = set()
    if named:
        found = connection.execute(
            "LOAD FROM $rows MATCH (k:Chunk) WHERE k.id = c0 RETURN DISTINCT k.id",
            {"rows": columns(named, ("string", "string"))},
        ).get_all()
        there = {key for (key,) in found}
    pairs = [*map(tuple, mentions), *(pair for pair in named if pair[0] in there)]
    return Table("DEFINES", ("string", "string"), list(dict.fromkeys(pairs)))


def _check_counts(connection: Any, totals: Mapping[str, int]) -> None:
    for what, label in _COUNTED.items():
        found = connection.execute(f"MATCH (n:{label}) RETURN count(*)").get_all()[0][0]
        if found != totals[what]:
            raise DamagedError(
                f"the graph has {found} {what} where the catalog has {totals[what]}: build it anew"
            )
