"""Random histories of a folder against fresh builds: ``python -m tests.benchmarks.history [N]``."""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

from tests.history import run_history


def main() -> None:
    """Run N (200) histories; stops at the first that differs, with its seed."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    begin = time.perf_counter()
    for seed in range(1000, 1000 + count):
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place)
            run_history(folder / "d", folder / "i.graphrag", folder / "f.graphrag", seed)
    print(f"{count} histories equal a fresh build ({time.perf_counter() - begin:.0f} s)")


if __name__ == "__main__":
    main()
