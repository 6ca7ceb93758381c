"""AsciiDoc's tables: cells of bars with their spans, or values parted by commas."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from graphrag.reading.numerals import whole_number

_COLUMNS = re.compile(r"cols=[\"']([^\"']*)[\"']|cols=(\d+)")
_FORMAT = re.compile(r"format=[\"']?(csv|tsv|dsv)")
_DELIMITERS = {"csv": ",", "tsv": "\t", "dsv": ":"}
_CELL = (
    r"(?:(?<=\s)(?:(?P<times>\d{1,2})\*)?"
    r"(?:(?P<across>\d{1,2})?(?:\.(?P<down>\d{1,2}))?\+)?[.<^>]{0,3}[aehlmsdv]?)?(?<!\\)"
)
_MAX_COLUMNS = 200
_MAX_DOWN = 20


@dataclass(frozen=True, slots=True)
class _Cell:
    text: str
    times: int = 1
    across: int = 1
    down: int = 1


def table_rows(body: Sequence[str], separator: str, style: str) -> list[list[str]]:
    """The rows of a table's lines; what covers several rows stands in each of them, what
    covers several columns in the first."""
    form = _FORMAT.search(style)
    if form or separator == ",":
        delimiter = _DELIMITERS[form[1]] if form else ","
        lines = (line for line in body if line.strip())
        return [[cell.strip() for cell in row] for row in csv.reader(lines, delimiter=delimiter)]
    cells = list(_cells(body, separator))
    first = next((line for line in body if line.strip()), "")
    width = sum(cell.times * cell.across for cell in _cells([first], separator))
    if found := _COLUMNS.search(style):
        spec = found[1] or found[2] or ""
        stars = re.match(r"(\d+)\*", spec)
        width = whole_number(stars[1] if stars else spec, otherwise=len(spec.split(",")))
    return _grid(cells, min(max(width, 1), _MAX_COLUMNS))


def _cells(body: Sequence[str], separator: str) -> Iterator[_Cell]:
    pattern = re.compile(_CELL + re.escape(separator))
    opened: re.Match[str] | None = None
    parts: list[str] = []
    for line in body:
        line = f" {line}"
        position = 0
        for found in pattern.finditer(line):
            parts.append(line[position : found.start()])
            if opened:
                yield _cell(opened, parts)
            opened, parts, position = found, [], found.end()
        parts.append(line[position:])
    if opened:
        yield _cell(opened, parts)


def _cell(found: re.Match[str], parts: Sequence[str]) -> _Cell:
    times, across, down = (
        max(whole_number(found[name], otherwise=1), 1) for name in ("times", "across", "down")
    )
    text = " ".join(part.strip() for part in parts).strip()
    return _Cell(text.replace("\\|", "|"), times, across, min(down, _MAX_DOWN))


def _grid(cells: Sequence[_Cell], width: int) -> list[list[str]]:
    rows: list[list[str]] = []
    row: list[str] = []
    # Cells that an earlier row spans: column to (rows left, text).
    pending: dict[int, tuple[int, str]] = {}

    def take_pending() -> None:
        nonlocal row
        while row or pending:
            while len(row) < width and len(row) in pending:
                left, text = pending.pop(len(row))
                if left > 1:
                    pending[len(row)] = (left - 1, text)
                row.append(text)
            if len(row) < width:
                return
            rows.append(row[:width])
            row = []

    for cell in cells:
        for _ in range(cell.times):
            take_pending()
            for number in range(min(cell.across, width - len(row))):
                text = "" if number else cell.text
                if cell.down > 1:
                    pending[len(row)] = (cell.down - 1, text)
                row.append(text)
            take_pending()
    return [*rows, row] if row else rows
