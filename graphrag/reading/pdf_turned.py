"""Pages of a PDF whose text is set on its side: they are turned before they are read."""

from __future__ import annotations

from collections import Counter
from math import pi
from typing import Any

import pypdfium2.raw as pdfium_c

_SAMPLED = 100  # characters of a page that are looked at
_BLANK = 32


def upright_page(document: Any, number: int) -> tuple[Any, Any]:
    """A page of a document, by its number from 0, and its text (``PdfPage``, ``PdfTextPage``),
    turned so that most of the text runs from left to right, and shown as it is.

    Wide tables are set sideways, with or without a note that the page be shown turned; where it
    is, PDFium breaks lines at odd places. The turn is made in the open document, not in the file.
    """
    page = document[number]
    textpage = page.get_textpage()
    turns = _turns(textpage)
    if not turns and not page.get_rotation():
        return page, textpage
    width, height = page.get_mediabox()[2:]
    matrix = {
        0: (1, 0, 0, 1, 0, 0),
        1: (0, 1, -1, 0, height, 0),
        2: (-1, 0, 0, -1, width, height),
        3: (0, -1, 1, 0, 0, width),
    }[turns]
    pdfium_c.FPDFPage_TransFormWithClip(page, pdfium_c.FS_MATRIX(*matrix), None)
    page.set_rotation(0)
    if turns % 2:
        page.set_mediabox(0, 0, height, width)
        page.set_cropbox(0, 0, height, width)
    textpage.close()
    page.close()
    page = document[number]  # which is parsed anew
    return page, page.get_textpage()


def _turns(textpage: Any) -> int:
    """By how many quarters to the right most characters of a page are turned."""
    raw, count = textpage.raw, textpage.count_chars()
    counts = Counter(
        round(pdfium_c.FPDFText_GetCharAngle(raw, place) / (pi / 2)) % 4
        for place in range(0, count, max(1, count // _SAMPLED))
        if pdfium_c.FPDFText_GetUnicode(raw, place) > _BLANK
    )
    return max(counts, key=lambda turns: (counts[turns], -turns), default=0)
