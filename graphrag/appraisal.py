"""Evaluation of an open index: question sets, gold prerequisites, and one lost answer."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graphrag.answering.answer import fitted
from graphrag.domain import Answer, Passage, Refusal
from graphrag.evaluation.judging import judge_by_model
from graphrag.evaluation.prerequisites import (
    PrerequisiteNumbers,
    evaluate_prerequisites,
    load_pairs,
)
from graphrag.evaluation.questions import load_questions
from graphrag.evaluation.relevance import Corpus
from graphrag.evaluation.report import EvaluationReport, evaluate_questions
from graphrag.evaluation.why import Diagnosis, Surroundings, locate, why
from graphrag.feeding import REFUSED
from graphrag.ingest.derive import concept_graph_inputs
from graphrag.ingest.syllabus import read_syllabus
from graphrag.ports import WriteRequest
from graphrag.prerequisites.build import build_with_scorer
from graphrag.prerequisites.scoring import PAIR_THRESHOLD
from graphrag.replying import READ_BESIDE, Asked, reply
from graphrag.resources import prompt
from graphrag.retrieval.rerank import probability

if TYPE_CHECKING:
    from graphrag.engine import Engine

_DEEP = 1000  # how far down a passage is still looked for that no channel had in front


def appraise_questions(
    engine: Engine,
    file: Path,
    *,
    answers: bool = True,
    judge: str = "",
    progress: Callable[[int], None] | None = None,
) -> EvaluationReport:
    """Judge a frozen question set by stage; with ``answers`` also what is written, by the
    Ollama model ``judge`` too where one is named."""
    desk = engine.desk
    catalog = desk.workspace.catalog
    questions = load_questions(file)
    ask_json = desk.ollama_writer(judge).ask_json if judge else None

    def ask(question: str) -> Answer | Refusal:
        return engine.ask(question)

    def inject(question: str, passages: Sequence[Passage]) -> Answer | Refusal:
        most = desk.settings.retrieval.k + READ_BESIDE
        given = tuple(_scored(desk.score, question, passages, most=most))
        return reply(desk, Asked(question, given=given), None)

    def passages_of(relevant: str) -> list[Passage]:
        return desk.passages(catalog.chunks_of([relevant]) or [relevant])

    return evaluate_questions(
        questions,
        lambda question: engine.retrieve(question, k=desk.settings.retrieval.k),
        ask if answers else None,
        document_ids=catalog.document_ids(),
        chunk_ids=[chunk_id for _, chunk_id in sorted(catalog.chunk_numbers().items())],
        inject=inject if answers else None,
        passages_of=passages_of if answers else None,
        judge=None if ask_json is None else partial(judge_by_model, ask_json=ask_json),
        progress=progress,
    )


def check_relevant(engine: Engine, relevant: Sequence[str]) -> None:
    """Raise QueryError for an id that is no document or chunk of the index, or for the end of
    several paths, as evaluation would."""
    catalog = engine.desk.workspace.catalog
    corpus = Corpus(catalog.document_ids(), catalog.chunk_numbers().values())
    for each in relevant:
        corpus.resolve(each)


def _scored(
    score: Callable[[str, Sequence[str]], Sequence[float]],
    question: str,
    passages: Sequence[Passage],
    *,
    most: int,
) -> list[Passage]:
    """The passages that fit the question best, as retrieval would hand them over."""
    logits = score(question, [passage.chunk.embedded_text for passage in passages])
    order = sorted(range(len(passages)), key=lambda i: (-logits[i], passages[i].chunk.id))
    return [replace(passages[i], score=probability(logits[i])) for i in order[:most]]


def appraise_prerequisites(
    engine: Engine, file: Path, *, concepts: Path | None = None
) -> PrerequisiteNumbers:
    """Judge the prerequisite relation by gold pairs; with ``concepts`` over that syllabus."""
    desk = engine.desk
    inputs = concept_graph_inputs(desk.workspace.catalog, desk.embedder)
    if concepts is not None:
        inputs["given"] = read_syllabus(concepts)
    graph, scorer = build_with_scorer(**inputs)
    pairs = load_pairs(file)
    wanted = [(pair.concept, pair.prerequisite) for pair in pairs]
    names = {concept.name: concept.id for concept in graph.concepts}
    scores = dict(zip(wanted, scorer.score(wanted), strict=True))
    by_id = {
        (names.get(one, one), names.get(other, other)): value
        for (one, other), value in scores.items()
    }

    def score(concept: str, prerequisite: str) -> float:
        found = by_id.get((concept, prerequisite))
        return found if found is not None else scorer.score([(concept, prerequisite)])[0]

    complete = all(pair.label for pair in pairs)
    return evaluate_prerequisites(
        pairs, graph, score=None if complete else score, threshold=PAIR_THRESHOLD
    )


def explain_loss(
    engine: Engine, question: str, expects: str, *, where: Sequence[str] = ()
) -> Diagnosis:
    """At which stage the expected passage was lost, and the mend."""
    desk = engine.desk
    catalog = desk.workspace.catalog
    chunks = catalog.chunks()
    texts = {document.id: document.text for document in catalog.documents()}
    expected = locate(expects, chunks, texts, refused_files(catalog.value(REFUSED)))
    allowed = desk.allowed(where, None)
    numbers = catalog.chunk_numbers()
    visible = None if allowed is None else {numbers[int(number)] for number in allowed}
    # What a writer gets is what counts, which is more than a search shows.
    given = desk.settings.retrieval.k + READ_BESIDE
    retrieval = engine.retrieve(question, k=given, where=where)
    writer = desk.writer()
    options = desk.answer_options(writer)
    return why(
        question,
        expects,
        expected=expected,
        retrieval=retrieval,
        surroundings=Surroundings(
            allowed=None if visible is None else visible.__contains__,
            superseded=lambda chunk_id: desk.superseded_by(chunk_id.rpartition("#")[0]),
            deep=lambda text: engine.retrieve(text, k=_DEEP, where=where, rerank=False),
            ask=lambda text: engine.ask(text, where=where),
            budget=lambda passages: fitted(
                WriteRequest(question, prompt("answer"), tuple(passages)), options
            ),
            depth=desk.settings.retrieval.depth,
            rerank=desk.settings.retrieval.rerank,
            k=given,
        ),
    )


def refused_files(text: str | None) -> list[tuple[str, str]]:
    """The files that the last ingest refused, with their reasons."""
    found: Any = json.loads(text) if text else []
    return [(str(path), str(reason)) for path, reason in found]
