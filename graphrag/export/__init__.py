"""The concept graph as a file for other programs and for people."""

from __future__ import annotations

from collections.abc import Mapping

from graphrag.domain import ConceptGraph, Learner
from graphrag.errors import QueryError
from graphrag.export.cypher import write_cypher
from graphrag.export.dot import write_dot
from graphrag.export.graphml import write_graphml
from graphrag.export.html import write_html
from graphrag.export.json import write_json
from graphrag.export.svg import write_svg

SUFFIXES = (".graphml", ".json", ".cypher", ".dot", ".svg", ".html")

__all__ = ["SUFFIXES", "export"]


def export(
    graph: ConceptGraph,
    suffix: str,
    *,
    learner: Learner | None = None,
    definitions: Mapping[str, str] | None = None,
) -> str:
    """The graph as text (to be written as UTF-8) in the format of a file's ending.

    ``learner`` colours by what is known; its beliefs are taken as they stand.
    ``definitions`` (concept id to sentence) are shown in the page. Equal graphs give equal
    texts. Raises QueryError for an ending that is none of ``SUFFIXES``.
    """
    writers = {
        ".graphml": write_graphml,
        ".json": write_json,
        ".cypher": write_cypher,
        ".dot": write_dot,
        ".svg": write_svg,
    }
    if suffix.lower() == ".html":
        return write_html(graph, learner, definitions)
    writer = writers.get(suffix.lower())
    if writer is None:
        raise QueryError(f"cannot export to {suffix!r}; use one of {', '.join(SUFFIXES)}")
    return writer(graph, learner)
