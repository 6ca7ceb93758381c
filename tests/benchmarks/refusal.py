"""How well the floor tells questions with an answer from those without, and its weights
fitted anew: on each corpus alone, judged on the other, and on both.

``python -m tests.benchmarks.refusal [--most N]`` (some minutes a corpus; N questions of each
kind). The weights in ``Floor`` are those fitted on both; its floor is the lowest at which all
questions without an answer in the corpora's own sets are refused.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Literal

import numpy as np

from graphrag import Engine
from graphrag.answering.refusal import REGRESSORS, Floor, probability, regressors
from graphrag.answering.signals import Signals, signals
from graphrag.evaluation.questions import load_questions
from graphrag.wording.excerpts import RememberedScore
from tests.benchmarks.tables import table

_CORPORA = Path(__file__).parents[2] / "corpora"
_NAMES = ("linear-algebra", "handbook")
# Paraphrases in a user's own words, and near misses in the corpus's words.
_FITTING = Path(__file__).with_name("refusal_fitting.jsonl")
_RIDGE = 1.0
_STEPS = 50

Kind = Literal["own", "fitting", "off topic"]


@dataclass(frozen=True, slots=True)
class Case:
    """A question's signals against one corpus, and whether the corpus answers it; ``kind``
    tells whether it is of the corpus's own set, of the fitting set, or the other corpus's."""

    question: str
    signals: Signals
    answerable: bool
    kind: Kind


def main() -> None:
    """Print who is refused, at the floor as it stands and at floors fitted here."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--most", type=int, default=10_000)
    most = parser.parse_args().most
    cases = {name: list(_cases(name, most)) for name in _NAMES}
    both = [case for found in cases.values() for case in found]
    floors = {"as it stands": Floor(), "fitted on both": _fit(both)}
    floors |= {f"fitted on {name}": _fit(found) for name, found in cases.items()}
    rows = [
        (label, name, kind, *_judged([case for case in found if case.kind == kind], floor))
        for label, floor in floors.items()
        for name, found in cases.items()
        for kind in ("own", "fitting", "off topic")
    ]
    heads = ("floor", "corpus", "kind", "without answer", "refused", "with", "refused")
    table("refusals", heads, rows)
    for label, floor in floors.items():
        print(label, *(f"{f.name}={getattr(floor, f.name):.3f}" for f in fields(floor)))
    for name, found in cases.items():
        for case in found:
            if (probability(case.signals, Floor()) >= Floor().floor) != case.answerable:
                print(f"{name}: {'refused' if case.answerable else 'let through'}: {case.question}")


def _cases(name: str, most: int) -> Iterator[Case]:
    """The corpus's own questions, those to fit by, and the others' as off its topic."""
    with tempfile.TemporaryDirectory() as place, Engine.open(Path(place) / "i") as engine:
        engine.ingest([_CORPORA / name / "documents"])
        score = RememberedScore(engine.desk.score)
        occurs = engine.desk.workspace.keywords().occurs
        for question, answerable, kind in _asked(name, most):
            passages = engine.retrieve(question, k=5).passages
            found = signals(question, passages, score=score, occurs=occurs)
            yield Case(question, found, answerable, kind)


def _asked(name: str, most: int) -> Iterator[tuple[str, bool, Kind]]:
    for corpus in _NAMES:
        for question in load_questions(_CORPORA / corpus / "questions.jsonl")[:most]:
            if question.type not in ("prerequisite", "next"):
                own = corpus == name
                answerable = own and bool(question.relevant)
                yield question.question, answerable, "own" if own else "off topic"
    lines = [json.loads(line) for line in _FITTING.read_text(encoding="utf-8").splitlines()]
    for line in [line for line in lines if line["corpus"] == name][:most]:
        yield line["question"], line["answerable"], "fitting"


def _fit(cases: Sequence[Case]) -> Floor:
    """Ridge logistic regression by Newton's method over standardised regressors. Questions of
    each kind, with and without an answer, weigh the same in all; those off topic are easy and
    stay out."""
    known = [case for case in cases if not case.signals.unknown and case.kind != "off topic"]
    x = np.array([[regressors(case.signals)[name] for name in REGRESSORS] for case in known])
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
    fitted = Floor(float(found[0] - mean @ scaled), **named)
    without = [
        probability(c.signals, fitted) for c in cases if c.kind == "own" and not c.answerable
    ]
    return Floor(fitted.intercept, **named, floor=max(without, default=0.5) + 1e-3)


def _judged(cases: Sequence[Case], floor: Floor) -> tuple[int, int, int, int]:
    refused = {True: 0, False: 0}
    total = {True: 0, False: 0}
    for case in cases:
        total[case.answerable] += 1
        refused[case.answerable] += probability(case.signals, floor) < floor.floor
    return total[False], refused[False], total[True], refused[True]


if __name__ == "__main__":
    main()
