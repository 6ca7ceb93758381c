"""XLSX: sheets as sections, their stretches of cells as tables."""

from __future__ import annotations

import datetime
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from graphrag.reading.builder import DocumentBuilder, Draft
from graphrag.reading.cells import add_comments, cell_place, xlsx_comments
from graphrag.reading.elements import Element
from graphrag.reading.inline import Flow, repeated
from graphrag.reading.numerals import whole_number
from graphrag.reading.tables import add_grid
from graphrag.reading.zips import Package

_S = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_DATE_CODES = re.compile(r"[ymdhs]", re.IGNORECASE)
_LITERALS = re.compile(r'"[^"]*"|\[[^\]]*\]|\\.')
_CURRENCY = re.compile(r"\[\$([^\]-]{1,6})[^\]]*\]")
_DIGITS = re.compile(r"[0#?](?:[0#?.,]*[0#?])?")
_SHOWN = re.compile(r'"([^"]{0,40})"|([$€£¥])')
_BUILT_IN_DATES = frozenset((*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)))
_MAX_COLUMNS = 512
_MAX_CELLS = 2_000_000
_MAX_MERGED = 100


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
    styles = _styles(package.xml("xl/styles.xml"))
    properties = root.find(f"{_S}workbookPr")
    epoch = 1904 if properties is not None and properties.get("date1904") in ("1", "true") else 1900
    builder = DocumentBuilder()
    sheets = [s for s in root.iter(f"{_S}sheet") if s.get("state") not in ("hidden", "veryHidden")]
    for sheet in sheets:
        relation = relations.get(sheet.get(f"{_R}id") or "")
        tree = package.xml(relation.target) if relation else None
        if relation is None or tree is None:
            continue
        rows = _rows(tree, shared, styles, epoch)
        if any(cell.strip() for row in rows.values() for cell in row):
            builder.add_heading(1 if len(sheets) > 1 else 2, sheet.get("name") or "")
            add_grid(builder, _without_gaps(rows), headed=None)
            add_comments(builder, xlsx_comments(package, relation.target), rows)
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


@dataclass(frozen=True, slots=True)
class _Style:
    """How a cell's number is shown: as a date, in per cent, between words or signs."""

    is_date: bool = False
    is_percent: bool = False
    before: str = ""
    after: str = ""


def _styles(root: Element | None) -> list[_Style]:
    """How each cell format shows a number."""
    if root is None:
        return []
    custom = {
        form.get("numFmtId"): _style(form.get("formatCode") or "")
        for form in root.iter(f"{_S}numFmt")
    }
    formats = root.find(f"{_S}cellXfs")
    found = []
    for form in formats if formats is not None else ():
        number = form.get("numFmtId") or "0"
        known = whole_number(number, otherwise=0)
        built_in = _Style(known in _BUILT_IN_DATES, known in (9, 10))
        found.append(custom.get(number, built_in))
    return found


def _style(code: str) -> _Style:
    """What a format's code says of positive numbers."""
    code = code.partition(";")[0]
    bare = _LITERALS.sub("", code)
    if _DATE_CODES.search(bare):
        return _Style(is_date=True)
    code = _CURRENCY.sub(r'"\1"', code)
    before, found, after = _partition(code, _DIGITS)
    if not found:
        return _Style()
    return _Style(False, "%" in bare, _literal(before), _literal(after))


def _partition(text: str, pattern: re.Pattern[str]) -> tuple[str, str, str]:
    places = list(pattern.finditer(text))
    if not places:
        return text, "", ""
    start, stop = places[0].start(), places[-1].end()
    return text[:start], text[start:stop], text[stop:]


def _literal(code: str) -> str:
    """The words and signs of money that a part of a format's code shows."""
    shown = "".join(quoted or sign for quoted, sign in _SHOWN.findall(code))
    return " ".join(shown.split())


def _rows(
    tree: Element, shared: Sequence[str], styles: Sequence[_Style], epoch: int
) -> dict[int, list[str]]:
    """The cells of each row that there is, by its number from 0."""
    rows: dict[int, list[str]] = {}
    cells = number = 0
    for row in tree.iter(f"{_S}row"):
        values: list[str] = []
        number = max(whole_number(row.get("r"), otherwise=0), number + 1)
        for cell in row.iter(f"{_S}c"):
            place = cell_place(cell.get("r") or "")
            column = place[1] if place else len(values)
            if column >= _MAX_COLUMNS:
                continue
            values.extend([""] * (column - len(values)))
            values.append(_value(cell, shared, styles, epoch))
        rows[number - 1] = values
        cells += len(values)
        if cells > _MAX_CELLS:
            break
    _fill_merged(tree, rows)
    return rows


def _without_gaps(rows: Mapping[int, list[str]]) -> list[list[str]]:
    """The rows in order, an empty one, which parts two tables, where some are skipped."""
    found: list[list[str]] = []
    before = -1
    for number, row in rows.items():
        found.extend([row] if number == before + 1 else [[], row])
        before = number
    return found


def _value(cell: Element, shared: Sequence[str], styles: Sequence[_Style], epoch: int) -> str:
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
    number = whole_number(cell.get("s") or "0", otherwise=len(styles))
    return _number(raw, styles[number] if number < len(styles) else _Style(), epoch)


def _number(raw: str, style: _Style, epoch: int) -> str:
    try:
        value = float(raw)
    except ValueError:
        return raw
    if style.is_date and 0 <= value < 2_958_466:
        return _date(value, epoch)
    if style.is_percent:
        return f"{value * 100:.10g}%"
    # 0.30000000000000004 was typed as 0.3, and Excel shows at most 15 digits.
    shown = f"{value:.15g}" if "E" in raw.upper() or len(raw) > 12 else raw
    space = " " if style.before[-1:].isalpha() else ""
    return f"{style.before}{space}{shown} {style.after}".strip()


def _date(value: float, epoch: int) -> str:
    start = datetime.datetime(1904, 1, 1) if epoch == 1904 else datetime.datetime(1899, 12, 30)
    moment = start + datetime.timedelta(seconds=round(value * 86_400))
    if value < 1:
        return moment.strftime("%H:%M:%S").removesuffix(":00")
    if moment.hour or moment.minute or moment.second:
        return moment.strftime("%Y-%m-%d %H:%M")
    return moment.strftime("%Y-%m-%d")


def _fill_merged(tree: Element, rows: Mapping[int, list[str]]) -> None:
    """Give the value of a merged cell to the rows below that it covers, if they are few."""
    for merge in tree.iter(f"{_S}mergeCell"):
        upper, _, lower = (merge.get("ref") or "").partition(":")
        begin, end = cell_place(upper), cell_place(lower)
        if begin is None or end is None:
            continue
        (first, column), last = begin, end[0]
        if not (first < last < first + _MAX_MERGED and column < len(rows.get(first, ()))):
            continue
        for row in (rows[number] for number in range(first + 1, last + 1) if number in rows):
            row.extend([""] * (column + 1 - len(row)))
            row[column] = row[column] or repeated(Flow(rows[first][column])).text
