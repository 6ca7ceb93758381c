"""What repeats on pages and is not the text: running heads, page numbers, contents."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from graphrag.reading.leaders import ends_in_leaders
from graphrag.reading.numbering import numbered_level
from graphrag.reading.pdf_headings import body_size
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
    body = body_size(pages)
    edges_of = [[(line, _shapes(line, body)) for line in _edges(p, extent)] for p in pages]
    least = max(3 if len(pages) > 3 else 2, len(pages) // 10)
    repeated = _repeated_texts(edges_of, least)
    # Left and right pages have heads of their own: there, twice is often.
    bands = _bands(edges_of, _repeated_texts(edges_of, max(2, least // 2)))
    kept = []
    for lines, outer in zip(pages, edges_of, strict=True):
        edges = {id(line): shapes for line, shapes in outer}
        kept.append(
            [
                line
                for line in lines
                if not (
                    id(line) in edges
                    and (
                        not repeated.isdisjoint(edges[id(line)])
                        or any(abs(line.bottom - band) < _BAND for band in bands)
                        or (_PAGE_NUMBER.fullmatch(line.text) and _is_outermost(line, lines))
                    )
                )
                and not ends_in_leaders(line.text)
            ]
        )
    emptied = sum(bool(before) and not after for before, after in zip(pages, kept, strict=True))
    # Pages of a line or two are no pages of furniture alone.
    return [list(lines) for lines in pages] if emptied * 2 > len(pages) else kept


_Shaped = Sequence[tuple[Line, Sequence[str]]]


def _repeated_texts(pages: Sequence[_Shaped], least: int) -> set[str]:
    counts = Counter(
        shape for edges in pages for shape in {each for _, shapes in edges for each in shapes}
    )
    return {shape for shape, count in counts.items() if count >= least}


def _bands(pages: Sequence[_Shaped], repeated: set[str]) -> list[float]:
    """Heights at which most pages have furniture."""
    counts: Counter[int] = Counter()
    for edges in pages:
        heights = {_height(line) for line, shapes in edges if not repeated.isdisjoint(shapes)}
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


def _shapes(line: Line, body: float) -> list[str]:
    """What running heads have in common from page to page: their words and their height,
    of the whole line and of its parts (the title stays, the section changes).

    Their page and chapter numbers differ; lines of many numbers are rows of a table. The
    numbers of a section's heading are its own.
    """
    is_heading = (line.bold or line.size > body * 1.05) and numbered_level(line.text)
    parts = [" ".join(word.text for word in part) for part in line.segments if len(part) > 1]
    texts = [line.text, *(parts if len(line.segments) > 1 and not line.cells else ())]
    return [f"{text if is_heading else _without_numbers(text)} @{_height(line)}" for text in texts]


def _without_numbers(text: str) -> str:
    """The text with a sign for each number; those of an address are its own."""
    words = [word if "://" in word else _NUMBERS.sub("#", word) for word in text.split()]
    changed = " ".join(words)
    return changed if changed.count("#") - text.count("#") <= _MAX_NUMBERS else text


def _height(line: Line) -> int:
    return round(line.bottom / _BAND)
