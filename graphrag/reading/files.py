"""Bytes of a file, whole and unchanged, or the reason why not."""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path, PurePath

from graphrag.errors import ReadingError

MAX_BYTES = 512 << 20
_ATTEMPTS = 2
_LIKE_ESCAPE = re.compile(rb"\\(?=x[0-9a-f]{2})")
_ESCAPE = re.compile(rb"\\x([0-9a-f]{2})")


def read_bytes(path: Path, *, limit: int = MAX_BYTES) -> bytes:
    """A file's content as of one moment.

    Raises ReadingError: gone, no permission, no regular file, above ``limit``, or changing
    while it is read, twice in a row.
    """
    for _ in range(_ATTEMPTS):
        content = _read_once(path, limit)
        if content is not None:
            return content
    raise ReadingError("changed while it was being read; ingest it again when it is at rest")


def _read_once(path: Path, limit: int) -> bytes | None:
    try:
        # A pipe would block on opening; O_NONBLOCK makes it open, and then it is refused.
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
        with os.fdopen(descriptor, "rb") as file:
            before = os.fstat(file.fileno())
            if not stat.S_ISREG(before.st_mode):
                raise ReadingError("not a regular file")
            if before.st_size > limit:
                size, most = before.st_size >> 20, limit >> 20
                raise ReadingError(f"too large: {size} MiB, at most {most} MiB are read")
            content = file.read(limit + 1)
            after = os.fstat(file.fileno())
    except FileNotFoundError as error:
        raise ReadingError("no such file") from error
    except PermissionError as error:
        raise ReadingError("no permission to read it") from error
    except OSError as error:
        raise ReadingError(f"cannot be read: {error.strerror or error}") from error
    same = (before.st_mtime_ns, before.st_size) == (after.st_mtime_ns, after.st_size)
    return content if same and len(content) == after.st_size else None


def printable(path: str | PurePath) -> str:
    """A path as text that every store keeps: bytes that are no UTF-8 as ``\\xNN``.

    A backslash that would read as the beginning of one is written so as well: ``path_of``
    gives the path back.
    """
    escaped = _LIKE_ESCAPE.sub(rb"\\x5c", os.fsencode(path))
    return escaped.decode("utf-8", "backslashreplace")


def path_of(text: str) -> str:
    """The path that ``printable`` wrote."""
    if "\\x" not in text:
        return text
    raw = text.encode("utf-8", "surrogateescape")
    return os.fsdecode(_ESCAPE.sub(lambda found: bytes([int(found[1], 16)]), raw))
