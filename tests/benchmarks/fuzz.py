"""Damaged copies of real files of every format: read or refused, how slowly, with how much memory.

``python -m tests.benchmarks.fuzz FOLDER... [--rounds N] [--seed S]``. Each round damages one
file of the folders (the formats take turns; bytes exchanged, cut, doubled, also inside of ZIP
containers) and reads it. Anything but a document or a refusal ends the run with the round's
number. Times are the processor's.
"""

from __future__ import annotations

import argparse
import io
import random
import resource
import time
import zipfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from graphrag.errors import ReadingError
from graphrag.reading.formats import format_of, text_format
from graphrag.reading.read import read_content
from tests.benchmarks.tables import table
from tests.reading_samples import check_tiling
from tests.test_reading_fuzz import mutated, mutated_inside

_LARGEST = 120_000  # bytes: so that the rounds spend their time on many files


@dataclass(frozen=True, slots=True)
class Round:
    """What one damaged file came to: ``outcome`` is "read" or "refused"."""

    path: Path
    outcome: str
    seconds: float


def by_ending(folders: Sequence[Path]) -> dict[str, list[Path]]:
    """The files that some reader takes, by ending; corpora of many documents left out."""
    found: dict[str, list[Path]] = defaultdict(list)
    for path in sorted(each for folder in folders for each in folder.rglob("*") if each.is_file()):
        known = format_of(path.name) is not None or path.suffix == ".txt"
        if known and path.suffix != ".jsonl" and path.stat().st_size < _LARGEST:
            found[path.suffix].append(path)
    return found


def rounds(files: dict[str, list[Path]], number: int, seed: int) -> Iterator[Round]:
    """Damage and read one file after the other.

    Raises what a reader raises besides ``ReadingError``, with the round and the file added.
    """
    endings = sorted(files)
    for each in range(number):
        rng = random.Random(f"{seed} {each}")
        path = rng.choice(files[endings[each % len(endings)]])
        content = path.read_bytes()
        ways = [mutated]
        if zipfile.is_zipfile(io.BytesIO(content)):
            ways += [mutated_inside] * 2
        damaged = rng.choice(ways)(content, rng)
        begun = time.process_time()
        outcome = "read"
        try:
            check_tiling(read_content(damaged, format_of(path.name) or text_format(), path.name))
        except ReadingError:
            outcome = "refused"
        except BaseException as error:
            error.add_note(f"round {each} with seed {seed}: {path}")
            raise
        yield Round(path, outcome, time.process_time() - begun)


def main() -> None:
    """Print how many were read and refused, the slowest and the memory at its peak."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--rounds", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    files = by_ending(given.folders)
    done = list(rounds(files, given.rounds, given.seed))
    counts = Counter(each.outcome for each in done)
    slowest = sorted(done, key=lambda each: -each.seconds)[:5]
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    table(
        f"{given.rounds} damaged files of {len(files)} endings, peak {peak} MB",
        ("outcome", "files"),
        sorted(counts.items()),
    )
    table("slowest", ("seconds", "file"), [(each.seconds, each.path.name) for each in slowest])


if __name__ == "__main__":
    main()
