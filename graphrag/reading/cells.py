"""Cells of sheets: what their references mean, and what people noted at them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from graphrag.reading.builder import DocumentBuilder, ListItem
from graphrag.reading.elements import local_name, raw_text
from graphrag.reading.inline import flow
from graphrag.reading.numerals import whole_number
from graphrag.reading.zips import Package

Place = tuple[int, int]
"""Row and column, both from 0."""

_REFERENCE = re.compile(r"([A-Z]{1,3})(\d{1,7})")
_MAX_SHOWN = 60


def cell_place(reference: str) -> Place | None:
    """The place that a reference such as ``B3`` means, or None."""
    found = _REFERENCE.fullmatch(reference)
    if found is None:
        return None
    column = 0
    for letter in found[1]:
        column = column * 26 + ord(letter) - ord("A") + 1
    return whole_number(found[2], otherwise=0) - 1, column - 1


def add_comments(
    builder: DocumentBuilder, comments: Mapping[Place, str], rows: Mapping[int, Sequence[str]]
) -> None:
    """An item for each comment, in the order of the cells: ``B3 (value of the cell): text``."""
    items = []
    for (row, column), text in sorted(comments.items()):
        cells = rows.get(row, ())
        value = flow(cells[column]).text if column < len(cells) else ""
        shown = f" ({value})" if value and len(value) <= _MAX_SHOWN else ""
        items.append(ListItem(f"{_letters(column)}{row + 1}{shown}: {text}"))
    builder.add_list(items)


def _letters(column: int) -> str:
    letters = ""
    while column >= 0:
        letters = chr(ord("A") + column % 26) + letters
        column = column // 26 - 1
    return letters


def xlsx_comments(package: Package, sheet: str) -> dict[Place, str]:
    """The comments of a sheet (the name of its part) and what was answered to them. Where
    there are threads, the older comments only say that there are."""
    found: dict[Place, list[str]] = {}
    relations = list(package.relations(sheet).values())
    for kind, tag in (("threadedComment", "threadedcomment"), ("comments", "comment")):
        threads = set(found)
        for root in (package.xml(each.target) for each in relations if each.kind == kind):
            for comment in root.iter() if root is not None else ():
                if not isinstance(comment.tag, str) or local_name(comment) != tag:
                    continue
                place = cell_place(comment.get("ref") or "")
                text = " ".join(raw_text(comment).split())
                if place is not None and text and place not in threads:
                    found.setdefault(place, []).append(text)
    return {place: " / ".join(texts) for place, texts in found.items()}
