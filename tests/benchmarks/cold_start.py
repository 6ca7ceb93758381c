"""How long commands take from the shell, as whole processes.

``python -m tests.benchmarks.cold_start [--runs N]``
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from graphrag import Engine
from tests.benchmarks.tables import median_seconds, table

_COMMANDS = (
    ("status",),
    ("cypher", "MATCH (c:Concept) RETURN c.name LIMIT 3"),
    ("learn", "basis"),
    ("search", "what is a pivot column?", "--no-rerank"),
    ("search", "what is a pivot column?"),
)


def main() -> None:
    """Print the table: medians over several runs, and the interpreter's own start."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    runs = parser.parse_args().runs
    documents = Path(__file__).parents[2] / "corpora" / "linear-algebra" / "documents"
    with tempfile.TemporaryDirectory() as place:
        index = Path(place) / "i"
        with Engine.open(index) as engine:
            engine.ingest([documents])
        rows = [("python -c pass", _seconds([sys.executable, "-c", "pass"], runs))]
        for command in _COMMANDS:
            line = [sys.executable, "-m", "graphrag.cli.main", "--index", str(index), *command]
            rows.append((" ".join(command), _seconds(line, runs)))
    table("cold start of a command, median seconds", ("command", "seconds"), rows)


def _seconds(line: list[str], runs: int) -> float:
    environment = {**os.environ, "OLLAMA_HOST": "127.0.0.1:9"}

    def work() -> None:
        subprocess.run(line, check=True, capture_output=True, env=environment)

    work()
    return median_seconds(work, runs)


if __name__ == "__main__":
    main()
