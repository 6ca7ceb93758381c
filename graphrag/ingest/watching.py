"""Following changes of files: look, and ingest only when something is not as it was."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from graphrag.errors import GraphragError, ReadingError, StoreError
from graphrag.ingest.plan import KnownFile
from graphrag.ingest.report import IngestReport
from graphrag.ingest.stamps import stamp_of
from graphrag.reading.discover import discover

Seen = tuple[object, ...]
"""What a look found; two looks are equal where nothing has changed between them."""


def look(
    paths: Sequence[Path], others: Sequence[Path] = (), *, folders: Sequence[Path] = ()
) -> Seen:
    """The files at and below the paths, and ``others``, with their sizes and times.

    Files that were refused before count too: they are read again once they change. Raises
    StoreError where one of ``folders`` is gone as a whole: a disk that is not there for a
    while must not empty the index.
    """
    for folder in folders:
        if not folder.is_dir():
            raise StoreError(
                f"the folder {folder} is not there; its documents are kept until it is back, "
                f"or until 'graphrag remove {folder}' takes them out"
            )
    discovery = discover([path for path in paths if path.exists()])
    files = [KnownFile(str(file.path), str(file.root)) for file in discovery.files]
    files.extend(KnownFile(str(path), str(path.parent)) for path in others)
    return (*map(stamp_of, files), *discovery.refused)


def follow(
    seen: Seen,
    look_again: Callable[[], Seen],
    ingest: Callable[[], IngestReport],
    *,
    pause: Callable[[], None],
    tell: Callable[[GraphragError], None],
) -> Iterator[IngestReport]:
    """A report each time that something has changed since ``seen``; without an end.

    A look or an ingest that fails, since another process is writing or a
    ``graphrag.toml`` is half written, say, is told once and
    tried again after the next pause.
    """
    told = ""
    while True:
        pause()
        try:
            found = look_again()
            if found == seen:
                continue
            report = ingest()
        except (ReadingError, StoreError) as error:
            if str(error) != told:
                tell(error)
            told = str(error)
            continue
        seen, told = found, ""
        yield report
