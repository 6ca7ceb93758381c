"""The graph as GraphML, for yEd, Gephi, Cytoscape and networkx."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from graphrag.domain import ConceptGraph, Learner
from graphrag.export.words import best_evidence, edge_key, markup, relation_key, states

_KEYS: tuple[tuple[str, str, str], ...] = (
    ("node", "name", "string"),
    ("node", "aliases", "string"),
    ("node", "weight", "double"),
    ("node", "given", "boolean"),
    ("node", "definition", "string"),
    ("node", "state", "string"),
    ("edge", "kind", "string"),
    ("edge", "weight", "double"),
    ("edge", "status", "string"),
    ("edge", "direct", "boolean"),
    ("edge", "reason", "string"),
    ("edge", "sentence", "string"),
    ("edge", "document", "string"),
)


def write_graphml(graph: ConceptGraph, learner: Learner | None = None) -> str:
    """GraphML with one node a concept, one edge a prerequisite (from the concept to what
    it requires, suppressed and rejected ones included, by ``status``) and a relation.

    Aliases are joined by line breaks. Edges to concepts that the graph lacks are left out.
    """
    ids = {concept.id for concept in graph.concepts}
    state = states(graph, learner)
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">',
        *(
            f'  <key id="{side}_{name}" for="{side}" attr.name="{name}" attr.type="{kind}"/>'
            for side, name, kind in _KEYS
        ),
        '  <graph id="concepts" edgedefault="directed">',
    ]
    for concept in sorted(graph.concepts, key=lambda concept: concept.id):
        values: dict[str, object] = {
            "name": concept.name,
            "aliases": "\n".join(concept.aliases),
            "weight": concept.weight,
            "given": concept.given,
            "definition": concept.definition or "",
        }
        if learner is not None:
            values["state"] = state[concept.id]
        lines.append(f'    <node id="{markup(concept.id)}">')
        lines.extend(_values("node", values))
        lines.append("    </node>")
    for number, (source, target, facts) in enumerate(_edges(graph)):
        if source in ids and target in ids:
            ends = f'source="{markup(source)}" target="{markup(target)}"'
            lines.append(f'    <edge id="e{number}" {ends}>')
            lines.extend(_values("edge", facts))
            lines.append("    </edge>")
    return "\n".join([*lines, "  </graph>", "</graphml>", ""])


def _edges(graph: ConceptGraph) -> Iterable[tuple[str, str, Mapping[str, object]]]:
    for edge in sorted(graph.prerequisites, key=edge_key):
        evidence = best_evidence(edge)
        yield (
            edge.concept_id,
            edge.prerequisite_id,
            {
                "kind": "requires",
                "weight": edge.weight,
                "status": edge.status,
                "direct": edge.direct,
                "reason": edge.reason,
                "sentence": evidence.sentence if evidence else "",
                "document": evidence.document_id if evidence else "",
            },
        )
    for relation in sorted(graph.relations, key=relation_key):
        yield (
            relation.source_id,
            relation.target_id,
            {
                "kind": relation.kind,
                "weight": relation.weight,
                "sentence": relation.sentence,
                "document": relation.document_id,
            },
        )


def _values(side: str, values: Mapping[str, object]) -> Iterable[str]:
    for name, value in values.items():
        if value != "":
            text = str(value).lower() if isinstance(value, bool) else str(value)
            yield f'      <data key="{side}_{name}">{markup(text)}</data>'
