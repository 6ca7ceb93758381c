"""A question set judged stage by stage: retrieval, refusals, answers."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Literal

from graphrag.answering.grounding import count_claims
from graphrag.domain import Answer, Passage, Question, Refusal, Retrieval
from graphrag.errors import GenerationError, QueryError
from graphrag.evaluation.bootstrap import interval
from graphrag.evaluation.metrics import (
    RETRIEVAL,
    contains_answer,
    mean,
    token_f1,
    token_recall,
)
from graphrag.evaluation.relevance import Corpus, gains

Retrieve = Callable[[str], Retrieval]
Ask = Callable[[str], "Answer | Refusal"]
Inject = Callable[[str, Sequence[Passage]], "Answer | Refusal"]
PassagesOf = Callable[[str], Sequence[Passage]]
Judge = Callable[[str, Sequence[str], str], bool]
"""Whether a text answers a question as one of its expected answers does."""
Verdict = Literal["", "right", "wrong", "none"]

STAGES = ("bm25", "vector", "graph", "fused", "reranked", "prompt")


@dataclass(frozen=True, slots=True)
class AnswerJudgement:
    """How one answer did: ``kind`` is ``answer``, ``refusal`` or ``failed``; ``verdict`` is
    the judge's, ``none`` where it gave none, empty where it was not asked; ``claims`` are the
    sentences that state something, ``claims_cited`` those of them with a citation."""

    kind: str
    text: str = ""
    reason: str = ""
    contains: bool = False
    f1: float = 0.0
    recall: float = 0.0
    cited: int = 0
    supported: int = 0
    relevant_cited: int = 0
    claims: int = 0
    claims_cited: int = 0
    seconds: float = 0.0
    verdict: Verdict = ""


@dataclass(frozen=True, slots=True)
class QuestionResult:
    """One question's ranks per stage (gains, best first) and its answers."""

    question: Question
    gains: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    seconds: float = 0.0
    retrieved: AnswerJudgement | None = None
    injected: AnswerJudgement | None = None

    @property
    def answerable(self) -> bool:
        """Whether the corpus holds the answer, so that a refusal would be wrong."""
        return bool(self.question.relevant)


@dataclass(frozen=True, slots=True)
class EvaluationReport:
    """All results of one set; the numbers are computed from them."""

    results: tuple[QuestionResult, ...]

    @property
    def judged(self) -> list[QuestionResult]:
        """The questions that count for retrieval: those with relevant ids."""
        return [result for result in self.results if result.answerable]

    def stages(self) -> list[str]:
        """The stages that ran for at least one question, in their order."""
        return [name for name in STAGES if any(name in result.gains for result in self.results)]

    def values(self, stage: str, measure: str) -> list[float]:
        """One value a judged question; a question without results counts 0."""
        compute = RETRIEVAL[measure]
        return [
            compute(result.gains.get(stage, ()), len(result.question.relevant))
            for result in self.judged
        ]


def evaluate_questions(
    questions: Sequence[Question],
    retrieve: Retrieve,
    ask: Ask | None = None,
    *,
    document_ids: Sequence[str],
    chunk_ids: Sequence[str] = (),
    inject: Inject | None = None,
    passages_of: PassagesOf | None = None,
    judge: Judge | None = None,
    progress: Callable[[int], None] | None = None,
) -> EvaluationReport:
    """Judge each question: the ranks of its relevant ids after each stage, and, with
    ``ask``, its answer or refusal.

    ``retrieve`` must give stages at least 20 deep. ``inject`` answers from given passages,
    here the relevant ones as ``passages_of`` (a document or chunk id) gives them: what it
    answers better than ``ask`` was lost in retrieval. ``judge`` is asked for each question
    with expected answers. Raises QueryError for a relevant id that the corpus does not hold.
    """
    corpus = Corpus(document_ids, chunk_ids)
    resolved = [replace(q, relevant=_resolved(q, corpus)) for q in questions]
    results = []
    for question in resolved:
        started = time.perf_counter()
        retrieval = retrieve(question.question)
        seconds = time.perf_counter() - started
        injected = None
        if inject is not None and passages_of is not None and question.relevant:
            given = [p for relevant in question.relevant for p in passages_of(relevant)]
            injected = judge_answer(question, partial(_injected, inject, given), judge)
        results.append(
            QuestionResult(
                question,
                dict(_gains(question, retrieval)),
                seconds,
                judge_answer(question, ask, judge) if ask is not None else None,
                injected,
            )
        )
        if progress is not None:
            progress(1)
    return EvaluationReport(tuple(results))


def _resolved(question: Question, corpus: Corpus) -> tuple[str, ...]:
    try:
        return tuple(corpus.resolve(relevant) for relevant in question.relevant)
    except QueryError as error:
        raise QueryError(
            f"question {question.id}: {error}; correct the set, or ingest the document"
        ) from error


def _injected(inject: Inject, given: Sequence[Passage], question: str) -> Answer | Refusal:
    return inject(question, given)


def _gains(question: Question, retrieval: Retrieval) -> Iterator[tuple[str, tuple[int, ...]]]:
    for stage, hits in retrieval.stages.items():
        yield stage, tuple(gains([hit.chunk_id for hit in hits], question.relevant))
    shown = [passage.chunk.id for passage in retrieval.passages]
    yield "prompt", tuple(gains(shown, question.relevant))


def judge_answer(question: Question, ask: Ask, judge: Judge | None = None) -> AnswerJudgement:
    """Ask, and compare with the expected answers. A writer that fails is a result, too, and
    to the judge no answer is a wrong one."""
    unanswered: Verdict = "wrong" if judge is not None and question.answers else ""
    started = time.perf_counter()
    try:
        reply = ask(question.question)
    except GenerationError as error:
        seconds = time.perf_counter() - started
        return AnswerJudgement("failed", str(error), seconds=seconds, verdict=unanswered)
    seconds = time.perf_counter() - started
    if isinstance(reply, Refusal):
        return AnswerJudgement(
            "refusal", reply.text, reply.reason, seconds=seconds, verdict=unanswered
        )
    relevant = set(question.relevant)
    cited = {(c.document_id, c.chunk_id) for c in reply.citations}
    claims, claims_cited = count_claims(reply.text)
    return AnswerJudgement(
        "answer",
        reply.text,
        contains=contains_answer(reply.text, question.answers),
        f1=token_f1(reply.text, question.answers),
        recall=token_recall(reply.text, question.answers),
        cited=len(reply.citations),
        supported=sum(citation.supported for citation in reply.citations),
        relevant_cited=sum(bool(relevant & set(pair)) for pair in cited),
        claims=claims,
        claims_cited=claims_cited,
        seconds=seconds,
        verdict=_verdict(question, reply.text, judge),
    )


def _verdict(question: Question, text: str, judge: Judge | None) -> Verdict:
    if judge is None or not question.answers:
        return ""
    try:
        return "right" if judge(question.question, question.answers, text) else "wrong"
    except GenerationError:
        return "none"


def refusal_numbers(results: Sequence[QuestionResult]) -> dict[str, float | None]:
    """Precision and recall of refusing, and the share of answerable questions refused.

    Where there was nothing to refuse, nothing was missed: recall is 1. Where nothing was
    refused, precision is undefined: None.
    """
    judged = [r for r in results if r.retrieved is not None]
    refused = [r for r in judged if r.retrieved is not None and r.retrieved.kind == "refusal"]
    unanswerable = [r for r in judged if not r.answerable]
    answerable = [r for r in judged if r.answerable]
    right = [r for r in refused if not r.answerable]
    return {
        "precision": len(right) / len(refused) if refused else None,
        "recall": len(right) / len(unanswerable) if unanswerable else 1.0,
        "false_refusals": (len(refused) - len(right)) / len(answerable) if answerable else 0.0,
    }


def answer_numbers(judgements: Sequence[AnswerJudgement]) -> dict[str, float]:
    """Accuracy over questions with expected answers, and the quality of the citations; with
    a judge, ``judged`` is the share that it holds right, ``unjudged`` what it left open.

    Citation recall is the share of the sentences that state something which are cited, citation
    precision that of the citations which support their sentence.
    Source: Gao et al., Enabling large language models to generate text with citations, 2023.
    """
    answered = [j for j in judgements if j.kind == "answer"]
    cited = sum(j.cited for j in answered)
    claims = sum(j.claims for j in answered)
    verdicts = [j.verdict for j in judgements if j.verdict]
    given = [float(verdict == "right") for verdict in verdicts if verdict != "none"]
    judged = {"judged": mean(given), "unjudged": float(len(verdicts) - len(given))}
    return {
        "questions": float(len(judgements)),
        "exact": mean([float(j.contains) for j in judgements]),
        "token_f1": mean([j.f1 for j in judgements]),
        "token_recall": mean([j.recall for j in judgements]),
        "citation_precision": sum(j.supported for j in answered) / cited if cited else 0.0,
        "citation_recall": sum(j.claims_cited for j in answered) / claims if claims else 0.0,
        "citation_relevance": sum(j.relevant_cited for j in answered) / cited if cited else 0.0,
        "answered": mean([float(j.kind == "answer") for j in judgements]),
        "failed": mean([float(j.kind == "failed") for j in judgements]),
        "seconds": mean([j.seconds for j in judgements]),
        **(judged if verdicts else {}),
    }


def stage_numbers(report: EvaluationReport, stage: str) -> dict[str, float]:
    """Every measure of one stage, the mean over all judged questions."""
    return {name: mean(report.values(stage, name)) for name in RETRIEVAL}


def stage_intervals(report: EvaluationReport, stage: str) -> dict[str, tuple[float, float]]:
    """The 95 % bootstrap intervals of the measures that decide."""
    return {name: interval(report.values(stage, name)) for name in ("hit@5", "recall@5", "mrr")}
