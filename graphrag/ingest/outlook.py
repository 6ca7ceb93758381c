"""How much an ingest has still to do, and who is told of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from threading import Lock

from graphrag.ingest.report import Progress


class Outlook:
    """How many chunks files come to, as far as one can tell while one after another is read.

    ``sizes`` are the bytes of the files to read, by path. Files that are read count as they
    are; of the others each byte is worth as many chunks as a byte of those with its ending,
    or of all, where none with its ending is read yet.
    """

    def __init__(self, sizes: Mapping[str, int]) -> None:
        self._sizes = sizes
        self._unread: Counter[str] = Counter()  # bytes by ending, as below
        for path, size in sizes.items():
            self._unread[_ending(path)] += size
        self._bytes: Counter[str] = Counter()
        self._chunks: Counter[str] = Counter()
        self._begun = 0  # chunks of the file that is being read

    def read(self, path: str, chunks: int, *, whole: bool) -> None:
        """So many more chunks came of a file; ``whole`` with its last."""
        self._begun += chunks
        if whole:
            ending = _ending(path)
            self._unread[ending] -= self._sizes[path]
            self._bytes[ending] += self._sizes[path]
            self._chunks[ending] += self._begun
            self._begun = 0

    def expected(self) -> int:
        """The chunks of all files; 0 before the first bytes are read."""
        read = self._bytes.total()
        if not read:
            return 0
        known = self._chunks.total()
        likely = 0.0
        for ending, size in self._unread.items():
            alike = self._bytes[ending]
            likely += size * (self._chunks[ending] / alike if alike else known / read)
        return known + max(round(likely), self._begun)


def _ending(path: str) -> str:
    return Path(path).suffix.lower()


class Telling:
    """Tells of each step of an ingest how far it has come; several threads may."""

    def __init__(self, progress: Progress, sizes: Mapping[str, int]) -> None:
        self._progress = progress
        self._outlook = Outlook(sizes)
        self._total_files = len(sizes)
        self._files = self._chunks = self._expected = 0
        self._lock = Lock()

    def read(self, path: str, chunks: int, *, whole: bool) -> None:
        """As ``Outlook.read``."""
        with self._lock:
            self._outlook.read(path, chunks, whole=whole)
            self._expected = self._outlook.expected()

    def done(self, chunks: int, *, files: int = 0) -> None:
        """So many more have their vectors, or are done with."""
        with self._lock:
            self._files += files
            self._chunks += chunks
            # A guess may be too small; nobody is told of more chunks than there are.
            total = max(self._expected, self._chunks) if self._expected else 0
            self._progress.advance(self._files, self._total_files, self._chunks, total)
