"""What repeats on pages and is not the text: running heads, page numbers, contents."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from graphrag.reading.leaders import ends_in_leaders
from graphrag.reading.pdf_page import Line

_NUMBERS = re.compile(r"\d+|\b[ivxlc]+\b", re.IGNORECASE)
_PAGE_NUMBER = re.compile(
    r"(?:page\s*)?[-–—\[( ]*(?:\d{1,4}|[ivxlc]{1,7})[-–—\]) ]*(?:(?:of|/)\s*\d+)?", re.IGNORECASE
)
_EDGE_LINES = 3
_BAND = 4.0
_MARGIN = 0.1
_MAX_NUMBERS = 2


def without_furniture(pages: Sequence[Sequence[Line]]) -> list[list[Line]]:
    """The pages' lines without running heads and feet, page numbers and tables of contents.

    A line at the edge of a page goes when its words, numbers aside, stand at the edge of
    at least three pages (two of three; a tenth of many), or when it stands at the height where
    such lines stand on more than half of the pages.
    """
    extent = _extent(pages)
    edges_of = [_edges(lines, extent) for lines in pages]
    repeated = _repeated_texts(edges_of)
    bands = _bands(edges_of, repeated)
    kept = []
    for lines, outer in zip(pages, edges_of, strict=True):
        edges = {id(line) for line in outer}
        kept.append(
            [
                line
                for line in lines
                if not (
                    id(line) in edges
                    and (
                        _shape(line) in repeated
                        or any(abs(line.bottom - band) < _BAND for band in bands)
                        or (_PAGE_NUMBER.fullmatch(line.text) and _is_outermost(line, lines))
                    )
                )
                and not ends_in_leaders(line.text)
            ]
        )
    return kept


def _repeated_texts(pages: Sequence[Sequence[Line]]) -> set[str]:
    counts = Counter(shape for edges in pages for shape in {_shape(e) for e in edges})
    least = max(3 if len(pages) > 3 else 2, len(pages) // 10)
    return {shape for shape, count in counts.items() if count >= least}


def _bands(pages: Sequence[Sequence[Line]], repeated: set[str]) -> list[float]:
    """Heights at which most pages have furniture."""
    counts: Counter[int] = Counter()
    for edges in pages:
        heights = {round(e.bottom / _BAND) for e in edges if _shape(e) in repeated}
        counts.update(heights)
    return [height * _BAND for height, count in counts.items() if count * 2 > max(len(pages), 4)]


def _edges(lines: Sequence[Line], extent: tuple[float, float]) -> list[Line]:
    """The lines nearest to the top and to the foot of a page, in its outer tenths."""
    foot, top = extent
    margin = (top - foot) * _MARGIN
    ordered = sorted(lines, key=lambda line: -line.bottom)
    return [line for line in ordered[:_EDGE_LINES] if line.bottom > top - margin] + [
        line for line in ordered[-_EDGE_LINES:] if line.bottom < foot + margin
    ]


def _extent(pages: Sequence[Sequence[Line]]) -> tuple[float, float]:
    """The lowest and the highest base line of all pages."""
    heights = [line.bottom for lines in pages for line in lines]
    return min(heights, default=0.0), max(heights, default=0.0)


def _is_outermost(line: Line, lines: Sequence[Line]) -> bool:
    return line.bottom <= min(other.bottom for other in lines) + 1 or line.bottom >= max(
        other.bottom for other in lines
    )


def _shape(line: Line) -> str:
    """What running heads have in common from page to page: their words and their height.

    Their page and chapter numbers differ; lines of many numbers are rows of a table.
    """
    numbers = _NUMBERS.findall(line.text)
    words = _NUMBERS.sub("#", line.text) if len(numbers) <= _MAX_NUMBERS else line.text
    return f"{words} @{round(line.bottom / _BAND)}"
