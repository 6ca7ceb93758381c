"""Which lines of a PDF are headings: the outline says so, else size and weight do."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from graphrag.reading.numbering import is_shouted, numbered_level, without_number
from graphrag.reading.pdf_page import Line
from graphrag.reading.pdf_table import table_at

_LARGER = 1.12
_LARGER_NUMBERED = 1.1
_MAX_WORDS = 20
_MAX_LINES = 4
_MAX_SIZES = 5
_MAX_NUMBER = 8


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """A bookmark: its text, level from 1, page from 1, and height on it where given."""

    title: str
    level: int
    page: int
    height: float | None = None


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading made of the next ``lines`` lines of its page."""

    level: int
    lines: int
    text: str


def body_size(pages: Sequence[Sequence[Line]]) -> float:
    """The size that most characters are set in."""
    counts: Counter[float] = Counter()
    for lines in pages:
        for line in lines:
            counts[line.size] += len(line.text)
    return max(counts, key=lambda size: (counts[size], -size), default=10.0)


def outline_headings(
    outline: Sequence[OutlineEntry], pages: Sequence[Sequence[Line]]
) -> dict[tuple[int, int], Heading]:
    """Page index and line index to heading, for bookmarks whose text stands on their page.

    Of several lines with the text, the one nearest to the bookmark's height is taken.
    """
    found: dict[tuple[int, int], Heading] = {}
    openings = [[_opening(line.text) for line in lines] for lines in pages if outline]
    for entry in outline:
        wanted = _folded(entry.title)
        if not wanted:
            continue
        best: tuple[float, tuple[int, int], Heading] | None = None
        for page in (entry.page - 1, entry.page):
            if not 0 <= page < len(pages):
                continue
            for i, line in enumerate(pages[page]):
                if (page, i) in found or line.cells or not wanted.startswith(openings[page][i]):
                    continue
                count = _lines_matching(pages[page][i : i + _MAX_LINES], wanted)
                if not count:
                    continue
                distance = abs((entry.height or line.top) - line.top) + 2000 * (
                    page != entry.page - 1
                )
                text = _heading_text(pages[page][i : i + count], entry.title)
                if best is None or distance < best[0]:
                    best = (distance, (page, i), Heading(entry.level, count, text))
        if best:
            found[best[1]] = best[2]
    return found


def styled_headings(pages: Sequence[Sequence[Line]], body: float) -> dict[tuple[int, int], Heading]:
    """Headings by size: the larger, the higher; then bold lines that stand by themselves."""
    sizes: Counter[float] = Counter()
    for lines in pages:
        for line in lines:
            larger = _LARGER_NUMBERED if numbered_level(line.text) else _LARGER
            if line.size > body * larger and _could_be_heading(line):
                sizes[line.size] += 1
    ranks = _ranks(sizes)
    found: dict[tuple[int, int], Heading] = {}
    for page, lines in enumerate(pages):
        i = 0
        while i < len(lines):
            heading = _styled_heading(lines, i, ranks, body)
            if heading:
                found[page, i] = heading
            i += heading.lines if heading else 1
    return _by_numbers(found)


def _by_numbers(found: dict[tuple[int, int], Heading]) -> dict[tuple[int, int], Heading]:
    """Levels by the numbers of the headings, where most have one.

    A heading without a number is on the level of those of its size, or one below those
    of the next larger one; the document's title stays above all.
    """
    depths = {place: numbered_level(heading.text) for place, heading in found.items()}
    numbered = [place for place, depth in depths.items() if depth]
    if len(numbered) < 3 or len(numbered) * 2 < len(found):
        return found
    by_size: dict[int, Counter[int]] = {}
    for place in numbered:
        by_size.setdefault(found[place].level, Counter())[depths[place] or 1] += 1
    levels = {size: counts.most_common(1)[0][0] for size, counts in by_size.items()}
    first = next(iter(found))
    shift = int(not depths[first] and found[first].level < min(levels))

    def level_of(place: tuple[int, int]) -> int:
        size = found[place].level
        larger = [level for other, level in levels.items() if other < size]
        if place == first and shift:
            return 1
        return (depths[place] or levels.get(size) or max(larger, default=0) + 1) + shift

    return {
        place: Heading(min(level_of(place), 6), heading.lines, heading.text)
        for place, heading in found.items()
    }


def _ranks(sizes: Counter[float]) -> dict[float, int]:
    """Size to level; sizes within 4 % of each other share one."""
    ranks: dict[float, int] = {}
    level, before = 0, 0.0
    for size in sorted(sizes, reverse=True):
        if not before or size < before * 0.96:
            level, before = level + 1, size
        ranks[size] = min(level, _MAX_SIZES)
    return ranks


def _styled_heading(
    lines: Sequence[Line], i: int, ranks: dict[float, int], body: float
) -> Heading | None:
    line = lines[i]
    if line.cells:
        return None
    level = ranks.get(line.size) if _could_be_heading(line) else None
    if level is None:
        if not (_is_set_off(lines, i, body) or _is_clause(lines, i)) or table_at(lines, i):
            return None
        level = min(max(ranks.values(), default=0) + 1, 6)
        return Heading(level, 1, line.text)
    count = 1
    while (
        count < _MAX_LINES
        and i + count < len(lines)
        and lines[i + count].size == line.size
        and lines[i + count].bold == line.bold
        and 0 < lines[i + count - 1].bottom - lines[i + count].bottom < 1.7 * line.size
        and not numbered_level(lines[i + count].text)
        and len(lines[i + count].segments) == 1
    ):
        count += 1
    text = " ".join(part.text for part in lines[i : i + count])
    return Heading(level, count, text) if len(text.split()) <= _MAX_WORDS else None


def _could_be_heading(line: Line) -> bool:
    text = without_number(line.text)
    letters = sum(character.isalpha() for character in text)
    return (
        letters >= 2
        and letters * 2 >= len(text.replace(" ", ""))
        and len(line.words) <= _MAX_WORDS
        and len(line.segments) <= 2
        and not line.mono
        and not line.formula
        and not all(word.math for word in line.words)
    )


def _is_clause(lines: Sequence[Line], i: int) -> bool:
    """A numbered line in capitals that stands by itself: ``1. INTENT``."""
    line = lines[i]
    text = without_number(line.text)
    if text == line.text or not is_shouted(text) or len(line.segments) > 2:
        return False
    near = [lines[j] for j in (i - 1, i + 1) if 0 <= j < len(lines)]
    return all(abs(other.bottom - line.bottom) > 1.1 * line.size for other in near)


def _is_set_off(lines: Sequence[Line], i: int, body: float) -> bool:
    """A short bold line of body size or more, or an italic one with capitals, apart from
    the lines of its kind around it."""
    line = lines[i]
    titled = sum(word.text[:1].isupper() for word in line.words) * 2 > len(line.words)
    if (
        not (line.bold or (line.italic and titled))
        or line.size < body * 0.95
        or not _could_be_heading(line)
    ):
        return False
    if len(line.segments) > 1 or len(line.words) > 12 or line.text.endswith((".", ",", ";")):
        return False
    near = [lines[j] for j in (i - 1, i + 1) if 0 <= j < len(lines) and not lines[j].cells]
    if any(abs(other.bottom - line.bottom) < 1 for other in near):
        return False
    if line.bold and numbered_level(line.text):
        return True
    return not any(
        (other.bold or other.italic)
        and other.size == line.size
        and abs(other.bottom - line.bottom) < 1.5 * line.size
        for other in near
    )


def _lines_matching(lines: Sequence[Line], wanted: str) -> int:
    """How many lines from the first on make up the wanted text, 0 where they do not."""
    joined = ""
    for count, line in enumerate(lines, 1):
        joined += _folded(line.text)
        for form in (joined, _folded(without_number(" ".join(x.text for x in lines[:count])))):
            if form == wanted:
                return count
        if len(joined) > len(wanted) + 20:
            return 0
    return 0


def _heading_text(lines: Sequence[Line], title: str) -> str:
    """The heading as printed, its number included."""
    printed = " ".join(line.text for line in lines)
    return printed if len(_folded(printed)) >= len(_folded(title)) else title


def _opening(line: str) -> tuple[str, ...]:
    """What a text that begins with a line may begin with, folded; a number may be left out."""
    whole = _folded(line)
    bare = _folded(without_number(line))
    return ("",) if len(whole) <= _MAX_NUMBER else (whole, bare)


def _folded(text: str) -> str:
    return re.sub(r"[\W_]+", "", text).casefold()
