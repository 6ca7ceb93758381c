"""How well the floor tells questions with an answer from those without, and its weights
fitted anew: on each corpus alone, judged on the other, and on both.

``python -m tests.benchmarks.refusal [--most N]`` (some minutes a corpus; N questions of each)
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np

from graphrag import Engine
from graphrag.answering.refusal import Floor, probability
from graphrag.answering.signals import Signals, signals
from graphrag.evaluation.questions import load_questions
from graphrag.wording.excerpts import RememberedScore
from tests.benchmarks.tables import table

_CORPORA = Path(__file__).parents[2] / "corpora"
_NAMES = ("linear-algebra", "handbook")
# The signals, each with its typical size, so that one ridge suits all weights; the first size
# is the intercept's.
_WEIGHTS = ("relevance", "missing", "topic", "attribute", "quantity", "foreign", "narrowed")
_SIZES = np.array([1.0, 3.0, 0.3, 0.5, 0.5, 0.5, 0.5, 0.5])
_RIDGE = 0.15


@dataclass(frozen=True, slots=True)
class Case:
    """A question's signals against one corpus, and whether the corpus answers it."""

    question: str
    signals: Signals
    answerable: bool


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
        (label, name, *_judged(found, floor))
        for label, floor in floors.items()
        for name, found in cases.items()
    ]
    table("refusals", ("floor", "corpus", "without answer", "refused", "with", "refused"), rows)
    for label, floor in floors.items():
        print(label, *(f"{f.name}={getattr(floor, f.name):.2f}" for f in fields(floor)))
    for name, found in cases.items():
        for case in found:
            if (probability(case.signals, Floor()) >= Floor().floor) != case.answerable:
                print(f"{name}: {'refused' if case.answerable else 'let through'}: {case.question}")


def _cases(name: str, most: int) -> Iterator[Case]:
    """The corpus's own questions, and the others' as questions off its topic."""
    with tempfile.TemporaryDirectory() as place, Engine.open(Path(place) / "i") as engine:
        engine.ingest([_CORPORA / name / "documents"])
        score = RememberedScore(engine.desk.score)
        occurs = engine.desk.workspace.keywords().occurs
        for corpus in _NAMES:
            for question in load_questions(_CORPORA / corpus / "questions.jsonl")[:most]:
                if question.type in ("prerequisite", "next"):
                    continue
                passages = engine.retrieve(question.question, k=5).passages
                found = signals(question.question, passages, score=score, occurs=occurs)
                answerable = corpus == name and bool(question.relevant)
                yield Case(question.question, found, answerable)


def _fit(cases: Sequence[Case]) -> Floor:
    """Ridge logistic regression by gradient descent, both kinds weighing the same."""
    known = [case for case in cases if not case.signals.unknown]
    x = np.array([[1.0, *(getattr(c.signals, w) for w in _WEIGHTS)] for c in known]) / _SIZES
    y = np.array([float(case.answerable) for case in known])
    balance = np.where(y > 0, 1 / max(y.sum(), 1), 1 / max((1 - y).sum(), 1)) * len(y) / 2
    weights = np.zeros(len(_SIZES))
    for _ in range(6000):
        chance = 1 / (1 + np.exp(-np.clip(x @ weights, -50, 50)))
        slope = x.T @ ((chance - y) * balance) + _RIDGE * np.r_[0, weights[1:]]
        weights -= 0.3 * slope / len(y)
    intercept, *others = (weights / _SIZES).tolist()
    named = dict(zip(_WEIGHTS, others, strict=True))
    return Floor(intercept, **named, floor=Floor().floor)


def _judged(cases: Sequence[Case], floor: Floor) -> tuple[int, int, int, int]:
    refused = {True: 0, False: 0}
    total = {True: 0, False: 0}
    for case in cases:
        total[case.answerable] += 1
        refused[case.answerable] += probability(case.signals, floor) < floor.floor
    return total[False], refused[False], total[True], refused[True]


if __name__ == "__main__":
    main()
