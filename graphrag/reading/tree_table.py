"""Tables of a tree: rows of cells, named as in HTML, CALS or OpenDocument."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from graphrag.reading.elements import Element, local_name
from graphrag.reading.inline import Flow, repeated
from graphrag.reading.numerals import whole_number

_ROW_NAMES = frozenset(("tr", "row", "table-row"))
_CELL_NAMES = frozenset(("td", "th", "entry", "table-cell"))
# Cells that cover many others are taken for one each where they would swell a table beyond
# so many cells more than sixteen for each that is written: 100 x 100 of each are a bomb.
_USUAL_SPREAD = 16
_MAX_SPREAD = 10_000


def read_table(
    table: Element, cell_text: Callable[[Element], Flow]
) -> tuple[list[list[Flow]], bool, Flow]:
    """Rows of cells, whether the first row is a header, and the caption.

    Rows and cells are named as in HTML, CALS or OpenDocument. A cell that covers several
    rows stands in each of them; one that covers several columns, in the first.
    """
    rows: list[list[Flow]] = []
    header = False
    caption = Flow("")
    # Cells that an earlier row spans: column to (rows left, content).
    pending: dict[int, tuple[int, Flow]] = {}
    spread = 0
    for element in _table_parts(table):
        if local_name(element) in ("caption", "title"):
            caption = cell_text(element)
            continue
        cells = [c for c in element if isinstance(c.tag, str) and is_cell(c)]
        row: list[Flow] = []
        for cell in cells:
            _take_pending(row, pending)
            content = cell_text(cell)
            down = _span(cell, "rowspan", "morerows", "number-rows-spanned")
            across = _span(cell, "colspan", "morecols", "number-columns-spanned")
            spread += down * across - _USUAL_SPREAD
            if spread > _MAX_SPREAD:
                down = across = 1
            for column in range(len(row), len(row) + across):
                if down > 1:
                    pending[column] = (down - 1, repeated(content))
                row.append(content)
                content = Flow("")
        _take_pending(row, pending)
        if not rows and row:
            header = _is_header(element, cells)
        rows.append(row)
    return rows, header, caption


def is_row(element: Element) -> bool:
    return local_name(element) in _ROW_NAMES


def is_cell(element: Element) -> bool:
    return local_name(element) in _CELL_NAMES


def _table_parts(table: Element) -> Iterator[Element]:
    """Rows and captions of a table in order, those of tables within it left out."""
    stack = [iter(table)]
    while stack:
        child = next(stack[-1], None)
        if child is None:
            stack.pop()
        elif isinstance(child.tag, str):
            name = local_name(child)
            if name in _ROW_NAMES or (name in ("caption", "title") and len(stack) == 1):
                yield child
            elif name not in _CELL_NAMES and (name != "table" or len(stack) == 1):
                stack.append(iter(child))


def _take_pending(row: list[Flow], pending: dict[int, tuple[int, Flow]]) -> None:
    while (column := len(row)) in pending:
        left, content = pending.pop(column)
        if left > 1:
            pending[column] = (left - 1, content)
        row.append(content)


def _span(cell: Element, *names: str) -> int:
    """How many rows or columns a cell covers, at most 100; CALS counts the further ones."""
    for name, value in cell.attrib.items():
        plain = str(name).rpartition("}")[2].lower()
        count = whole_number(str(value), otherwise=-1) if plain in names else -1
        if count >= 0:
            return min(max(count + plain.startswith("more"), 1), 100)
    return 1


def _is_header(row: Element, cells: list[Element]) -> bool:
    parent = row.getparent()
    if parent is not None and local_name(parent) in ("thead", "table-header-rows"):
        return True
    heads = sum(local_name(cell) == "th" for cell in cells)
    return heads > 0 and heads * 2 >= len(cells)
