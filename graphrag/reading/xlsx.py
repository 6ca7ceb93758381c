"""XLSX: sheets as sections, their stretches of cells as tables."""

from __future__ import annotations

import datetime
import re
from collections.abc import Sequence

from graphrag.reading.builder import DocumentBuilder, Draft
from graphrag.reading.elements import Element
from graphrag.reading.inline import Flow, repeated
from graphrag.reading.numerals import whole_number
from graphrag.reading.tables import add_grid
from graphrag.reading.zips import Package

_S = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_REFERENCE = re.compile(r"([A-Z]{1,3})(\d{1,7})")
_DATE_CODES = re.compile(r"[ymdhs]", re.IGNORECASE)
_LITERALS = re.compile(r'"[^"]*"|\[[^\]]*\]|\\.')
_BUILT_IN_DATES = frozenset((*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)))
_MAX_COLUMNS = 512
_MAX_CELLS = 2_000_000


def read_xlsx(content: bytes, name: str) -> Draft:
    """A workbook: the visible sheets, values as people see them (dates in ISO form, the
    last results of formulas). Raises ReadingError."""
    package = Package(content, "XLSX")
    main = next(
        (r.target for r in package.relations("").values() if r.kind == "officeDocument"),
        "xl/workbook.xml",
    )
    root = package.needed_xml(main)
    relations = package.relations(main)
    shared = _shared_strings(package.xml("xl/sharedStrings.xml"))
    dates = _date_styles(package.xml("xl/styles.xml"))
    properties = root.find(f"{_S}workbookPr")
    epoch = 1904 if properties is not None and properties.get("date1904") in ("1", "true") else 1900
    builder = DocumentBuilder()
    sheets = [s for s in root.iter(f"{_S}sheet") if s.get("state") not in ("hidden", "veryHidden")]
    for sheet in sheets:
        relation = relations.get(sheet.get(f"{_R}id") or "")
        tree = package.xml(relation.target) if relation else None
        if tree is None:
            continue
        rows = _rows(tree, shared, dates, epoch)
        if any(cell.strip() for row in rows for cell in row):
            builder.add_heading(1 if len(sheets) > 1 else 2, sheet.get("name") or "")
            add_grid(builder, rows, headed=None)
    metadata = package.core_metadata()
    title = metadata.pop("title", "") or name
    return builder.build(title=title, fallback_title=name, metadata=metadata)


def _shared_strings(root: Element | None) -> list[str]:
    if root is None:
        return []
    return [_rich_text(item) for item in root.iter(f"{_S}si")]


def _rich_text(item: Element) -> str:
    """A string's text without the phonetic readings that stand beside it."""
    return "".join(
        t.text or ""
        for t in item.iter(f"{_S}t")
        if (parent := t.getparent()) is None or parent.tag != f"{_S}rPh"
    )


def _date_styles(root: Element | None) -> list[bool]:
    """Whether each cell format shows a date."""
    if root is None:
        return []
    custom = {
        form.get("numFmtId"): bool(
            _DATE_CODES.search(_LITERALS.sub("", form.get("formatCode") or ""))
        )
        for form in root.iter(f"{_S}numFmt")
    }
    formats = root.find(f"{_S}cellXfs")
    found = []
    for form in formats if formats is not None else ():
        number = form.get("numFmtId") or "0"
        built_in = whole_number(number, otherwise=0) in _BUILT_IN_DATES
        found.append(custom.get(number, built_in))
    return found


def _rows(
    tree: Element, shared: Sequence[str], dates: Sequence[bool], epoch: int
) -> list[list[str]]:
    rows: list[list[str]] = []
    cells = 0
    for row in tree.iter(f"{_S}row"):
        values: list[str] = []
        # A row that is skipped is an empty one, which parts two tables.
        if whole_number(row.get("r"), otherwise=0) > len(rows) + 1:
            rows.append([])
        for cell in row.iter(f"{_S}c"):
            found = _REFERENCE.fullmatch(cell.get("r") or "")
            column = _column(found[1]) if found else len(values)
            if column >= _MAX_COLUMNS:
                continue
            values.extend([""] * (column - len(values)))
            values.append(_value(cell, shared, dates, epoch))
        rows.append(values)
        cells += len(values)
        if cells > _MAX_CELLS:
            break
    _fill_merged(tree, rows)
    return rows


def _column(letters: str) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number - 1


def _value(cell: Element, shared: Sequence[str], dates: Sequence[bool], epoch: int) -> str:
    kind = cell.get("t") or "n"
    if kind == "inlineStr":
        return _rich_text(cell)
    raw = cell.findtext(f"{_S}v") or ""
    if kind == "s":
        place = whole_number(raw, otherwise=len(shared))
        return shared[place] if place < len(shared) else ""
    if kind == "b":
        return "TRUE" if raw == "1" else "FALSE"
    if kind != "n":
        return raw
    style = whole_number(cell.get("s") or "0", otherwise=len(dates))
    return _number(raw, is_date=style < len(dates) and dates[style], epoch=epoch)


def _number(raw: str, *, is_date: bool, epoch: int) -> str:
    try:
        value = float(raw)
    except ValueError:
        return raw
    if is_date and 0 <= value < 2_958_466:
        return _date(value, epoch)
    # 0.30000000000000004 was typed as 0.3, and Excel shows at most 15 digits.
    return f"{value:.15g}" if "E" in raw.upper() or len(raw) > 12 else raw


def _date(value: float, epoch: int) -> str:
    start = datetime.datetime(1904, 1, 1) if epoch == 1904 else datetime.datetime(1899, 12, 30)
    moment = start + datetime.timedelta(seconds=round(value * 86_400))
    if value < 1:
        return moment.strftime("%H:%M:%S").removesuffix(":00")
    if moment.hour or moment.minute or moment.second:
        return moment.strftime("%Y-%m-%d %H:%M")
    return moment.strftime("%Y-%m-%d")


def _fill_merged(tree: Element, rows: list[list[str]]) -> None:
    """Give the value of a merged cell to the rows below that it covers, if they are few."""
    for merge in tree.iter(f"{_S}mergeCell"):
        ends = [_REFERENCE.fullmatch(part) for part in (merge.get("ref") or "").split(":")]
        if len(ends) != 2 or not ends[0] or not ends[1]:
            continue
        first, last = (whole_number(end[2], otherwise=0) - 1 for end in ends if end)
        column = _column(ends[0][1])
        if not (0 <= first < last < first + 100 and last < len(rows) and column < len(rows[first])):
            continue
        for row in rows[first + 1 : last + 1]:
            row.extend([""] * (column + 1 - len(row)))
            row[column] = row[column] or repeated(Flow(rows[first][column])).text
