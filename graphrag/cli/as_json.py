"""Results as JSON values, by the schemas in ``schemas/``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from graphrag.domain import (
    Agreement,
    Answer,
    Citation,
    Concept,
    Diagnosed,
    Evidence,
    Hit,
    Learner,
    Passage,
    Prerequisite,
    Refusal,
    Retrieval,
    Step,
)
from graphrag.ingest.report import IngestReport
from graphrag.ports import Rows
from graphrag.tutor import ConceptCard, NextReport
from graphrag.tutoring.relate import RelationPath
from graphrag.tutoring.review import ReviewItem

Json = dict[str, Any]


def ingest(report: IngestReport) -> Json:
    """The ``ingest`` value."""
    stages = ("total", "reading", "embedding", "concepts", "stores")
    value: Json = {
        "added": report.added,
        "changed": report.changed,
        "unchanged": report.unchanged,
        "removed": report.removed,
        "refused": [{"path": each.path, "reason": each.reason} for each in report.refused],
        "chunks": report.chunks,
        "concepts": report.concepts,
        "prerequisites": report.prerequisites,
        "seconds": {stage: round(report.seconds.get(stage, 0.0), 3) for stage in stages},
    }
    if report.hearing is not None:
        value["hearing"] = asdict(report.hearing)
    if report.extraction is not None:
        value["extraction"] = asdict(report.extraction)
    return value


def hit(found: Hit) -> Json:
    """One channel's rank and score, and for the graph the path that led there."""
    value: Json = {"rank": found.rank, "score": round(found.score, 6)}
    if found.path:
        value["path"] = list(found.path)
    return value


def passage(each: Passage) -> Json:
    """A passage with its place, its score and how each channel saw it."""
    value: Json = {
        "document": each.chunk.document_id,
        "chunk": each.chunk.id,
        "source": each.source,
        "title": each.title,
        "heading_path": list(each.chunk.heading_path),
        "text": each.chunk.text,
        "score": round(each.score, 6),
        "channels": {name: hit(found) for name, found in each.channels.items()},
    }
    if each.chunk.page is not None:
        value["page"] = each.chunk.page
    return value


def search(retrieval: Retrieval, *, explain: bool = False) -> Json:
    """The ``search`` value; with ``explain`` also the stages and their times."""
    value: Json = {
        "question": retrieval.question,
        "passages": [passage(each) for each in retrieval.passages],
    }
    if explain:
        value["candidates"] = retrieval.candidates
        if retrieval.expansions:
            value["expansions"] = list(retrieval.expansions)
        value["seconds"] = {name: round(time, 6) for name, time in retrieval.seconds.items()}
        value["stages"] = {
            name: [{"chunk": found.chunk_id, **hit(found)} for found in hits]
            for name, hits in retrieval.stages.items()
        }
    return value


def citation(each: Citation) -> Json:
    """A citation with its number, place and quote."""
    return {
        "number": each.number,
        "document": each.document_id,
        "chunk": each.chunk_id,
        "quote": each.quote,
        "supported": each.supported,
    }


def answer(result: Answer | Refusal) -> Json:
    """The ``ask`` value."""
    value: Json = {
        "kind": "answer" if isinstance(result, Answer) else "refusal",
        "question": result.question,
        "route": result.route,
        "text": result.text,
        "citations": [],
        "passages": [passage(each) for each in result.passages],
        "writer": result.writer,
    }
    if isinstance(result, Answer):
        value["citations"] = [citation(each) for each in result.citations]
        value["warnings"] = list(result.warnings)
    else:
        value["reason"] = result.reason
    return value


def evidence(each: Evidence) -> Json:
    """One witness of an edge."""
    return {
        "kind": each.kind,
        "score": round(each.score, 4),
        "sentence": each.sentence,
        "document": each.document_id,
    }


def edge(each: Prerequisite, names: Mapping[str, str]) -> Json:
    """An edge by the concept that is needed, with its evidence."""
    return {
        "concept": names.get(each.prerequisite_id, each.prerequisite_id),
        "weight": round(each.weight, 4),
        "status": each.status,
        "evidence": [evidence(witness) for witness in each.evidence],
    }


def learn(goal: str, steps: Sequence[Step], names: Mapping[str, str]) -> Json:
    """The ``learn`` value."""
    return {"goal": goal, "steps": [_step(step, names) for step in steps]}


def _step(step: Step, names: Mapping[str, str]) -> Json:
    value: Json = {
        "concept": step.concept.name,
        "because": [edge(each, names) for each in step.because],
    }
    if step.passage is not None:
        value["passage"] = passage(step.passage)
    if step.check:
        value["check"] = step.check
    return value


def concept(each: Concept) -> Json:
    """A concept by its names."""
    return {
        "id": each.id,
        "name": each.name,
        "aliases": list(each.aliases),
        "weight": round(each.weight, 4),
    }


def diagnose(found: Diagnosed, judge: str) -> Json:
    """The ``diagnose`` value; with the ``judge`` where one ordered what was found, and with
    the sentence that the answer agrees with where there is one."""
    opening = {"judge": judge} if judge and found.agrees is None else {}
    return (
        opening
        | _agrees(found.agrees)
        | {
            "implicated": [
                {
                    "concept": each.concept.name,
                    "score": round(each.score, 4),
                    "quotes": list(each.quotes),
                }
                for each in found.implicated
            ]
        }
    )


def _agrees(agreed: Agreement | None) -> Json:
    if agreed is None:
        return {}
    chunk = agreed.passage.chunk
    place = {"document": chunk.document_id, "chunk": chunk.id}
    return {"agrees": {"sentence": agreed.sentence, **place}}


def learner(state: Learner, names: Mapping[str, str]) -> Json:
    """The ``learner`` value."""
    return {
        "name": state.name,
        "beliefs": [
            {
                "concept": names.get(belief.concept, belief.concept),
                "probability": round(belief.probability, 4),
                "because": list(belief.because),
            }
            for belief in sorted(state.beliefs.values(), key=lambda each: each.concept)
        ],
    }


def next_report(report: NextReport, names: Mapping[str, str]) -> Json:
    """The ``next`` value."""
    return {
        "ready": [
            {
                "concept": each.concept.name,
                "unlocks": [other.name for other in each.unlocks],
                "rests_on": [
                    names.get(edge.prerequisite_id, edge.prerequisite_id) for edge in each.rests_on
                ],
                "serves": each.serves,
            }
            for each in report.ready
        ],
        "review": [
            {
                "concept": each.concept.name,
                "because": each.because,
                **({} if each.probability is None else {"probability": round(each.probability, 4)}),
            }
            for each in report.review
        ],
    }


def concept_card(card: ConceptCard, names: Mapping[str, str]) -> Json:
    """The ``concept`` value."""
    return {
        **concept(card.concept),
        "definition": None if card.passage is None else passage(card.passage),
        "prerequisites": [edge(each, names) for each in card.prerequisites],
        "dependents": [
            {
                "concept": names.get(each.concept_id, each.concept_id),
                "weight": round(each.weight, 4),
                "status": each.status,
            }
            for each in card.dependents
        ],
        "listed": [
            {
                "concept": names.get(each.prerequisite_id, each.prerequisite_id),
                "weight": round(each.weight, 4),
                "status": each.status,
                "direct": each.direct,
            }
            for each in card.listed
        ],
        "mentioned_in": list(card.mentioned_in),
    }


def relate(paths: Sequence[RelationPath], names: Mapping[str, str]) -> Json:
    """The ``relate`` value."""
    return {
        "paths": [
            {
                "steps": [
                    {
                        "from": names.get(step.source_id, step.source_id),
                        "kind": step.kind,
                        "to": names.get(step.target_id, step.target_id),
                        "sentence": step.sentence,
                        "document": step.document_id,
                    }
                    for step in path.steps
                ]
            }
            for path in paths
        ]
    }


def rows(found: Rows) -> Json:
    """The ``cypher`` value."""
    return {
        "columns": list(found.columns),
        "rows": [list(row) for row in found.rows],
        "truncated": found.truncated,
    }


def review(items: Sequence[ReviewItem]) -> Json:
    """The ``review`` value."""
    return {
        "items": [
            {
                "kind": item.kind,
                "question": item.question,
                "importance": round(item.importance, 4),
                "choices": [
                    {"kind": choice.kind, "concept": choice.concept, "other": choice.other}
                    for choice in item.choices
                ],
                "evidence": [evidence(witness) for witness in item.evidence],
            }
            for item in items
        ]
    }
