"""The formulas of a PDF page: lines that stand within each other made one, read as TeX."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Any

import pypdfium2.raw as pdfium_c

from graphrag.reading.pdf_clusters import (
    clusters,
    has_math,
    is_flat,
    is_mathy,
    is_off,
    is_part_off,
    is_prose,
    is_sign,
    main_line,
)
from graphrag.reading.pdf_fonts import Font, Fonts, code_at, sign_of
from graphrag.reading.pdf_page import Line, Word
from graphrag.reading.pdf_rules import Rule
from graphrag.reading.pdf_signs import Sign, size_of
from graphrag.reading.pdf_tex import ROW_END, Bar, tex_of

_MAX_SIGNS = 300
_NUMBER = re.compile(r"\((?:[A-Z]\.?)?\d{1,3}(?:\.\d{1,3}){0,3}[a-z]?\)")
_RELATION = re.compile(r"[=<>≤≥≈≃≅∼≡∝→↦⇒⇔∈⊂⊆≪≫]")
_NEAR = 3  # lines of prose before and after a formula that show its margin
_FROM_MARGIN = 1.0
_NUMBER_GAP = 1.5
_JOINING = frozenset({"where", "and", "or", "if", "for", "with", "otherwise"})


def with_formulas(lines: Sequence[Line], textpage: Any, rules: Sequence[Rule]) -> list[Line]:
    """The lines of a page in the order of its content, those of a displayed formula made into
    one, a ``formula``; what stands above and below each other in running text into a word.

    ``textpage`` is the page's ``PdfTextPage``, ``rules`` the strokes drawn on it.
    """
    if not has_math(lines):
        return list(lines)
    prose = [line for line in lines if not is_mathy(line)]
    found: list[Line] = []
    passed = 0
    for cluster in clusters(lines, rules):
        passed += sum(not is_mathy(line) for line in cluster)
        near = prose[max(0, passed - _NEAR) : passed + _NEAR]
        if has_math(cluster) or (len(cluster) > 1 and _holds_bar(cluster, rules)):
            found.extend(_read(cluster, near, textpage, rules))
        else:
            found.extend(cluster)
    return found


def _read(
    cluster: Sequence[Line], near: Sequence[Line], textpage: Any, rules: Sequence[Rule]
) -> list[Line]:
    """A cluster as one line, or as it was where it is no formula; ``near`` are the lines
    of prose before and after it."""
    is_level = is_flat(cluster)
    words = sorted((word for line in cluster for word in line.words), key=attrgetter("left"))
    is_prose = not all(map(is_mathy, cluster)) or _opens_prose(words, near)
    if is_prose or (is_level and not _stands_alone(cluster, near)):
        return _inline(cluster, main_line(cluster), textpage, rules)
    numbers = _equation_numbers(words)
    signs = _signs(textpage, [word for word in words if word not in numbers])
    if not 1 < len(signs) <= _MAX_SIGNS:
        return list(cluster)
    bars = _bars(signs, rules)
    if not is_level and not bars and not any(sign.built for sign in signs):
        return list(cluster)  # the rows of a table
    return [_as_line(_tagged(tex_of(signs, bars), numbers), words, cluster)]


def _opens_prose(words: Sequence[Word], near: Sequence[Line]) -> bool:
    """Whether the leftmost of the words is one that joins formulas and stands at the margin."""
    first = words[0]
    return first.text.lower() in _JOINING and not _is_set_in(first.left, first.size, near)


def _is_set_in(left: float, size: float, near: Sequence[Line]) -> bool:
    margin = min((each.left for each in near), default=left)
    return left > margin + _FROM_MARGIN * size


def _is_word_of(word: Word, base: Line) -> bool:
    """Whether a word of letters stands on the base line of prose."""
    is_word = len(word.text) > 1 and word.text.isalpha() and not word.math
    return is_word and abs(word.bottom - base.bottom) < 0.2 * base.size


def _is_elsewhere(word: Word, base: Line) -> bool:
    """Whether a word of full size stands on another base line."""
    is_full = word.size > 0.85 * base.size
    return is_full and abs(word.bottom - base.bottom) > 0.3 * base.size


def _holds_bar(cluster: Sequence[Line], rules: Sequence[Rule]) -> bool:
    """Whether a short stroke lies among the signs of a cluster, as in a fraction of letters;
    the rows of a table are none."""
    mathy = [line for line in cluster if is_mathy(line)]
    is_row = any(len(line.segments) > 2 for line in cluster)
    return not is_row and any(
        not rule.upright
        and line.bottom - line.size < rule.at < line.top + line.size
        and abs(rule.start + rule.stop - line.left - line.right) < line.size
        and rule.stop - rule.start < 4 * line.size
        for line in mathy
        for rule in rules
    )


def _as_line(text: str, words: Sequence[Word], cluster: Sequence[Line]) -> Line:
    """A line as high as one of letters, at the place of all that it stands for."""
    main = main_line(cluster)
    word = Word(
        text=text,
        left=min(word.left for word in words),
        right=max(word.right for word in words),
        bottom=main.bottom,
        top=main.top,
        math=True,
    )
    return Line((word,), main.page, formula=True)


def _stands_alone(cluster: Sequence[Line], near: Sequence[Line]) -> bool:
    """Whether signs on one base line are a displayed formula: they relate something, are set
    in from the prose, and are no row of a table."""
    words = sorted((word for line in cluster for word in line.words), key=attrgetter("left"))
    numbers = _equation_numbers(words)
    line = Line(tuple(word for word in words if word not in numbers), cluster[0].page)
    if len(line.segments) > 1 or any(map(is_prose, words)) or not _RELATION.search(line.text):
        return False
    if any(abs(each.bottom - line.bottom) < 0.2 * line.size for each in near):
        return False  # it goes on with a line of prose
    return _is_set_in(line.left, line.size, near)


def _equation_numbers(words: Sequence[Word]) -> list[Word]:
    """The numbers in brackets that stand apart at the right end, from the top."""
    bracketed = [word for word in words if _NUMBER.fullmatch(word.text)]
    right = max((word.right for word in words if word not in bracketed), default=None)
    if right is None:
        return []
    apart = [word for word in bracketed if word.left - right > _NUMBER_GAP * word.size]
    return sorted(apart, key=attrgetter("bottom"), reverse=True)


def _tagged(tex: str, numbers: Sequence[Word]) -> str:
    """The formula with its number; with that of each row where there are as many."""
    tags = [f" \\tag{{{number.text[1:-1]}}}" for number in numbers]
    rows = tex.split(ROW_END)
    if len(tags) == len(rows):
        return ROW_END.join(f"{row}{tag}" for row, tag in zip(rows, tags, strict=True))
    return f"{tex}{''.join(tags)}"


def _inline(
    cluster: Sequence[Line], base: Line, textpage: Any, rules: Sequence[Rule]
) -> list[Line]:
    """One line of prose, on the base line of ``base``; what stands above or below that is one
    word with what it belongs to."""
    off_line = {
        id(word)
        for line in cluster
        for word in line.words
        if (line is not base and is_mathy(line) and not _is_word_of(word, base))
        or is_part_off(word, base)
    }
    if not off_line:
        return list(cluster)
    words: list[Word] = []
    ordered = sorted((word for line in cluster for word in line.words), key=attrgetter("left"))
    for is_formula, run in groupby(ordered, key=lambda word: id(word) in off_line or is_sign(word)):
        parts = list(run)
        apart = [word for word in parts if id(word) in off_line]
        is_known = any(word.math for word in parts) or all(is_off(word, base) for word in apart)
        is_known = is_known or (len(apart) > 1 and _holds_bar(cluster, rules))
        if is_formula and not is_known and any(_is_elsewhere(word, base) for word in apart):
            return list(cluster)
        if not (is_formula and apart and is_known):
            words.extend(parts)
            continue
        signs = _signs(textpage, parts)
        tex = tex_of(signs, _bars(signs, rules)) if 0 < len(signs) <= _MAX_SIGNS else "\n"
        if "\n" in tex:
            return list(cluster)
        left, right = parts[0].left, max(word.right for word in parts)
        text = f"${tex}$" if "\\" in tex else tex
        if words and text[0] in "^_" and left - words[-1].right < 0.25 * base.size:
            last = words.pop()
            left, text = last.left, f"{last.text}{text}"
        words.append(Word(text, left, right, base.bottom, base.top, math=True))
    return [Line(tuple(words), base.page, cluster[-1].hyphen)]


# --- signs and bars --------------------------------------------------------------------------


def _bars(signs: Sequence[Sign], rules: Sequence[Rule]) -> list[Bar]:
    """The level strokes among the signs; a bar may be wider than what it parts."""
    size = size_of(signs)
    left, right = min(s.left for s in signs) - size, max(s.right for s in signs) + size
    bottom, top = min(s.bottom for s in signs), max(s.top for s in signs) + 3
    return [
        Bar(rule.at, rule.start, rule.stop)
        for rule in rules
        if not rule.upright and bottom < rule.at < top and left <= rule.start and rule.stop <= right
    ]


def _signs(textpage: Any, words: Sequence[Word]) -> list[Sign]:
    """The characters of words, and between them in the page's content the large brackets,
    which a text has no character for."""
    spans = [word.span for word in words]
    first, last = min(span[0] for span in spans), max(span[1] for span in spans)
    places = range(first, last + 1)
    if last - first > 4 * _MAX_SIGNS:
        return []
    inside = {place for start, stop in spans for place in range(start, stop + 1)}
    raw = textpage.raw
    fonts = Fonts(raw)
    found: list[Sign] = []
    for place in places:
        font = fonts.of(place)
        is_part = place in inside or font.extension
        if is_part and not pdfium_c.FPDFText_IsGenerated(raw, place):
            found.extend(_sign(raw, place, font))
    return found


def _sign(raw: Any, place: int, font: Font) -> Iterator[Sign]:
    """The sign at a place, if it has ink."""
    text = sign_of(code_at(raw, place), font)
    if not text.strip():
        return
    left, right, bottom, top, x, y = (ctypes.c_double() for _ in range(6))
    pdfium_c.FPDFText_GetCharBox(raw, place, left, right, bottom, top)
    box = pdfium_c.FS_RECTF()
    pdfium_c.FPDFText_GetLooseCharBox(raw, place, box)
    pdfium_c.FPDFText_GetCharOrigin(raw, place, x, y)
    matrix = pdfium_c.FS_MATRIX()
    pdfium_c.FPDFText_GetMatrix(raw, place, matrix)
    size = pdfium_c.FPDFText_GetFontSize(raw, place) * (abs(matrix.d) or 1.0) or 1.0
    is_large = text == "√" or text in "∑∏∫"
    built = font.extension or is_large or top.value - bottom.value > 1.3 * size
    base = (bottom.value + top.value) / 2 - 0.25 * size if built else y.value
    yield Sign(
        text=text,
        left=box.left,
        right=box.right,
        bottom=bottom.value,
        top=top.value,
        base=base,
        size=size,
        roman=not font.math,
        built=built,
    )
