"""CSV and TSV: one table, its delimiter found out."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter

from graphrag.errors import ReadingError
from graphrag.reading.builder import DocumentBuilder, Draft
from graphrag.reading.encoding import decode
from graphrag.reading.inline import clean
from graphrag.reading.tables import add_grid

_DELIMITERS = ",;\t|"
_SAMPLE_LINES = 50
_STATED = re.compile(r"sep=([,;\t|])\r?\n")
"""Excel's own first line."""
_MAX_FIELD = 1 << 24


def read_csv(content: bytes, name: str) -> Draft:
    """A file of values; the delimiter is the one that gives most rows the same number of
    cells. Raises ReadingError for a cell above 16 MiB."""
    builder = DocumentBuilder()
    add_csv(builder, clean(decode(content)))
    return builder.build(title=name)


def add_csv(builder: DocumentBuilder, text: str) -> None:
    """Add a text of values as a table. Raises ReadingError."""
    delimiter = ""
    if stated := _STATED.match(text):
        delimiter, text = stated[1], text[stated.end() :]
    try:
        rows = list(csv.reader(csv_source(text), delimiter=delimiter or delimiter_of(text)))
    except csv.Error as error:
        raise ReadingError(f"not a file of comma-separated values: {error}") from error
    add_grid(builder, rows, headed=None)


def csv_source(text: str) -> io.StringIO:
    """A text as the ``csv`` module wants it: line ends as they are, cells up to 16 MiB.

    The module has one limit for the process; it is always set to the same.
    """
    csv.field_size_limit(_MAX_FIELD)
    return io.StringIO(text, newline="")


def delimiter_of(text: str) -> str:
    """The delimiter of a text of values, a comma where none fits."""
    lines = [line for line in text.split("\n")[:_SAMPLE_LINES] if line.strip()]

    def fit(delimiter: str) -> tuple[int, int]:
        counts = Counter(
            len(row) for row in csv.reader(lines, delimiter=delimiter, strict=False) if row
        )
        width, rows = counts.most_common(1)[0] if counts else (1, 0)
        return (rows if width > 1 else 0, width)

    try:
        return max(_DELIMITERS, key=fit)
    except csv.Error:
        return ","
