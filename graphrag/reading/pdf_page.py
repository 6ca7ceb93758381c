"""The lines of a PDF page: words with their place, size and style."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import pypdfium2.raw as pdfium_c

from graphrag.reading.names import names
from graphrag.reading.pdf_characters import word_text
from graphrag.reading.pdf_fonts import Fonts, code_at

_HYPHENS = frozenset("\u0002\ufffe")
_MAX_WORDS = 500
_GAP = 1.3  # times the font's size: a wider gap parts two cells or columns
MARKERS = names("• ◦ ▪ ‣ · ● ○ ■ □ ➢ ➤ ✓ – — - * o  \x88 § ⁃")


@dataclass(frozen=True, slots=True)
class Word:
    """A word with its left and right end in points and its style.

    ``math``: it is set in a font of formulas; ``span``: its first and last character in the
    text of the page.
    """

    text: str
    left: float
    right: float
    bottom: float
    top: float
    bold: bool = False
    italic: bool = False
    mono: bool = False
    math: bool = False
    span: tuple[int, int] = (0, -1)

    @property
    def size(self) -> float:
        return self.top - self.bottom


@dataclass(frozen=True)
class Line:
    """Words on one base line. ``hyphen``: the last word goes on in the next line.

    The row of a grid of rules has its ``cells``, and all its words whatever their base
    lines; the rows of one grid have its number in ``grid``. A displayed ``formula`` is one
    word, its TeX.
    """

    words: tuple[Word, ...]
    page: int
    hyphen: bool = False
    cells: tuple[str, ...] = ()
    grid: int = -1
    formula: bool = False

    @cached_property
    def text(self) -> str:
        return " ".join(word.text for word in self.words)

    @cached_property
    def left(self) -> float:
        return self.words[0].left

    @cached_property
    def right(self) -> float:
        return max(word.right for word in self.words)

    @cached_property
    def size(self) -> float:
        """The height of most of its characters, in half points."""
        return self._commonest[0]

    @cached_property
    def bottom(self) -> float:
        """The foot of the first word of that height."""
        return self._commonest[1]

    @cached_property
    def _commonest(self) -> tuple[float, float]:
        counts: dict[float, int] = {}
        for word in self.words:
            size = round(word.size * 2) / 2
            counts[size] = counts.get(size, 0) + len(word.text)
        size = max(counts, key=lambda key: (counts[key], key))
        return size, next(w.bottom for w in self.words if round(w.size * 2) / 2 == size)

    @cached_property
    def top(self) -> float:
        return self.bottom + self.size

    @cached_property
    def bold(self) -> bool:
        return all(word.bold for word in self.words)

    @cached_property
    def italic(self) -> bool:
        return all(word.italic for word in self.words)

    @cached_property
    def mono(self) -> bool:
        return all(word.mono for word in self.words)

    @cached_property
    def sizes(self) -> frozenset[float]:
        """The heights of its words, in half points."""
        return frozenset(round(word.size * 2) / 2 for word in self.words)

    @cached_property
    def segments(self) -> tuple[tuple[Word, ...], ...]:
        """Its words in groups that wide gaps part."""
        groups: list[list[Word]] = [[self.words[0]]]
        for before, word in pairwise(self.words):
            gap = word.left - before.right
            is_wide = gap > _GAP * max(word.size, before.size, 1.0) or gap < -before.size
            after_marker = len(groups[-1]) == 1 and before.text in MARKERS
            if is_wide and not after_marker:
                groups.append([])
            groups[-1].append(word)
        return tuple(tuple(group) for group in groups)


def page_lines(textpage: Any, number: int) -> list[Line]:
    """The lines of a page in the order of its content; turned text is left out.

    ``number`` counts from 1. ``textpage`` is a ``PdfTextPage``.
    """
    raw = textpage.raw
    characters = [code_at(raw, i) for i in range(textpage.count_chars())]
    fonts = Fonts(raw)
    lines: list[Line] = []
    words: list[Word] = []
    hyphen = False
    for first, last, ends_line in _word_bounds(characters):
        if first <= last:
            text = word_text(fonts, characters[first : last + 1], first)
            hyphen = bool(text) and text[-1] in _HYPHENS
            text = "".join(c for c in text if c not in _HYPHENS and c != "\u00ad")
            if text and _is_upright(raw, first):
                words.append(_word(fonts, first, last, text))
        if ends_line and words:
            for line in _split(Line(tuple(words), number, hyphen)):
                if lines and _is_script(lines[-1], line):
                    line = _with_script(lines.pop(), line)
                elif lines and _is_same_line(lines[-1], line) and len(lines[-1].words) < _MAX_WORDS:
                    line = Line((*lines.pop().words, *line.words), number, line.hyphen)
                lines.append(line)
            words, hyphen = [], False
    return lines


def _split(line: Line) -> Iterator[Line]:
    """A line that turns back to the left or leaves its height is two."""
    start = 0
    words = line.words
    for i in range(1, len(words)):
        back = words[i].left < words[i - 1].left - words[i].size and not _right_to_left(words[i])
        size = max(words[i].size, words[i - 1].size, 1.0)
        apart = abs(words[i].bottom - words[i - 1].bottom) > size
        if back or apart:
            yield Line(words[start:i], line.page)
            start = i
    yield Line(words[start:], line.page, line.hyphen)


def _is_same_line(before: Line, line: Line) -> bool:
    """Whether a line goes on to the right of the one before, at its height."""
    return (
        abs(before.bottom - line.bottom) < 0.2 * line.size
        and line.left > before.right
        and not before.hyphen
    )


def _is_script(before: Line, line: Line) -> bool:
    """Whether a line is an index or a power of the last word of the one before: smaller, right
    behind it, and raised or lowered by less than its height."""
    last = before.words[-1]
    small = line.size < 0.85 * last.size and line.text.isascii() and len(line.words) == 1
    near = -0.3 * last.size < line.left - last.right < 0.25 * last.size
    middle = (line.bottom + line.top) / 2
    return small and near and not before.hyphen and last.bottom < middle < last.top


def _with_script(before: Line, line: Line) -> Line:
    """The line with a script set behind its last word, a power that is a number as ``^2``."""
    last, script = before.words[-1], line.words[0]
    is_power = script.bottom > last.bottom + 0.2 * last.size and script.text.isdecimal()
    sign = "^" if is_power and last.text[-1:].isalnum() else ""
    span = (last.span[0], script.span[1])
    joined = replace(last, text=f"{last.text}{sign}{script.text}", right=script.right, span=span)
    return Line((*before.words[:-1], joined), before.page, line.hyphen)


def _right_to_left(word: Word) -> bool:
    return any("\u0590" <= character <= "\u08ff" for character in word.text)


def _word_bounds(characters: list[int]) -> Iterator[tuple[int, int, bool]]:
    """First and last index of each word, and whether its line ends after it."""
    first = 0
    for i, code in enumerate(characters):
        if code in (10, 13):
            yield first, i - 1, True
            first = i + 1
        elif code in (0x02, 0xFFFE) and i + 1 < len(characters) and first <= i:
            yield first, i, True
            first = i + 1
        elif code in (0, 9, 32, 160):
            yield first, i - 1, False
            first = i + 1
    yield first, len(characters) - 1, True


def _is_upright(raw: Any, index: int) -> bool:
    angle = pdfium_c.FPDFText_GetCharAngle(raw, index)
    return bool(angle < 0.1 or angle > 6.18)


def _word(fonts: Fonts, first: int, last: int, text: str) -> Word:
    raw, font = fonts.raw, fonts.of(first)
    box = pdfium_c.FS_RECTF()
    pdfium_c.FPDFText_GetLooseCharBox(raw, first, box)
    left, bottom, top = box.left, box.bottom, box.top
    right = box.right
    if last > first:
        pdfium_c.FPDFText_GetLooseCharBox(raw, last, box)
        left, right = min(left, box.left), max(right, box.right)
    opening = len(text) - len(text.lstrip("([{|"))
    inner = fonts.of(first + opening) if 0 < opening < len(text) else font
    return Word(
        text=text,
        left=left,
        right=right,
        bottom=bottom,
        top=top,
        bold=font.bold,
        italic=font.italic,
        mono=font.mono,
        math=(font.math or inner.math) and text not in MARKERS,
        span=(first, last),
    )
