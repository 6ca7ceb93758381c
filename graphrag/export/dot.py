"""The prerequisites in force as a Graphviz drawing, foundations at the left."""

from __future__ import annotations

import re

from graphrag.domain import ConceptGraph, Learner
from graphrag.export.words import skeleton, states

_FILLS = {
    "known": "#c7e9c0",
    "shaky": "#fde0a6",
    "ready": "#cfe2f7",
    "later": "#eeeeee",
    "unknown": "#eef2f6",
}
_CONTROL = re.compile("[\\x00-\\x1f\\x7f\\x85\\u2028\\u2029]")
_STYLES = {"certain": "solid", "likely": "solid", "possible": "dashed"}


def write_dot(graph: ConceptGraph, learner: Learner | None = None) -> str:
    """DOT for ``dot -Tsvg``: of each concept's prerequisites the strongest (see
    ``words.skeleton``), since Graphviz takes minutes over a thousand edges; an edge runs from
    what is needed to what needs it, dashed where it is but possible, wider where surer."""
    state = states(graph, learner)
    lines = [
        "digraph concepts {",
        "  rankdir=LR;",
        '  node [shape=box, style="rounded,filled", fontname="Helvetica", color="#8899aa"];',
        '  edge [color="#667788"];',
    ]
    for concept in sorted(graph.concepts, key=lambda concept: concept.id):
        fill = _FILLS[state[concept.id]]
        lines.append(
            f'  {_quoted(concept.id)} [label={_quoted(concept.name)}, fillcolor="{fill}"];'
        )
    for edge in skeleton(graph):
        ends = f"{_quoted(edge.prerequisite_id)} -> {_quoted(edge.concept_id)}"
        width = 0.6 + 1.4 * edge.weight
        lines.append(f"  {ends} [style={_STYLES[edge.status]}, penwidth={width:.2f}];")
    return "\n".join([*lines, "}", ""])


def _quoted(text: str) -> str:
    """A DOT string. A backslash is doubled, since labels read ``\\n`` and ``\\N`` as commands."""
    clean = _CONTROL.sub(" ", text).encode("utf-8", "replace").decode("utf-8")
    return '"' + clean.replace("\\", "\\\\").replace('"', '\\"') + '"'
