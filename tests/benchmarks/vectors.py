"""What coarse vectors cost in recall and give in time, against exact search.

Run: ``python -m tests.benchmarks.vectors [--size N] [--sets NAME,...]``. The vectors are those
of the sets' passages by the default model; where that is fewer than ``--size``, mixtures of
pairs of them follow, with noise, as many as are lacking. The questions are the sets' own.
Recall is the share of the exact best k among those found; times are processor milliseconds
a question, from one run, over all vectors and where a filter leaves a tenth or a hundredth
of them. Vectors cut short and rescored stand beside the precisions of the product
(``vectors.precision``).
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import faiss as _faiss
import numpy as np
from numpy.typing import NDArray

from graphrag.adapters.faiss_coarse import Precision
from graphrag.adapters.faiss_index import FaissIndex
from graphrag.ports import Vectors
from tests.benchmarks.retrieval_sets import load
from tests.benchmarks.tables import table

faiss: Any = _faiss  # its annotations leave out most of what is wrapped
Search = Callable[..., list[int]]

_SETS = "2wikimultihopqa,hotpotqa_train100,musique_train100,scifact"
_DEPTHS = (10, 50)
_QUESTIONS = 300
_SHORT, _EACH = 128, 4
_SHARES = (10, 100)  # of which a filter leaves one


def material(sets: list[str], size: int) -> tuple[Vectors, Vectors, int]:
    """Passages (size, d), questions (n, d), and how many of the passages are real."""
    passages, questions = [], []
    for name in sets:
        held = load(name, "questions.jsonl")
        numbers = np.array([each.number for each in held.numbered])
        passages.append(held.vectors.vectors(numbers))
        asked = [case.question for case in held.cases][: _QUESTIONS // len(sets)]
        questions.append(held.embedder.embed_questions(asked))
    real = np.concatenate(passages)[:size]
    random = np.random.default_rng(size)
    first, second = random.integers(0, len(real), (2, size - len(real)))
    share = random.uniform(0.5, 0.8, (size - len(real), 1)).astype(np.float32)
    noise = random.standard_normal((size - len(real), real.shape[1]), dtype=np.float32)
    mixed = share * real[first] + (1 - share) * real[second] + 0.01 * noise
    rows = np.concatenate((real, mixed))
    return rows / np.linalg.norm(rows, axis=1, keepdims=True), np.concatenate(questions), len(real)


def product(path: Path, rows: Vectors, precision: Precision) -> Search:
    """The product's index."""
    index = FaissIndex.open(
        path / precision, dimension=rows.shape[1], fingerprint="model", precision=precision
    )
    index.update(range(len(rows)), rows, [], 1)
    return lambda question, k, allowed=None: [
        number for number, _ in index.search(question, k, allowed=allowed)
    ]


def cut_short(rows: Vectors) -> Search:
    """The first coordinates alone, what they find compared in full."""
    index = faiss.IndexFlatIP(_SHORT)
    index.add(np.ascontiguousarray(rows[:, :_SHORT]))

    def search(question: Vectors, k: int) -> list[int]:
        short = np.ascontiguousarray(question[np.newaxis, :_SHORT])
        found: NDArray[np.int64] = index.search(short, _EACH * k)[1][0]
        return [int(row) for row in found[np.argsort(-(rows[found] @ question))[:k]]]

    return search


def filtered(search: Search, questions: Vectors, size: int) -> list[float]:
    """Milliseconds a question where filters leave one in so many."""
    random = np.random.default_rng(size)
    spent = []
    for share in _SHARES:
        allowed = np.sort(random.choice(size, size // share, replace=False))
        began = time.process_time()
        for question in questions:
            search(question, max(_DEPTHS), allowed)
        spent.append(1000 * (time.process_time() - began) / len(questions))
    return spent


def measured(search: Search, questions: Vectors, truth: list[list[int]]) -> tuple[float, ...]:
    """Milliseconds a question, and recall at each depth in percent."""
    search(questions[0], max(_DEPTHS))
    began = time.process_time()
    found = [search(question, max(_DEPTHS)) for question in questions]
    spent = 1000 * (time.process_time() - began) / len(questions)
    recalls = (
        100 * np.mean([len({*a[:k]} & {*b[:k]}) / k for a, b in zip(found, truth, strict=True)])
        for k in _DEPTHS
    )
    return (spent, *map(float, recalls))


def main() -> None:
    """Print one row a kind of index."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=100_000)
    parser.add_argument("--sets", default=_SETS)
    chosen = parser.parse_args()
    rows, questions, real = material(chosen.sets.split(","), chosen.size)
    with tempfile.TemporaryDirectory() as name:
        exact = product(Path(name), rows, "exact")
        truth = [exact(question, max(_DEPTHS)) for question in questions]
        found: list[tuple[object, ...]] = []
        for kind in ("exact", "int8", "binary", "ivf"):
            search = exact if kind == "exact" else product(Path(name), rows, kind)
            spent, *recalls = measured(search, questions, truth)
            found.append((kind, spent, *filtered(search, questions, len(rows)), *recalls))
        spent, *recalls = measured(cut_short(rows), questions, truth)
        none = ["-" for _ in _SHARES]
        found.append((f"first {_SHORT} coordinates, rescored", spent, *none, *recalls))
    shares = (f"ms, 1 in {share}" for share in _SHARES)
    heads = ("index", "ms a question", *shares, *(f"recall@{k}, %" for k in _DEPTHS))
    table(f"{len(rows)} vectors ({real} real), {len(questions)} questions", heads, found)


if __name__ == "__main__":
    main()
