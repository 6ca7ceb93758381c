"""OpenDocument: texts (ODT), sheets (ODS) and presentations (ODP)."""

from __future__ import annotations

import re
from collections.abc import Mapping

from lxml import etree

from graphrag.reading.builder import DocumentBuilder, Draft
from graphrag.reading.cells import Place, add_comments
from graphrag.reading.elements import Element, local_name, raw_text
from graphrag.reading.mathml import to_tex
from graphrag.reading.names import definition_part, is_power, is_quote_style, names
from graphrag.reading.numerals import whole_number
from graphrag.reading.tables import add_grid
from graphrag.reading.tree import BLOCK, INLINE, SKIP, TERM, Part, TreeReader
from graphrag.reading.zips import Package, parse_xml
from graphrag.wording.days import iso_day

_OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
_TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
_TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_STYLE = "{urn:oasis:names:tc:opendocument:xmlns:style:1.0}"
_FO = "{urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0}"
_PRESENTATION = "{urn:oasis:names:tc:opendocument:xmlns:presentation:1.0}"
_DRAW = "{urn:oasis:names:tc:opendocument:xmlns:drawing:1.0}"
_XLINK = "{http://www.w3.org/1999/xlink}"
_CODE = re.compile(r"preformatted|source|code", re.IGNORECASE)
_MAX_REPEAT = 256
_BLANKS = {f"{_TEXT}s": " ", f"{_TEXT}tab": "\t", f"{_TEXT}line-break": "\n"}
# Cells beyond sixteen a row; a sheet that repeats more is a bomb: each cell stands once then.
_USUAL_CELLS = 16
_MAX_REPEATED = 200_000
_SKIPPED = names(
    "annotation tracked-changes sequence-decls forms table-of-content bibliography settings "
    "scripts font-face-decls automatic-styles note-citation header footer "
    "page-number page-count"
)
_META = {"title": "title", "initial-creator": "author", "creator": "author",
         "creation-date": "date", "date": "modified", "language": "language"}  # fmt: skip


def read_odt(content: bytes, name: str) -> Draft:
    """A text or a presentation; slides become sections, their names as headings."""
    package = Package(content, "OpenDocument")
    root = package.needed_xml("content.xml")
    styles = _styles(package, root)
    _join_code(root, styles)
    _group_definitions(root, styles)
    builder = DocumentBuilder()
    body = root.find(f"{_OFFICE}body")
    TreeReader(builder, lambda e: _classify(e, styles, package)).read(
        body if body is not None else root
    )
    metadata = _metadata(package)
    dated = (raw_text(p) for p in root.iter(f"{_TEXT}p") if p.get(f"{_TEXT}style-name") == "Date")
    if day := next(filter(None, map(iso_day, dated)), ""):
        metadata["date"] = day  # as written; the file's own is the day on which a program made it
    titles = (raw_text(p) for p in root.iter(f"{_TEXT}p") if _style(p, styles) == "title")
    title = metadata.pop("title", "") or next(titles, "")
    return builder.build(title=title, fallback_title=name, metadata=metadata)


def read_ods(content: bytes, name: str) -> Draft:
    """A workbook of sheets."""
    package = Package(content, "OpenDocument")
    root = package.needed_xml("content.xml")
    builder = DocumentBuilder()
    sheets = list(root.iter(f"{_TABLE}table"))
    for sheet in sheets:
        rows, comments = _sheet_rows(sheet)
        if any(cell.strip() for row in rows for cell in row):
            builder.add_heading(1 if len(sheets) > 1 else 2, sheet.get(f"{_TABLE}name") or "")
            add_grid(builder, rows, headed=None)
            add_comments(builder, comments, dict(enumerate(rows)))
    metadata = _metadata(package)
    return builder.build(title=metadata.pop("title", "") or name, metadata=metadata)


def _classify(element: Element, styles: Mapping[str, str], package: Package) -> Part:
    name = local_name(element)
    if name in _SKIPPED:
        return SKIP
    match name:
        case "h":
            level = whole_number(element.get(f"{_TEXT}outline-level"), otherwise=1)
            return Part("heading", number=level)
        case "p":
            return _paragraph(element, styles)
        case "list":
            style = styles.get(f"list {element.get(f'{_TEXT}style-name')}", "")
            return Part("ordered" if style == "number" else "list")
        case "list-item" | "list-header":
            return Part("item")
        case "table":
            return Part("table")
        case "span":
            return _span(element, styles)
        case "a":
            return Part("link", element.get(f"{_XLINK}href") or "")
        case "s":
            return Part("text", " ")
        case "tab":
            return Part("text", "\t")
        case "line-break":
            return Part("break")
        case "note":
            body = " ".join(_paragraphs(part) for part in element.iter(f"{_TEXT}note-body"))
            return Part("text", f" ({body})" if body else "")
        case "object":
            return _formula(element, package)
        case "frame" if element.find(f"{_DRAW}object") is not None:
            return INLINE
        case "page":
            return BLOCK
        case _:
            return INLINE if element.tag.startswith(_TEXT) and name != "section" else BLOCK


def _span(element: Element, styles: Mapping[str, str]) -> Part:
    style = _style(element, styles)
    if style == "raised" and is_power(raw_text(element)):
        return Part("power")
    return Part("emphasis") if style == "strong" else INLINE


def _paragraph(element: Element, styles: Mapping[str, str]) -> Part:
    style = _style(element, styles)
    if style == "title" or _is_slide_title(element):
        return Part("heading", number=1)
    if style == "code":
        return Part("code")
    if style == "term":
        return TERM
    return Part("quote") if style == "quote" else BLOCK


def _is_slide_title(element: Element) -> bool:
    return any(e.get(f"{_PRESENTATION}class") == "title" for e in element.iterancestors())


def _style(element: Element, styles: Mapping[str, str]) -> str:
    name = element.get(f"{_TEXT}style-name") or ""
    return styles.get(name) or _named(name)


def _formula(element: Element, package: Package) -> Part:
    """An embedded formula is a part of its own."""
    folder = (element.get(f"{_XLINK}href") or "").removeprefix("./").rstrip("/")
    root = package.xml(f"{folder}/content.xml") if folder else None
    if root is None or local_name(root) != "math":
        return SKIP
    paragraph = next(element.iterancestors(f"{_TEXT}p"), None)
    is_alone = paragraph is not None and not raw_text(paragraph).strip()
    return Part("formula" if is_alone else "tex", to_tex(root))


def _join_code(root: Element, styles: Mapping[str, str]) -> None:
    """Make one paragraph of the lines of code that follow each other, blanks written out."""
    first: Element | None = None
    for paragraph in list(root.iter(f"{_TEXT}p")):
        if _style(paragraph, styles) != "code":
            continue
        code = _written_out(paragraph)
        parent = paragraph.getparent()
        if first is not None and parent is not None and paragraph.getprevious() is first:
            first.text = f"{first.text}\n{code}"
            parent.remove(paragraph)
            continue
        first = paragraph
        for child in list(paragraph):
            paragraph.remove(child)
        paragraph.text = code


def _group_definitions(root: Element, styles: Mapping[str, str]) -> None:
    """Put a term and its definitions into a section of their own: what comes after them tells
    no more of the term."""
    group: Element | None = None
    for paragraph in list(root.iter(f"{_TEXT}p")):
        part, parent = _style(paragraph, styles), paragraph.getparent()
        goes_on = group is not None and paragraph.getprevious() is group
        if (
            parent is None
            or part not in ("term", "definition")
            or (part == "definition" and not goes_on)
        ):
            continue
        if group is None or not goes_on:
            group = etree.SubElement(parent, f"{_TEXT}section")
            parent.replace(paragraph, group)
        group.append(paragraph)


def _written_out(paragraph: Element) -> str:
    """The text of a line of code: blanks, tabs and line ends are elements of their own."""
    for element in paragraph.iterdescendants(*_BLANKS):
        count = whole_number(element.get(f"{_TEXT}c"), otherwise=1)
        element.text = _BLANKS[element.tag] * min(count, _MAX_REPEAT)
    return raw_text(paragraph)


def _styles(package: Package, root: Element) -> dict[str, str]:
    """Style name to what it means: title, code, quote or strong; lists: number or not."""
    found: dict[str, str] = {}
    parents: dict[str, str] = {}
    for tree in (package.xml("styles.xml"), root):
        if tree is None:
            continue
        for style in tree.iter(f"{_STYLE}style"):
            name = style.get(f"{_STYLE}name") or ""
            parents[name] = style.get(f"{_STYLE}parent-style-name") or ""
            text = style.find(f"{_STYLE}text-properties")
            found[name] = _named(name) or (_formed(text) if text is not None else "")
        for kind in tree.iter(f"{_TEXT}list-style"):
            first = next(iter(kind), None)
            is_number = first is not None and local_name(first) == "list-level-style-number"
            found[f"list {kind.get(f'{_STYLE}name')}"] = "number" if is_number else "bullet"
    for name, parent in parents.items():
        found[name] = found[name] or _named(parent)
    return found


def _formed(text: Element) -> str:
    """What the properties of a text say of it."""
    if (text.get(f"{_STYLE}text-position") or "").startswith("super"):
        return "raised"
    is_strong = text.get(f"{_FO}font-weight") == "bold" or text.get(f"{_FO}font-style") == "italic"
    return "strong" if is_strong else ""


def _named(style: str) -> str:
    if style == "Title":
        return "title"
    if _CODE.search(style):
        return "code"
    name = style.replace("_20_", " ")
    return "quote" if is_quote_style(name) else definition_part(name)


def _sheet_rows(sheet: Element) -> tuple[list[list[str]], dict[Place, str]]:
    """The rows of cells, and what is noted at some."""
    rows: list[list[str]] = []
    comments: dict[Place, str] = {}
    left = _MAX_REPEATED
    for row in sheet.iter(f"{_TABLE}table-row"):
        cells: list[str] = []
        for cell in row:
            if not isinstance(cell.tag, str) or not local_name(cell).endswith("table-cell"):
                continue
            for note in cell.findall(f"{_OFFICE}annotation"):
                comments[len(rows), len(cells)] = _paragraphs(note)
                cell.remove(note)
            text = _paragraphs(cell)
            cells.extend([text] * (_repeats(cell, "columns") if left > 0 or not text else 1))
        while cells and not cells[-1]:
            cells.pop()
        count = _repeats(row, "rows") if cells and left > 0 else 1
        left -= len(cells) * count - _USUAL_CELLS
        rows.extend([cells] * count)
    return rows, comments


def _paragraphs(element: Element) -> str:
    return " ".join(" ".join(raw_text(p) for p in element.iter(f"{_TEXT}p")).split())


def _repeats(element: Element, what: str) -> int:
    written = element.get(f"{_TABLE}number-{what}-repeated")
    return min(whole_number(written, otherwise=1), _MAX_REPEAT)


def _metadata(package: Package) -> dict[str, str]:
    content = package.read("meta.xml")
    root = parse_xml(content) if content else None
    found: dict[str, str] = {}
    for element in root.iter() if root is not None else ():
        if isinstance(element.tag, str) and element.text and element.text.strip():
            key = _META.get(local_name(element))
            if key:
                value = " ".join(element.text.split())
                found.setdefault(
                    key, value.partition("T")[0] if key in ("date", "modified") else value
                )
    return found
