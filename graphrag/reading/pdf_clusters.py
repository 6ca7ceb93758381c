"""Lines of a PDF page that stand within each other's height, where formulas are set."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from graphrag.reading.names import names
from graphrag.reading.pdf_page import MARKERS, Line, Word
from graphrag.reading.pdf_rules import Rule

_PROSE = re.compile(r"[(\"“]?[^\W\d_]{2,}(?:['’-][^\W\d_]+)*[)\"”.,;:!?]*")
_COEFFICIENT = re.compile(r"[([]*\d+[^\W\d_][)\].,;]*")
_OPERATORS = names(
    "arccos arcsin arctan arg argmax argmin cos cosh cot cov csc deg det diag dim div erf exp gcd "
    "hom inf ker lcm lim liminf limsup ln log max min mod pr rank rot sec sgn sin sinh sup tan "
    "tanh tr var curl grad if for all and or otherwise where"
)
_SIGNS = frozenset("∑∏∫√±≤≥≠≈∞∂∇∈⊂")
_MOST_PROSE = 0.3
_SMALLER, _LARGER = 0.85, 1.3
_TOUCHING = 0.35
_LARGEST = 12.0  # points; more is the height of a large sign
_LARGE_SIGN = 20.0


def clusters(lines: Sequence[Line], rules: Sequence[Rule]) -> Iterator[list[Line]]:
    """Runs of lines in the order of the page's content: signs that stand within each other's
    height or are parted by a bar, and at most one base line of prose among them."""
    cluster: list[Line] = []
    for line in lines:
        if cluster and not _belongs(cluster, line, rules):
            yield cluster
            cluster = []
        cluster.append(line)
    if cluster:
        yield cluster


def has_math(lines: Sequence[Line]) -> bool:
    """Whether a word is in a font of formulas, or has a sign that only they have."""
    return any(
        word.math or not _SIGNS.isdisjoint(word.text) for line in lines for word in line.words
    )


def is_mathy(line: Line) -> bool:
    """Whether hardly a word of prose is in the line; a number alone may be part of a formula."""
    if line.cells or line.words[0].text in MARKERS:
        return False
    most = _MOST_PROSE * sum(len(word.text) for word in line.words)
    for word in line.words:
        if is_prose(word):
            most -= len(word.text)
            if most < 0:
                return False
    return True


def is_prose(word: Word) -> bool:
    """Whether a word is one of running text or of code, and no operator."""
    if word.mono:
        return True
    bare = word.text.strip("().,;:").lower()
    if word.italic and len(bare) < 3:
        return False  # a letter with its index, in fonts of text
    return not word.math and bool(_PROSE.fullmatch(word.text)) and bare not in _OPERATORS


def is_sign(word: Word) -> bool:
    """Whether a word in running text may be part of a formula: it has no letters of prose."""
    if word.mono or word.text in MARKERS:
        return False
    is_term = _COEFFICIENT.fullmatch(word.text) is not None
    return word.math or is_term or not any(map(str.isalpha, word.text))


def is_off(word: Word, base: Line) -> bool:
    """Whether a small word stands above or below the middle of its line."""
    away = abs((word.bottom + word.top) / 2 - (base.bottom + base.top) / 2)
    return word.size < _SMALLER * base.size and away > 0.2 * base.size


def is_part_off(word: Word, base: Line) -> bool:
    """Whether a word stands off its line as a part of a formula: a vector may be an upright
    letter."""
    return is_off(word, base) and (is_sign(word) or len(word.text) == 1)


def is_flat(cluster: Sequence[Line]) -> bool:
    """Whether all but scripts is on one base line, and no sign is higher than a line."""
    words = [word for line in cluster for word in line.words]
    base = main_line(cluster)
    full = [word for word in words if word.size >= _SMALLER * base.size]
    return not any(
        (word.math and word.size > _LARGE_SIGN) or abs(word.bottom - base.bottom) > 0.3 * base.size
        for word in full
    )


def main_line(cluster: Sequence[Line]) -> Line:
    """The line with most characters, one of prose if there is any."""
    return max(cluster, key=lambda line: (not is_mathy(line), len(line.text)))


def _belongs(cluster: Sequence[Line], line: Line, rules: Sequence[Rule]) -> bool:
    if line.cells or any(each.cells for each in cluster):
        return False
    mathy = is_mathy(line)
    prose = [each for each in cluster if not is_mathy(each)]
    if not mathy and prose:
        interrupted = len(cluster) > len(prose) or _has_off(prose[-1]) or _has_off(line)
        return interrupted and abs(prose[0].bottom - line.bottom) < 0.2 * line.size
    below, above = _height(cluster)
    bottom, top = _height([line])
    shared = min(top, above) - max(bottom, below)
    if mathy and prose:
        return shared > 0.25 * (top - bottom) and _fits(line, prose[0])
    if not mathy:
        return all(_fits(each, line) for each in cluster) and shared > 0
    largest = max(line.size, *(each.size for each in cluster))
    smallest = min(line.size, *(each.size for each in cluster))
    if largest > _LARGEST * _LARGER or smallest < _SMALLER * largest:
        # Limits and scripts keep a little away.
        return shared > -_TOUCHING * min(largest, _LARGEST)
    return shared > 0 or any(_is_parted(cluster[-1], line, rule) for rule in rules)


def _is_parted(before: Line, line: Line, rule: Rule) -> bool:
    """Whether a bar stands between two lines, as in a fraction."""
    near = before.bottom - 0.7 * line.size < line.top
    covers = rule.start - 2 <= line.left and line.right <= rule.stop + 2
    return not rule.upright and line.top - 1 < rule.at < before.bottom + 1 and near and covers


def _fits(line: Line, prose: Line) -> bool:
    """Whether a line of signs may be part of one of prose: it is small, or on its base line,
    or a large sign."""
    is_other = not _SMALLER * prose.size <= line.size <= _LARGER * prose.size
    return is_other or abs(line.bottom - prose.bottom) < 0.2 * prose.size


def _has_off(line: Line) -> bool:
    return any(is_part_off(word, line) for word in line.words)


def _height(lines: Sequence[Line]) -> tuple[float, float]:
    words = [word for line in lines for word in line.words]
    return min(word.bottom for word in words), max(word.top for word in words)
