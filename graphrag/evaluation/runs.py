"""Runs kept as files, compared with each other, and held to a bar."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from graphrag.errors import QueryError, StoreError
from graphrag.evaluation.bootstrap import paired_difference
from graphrag.evaluation.metrics import RETRIEVAL
from graphrag.evaluation.pattern import pattern
from graphrag.evaluation.report import (
    EvaluationReport,
    QuestionResult,
    answer_numbers,
    refusal_numbers,
    stage_intervals,
    stage_numbers,
)

FORMAT = 1


def as_json(report: EvaluationReport) -> dict[str, Any]:
    """The report as ``evaluate questions --json`` prints it (evaluate_questions.schema.json)."""
    stages = {name: stage_numbers(report, name) for name in report.stages()}
    value: dict[str, Any] = {
        "questions": len(report.judged),
        "stages": stages,
        "intervals": {name: stage_intervals(report, name) for name in stages},
        "seconds": _latency(report),
    }
    asked = [r for r in report.results if r.retrieved is not None]
    refusal = refusal_numbers(report.results) if asked else None
    answers: dict[str, dict[str, float]] = {}
    for kind in ("retrieved", "injected"):
        judgements = [
            found
            for r in report.judged
            if r.question.answers and (found := getattr(r, kind)) is not None
        ]
        if judgements:
            answers[kind] = answer_numbers(judgements)
    if refusal is not None:
        value["refusal"] = refusal
    if answers:
        value["answers"] = answers
    value["pattern"] = pattern(stages, refusal, answers)
    value["failed"] = [_failure(r) for r in report.results if _has_failed(r)]
    return value


def _latency(report: EvaluationReport) -> dict[str, float]:
    times = sorted(r.seconds for r in report.results) or [0.0]
    return {
        "retrieval_p50": times[len(times) // 2],
        "retrieval_p95": times[min(len(times) - 1, int(len(times) * 0.95))],
    }


def _last_stage(result: QuestionResult) -> str:
    return next((s for s in ("reranked", "fused", "prompt") if s in result.gains), "prompt")


def _has_failed(result: QuestionResult) -> bool:
    if result.answerable and not any(result.gains.get(_last_stage(result), ())[:5]):
        return True
    asked = result.retrieved
    if asked is None:
        return False
    if asked.kind == "failed" or (asked.kind == "refusal") == result.answerable:
        return True
    return bool(result.answerable and result.question.answers and not asked.contains)


def _failure(result: QuestionResult) -> dict[str, Any]:
    asked = result.retrieved
    return {
        "id": result.question.id,
        "question": result.question.question,
        "type": result.question.type,
        "rank": _rank(result),
        "reply": asked.kind if asked else "",
        "text": asked.text if asked else "",
    }


def _rank(result: QuestionResult) -> int | None:
    found = result.gains.get(_last_stage(result), ())
    return next((rank for rank, gain in enumerate(found, start=1) if gain), None)


def free_name(folder: Path, name: str, now: str) -> str:
    """The name that a run will be kept under; without one it is called ``now``, or the first
    of ``now-2``, ``now-3``... that is not taken.

    Raises QueryError if the name is taken or no file name.
    """
    if name:
        return _free(folder, name).stem
    number, free = 1, now
    while (folder / f"{free}.json").exists():
        number += 1
        free = f"{now}-{number}"
    return free


def _free(folder: Path, name: str) -> Path:
    if not re.fullmatch(r"[\w][\w.-]*", name):
        raise QueryError(f"run name {name!r}: use letters, digits, dots and dashes")
    path = folder / f"{name}.json"
    if path.exists():
        raise QueryError(f"run {name!r} exists already in {folder}: choose another name")
    return path


def keep_run(
    folder: Path, name: str, report: EvaluationReport, settings: Mapping[str, Any]
) -> Path:
    """Write a run to ``folder/name.json``: settings, numbers and every question's result.

    Raises QueryError if the name is taken or no file name, StoreError if it cannot be written.
    """
    path = _free(folder, name)
    value = {
        "format": FORMAT,
        "name": name,
        "settings": dict(settings),
        "numbers": as_json(report),
        "results": [_kept(result) for result in report.results],
    }
    text = json.dumps(value, ensure_ascii=False, indent=1) + "\n"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise StoreError(f"the run cannot be kept in {path}: {error.strerror}") from error
    return path


def _kept(result: QuestionResult) -> dict[str, Any]:
    return {
        "id": result.question.id,
        "question": result.question.question,
        "answers": len(result.question.answers),
        "relevant": len(result.question.relevant),
        "gains": {stage: list(found[:20]) for stage, found in result.gains.items()},
        "retrieved": asdict(result.retrieved) if result.retrieved else None,
        "injected": asdict(result.injected) if result.injected else None,
    }


def load_run(path: Path) -> dict[str, Any]:
    """A run that was kept. Raises QueryError if the file is none."""
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        kept = ", ".join(sorted(each.stem for each in path.parent.glob("*.json"))) or "none yet"
        raise QueryError(f"no run is kept as {path.stem!r}; kept are: {kept}") from error
    except (OSError, ValueError) as error:
        raise QueryError(f"{path} is no run that was kept: {error}") from error
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        raise QueryError(f"{path} is no run of format {FORMAT}: evaluate again")
    return value


@dataclass(frozen=True, slots=True)
class Change:
    """A measure before and after, with the interval of the difference over the questions
    that both runs share; ``certain`` if that does not hold 0."""

    measure: str
    before: float
    after: float
    low: float
    high: float

    @property
    def certain(self) -> bool:
        return self.low > 0 or self.high < 0


@dataclass(frozen=True, slots=True)
class Comparison:
    """What changed between two runs: measures over the questions that both asked in the same
    words, which of these were won and lost, and which ask something else now."""

    shared: int
    changes: tuple[Change, ...]
    won: tuple[str, ...]
    lost: tuple[str, ...]
    reworded: tuple[str, ...] = ()


def compare(before: Mapping[str, Any], after: Mapping[str, Any]) -> Comparison:
    """Compare two kept runs over the questions that both have in the same words, by the last
    stage of each.

    A question is won or lost when its answer turns from wrong to right or back; where a run
    wrote no answers, or the question names none, when its relevant passage enters or leaves
    the first five.
    """
    old = {result["id"]: result for result in before["results"]}
    same = [(old[r["id"]], r) for r in after["results"] if r["id"] in old]
    reworded = tuple(b["id"] for a, b in same if _worded(a, b) != _worded(b, a))
    pairs = [(a, b) for a, b in same if b["id"] not in reworded]
    judged = [(a, b) for a, b in pairs if a["relevant"]]
    changes = []
    for measure in ("hit@1", "hit@5", "recall@5", "mrr", "ndcg@10"):
        first = [_value(a, measure) for a, _ in judged]
        second = [_value(b, measure) for _, b in judged]
        _, (low, high) = paired_difference(first, second)
        count = len(judged) or 1
        changes.append(Change(measure, sum(first) / count, sum(second) / count, low, high))
    turns = [(b["id"], _right(a, b), _right(b, a)) for a, b in pairs]
    won = tuple(key for key, was, now in turns if now and not was)
    lost = tuple(key for key, was, now in turns if was and not now)
    return Comparison(len(pairs), tuple(changes), won, lost, reworded)


def _worded(result: Mapping[str, Any], other: Mapping[str, Any]) -> str:
    """The question; runs that did not keep it yet are taken to have asked the same."""
    return str(result.get("question") or other.get("question", ""))


def _value(result: Mapping[str, Any], measure: str) -> float:
    found = result["gains"]
    stage = next((s for s in ("reranked", "fused", "prompt") if s in found), "prompt")
    return RETRIEVAL[measure](found.get(stage, []), result["relevant"])


def _right(result: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    asked = result["retrieved"]
    if asked is None or other["retrieved"] is None:
        return _value(result, "hit@5") > 0 if result["relevant"] else True
    if not result["relevant"]:
        return bool(asked["kind"] == "refusal")
    if not result.get("answers", 1):
        return bool(asked["kind"] == "answer") and _value(result, "hit@5") > 0
    return bool(asked["contains"])


def comparison_json(run: str, found: Comparison) -> dict[str, Any]:
    """The comparison as ``evaluate questions --against RUN --json`` prints it."""
    return {
        "run": run,
        "shared": found.shared,
        "changes": [{**asdict(each), "certain": each.certain} for each in found.changes],
        "won": list(found.won),
        "lost": list(found.lost),
        "reworded": list(found.reworded),
    }
