"""What weights of the signs against a suspect would be fitted to our own cases.

    python -m tests.benchmarks.diagnosis_weights --indexes FOLDER [CORPUS...]

Each CORPUS as for ``tests.benchmarks.diagnosis``; its index, from the documents alone, is built
in FOLDER or read there. The weights are those of a conditional logit (McFadden 1974) over the
accused of each case, the probability that one of the implicated concepts is chosen, with a
quadratic penalty on their distance from zero or from the weights in force. For each corpus they
are fitted to all others and tried on it; the lines "all" are the sums over these trials. Two
corpora at least. Nothing that is printed is written anywhere: weights are changed by hand, in
``Suspicion``.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from graphrag import Engine
from graphrag.diagnosing import search_ids
from graphrag.tutoring.diagnose import Accused, ranked
from graphrag.tutoring.suspicion import DEFAULT_SUSPICION
from tests.benchmarks.diagnosis import NOWHERE, lines, report, resolver

Floats = NDArray[np.float64]
PENALTIES = (3.0, 30.0, 100.0)


@dataclass(frozen=True, slots=True)
class Case:
    """The accused of an answer, their signs of shape (accused, signs), and the wanted ids."""

    found: Accused
    values: Floats
    wanted: frozenset[str]

    @property
    def chosen(self) -> NDArray[np.bool_]:
        return np.array([concept.id in self.wanted for concept in self.found.concepts])


def cases_of(corpus: Path, indexes: Path) -> tuple[list[str], list[Case]]:
    """The names of the signs, and the cases of a corpus."""
    names: list[str] = []
    found = []
    with Engine.open(indexes / corpus.name) as engine:
        if not engine.status().documents:
            engine.ingest([corpus / "documents"])
        wanted_by, desk = resolver(corpus, engine), engine.desk
        for case in lines(corpus / "diagnoses.jsonl"):
            accused = desk.tutor().accused(
                case["question"],
                case["answer"],
                embed=desk.sentence_vectors,
                search=partial(search_ids, desk),
                score=desk.score,
            )
            names = list(accused.signs) or names
            values = np.column_stack(list(accused.signs.values()))
            found.append(Case(accused, values, frozenset(wanted_by(case["implicates"]))))
    return names, found


def loss(
    weights: Floats, cases: Sequence[Case], prior: Floats, penalty: float
) -> tuple[float, Floats]:
    """The negative log-likelihood with its penalty, and its gradient."""
    total = penalty * float(((weights - prior) ** 2).sum()) / 2
    slope = penalty * (weights - prior)
    for case in cases:
        chosen = case.chosen
        if chosen.any():
            odds = np.exp(case.values @ weights - (case.values @ weights).max())
            all_of, right = odds / odds.sum(), odds * chosen / (odds @ chosen)
            total -= float(np.log(all_of @ chosen))
            slope -= case.values.T @ (right - all_of)
    return total, slope


def fitted(cases: Sequence[Case], prior: Floats, penalty: float) -> Floats:
    """The weights that fit the cases."""
    found = minimize(loss, prior, (cases, prior, penalty), method="L-BFGS-B", jac=True)
    weights: Floats = found.x
    return weights


def places(cases: Sequence[Case], names: Sequence[str], weights: Floats) -> list[float]:
    """The rank of the first wanted concept of each case, counted from 1."""
    suspicion = replace(DEFAULT_SUSPICION, **dict(zip(names, weights.tolist(), strict=True)))
    listed = [
        [each.concept.id for each in ranked(case.found, suspicion=suspicion)] for case in cases
    ]
    return [
        next((place for place, key in enumerate(ids, 1) if key in case.wanted), NOWHERE)
        for ids, case in zip(listed, cases, strict=True)
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0] if __doc__ else "")
    parser.add_argument("corpora", nargs="*", type=Path)
    parser.add_argument("--indexes", type=Path, required=True)
    options = parser.parse_args()
    corpora = options.corpora or [path.parent for path in Path("corpora").rglob("diagnoses.jsonl")]
    if len(corpora) < 2:
        parser.error("one corpus is tried with weights of the others: name two at least")
    gathered = {corpus.name: cases_of(corpus, options.indexes) for corpus in sorted(corpora)}
    names = next(names for names, _ in gathered.values() if names)
    folds = {name: cases for name, (_, cases) in gathered.items()}
    present = np.array([getattr(DEFAULT_SUSPICION, name) for name in names])
    everything = [case for cases in folds.values() for case in cases]
    report("all: in force", places(everything, names, present))
    for toward, prior in (("zero", np.zeros(len(names))), ("those in force", present)):
        for penalty in PENALTIES:
            tried: list[float] = []
            for left_out, cases in folds.items():
                others = [c for name, group in folds.items() if name != left_out for c in group]
                tried += places(cases, names, fitted(others, prior, penalty))
            report(f"all: {penalty:g} toward {toward}", tried)
    weights = fitted(everything, present, PENALTIES[-1])
    print("fitted to all:", {n: round(w, 2) for n, w in zip(names, weights.tolist(), strict=True)})


if __name__ == "__main__":
    main()
