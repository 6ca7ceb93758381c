"""Documents to the concept graph: concepts, mentions, prerequisites with evidence, relations."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from graphrag.concepts.mentions import find_mentions
from graphrag.concepts.select import find_concepts
from graphrag.concepts.texts import Texts
from graphrag.domain import (
    Annotation,
    Chunk,
    Concept,
    ConceptGraph,
    Decision,
    Document,
    GivenConcept,
    Prerequisite,
    Relation,
)
from graphrag.prerequisites.acyclic import mark_inherited, mutual_pairs, resolve_cycles
from graphrag.prerequisites.corpus import Corpus
from graphrag.prerequisites.cues import denied, said
from graphrag.prerequisites.definitions import EXPLAINS, best_definitions
from graphrag.prerequisites.evidence import Witnesses
from graphrag.prerequisites.listing import propose
from graphrag.prerequisites.relations import association_relations, cue_relations
from graphrag.prerequisites.scoring import PairScorer
from graphrag.prerequisites.senses import tell_apart
from graphrag.prerequisites.signals import Signals, measure
from graphrag.prerequisites.stated import Statements, read_statements
from graphrag.prerequisites.testimony import Described, Hear
from graphrag.prerequisites.weighing import STATED, status_of
from graphrag.prerequisites.wordforms import by_name, forms_of, widened

GRAPH_RULES = "10"  # raise it whenever the same texts come to another graph
Embed = Callable[[Sequence[str]], NDArray[np.float32]]
Pair = tuple[int, int]

# Where so many list what they need, one without a list needs nothing.
_LISTING_IS_THE_RULE = 0.8


def build_concept_graph(
    documents: Sequence[Document],
    chunks: Sequence[Chunk],
    annotations: Mapping[str, Annotation],
    *,
    given: Sequence[GivenConcept] = (),
    decisions: Sequence[Decision] = (),
    chunk_vectors: Mapping[str, NDArray[np.float32]],
    embed: Embed,
    hear: Hear | None = None,
    texts: Texts | None = None,
) -> ConceptGraph:
    """The concept graph of documents in reading order, a function of its inputs alone.

    ``chunk_vectors`` maps chunk ids to unit vectors, ``embed`` titles to unit vectors;
    ``hear`` adds to the edges what a witness says of them; ``texts`` cuts the documents into
    words, and may hold those of before.
    """
    graph, _ = build_with_scorer(
        documents,
        chunks,
        annotations,
        given=given,
        decisions=decisions,
        chunk_vectors=chunk_vectors,
        embed=embed,
        hear=hear,
        texts=texts,
    )
    return graph


def build_with_scorer(
    documents: Sequence[Document],
    chunks: Sequence[Chunk],
    annotations: Mapping[str, Annotation],
    *,
    given: Sequence[GivenConcept] = (),
    decisions: Sequence[Decision] = (),
    chunk_vectors: Mapping[str, NDArray[np.float32]],
    embed: Embed,
    hear: Hear | None = None,
    texts: Texts | None = None,
) -> tuple[ConceptGraph, PairScorer]:
    """The concept graph, and the scorer of arbitrary pairs over the same signals."""
    texts = texts or Texts()
    concepts = find_concepts(documents, annotations, given, decisions, texts=texts)
    forms = forms_of(concepts)
    spoken = find_mentions(documents, chunks, annotations, widened(concepts, forms), texts)
    named = by_name(spoken, documents, forms)
    senses = tell_apart(concepts, named, documents, annotations, decisions)
    concepts = list(senses.concepts)
    corpus = Corpus(documents, chunks, annotations, concepts, senses.of(spoken))
    # All that takes no vectors first: they may not be there yet.
    associated = [*cue_relations(corpus), *association_relations(corpus)]
    statements = read_statements(corpus, decisions)
    definitions = best_definitions(corpus)
    described = _descriptions(concepts, chunks, definitions)
    signals = measure(corpus, chunks, chunk_vectors, embed, texts)

    def heard(edges: list[Prerequisite]) -> list[Prerequisite]:
        return edges if hear is None else hear(edges, described)

    explained = frozenset(i for i, (_, how_well) in definitions.items() if how_well >= EXPLAINS)
    edges, listed, unsettled = _edges(corpus, signals, statements, explained, heard)
    relations = [
        *associated,
        *(Relation(a, "corequisite", b, w) for a, b, w in mutual_pairs(edges)),
    ]
    graph = ConceptGraph(
        concepts=tuple(
            replace(concept, definition=definitions[i][0]) if i in definitions else concept
            for i, concept in enumerate(concepts)
        ),
        mentions=tuple(senses.of(named)),
        prerequisites=tuple(edges),
        relations=tuple(sorted(relations, key=lambda r: (r.source_id, r.kind, r.target_id))),
        open=tuple(unsettled),
    )
    return graph, PairScorer(signals, [*listed, *statements.accepted], edges)


def _descriptions(
    concepts: Sequence[Concept],
    chunks: Sequence[Chunk],
    definitions: Mapping[int, tuple[str, float]],
) -> Described:
    texts = {chunk.id: chunk.text for chunk in chunks}
    explained = {i: texts.get(chunk_id, "") for i, (chunk_id, _) in definitions.items()}
    known = {concept.id: (concept.name, explained.get(i, "")) for i, concept in enumerate(concepts)}
    return known.__getitem__


def _edges(
    corpus: Corpus,
    signals: Signals,
    statements: Statements,
    explained: Collection[int],
    heard: Callable[[list[Prerequisite]], list[Prerequisite]],
) -> tuple[list[Prerequisite], list[Pair], list[Prerequisite]]:
    """All edges with evidence, acyclic, sorted; the pairs that documents list; and the open
    ones."""
    listed = {
        (w.concept, w.prerequisite): w.score
        for w in signals.witnesses
        if w.kind in ("section", "front_matter")
    }
    closed = _closed(corpus, listed)
    weights: dict[Pair, float] = {}
    unsettled: dict[Pair, float] = {}
    refuted = denied(corpus)
    for proposal in propose(signals, closed, said(corpus)):
        pair = (proposal.concept, proposal.prerequisite)
        if pair not in refuted and not corpus.apart(*pair):
            (unsettled if proposal.open else weights)[pair] = proposal.weight
    for pair, score in listed.items():
        weights[pair] = max(weights.get(pair, 0.0), STATED * score)
    for pair in statements.accepted:
        weights[pair] = 1.0
    for pair in statements.rejected:
        weights.setdefault(pair, 0.0)
    for pair in [*weights, *((b, a) for a, b in weights)]:
        unsettled.pop(pair, None)
    witnesses = Witnesses(signals, sorted(weights | unsettled))
    edges = [
        _edge(corpus, pair, weight, witnesses, statements, explained)
        for pair, weight in sorted(weights.items())
    ]
    names = {concept.id: concept.name for concept in corpus.concepts}
    ids = [concept.id for concept in corpus.concepts]
    human = {(ids[a], ids[b]) for a, b in statements.accepted}
    stated = human | {(ids[a], ids[b]) for a, b in listed}
    told = heard([*edges, *_open(ids, unsettled, witnesses)])
    number = {key: i for i, key in enumerate(ids)}
    in_force = sorted(
        (edge for edge in told if edge.status != "open"),
        key=lambda e: (number[e.concept_id], number[e.prerequisite_id]),
    )
    resolved = mark_inherited(resolve_cycles(in_force, names, human), stated)
    settled = {frozenset((e.concept_id, e.prerequisite_id)) for e in in_force}
    still_open = [
        edge
        for edge in told
        if edge.status == "open" and {edge.concept_id, edge.prerequisite_id} not in settled
    ]
    return resolved, sorted(listed), still_open


def _open(
    ids: Sequence[str], unsettled: Mapping[Pair, float], witnesses: Witnesses
) -> list[Prerequisite]:
    """The pairs whose order is not settled, with their evidence, sorted."""
    return [
        Prerequisite(ids[a], ids[b], round(weight, 4), "open", witnesses.evidence(a, b))
        for (a, b), weight in sorted(unsettled.items())
    ]


def _edge(
    corpus: Corpus,
    pair: Pair,
    weight: float,
    witnesses: Witnesses,
    statements: Statements,
    explained: Collection[int],
) -> Prerequisite:
    concept, other = corpus.concepts[pair[0]].id, corpus.concepts[pair[1]].id
    evidence = witnesses.evidence(*pair)
    if pair in statements.rejected:
        reason = statements.rejected[pair] or "rejected by a person"
        return Prerequisite(concept, other, weight, "rejected", evidence, reason=reason)
    if pair in statements.accepted:
        evidence = (witnesses.stated(statements.accepted[pair]), *evidence)
    status = status_of(
        weight,
        evidence,
        direction=witnesses.direction(*pair),
        named_back=witnesses.named_back(*pair),
        explained=corpus.concepts[pair[1]].given or pair[1] in explained,
    )
    return Prerequisite(concept, other, round(weight, 4), status, evidence)


def _closed(corpus: Corpus, listed: Mapping[Pair, float]) -> frozenset[int]:
    """Concepts whose prerequisites are listed in full, so that nothing is inferred for them.

    An author who lists prerequisites lists them all; where nearly all concepts with
    a document of their own have such a list, one without it says that there are none.
    """
    having: dict[int, bool] = defaultdict(bool)
    with_list = {concept for concept, _ in listed}
    for topics in corpus.topics:
        for topic in topics:
            having[topic] = topic in with_list
    closed = set(with_list)
    if having and sum(having.values()) >= _LISTING_IS_THE_RULE * len(having):
        closed |= set(having)
    return frozenset(closed)
