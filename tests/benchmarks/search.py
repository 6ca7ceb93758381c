"""The parts of a search's time over the course and the handbook.

``python -m tests.benchmarks.search [--questions N]``
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
from collections import defaultdict
from pathlib import Path

from graphrag import Engine
from graphrag.evaluation.questions import load_questions
from tests.benchmarks.tables import table


def main() -> None:
    """Print the median and the 95th percentile of each part, in milliseconds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--questions", type=int, default=60)
    count = parser.parse_args().questions
    corpora = Path(__file__).parents[2] / "corpora"
    times: dict[str, list[float]] = defaultdict(list)
    for name in ("linear-algebra", "handbook"):
        with tempfile.TemporaryDirectory() as place, Engine.open(Path(place) / "i") as engine:
            engine.ingest([corpora / name / "documents"])
            questions = load_questions(corpora / name / "questions.jsonl")[: count // 2]
            engine.search(questions[0].question)
            for question in questions:
                for stage, seconds in engine.retrieve(question.question).seconds.items():
                    times[stage].append(1000 * seconds)
    rows = [
        (stage, statistics.median(values), sorted(values)[int(0.95 * (len(values) - 1))])
        for stage, values in times.items()
    ]
    table("parts of a search, milliseconds", ("stage", "median", "95 %"), rows)


if __name__ == "__main__":
    main()
