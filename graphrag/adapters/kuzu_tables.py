"""A graph snapshot as the columns of the tables in ``schemas/graph.cypher``."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from graphrag.domain import Chunk, Concept, Mention, Prerequisite, Relation
from graphrag.errors import StoreError
from graphrag.ports import GraphSnapshot

_STRENGTH = {"definition": 0, "heading": 1, "title": 2, "emphasis": 3, "text": 4}
_HEADING_JOINT = " > "


@dataclass(frozen=True, slots=True)
class Table:
    """Rows for one table of the graph, with the columns in the schema's order.

    ``types`` has one of ``string``, ``int``, ``float``, ``bool``, ``strings`` a column;
    for edges the first two columns are the keys of the two ends.
    """

    name: str
    types: tuple[str, ...]
    rows: Sequence[tuple[object, ...]]


def tables(snapshot: GraphSnapshot, revision: int) -> Iterator[Table]:
    """All tables, nodes first, without duplicates.

    Raises StoreError when an edge has an end that is no node of the snapshot.
    """
    graph = snapshot.graph
    yield Table("Meta", ("string", "string"), [("revision", str(revision))])
    documents = [_document_row(*document) for document in snapshot.documents]
    yield Table("Document", ("string",) * 9, _unique(documents))
    chunks = _unique(_chunk_row(chunk) for chunk in snapshot.chunks)
    yield Table(
        "Chunk", ("string", "string", "int", "string", "string", "int", "string", "int"), chunks
    )
    concepts = _unique(_concept_row(concept) for concept in graph.concepts)
    yield Table("Concept", ("string", "string", "strings", "float", "bool", "string"), concepts)
    ends = {
        "document": {row[0] for row in documents},
        "chunk": {row[0] for row in chunks},
        "concept": {row[0] for row in concepts},
    }
    for table, source, target in _edges(snapshot):
        for row in table.rows:
            _require(row[0], source, ends[source], table.name)
            _require(row[1], target, ends[target], table.name)
        yield table


def clean(text: str) -> str:
    """The text with lone surrogates spelt out (``\\udce9``): the graph keeps UTF-8 only."""
    if text.isascii():
        return text
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _edges(snapshot: GraphSnapshot) -> Iterator[tuple[Table, str, str]]:
    """The edge tables, each with the kinds of node at its two ends."""
    graph = snapshot.graph
    pair = ("string", "string")
    part_of = [(clean(chunk.id), clean(chunk.document_id)) for chunk in snapshot.chunks]
    yield Table("PART_OF", pair, list(dict.fromkeys(part_of))), "chunk", "document"
    yield Table("NEXT", pair, _successions(snapshot.chunks)), "chunk", "chunk"
    mentions = Table("MENTIONS", (*pair, "string", "int"), _mention_rows(graph.mentions))
    yield mentions, "chunk", "concept"
    defines = _definition_rows(graph.mentions, graph.concepts, snapshot.chunks)
    yield Table("DEFINES", pair, defines), "chunk", "concept"
    requires = [_prerequisite_row(edge) for edge in graph.prerequisites]
    types: tuple[str, ...] = (*pair, "float", "string", "int", "bool", "string", "string", "string")
    yield Table("REQUIRES", types, _unique(requires, width=2)), "concept", "concept"
    types = (*pair, "string", "float", "string", "string", "string")
    related = [_relation_row(edge) for edge in graph.relations]
    yield Table("RELATED", types, list(dict.fromkeys(related))), "concept", "concept"


def _unique(rows: Iterable[tuple[Any, ...]], *, width: int = 1) -> list[tuple[Any, ...]]:
    """The first row of each key, the key being the first ``width`` columns."""
    first: dict[tuple[Any, ...], tuple[Any, ...]] = {}
    for row in rows:
        first.setdefault(row[:width], row)
    return list(first.values())


def _require(key: object, kind: str, known: set[Any], table: str) -> None:
    if key not in known:
        raise StoreError(
            f"the graph has an edge {table} with {kind} {key!r}, which is not there: "
            "run `graphrag verify`"
        )


def _document_row(
    key: str, title: str, source: str, metadata: Mapping[str, object]
) -> tuple[object, ...]:
    named = (_plain(metadata.get(name)) for name in ("format", "type", "date", "author"))
    authority = _plain(metadata.get("authority"))
    rest = json.dumps(dict(metadata), default=str, sort_keys=True)
    return (clean(key), clean(title), clean(source), *named, authority, rest)


def _plain(value: object) -> str | None:
    if value is None:
        return None
    if isinstance(value, (list, tuple)):
        return clean(", ".join(str(item) for item in value))
    return clean(str(value))


def _chunk_row(chunk: Chunk) -> tuple[object, ...]:
    return (
        clean(chunk.id),
        clean(chunk.document_id),
        chunk.ordinal,
        clean(_HEADING_JOINT.join(chunk.heading_path)),
        clean(chunk.text),
        chunk.page,
        chunk.kind,
        chunk.tokens,
    )


def _concept_row(concept: Concept) -> tuple[object, ...]:
    return (
        clean(concept.id),
        clean(concept.name),
        [clean(alias) for alias in concept.aliases],
        float(concept.weight),
        concept.given,
        None if concept.definition is None else clean(concept.definition),
    )


def _successions(chunks: Sequence[Chunk]) -> list[tuple[object, ...]]:
    ordered = sorted(chunks, key=lambda chunk: (chunk.document_id, chunk.ordinal))
    return [
        (clean(one.id), clean(other.id))
        for one, other in pairwise(ordered)
        if one.document_id == other.document_id
    ]


def _mention_rows(mentions: Iterable[Mention]) -> list[tuple[object, ...]]:
    """One row a chunk and concept: the strongest kind and the number of places."""
    found: dict[tuple[str, str], tuple[str, int]] = {}
    for mention in mentions:
        key = (mention.chunk_id, mention.concept_id)
        kind, count = found.get(key, (mention.kind, 0))
        found[key] = (min(kind, mention.kind, key=_STRENGTH.__getitem__), count + 1)
    return [
        (clean(chunk), clean(concept), kind, count)
        for (chunk, concept), (kind, count) in found.items()
    ]


def _definition_rows(
    mentions: Iterable[Mention], concepts: Iterable[Concept], chunks: Iterable[Chunk]
) -> list[tuple[object, ...]]:
    known = {chunk.id for chunk in chunks}
    pairs = [(m.chunk_id, m.concept_id) for m in mentions if m.kind == "definition"]
    pairs += [(c.definition, c.id) for c in concepts if c.definition and c.definition in known]
    return [(clean(chunk), clean(concept)) for chunk, concept in dict.fromkeys(pairs)]


def _prerequisite_row(edge: Prerequisite) -> tuple[object, ...]:
    stated = [evidence for evidence in edge.evidence if evidence.sentence]
    best = max(stated, key=lambda evidence: evidence.score, default=None)
    return (
        clean(edge.concept_id),
        clean(edge.prerequisite_id),
        float(edge.weight),
        edge.status,
        len(edge.evidence),
        edge.direct,
        clean(best.sentence) if best else "",
        clean(best.document_id) if best else "",
        clean(edge.reason),
    )


def _relation_row(edge: Relation) -> tuple[object, ...]:
    return (
        clean(edge.source_id),
        clean(edge.target_id),
        edge.kind,
        float(edge.weight),
        clean(edge.sentence),
        clean(edge.document_id),
        clean(edge.chunk_id),
    )
