"""Random histories of a folder against fresh builds.

``python -m tests.benchmarks.history [N] [FIRST SEED]``. A history is six random changes to a
folder (add, edit, rename, delete, copy, nothing), each followed by an ingest; then all that
the index shows (every row of the catalog and of the graph, the names of every passage,
scores of searches) must equal what a fresh index over the same files shows. Everything runs
with the real models, loaded once: embedding and annotating take a tenth of the time. Most
of it goes to the stores, 2 s of one core a history. Nothing here tests durability, so with
``TMPDIR=/dev/shm`` no time is lost in waiting for a disk; two processes (``500 1000`` and
``500 1500``) halve the time.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

from graphrag.assembly import Models
from graphrag.settings import Settings
from tests.history import run_history


def main() -> None:
    """Run N (200) histories; prints each that differs, with its seed, and fails at the end."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    begin = time.perf_counter()
    differing = 0
    models = Models(Settings())
    for done, seed in enumerate(range(first, first + count), start=1):
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place)
            try:
                run_history(
                    folder / "d", folder / "i.graphrag", folder / "f.graphrag", seed, models=models
                )
            except AssertionError as error:
                differing += 1
                print(error, flush=True)
        if done % 10 == 0:
            print(f"{done} histories, {differing} differ", flush=True)
    seconds = time.perf_counter() - begin
    print(f"{count - differing} of {count} histories equal a fresh build ({seconds:.0f} s)")
    sys.exit(differing > 0)


if __name__ == "__main__":
    main()
