"""Files that are whole or absent whatever happens: written beside, flushed, then renamed."""

from __future__ import annotations

import errno
import os
import re
import resource
import shutil
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from graphrag.errors import DamagedError, StoreError

TOO_LARGE = "a file may not grow that large here: raise 'ulimit -f' and run the command again"
_MENDS = {
    errno.EFBIG: TOO_LARGE,
    errno.ENOSPC: "the disk is full: free some space and run the command again",
    errno.EROFS: "the disk is read-only: use an index directory that may be written",
    errno.EACCES: "access is denied: check the permissions of the index directory",
    errno.EPERM: "access is denied: check the permissions of the index directory",
    errno.EDQUOT: "the disk quota is used up: free some space and run the command again",
    errno.EIO: "the disk reports an error: check its health",
}


_LOST = (errno.ENOENT, errno.ENOTDIR, errno.EISDIR)


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Turn errors of the file system into StoreErrors that name the path and the mend; a
    file that is not there, or no file, is damage."""
    try:
        yield
    except OSError as error:
        mend = _MENDS.get(error.errno or 0, "check the index directory")
        kind = DamagedError if error.errno in _LOST else StoreError
        raise kind(f"{path}: {mend} ({error.strerror or error})") from error


def largest_file() -> int:
    """How many bytes a file of this process may have."""
    limit = resource.getrlimit(resource.RLIMIT_FSIZE)[0]
    return sys.maxsize if limit == resource.RLIM_INFINITY else limit


def delete(path: Path) -> None:
    """Take the file or the whole folder away, if it is there. Raises StoreError."""
    with translated(path):
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A path beside ``path`` to write to; it takes the place of ``path`` when all went well.

    The new file is on disk before the old one goes; on an error the old one stays. What
    a killed process left beside is taken away.
    """
    beside = path.with_name(f"{path.name}.{os.getpid()}.new")
    with translated(path):
        sweep(path)
        try:
            yield beside
            flush(beside)
            os.replace(beside, path)
            flush(path.parent)
        finally:
            beside.unlink(missing_ok=True)


def write_whole(path: Path, *parts: bytes | memoryview) -> None:
    """Replace the file's content by the parts, one after the other."""
    with replacing(path) as beside, beside.open("wb") as file:
        for part in parts:
            file.write(part)


def identity(path: Path) -> list[int]:
    """Numbers that change whenever the file is replaced or written to."""
    with translated(path):
        status = path.stat()
    return [status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns]


def checksum(path: Path) -> int:
    """Of all the file's bytes."""
    total = 0
    with translated(path), path.open("rb") as file:
        while piece := file.read(1 << 20):
            total = zlib.crc32(piece, total)
    return total


def copied(source: Path, target: Path) -> int:
    """Copy the file's content; gives its checksum."""
    total = checksum(source)
    with translated(source):
        shutil.copyfile(source, target)  # inside the kernel: a tenth of the time of a loop
    return total


def make_folder(path: Path) -> None:
    """Make the folder and those above it where they are missing, and have that on disk."""
    with translated(path):
        missing = [each for each in (path, *path.parents) if not each.is_dir()]
        path.mkdir(parents=True, exist_ok=True)
        for each in missing:
            flush(each.parent)


def flush(path: Path) -> None:
    """Have the file's content, or the folder's entries, on disk before going on."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sweep(path: Path) -> None:
    """Delete what processes that are no more meant to put in the place of ``path``."""
    pattern = re.compile(re.escape(path.name) + r"\.(\d+)\.new(\..*)?")
    for file in path.parent.iterdir():
        match = pattern.fullmatch(file.name)
        if match and not _runs(int(match[1])):
            file.unlink(missing_ok=True)


def _runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return True


def write_text(file: str | Path, content: str) -> None:
    """Write a file that a person asked for. Raises StoreError naming it."""
    try:
        Path(file).write_text(content, encoding="utf-8")
    except OSError as error:
        raise StoreError(f"cannot write {file}: {error.strerror}") from error
