"""The graph as a Cypher script that creates it elsewhere."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from graphrag.domain import ConceptGraph, Learner
from graphrag.export.words import best_evidence, edge_key, relation_key

_ESCAPES = {"\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_SPECIAL = re.compile("[\\\\'\\x00-\\x1f\\x7f\\x85\\u2028\\u2029\\ud800-\\udfff]")
_HEADING = """\
// Concepts and their relations. Runs as it stands in Neo4j and Memgraph. For Kùzu, first:
// CREATE NODE TABLE Concept(id STRING, name STRING, aliases STRING[], weight DOUBLE,
//   given BOOLEAN, definition STRING, PRIMARY KEY (id));
// CREATE REL TABLE REQUIRES(FROM Concept TO Concept, weight DOUBLE, status STRING,
//   direct BOOLEAN, reason STRING, sentence STRING, document STRING);
// CREATE REL TABLE RELATED(FROM Concept TO Concept, kind STRING, weight DOUBLE,
//   sentence STRING, document STRING);
"""


def write_cypher(graph: ConceptGraph, learner: Learner | None = None) -> str:
    """One statement a line: ``(:Concept)`` nodes, ``REQUIRES`` edges (with their status)
    and ``RELATED`` edges (with their kind); a learner's state is left out."""
    ids = {concept.id for concept in graph.concepts}
    lines = [
        "CREATE (:Concept "
        + _map(
            {
                "id": concept.id,
                "name": concept.name,
                "aliases": concept.aliases,
                "weight": concept.weight,
                "given": concept.given,
                "definition": concept.definition or "",
            }
        )
        + ");"
        for concept in sorted(graph.concepts, key=lambda concept: concept.id)
    ]
    for edge in sorted(graph.prerequisites, key=edge_key):
        if edge.concept_id in ids and edge.prerequisite_id in ids:
            evidence = best_evidence(edge)
            values: dict[str, object] = {
                "weight": edge.weight,
                "status": edge.status,
                "direct": edge.direct,
                "reason": edge.reason,
                "sentence": evidence.sentence if evidence else "",
                "document": evidence.document_id if evidence else "",
            }
            lines.append(_edge(edge.concept_id, edge.prerequisite_id, "REQUIRES", values))
    for relation in sorted(graph.relations, key=relation_key):
        if relation.source_id in ids and relation.target_id in ids:
            values = {
                "kind": relation.kind,
                "weight": relation.weight,
                "sentence": relation.sentence,
                "document": relation.document_id,
            }
            lines.append(_edge(relation.source_id, relation.target_id, "RELATED", values))
    return _HEADING + "".join(f"{line}\n" for line in lines)


def _edge(source: str, target: str, label: str, values: Mapping[str, object]) -> str:
    ends = f"(a:Concept {{id: {_literal(source)}}}), (b:Concept {{id: {_literal(target)}}})"
    return f"MATCH {ends} CREATE (a)-[:{label} {_map(values)}]->(b);"


def _map(values: Mapping[str, object]) -> str:
    return "{" + ", ".join(f"{key}: {_literal(value)}" for key, value in values.items()) + "}"


def _literal(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float | int):
        return repr(float(value))
    if isinstance(value, str):
        return "'" + _SPECIAL.sub(_escaped, value) + "'"
    items: Sequence[object] = value if isinstance(value, tuple) else ()
    return "[" + ", ".join(_literal(item) for item in items) + "]"


def _escaped(match: re.Match[str]) -> str:
    letter = match.group()
    if "\ud800" <= letter <= "\udfff":
        return "\ufffd"
    return _ESCAPES.get(letter, f"\\u{ord(letter):04x}")
