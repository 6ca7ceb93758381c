"""Tables on stdout, and where the evaluation data is."""

from __future__ import annotations

import os
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path


def evaluation_data() -> Path:
    """The folder of evaluation data; exits with a sentence where it is absent."""
    place = os.environ.get("GRAPHRAG_BENCH_DATA")
    folder = Path(place) if place else Path(__file__).parents[2].parent / "shared" / "data"
    if not folder.is_dir():
        sys.exit(f"skipped: no evaluation data at {folder}; set GRAPHRAG_BENCH_DATA")
    return folder


def table(title: str, header: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Print rows under a header, columns aligned."""
    cells = [list(map(str, header)), *[list(map(_shown, row)) for row in rows]]
    widths = [max(len(row[column]) for row in cells) for column in range(len(header))]
    print(f"\n{title}")
    for row in cells:
        print("  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)))


def _shown(value: object) -> str:
    return f"{value:.3g}" if isinstance(value, float) else str(value)


def median_seconds(work: Callable[[], object], runs: int) -> float:
    """The median of several timed runs, in seconds."""
    times = []
    for _ in range(runs):
        begin = time.perf_counter()
        work()
        times.append(time.perf_counter() - begin)
    return statistics.median(times)
