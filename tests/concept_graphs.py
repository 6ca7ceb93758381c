"""Concept graphs of a few documents, one chunk each, with toy vectors."""

from __future__ import annotations

from collections.abc import Sequence

from graphrag.adapters.spacy_spotter import SpacySpotter
from graphrag.domain import ConceptGraph, Decision, Document, GivenConcept
from graphrag.prerequisites.build import build_with_scorer
from graphrag.prerequisites.scoring import PairScorer
from tests.concept_values import bag_vectors, one_chunk_each


def build(
    spotter: SpacySpotter,
    documents: list[Document],
    *decisions: Decision,
    given: Sequence[GivenConcept] = (),
) -> tuple[ConceptGraph, PairScorer]:
    chunks = one_chunk_each(documents)
    vectors = bag_vectors([chunk.text for chunk in chunks])
    return build_with_scorer(
        documents,
        chunks,
        {d.id: a for d, a in zip(documents, spotter.annotate(documents), strict=True)},
        given=given,
        decisions=decisions,
        chunk_vectors={c.id: v for c, v in zip(chunks, vectors, strict=True)},
        embed=bag_vectors,
    )


def graph_of(
    spotter: SpacySpotter,
    documents: list[Document],
    *decisions: Decision,
    given: Sequence[GivenConcept] = (),
) -> ConceptGraph:
    return build(spotter, documents, *decisions, given=given)[0]
