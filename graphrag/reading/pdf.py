"""PDF: text with its headings, paragraphs, lists, code, tables and page numbers."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from graphrag.errors import ReadingError
from graphrag.reading.builder import DocumentBuilder, Draft
from graphrag.reading.ocr import has_tesseract, recognise
from graphrag.reading.pdf_columns import in_reading_order
from graphrag.reading.pdf_formula import with_formulas
from graphrag.reading.pdf_furniture import without_furniture
from graphrag.reading.pdf_grid import ruled_lines
from graphrag.reading.pdf_headings import (
    OutlineEntry,
    body_size,
    outline_headings,
    styled_headings,
)
from graphrag.reading.pdf_layout import add_pages
from graphrag.reading.pdf_marks import with_marks
from graphrag.reading.pdf_page import Line, page_lines
from graphrag.reading.pdf_rules import page_rules
from graphrag.reading.pdf_turned import upright_page
from graphrag.reading.text import add_text
from graphrag.reading.text_furniture import pages_without_furniture

_DATE = re.compile(r"D?:?(\d{4})(\d{2})?(\d{2})?")
_TOOL_TITLE = re.compile(
    r"^(?:microsoft (?:word|powerpoint|excel)\s*-|untitled|slide \d|.*\.(?:docx?|pdf|tex|dvi|indd|"
    r"qxd|pptx?|xlsx?|md|html?)\s*$|\(?anonymous|unspecified)",
    re.IGNORECASE,
)
_MIN_CHARACTERS = 8
_MIN_OUTLINE_SHARE = 0.5


def read_pdf(content: bytes, name: str) -> Draft:
    """A PDF file; blocks carry the page that they begin on.

    Raises ReadingError: encrypted, damaged, or a scan without a text layer where no
    ``tesseract`` is installed.
    """
    try:
        document = pdfium.PdfDocument(content)
    except pdfium.PdfiumError as error:
        raise ReadingError(_reason(str(error))) from error
    try:
        return _read(document, name)
    except pdfium.PdfiumError as error:
        raise ReadingError(f"damaged PDF: {error}") from error
    finally:
        document.close()


def _read(document: Any, name: str) -> Draft:
    metadata = _metadata(document)
    title = metadata.pop("title", "")
    builder = DocumentBuilder()
    pages = [_lines(document, number) for number in range(len(document))]
    length = sum(len(line.text) for lines in pages for line in lines)
    if not length or (length < _MIN_CHARACTERS * len(pages) and _has_pictures(document)):
        _add_scan(builder, document)
        return builder.build(title=title, fallback_title=name, metadata=metadata)
    pages = without_furniture(pages)
    outline = _outline(document)
    headings = outline_headings(outline, pages)
    if len(headings) < 2 or len(headings) < len(outline) * _MIN_OUTLINE_SHARE:
        headings = styled_headings(pages, body_size(pages))
    add_pages(builder, pages, headings)
    return builder.build(title=title, fallback_title=name, metadata=metadata)


def _lines(document: Any, number: int) -> list[Line]:
    page, textpage = upright_page(document, number)
    try:
        rules = page_rules(page)
        lines = ruled_lines(with_marks(page_lines(textpage, number + 1), page), rules)
        return in_reading_order(with_formulas(lines, textpage, rules))
    finally:
        textpage.close()
        page.close()


def _has_pictures(document: Any) -> bool:
    """Whether every page shows a picture."""
    for number in range(len(document)):
        page = document[number]
        pictures = page.get_objects(filter=[pdfium_c.FPDF_PAGEOBJ_IMAGE], max_depth=3)
        found = next(iter(pictures), None) is not None
        page.close()
        if not found:
            return False
    return True


def _outline(document: Any) -> list[OutlineEntry]:
    entries = []
    for bookmark in document.get_toc(max_depth=8):
        destination = bookmark.get_dest()
        page = destination.get_index() if destination else None
        if page is None:
            continue
        _, view = destination.get_view()
        height = view[1] if len(view) > 1 else None
        title = _text(bookmark.get_title)
        entries.append(OutlineEntry(title, bookmark.level + 1, page + 1, height))
    return entries


def _metadata(document: Any) -> dict[str, str]:
    found = {
        name: _text(partial(document.get_metadata_value, name))
        for name in ("Title", "Author", "Keywords", "CreationDate")
    }
    metadata = {
        name.lower(): found[name] for name in ("Title", "Author", "Keywords") if found[name]
    }
    if date := _DATE.match(found["CreationDate"]):
        metadata["date"] = "-".join(part for part in date.groups() if part)
    if _TOOL_TITLE.match(metadata.get("title", "")):
        del metadata["title"]
    return metadata


def _text(value: Callable[[], str]) -> str:
    """A value that PDFium gives as UTF-16, or nothing where it is not."""
    try:
        return " ".join(value().strip("\x00 \t\r\n").split())
    except UnicodeDecodeError:
        return ""


def _add_scan(builder: DocumentBuilder, document: Any) -> None:
    """Read the pictures of the pages by Tesseract, where it is installed."""
    if not has_tesseract():
        raise ReadingError("scan without text; install Tesseract to read it")
    texts = []
    for number in range(len(document)):
        page = document[number]
        bitmap = page.render(scale=200 / 72, grayscale=True)
        texts.append(recognise(bytes(bitmap.buffer), bitmap.width, bitmap.height, bitmap.stride))
        bitmap.close()
        page.close()
    for number, text in enumerate(pages_without_furniture(texts), 1):
        builder.page = number
        add_text(builder, text)


def _reason(message: str) -> str:
    if "password" in message.lower():
        return "encrypted PDF; save a copy without the password to read it"
    if "security" in message.lower():
        return "encrypted PDF of an unknown kind; save a copy without protection to read it"
    return "damaged PDF: its structure cannot be read"
