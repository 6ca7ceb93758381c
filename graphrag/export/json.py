"""The whole graph as JSON, equal to the byte for equal graphs."""

from __future__ import annotations

import json
import re
from dataclasses import asdict

from graphrag.domain import ConceptGraph, Learner
from graphrag.export.words import edge_key, relation_key

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def write_json(graph: ConceptGraph, learner: Learner | None = None) -> str:
    """``{"concepts", "mentions", "prerequisites", "open", "relations", "learner"?}``: every
    value of the graph with the names of its fields, sorted."""
    value: dict[str, object] = {
        "concepts": [asdict(item) for item in sorted(graph.concepts, key=lambda item: item.id)],
        "mentions": [
            asdict(item)
            for item in sorted(
                graph.mentions,
                key=lambda item: (item.document_id, item.start, item.stop, item.concept_id),
            )
        ],
        "prerequisites": [asdict(item) for item in sorted(graph.prerequisites, key=edge_key)],
        "open": [asdict(item) for item in sorted(graph.open, key=edge_key)],
        "relations": [asdict(item) for item in sorted(graph.relations, key=relation_key)],
    }
    if learner is not None:
        value["learner"] = {
            "name": learner.name,
            "beliefs": [asdict(learner.beliefs[key]) for key in sorted(learner.beliefs)],
        }
    text = json.dumps(value, ensure_ascii=False, indent=1, sort_keys=True)
    return _LONE_SURROGATE.sub(lambda match: f"\\u{ord(match.group()):04x}", text) + "\n"
