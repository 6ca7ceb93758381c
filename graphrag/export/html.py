"""The graph as one self-contained page: pan, zoom, search, click for the evidence."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from graphrag.domain import ConceptGraph, Learner, Prerequisite
from graphrag.export.svg import curve, drawing_of, label_lines
from graphrag.export.words import edge_key, markup, relation_key, shown_edges, skeleton, states
from graphrag.tutoring.explaining import counted_reason

_MOST_WITNESSES = 6
_UNSAFE_IN_SCRIPT = {ord("<"): "\\u003c", ord(">"): "\\u003e", ord("&"): "\\u0026"}


@cache
def _page() -> str:
    return (Path(__file__).parent / "page.html").read_text(encoding="utf-8")


def write_html(
    graph: ConceptGraph,
    learner: Learner | None = None,
    definitions: Mapping[str, str] | None = None,
) -> str:
    """A page that loads nothing and runs offline.

    ``definitions`` maps concept ids to defining sentences. Names and sentences reach the
    page as JSON text only, never as markup. Drawn are the strongest edges
    (``words.skeleton``); the others of a concept appear when it is chosen.
    ``#<concept id>`` in the address chooses one.
    """
    text = json.dumps(_values(graph, learner, definitions or {}), sort_keys=True)
    parts = _page().split("%GRAPH%")
    title = "Concepts" if learner is None else f"Concepts: {learner.name}"
    return parts[0].replace("%TITLE%", markup(title)) + text.translate(_UNSAFE_IN_SCRIPT) + parts[1]


def _values(
    graph: ConceptGraph, learner: Learner | None, definitions: Mapping[str, str]
) -> dict[str, object]:
    drawn = skeleton(graph)
    drawing = drawing_of(graph, drawn)
    state = states(graph, learner)
    beliefs = learner.beliefs if learner is not None else {}
    strong = set(drawn)
    concepts = []
    for concept in sorted(graph.concepts, key=lambda concept: concept.id):
        box = drawing.boxes[concept.id]
        belief = beliefs.get(concept.id)
        concepts.append(
            {
                "id": concept.id,
                "name": concept.name,
                "aliases": concept.aliases,
                "lines": label_lines(concept.name),
                "state": state[concept.id],
                "belief": round(belief.probability, 3) if belief else None,
                "because": belief.because if belief else (),
                "definition": definitions.get(concept.id, ""),
                "x": round(box.x, 1),
                "y": round(box.y, 1),
                "width": round(box.width, 1),
                "height": round(box.height, 1),
            }
        )
    return {
        "learner": learner.name if learner is not None else "",
        "width": round(max(1.0, drawing.width), 1),
        "height": round(max(1.0, drawing.height), 1),
        "concepts": concepts,
        "edges": [
            {
                **_edge(edge),
                "path": curve(drawing.routes[edge.prerequisite_id, edge.concept_id])
                if edge in strong
                else "",
            }
            for edge in shown_edges(graph)
        ],
        "left_out": [
            _edge(edge) for edge in sorted(graph.prerequisites, key=edge_key) if not edge.in_force
        ],
        "relations": [
            {
                "source": relation.source_id,
                "kind": relation.kind,
                "target": relation.target_id,
                "sentence": relation.sentence,
                "document": relation.document_id,
            }
            for relation in sorted(graph.relations, key=relation_key)
            if relation.kind != "co_occurs"
        ],
    }


def _edge(edge: Prerequisite) -> dict[str, object]:
    witnesses = sorted(
        edge.evidence,
        key=lambda evidence: (not evidence.sentence, -evidence.score, evidence.kind),
    )
    spoken = [evidence for evidence in witnesses if evidence.sentence]
    return {
        "concept": edge.concept_id,
        "prerequisite": edge.prerequisite_id,
        "status": edge.status,
        "weight": round(edge.weight, 3),
        "reason": edge.reason,
        "evidence": [
            {
                "kind": evidence.kind,
                "sentence": evidence.sentence,
                "document": evidence.document_id,
            }
            for evidence in spoken[:_MOST_WITNESSES]
        ],
        "counted": counted_reason(each for each in witnesses if not each.sentence),
    }
