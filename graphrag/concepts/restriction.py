"""The part of a concept graph that some of the documents bear out."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

from graphrag.domain import Concept, ConceptGraph, Prerequisite


def restricted(graph: ConceptGraph, documents: Collection[str]) -> ConceptGraph:
    """What may be shown to those who see only these documents.

    Concepts that no such document names are left out, unless they were given; so are
    sentences and definitions of other documents, and edges for which nothing else speaks.
    """
    mentions = tuple(each for each in graph.mentions if each.document_id in documents)
    visible = {each.chunk_id for each in mentions}
    named = {each.concept_id for each in mentions}
    concepts = tuple(
        _without_hidden_definition(each, visible)
        for each in graph.concepts
        if each.given or each.id in named
    )
    known = {each.id for each in concepts}

    def borne_out(edges: Iterable[Prerequisite]) -> tuple[Prerequisite, ...]:
        shown = (
            _without_hidden_evidence(each, documents)
            for each in edges
            if each.concept_id in known and each.prerequisite_id in known
        )
        return tuple(each for each in shown if each.evidence)

    return ConceptGraph(
        concepts,
        mentions,
        borne_out(graph.prerequisites),
        tuple(
            each
            for each in graph.relations
            if each.source_id in known
            and each.target_id in known
            and (not each.document_id or each.document_id in documents)
        ),
        borne_out(graph.open),
    )


def _without_hidden_definition(concept: Concept, visible: Collection[str]) -> Concept:
    return concept if concept.definition in visible else replace(concept, definition=None)


def _without_hidden_evidence(edge: Prerequisite, documents: Collection[str]) -> Prerequisite:
    shown = tuple(
        each for each in edge.evidence if not each.document_id or each.document_id in documents
    )
    return edge if len(shown) == len(edge.evidence) else replace(edge, evidence=shown)
