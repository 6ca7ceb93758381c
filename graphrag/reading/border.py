"""The border between readers of foreign markup and the rest: odd files are refused there."""

from __future__ import annotations

import csv
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager

from lxml import etree

from graphrag.errors import ReadingError

_MALFORMED = (
    # What Python itself raises on values that a reader did not reckon with: wrong numbers,
    # encodings and dates (ValueError has UnicodeError among its kinds), missing keys and
    # places (LookupError: KeyError, IndexError), values of other types, too large ones
    # (ArithmeticError: OverflowError, ZeroDivisionError), content that stops too early.
    ValueError, TypeError, AttributeError, LookupError, ArithmeticError, AssertionError,
    EOFError, NotImplementedError, StopIteration,
    # What the libraries raise that read containers and trees.
    csv.Error, struct.error, zlib.error, zipfile.BadZipFile, zipfile.LargeZipFile, etree.Error,
)  # fmt: skip
_MAX_REASON = 200


@contextmanager
def refusing(name: str, kind: str) -> Iterator[None]:
    """Turns what a reader fails with on content into ReadingError.

    ``name`` is the file and ``kind`` its format: the message has both, and what was wrong.
    A ReadingError goes through as it is.
    """
    try:
        yield
    except RecursionError as error:
        raise ReadingError("its parts are nested too deeply to read") from error
    except MemoryError as error:
        raise ReadingError("it does not fit in memory") from error
    except _MALFORMED as error:
        reason = " ".join(str(error).split())[:_MAX_REASON]
        what = f"{type(error).__name__}: {reason}" if reason else type(error).__name__
        raise ReadingError(
            f"{name} has content that cannot be read as {kind} ({what}); mend the file, or "
            "list it in .graphragignore"
        ) from error
