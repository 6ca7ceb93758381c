"""What the vector index's coarse precisions lose and save against exact search.

``python -m tests.benchmarks.precision [SET ...] [--repeat N]``: the sets' passages as the
engine cuts and embeds them go into one index (vectors are cached, see ``retrieval_sets``).
With ``--repeat`` each vector is put N times with noise of a tenth of its length, which
gives the sizes and times of a larger index; agreement is then on such neighbourhoods.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path
from typing import get_args

import numpy as np

from graphrag.adapters.faiss_coarse import Precision
from graphrag.adapters.faiss_index import FaissIndex
from graphrag.ports import Vectors
from tests.benchmarks.retrieval_sets import load
from tests.benchmarks.tables import table

_SETS = ("2wikimultihopqa", "scifact", "musique_train100", "hotpotqa_train100")
_QUESTIONS_A_SET = 300


def main() -> None:
    """Print agreement of the best 5 and 20, milliseconds a search, and megabytes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sets", nargs="*", default=list(_SETS))
    parser.add_argument("--repeat", type=int, default=1)
    arguments = parser.parse_args()
    passages, questions = _vectors(arguments.sets)
    measure(_repeated(passages, arguments.repeat), questions)


def measure(passages: Vectors, questions: Vectors) -> None:
    """The table for these unit vectors, shapes (n, dimension) and (m, dimension)."""
    rows: list[tuple[object, ...]] = []
    truth: list[list[int]] = []
    with tempfile.TemporaryDirectory() as name:
        for precision in get_args(Precision):
            folder = Path(name) / precision
            index = FaissIndex.open(
                folder, dimension=passages.shape[1], fingerprint="-", precision=precision
            )
            begin = time.perf_counter()
            index.update(range(len(passages)), passages, [], 1)
            build = time.perf_counter() - begin
            found, begin, cpu = [], time.perf_counter(), time.process_time()
            for question in questions:
                found.append([number for number, _ in index.search(question, 20)])
            seconds, cpu = time.perf_counter() - begin, time.process_time() - cpu
            truth = truth or found
            scanned = folder.glob("*.faiss" if precision == "exact" else f"*.{precision}")
            rows.append(
                (
                    precision,
                    _agreement(truth, found, 5),
                    _agreement(truth, found, 20),
                    1000 * seconds / len(questions),
                    1000 * cpu / len(questions),
                    build,
                    sum(file.stat().st_size for file in scanned) / 1e6,
                )
            )
    table(
        f"{len(passages)} vectors of dimension {passages.shape[1]}, {len(questions)} questions",
        ("precision", "best 5", "best 20", "ms", "ms of CPU", "build s", "scanned MB"),
        rows,
    )


def _agreement(truth: list[list[int]], found: list[list[int]], k: int) -> float:
    shared = [
        len(set(one[:k]) & set(other[:k])) / k for one, other in zip(truth, found, strict=True)
    ]
    return float(np.mean(shared))


def _vectors(names: list[str]) -> tuple[Vectors, Vectors]:
    collections = [load(name) for name in names]
    questions = [
        each.embedder.embed_questions([case.question for case in each.cases[:_QUESTIONS_A_SET]])
        for each in collections
    ]
    return np.concatenate([each.matrix for each in collections]), np.concatenate(questions)


def _repeated(vectors: Vectors, times: int) -> Vectors:
    random = np.random.default_rng(0)
    parts = [vectors]
    for _ in range(times - 1):
        noise = random.standard_normal(vectors.shape, dtype=np.float32)
        moved = vectors + 0.1 * noise / np.linalg.norm(noise, axis=1, keepdims=True)
        parts.append(moved / np.linalg.norm(moved, axis=1, keepdims=True))
    return np.concatenate(parts).astype(np.float32)


if __name__ == "__main__":
    main()
