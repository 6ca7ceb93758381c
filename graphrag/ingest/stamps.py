"""What tells, without reading it again, whether a file is as it was."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from graphrag.ingest.plan import KnownFile, file_of
from graphrag.ports import FileStamp
from graphrag.reading.sidecar import sidecar_files


@dataclass(frozen=True, slots=True)
class Compared:
    """``stamps`` by path (digest empty where it was not needed), the paths whose bytes are
    ``unchanged``, and new stamps by document id for files that were only touched."""

    stamps: Mapping[str, FileStamp]
    unchanged: tuple[str, ...]
    restamped: Mapping[str, FileStamp]


def compare(files: Sequence[KnownFile], stored: Mapping[str, FileStamp]) -> Compared:
    """Compare files with the stamps of the stored documents, by size and time, and where
    only the time differs by their bytes."""
    by_file = {file_of(document_id, stamp): stamp for document_id, stamp in stored.items()}
    stamps: dict[str, FileStamp] = {}
    unchanged: list[str] = []
    touched: dict[str, FileStamp] = {}
    folders = {(os.path.dirname(file.path), file.root) for file in files}
    beside = {(folder, root): _beside(folder, root) for folder, root in folders}
    for file in files:
        stamp = stamp_of(file, beside[os.path.dirname(file.path), file.root])
        known = by_file.get(file.path)
        if known is not None and (known.size, known.modified_ns) == (stamp.size, stamp.modified_ns):
            unchanged.append(file.path)
            stamp = replace(stamp, digest=known.digest)
        elif known is not None and known.size == stamp.size:
            stamp = replace(stamp, digest=digest_of(file))
            if stamp.digest == known.digest:
                unchanged.append(file.path)
                touched[file.path] = stamp
        stamps[file.path] = stamp
    restamped = {
        document_id: replace(touched[path], source=stamp.source, root=stamp.root)
        for document_id, stamp in stored.items()
        if (path := file_of(document_id, stamp)) in touched
    }
    return Compared(stamps, tuple(unchanged), restamped)


def stamp_of(file: KnownFile, beside: int | None = None) -> FileStamp:
    """Size and time of a file, without a digest. Metadata that lies beside it counts, since
    it is read with it: ``beside``, what its sizes and times come to, moves the time."""
    try:
        status = os.stat(file.path)
    except OSError:
        # Gone since it was found: it counts as changed, and reading it will say why.
        return FileStamp(file.path, file.root, -1, 0, "")
    if beside is None:
        beside = _beside(os.path.dirname(file.path), file.root)
    changed_ns = (status.st_mtime_ns + beside) % (1 << 62)
    return FileStamp(file.path, file.root, status.st_size, changed_ns, "")


def _beside(folder: str, root: str) -> int:
    """A number that changes with the metadata files that speak for a folder's documents; 0
    where there are none."""
    number = 0
    for path in sidecar_files(Path(folder), Path(root)):
        with suppress(OSError):
            status = path.stat()
            number += status.st_mtime_ns + 1_000_003 * status.st_size
    return number


def digest_of(file: KnownFile) -> str:
    """A hash of the file's bytes and of the metadata beside it; empty where it is gone."""
    digest = hashlib.blake2b(digest_size=16)
    try:
        for path in (Path(file.path), *sidecar_files(Path(file.path).parent, Path(file.root))):
            with path.open("rb") as content:
                digest.update(hashlib.file_digest(content, "blake2b").digest())
    except OSError:
        return ""
    return digest.hexdigest()
