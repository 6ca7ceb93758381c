"""The weights of the floor, fitted to what was measured of questions with and without an
answer, and how well they tell these apart: fitted on all, and each corpus judged by the others.

``python -m tests.benchmarks.refusal`` (seconds) reads ``refusal_signals.jsonl``, one question a
line with its corpus, its kind and its regressors. ``own`` are the questions of the two corpora
of the project, ``free`` others in a reader's words and near misses (those of the two corpora
stand in ``refusal_fitting.jsonl``), ``off topic`` what is about something else.

``--measure FILE [--corpus NAME] [--most N]`` measures the questions of the two corpora anew
into FILE, in the same form; what stands there already is kept, so that it can go on where it
was stopped (some seconds of processor time a question). ``--from FILE`` fits to another file.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Literal

import numpy as np

from graphrag import Engine
from graphrag.answering.refusal import REGRESSORS, Floor, odds, regressors
from graphrag.answering.signals import signals
from graphrag.evaluation.questions import load_questions
from graphrag.wording.excerpts import RememberedScore
from tests.benchmarks.tables import table

_CORPORA = Path(__file__).parents[2] / "corpora"
_NAMES = ("linear-algebra", "handbook")
_FITTING = Path(__file__).with_name("refusal_fitting.jsonl")
MEASURED = Path(__file__).with_name("refusal_signals.jsonl")
_RIDGE = 1.0
_STEPS = 50

Kind = Literal["own", "free", "off topic"]


@dataclass(frozen=True, slots=True)
class Case:
    """A question's regressors, in the order of ``REGRESSORS``, and whether its corpus answers
    it. ``settled`` says that a code decides, and no probability."""

    corpus: str
    kind: Kind
    question: str
    answerable: bool
    measured: tuple[float, ...]
    settled: bool = False


def main() -> None:
    """Print the fitted weights and who is refused by them, or measure anew."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--measure", type=Path)
    parser.add_argument("--from", type=Path, default=MEASURED, dest="source")
    parser.add_argument("--corpus", choices=_NAMES)
    parser.add_argument("--most", type=int, default=10_000)
    asked = parser.parse_args()
    if asked.measure is not None:
        for name in (asked.corpus,) if asked.corpus else _NAMES:
            _measure(name, asked.most, asked.measure)
        return
    cases = load(asked.source)
    names = list(dict.fromkeys(case.corpus for case in cases))
    fitted = fit(cases)
    others = {name: fit([case for case in cases if case.corpus != name]) for name in names}
    rows = []
    for name in names:
        for kind in ("own", "free", "off topic"):
            found = [case for case in cases if (case.corpus, case.kind) == (name, kind)]
            for label, floor in (("all", fitted), ("the others", others[name])):
                if found:
                    rows.append((name, kind, label, *_judged(found, floor)))
    heads = ("corpus", "kind", "fitted on", "without", "refused", "doubted")
    table("refusals", (*heads, "with", "refused", "doubted"), rows)
    print(*(f"{field.name}={getattr(fitted, field.name):.3g}" for field in fields(fitted)))


def load(path: Path) -> list[Case]:
    """The measured questions of a file."""
    lines = path.read_text(encoding="utf-8").splitlines()
    entries = [json.loads(line) for line in lines]
    return [Case(**entry | {"measured": tuple(entry["measured"])}) for entry in entries]


def fit(cases: Sequence[Case]) -> Floor:
    """Ridge logistic regression by Newton's method over standardised regressors. Own and free
    questions, with and without an answer, weigh the same in all; those off topic are easy and
    stay out."""
    known = [case for case in cases if not case.settled and case.kind != "off topic"]
    x = np.array([case.measured for case in known])
    y = np.array([float(case.answerable) for case in known])
    groups = [(case.kind, case.answerable) for case in known]
    weight = np.array([1 / groups.count(group) for group in groups])
    weight *= len(groups) / len(set(groups))
    mean, size = x.mean(axis=0), x.std(axis=0) + 1e-9
    x = np.c_[np.ones(len(x)), (x - mean) / size]
    ridge = _RIDGE * np.r_[0.0, np.ones(len(REGRESSORS))]
    found = np.zeros(len(REGRESSORS) + 1)
    for _ in range(_STEPS):
        chance = 1 / (1 + np.exp(-np.clip(x @ found, -30, 30)))
        slope = x.T @ ((chance - y) * weight) + ridge * found
        curve = (x * (chance * (1 - chance) * weight)[:, None]).T @ x
        found -= np.linalg.solve(curve + np.diag(ridge + 1e-6), slope)
    scaled = found[1:] / size
    named = dict(zip(REGRESSORS, scaled.tolist(), strict=True))
    return replace(Floor(), intercept=float(found[0] - mean @ scaled), **named)


def _judged(cases: Sequence[Case], floor: Floor) -> list[int]:
    """How many questions without an answer and with one there are, are refused, and doubted."""
    counts = []
    for answerable in (False, True):
        found = [case for case in cases if case.answerable == answerable and not case.settled]
        chances = [_chance(case, floor) for case in found]
        refused = sum(chance < floor.floor for chance in chances)
        doubted = sum(chance < floor.doubtful for chance in chances) - refused
        counts += [len(found), refused, doubted]
    return counts


def _chance(case: Case, floor: Floor) -> float:
    return 1 / (1 + float(np.exp(-odds(dict(zip(REGRESSORS, case.measured, strict=True)), floor))))


def _measure(name: str, most: int, path: Path) -> None:
    """Append to a file what is measured of a corpus's questions."""
    known = {(case.corpus, case.question) for case in load(path)} if path.exists() else set()
    with (
        tempfile.TemporaryDirectory() as place,
        Engine.open(Path(place) / "i") as engine,
        path.open("a", encoding="utf-8") as out,
    ):
        engine.ingest([_CORPORA / name / "documents"])
        score = RememberedScore(engine.desk.score)
        occurs = engine.desk.workspace.keywords().occurs
        for question, answerable, kind in _asked(name, most):
            if (name, question) in known:
                continue
            passages = engine.retrieve(question, k=5).passages
            found = signals(
                question, passages, score=score, occurs=occurs, meaning=engine.desk.meaning()
            )
            entry = {
                "corpus": name,
                "kind": kind,
                "question": question,
                "answerable": answerable,
                "measured": [round(value, 4) for value in regressors(found).values()],
                "settled": bool(found.unknown or found.identified),
            }
            print(json.dumps(entry, ensure_ascii=False), file=out, flush=True)


def _asked(name: str, most: int) -> Iterator[tuple[str, bool, Kind]]:
    for corpus in _NAMES:
        for question in load_questions(_CORPORA / corpus / "questions.jsonl")[:most]:
            if question.type not in ("prerequisite", "next"):
                own = corpus == name
                answerable = own and bool(question.relevant)
                yield question.question, answerable, "own" if own else "off topic"
    lines = [json.loads(line) for line in _FITTING.read_text(encoding="utf-8").splitlines()]
    for line in [line for line in lines if line["corpus"] == name][:most]:
        yield line["question"], line["answerable"], "free"


if __name__ == "__main__":
    main()
