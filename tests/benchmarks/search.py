"""The parts of a search's time over the course and the handbook.

``python -m tests.benchmarks.search [--questions N]``

The first table is in time by the clock. The second is in processor time: what reranking costs
within the model's own forward passes, and what beyond them.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from threading import Lock
from typing import Any

from graphrag import Engine
from graphrag.adapters.onnx_models import OnnxReranker
from graphrag.evaluation.questions import load_questions
from tests.benchmarks.tables import table


class _TimedSession:
    """The session of a model, which sums up the processor time of its forward passes."""

    def __init__(self, session: Any) -> None:
        self._session = session
        self._lock = Lock()
        self.seconds = 0.0
        self.passes = 0

    def run(self, *inputs: Any) -> Any:
        began = time.thread_time()
        found = self._session.run(*inputs)
        with self._lock:
            self.seconds += time.thread_time() - began
            self.passes += 1
        return found


def _timed_reranker(engine: Engine) -> _TimedSession:
    """Give the engine a cross-encoder that tells how long its forward passes take, and reads
    again what it has read."""
    model = OnnxReranker.load()
    session = _TimedSession(model._network.session)
    timed = OnnxReranker(replace(model._network, session=session), name=model.name)
    engine.desk.models.reranker = lambda: timed  # type: ignore[method-assign]
    engine.desk.forget()
    return session


def _reranking(engine: Engine, questions: Sequence[str]) -> list[tuple[float, float, int]]:
    """For each question the processor seconds of reranking beyond the forward passes, those
    of the passes, and how many there were."""
    session = _timed_reranker(engine)
    found = []
    for question in questions:
        engine.retrieve(question)  # what the next two read lies at hand
        begin = time.process_time()
        engine.retrieve(question, rerank=False)
        plain, within, passes = time.process_time() - begin, session.seconds, session.passes
        begin = time.process_time()
        engine.retrieve(question)
        whole, within = time.process_time() - begin, session.seconds - within
        found.append((whole - plain - within, within, session.passes - passes))
    return found


def main() -> None:
    """Print the median and the 95th percentile of each part, in milliseconds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--questions", type=int, default=60)
    count = parser.parse_args().questions
    corpora = Path(__file__).parents[2] / "corpora"
    times: dict[str, list[float]] = defaultdict(list)
    reranking: list[tuple[float, float, int]] = []
    for name in ("linear-algebra", "handbook"):
        with tempfile.TemporaryDirectory() as place, Engine.open(Path(place) / "i") as engine:
            engine.ingest([corpora / name / "documents"])
            asked = load_questions(corpora / name / "questions.jsonl")[: count // 2]
            questions = [each.question for each in asked]
            engine.search(questions[0])
            for question in questions:
                for stage, seconds in engine.retrieve(question).seconds.items():
                    times[stage].append(1000 * seconds)
            reranking += _reranking(engine, questions)
    rows = [
        (stage, statistics.median(values), sorted(values)[int(0.95 * (len(values) - 1))])
        for stage, values in times.items()
    ]
    table("parts of a search, milliseconds", ("stage", "median", "95 %"), rows)
    beyond, within, passes = (sum(column) for column in zip(*reranking, strict=True))
    table(
        "reranking, processor time a question",
        ("forward passes", "within them, ms", "beyond them, ms", "beyond / within, %"),
        [
            (
                passes / len(reranking),
                1000 * within / len(reranking),
                1000 * beyond / len(reranking),
                100 * beyond / within,
            )
        ],
    )


if __name__ == "__main__":
    main()
