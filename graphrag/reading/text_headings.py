"""Headings of a plain text: underlined, numbered, in capitals, or out of the indentation."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from graphrag.reading.numbering import is_bare_number, is_shouted, numbered_level

_UNDERLINE = re.compile(r"([=\-~^*#+_\"'`.:])\1{2,}\s*")
_MARKED = re.compile(r"(#{1,6})\s+(\S.*)")
_ITEM_NUMBER = re.compile(r"(\d{1,3})[.)]\s")
_MAX_HEADING = 100
_MAX_UNDERLINED = 300
_MAX_WORDS = 10
_CENTRED = 8
_LONG_LINE = 50
_PAGE_WIDTH = 80
_FIRST_GROUPS = 4
_TITLE_LINES = 3


@dataclass(frozen=True, slots=True)
class TextStyle:
    """How a text sets its headings off.

    ``levels``: the level of each underline; ``base``: the indentation of the running text;
    ``marked``: lines behind ``##`` are headings; ``title``: which group is the title, if
    one is; ``repeated``: short lines that come more than once; ``apart``: lines that stand
    below a wider gap than others, where such a gap tells headings.
    """

    levels: dict[str, int]
    base: int
    marked: bool
    title: int | None
    repeated: frozenset[str]
    apart: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class TextHeading:
    """A heading made of a group's first ``lines`` lines; level 0 is one below the heading
    with a number before it."""

    text: str
    level: int
    lines: int


def text_style(groups: Sequence[list[str]], after_gaps: Sequence[str] = ()) -> TextStyle:
    """The style of a text, from its groups of lines and the lines below wide gaps."""
    levels = _underline_levels(groups)
    base = _base_indent(groups)
    marked = sum(len(group) == 1 and bool(_MARKED.fullmatch(group[0])) for group in groups)
    title = None if levels or marked > 1 else _title_group(groups)
    counts = Counter(group[0].strip() for group in groups if len(group) == 1)
    repeated = frozenset(line for line, count in counts.items() if count > 1)
    titles = [line for line in after_gaps if _is_title([line])]
    tells = len(titles) > 1 and len(titles) * 3 >= len(after_gaps) * 2
    apart = frozenset(titles if tells else ())
    return TextStyle(levels, base, marked > 1, title, repeated, apart)


def heading_at(groups: Sequence[list[str]], number: int, style: TextStyle) -> TextHeading | None:
    """The heading that opens a group of lines, or None.

    A text that underlines its headings has no others; of an indented text, what stands
    out to the left is a heading.
    """
    group = groups[number]
    lines = [line.strip() for line in group]
    if underlined := _underline(lines):
        mark, title, count = underlined
        return TextHeading(title, 1 if not number else style.levels[mark], count)
    if style.marked and (found := _MARKED.fullmatch(group[0])) and len(group) == 1:
        return TextHeading(_without_marks(found[2]), len(found[1]), 1)
    line = " ".join(lines)
    if number == style.title:
        return TextHeading(line, 1, len(lines))
    if style.marked or len(style.levels) > 1 or len(line) > _MAX_HEADING or len(lines) > 2:
        return None
    level = _guessed_level(groups, number, style)
    if any(_ITEM_NUMBER.match(line) for line in lines[1:]):
        return None
    if level is None or _is_row_of_items(groups, number):
        return None
    deeper = len(style.levels) + (style.title is not None)
    return TextHeading(line, level + deeper if level else 0, len(lines))


def title_below(groups: Sequence[list[str]], number: int) -> str:
    """The title of a chapter that stands below its number (``CHAPTER IV``), or nothing."""
    below = groups[number + 1] if number + 2 < len(groups) else []
    if len(below) != 1 or not is_bare_number(" ".join(groups[number]).strip()):
        return ""
    return below[0].strip() if is_shouted(below[0].strip()) or _is_title(below) else ""


def _without_marks(title: str) -> str:
    """A heading without the ``##`` that may close it as well."""
    bare = title.rstrip("#")
    return bare.rstrip() if bare[-1:].isspace() else title


def indent_of(line: str) -> int:
    """How many spaces a line begins with."""
    return len(line) - len(line.lstrip())


def _guessed_level(groups: Sequence[list[str]], number: int, style: TextStyle) -> int | None:
    group = groups[number]
    line = " ".join(part.strip() for part in group)
    indent = indent_of(group[0])
    stands_out = indent == 0
    is_centred = indent >= style.base + _CENTRED and len(group) == 1
    level = numbered_level(line)
    if level and level > 1 and indent < style.base:
        return level
    if not (stands_out or is_centred):
        return None
    if level:
        return level if stands_out or not line[0].isdigit() else None
    if len(group) == 1 and (is_shouted(line) or group[0] in style.apart):
        return 1
    body_is_indented = number + 1 < len(groups) and indent_of(groups[number + 1][0]) > 0
    if style.base >= 2 and stands_out and body_is_indented and _is_title(group):
        return 0 if line in style.repeated else 1
    return None


def _title_group(groups: Sequence[list[str]]) -> int | None:
    """Index of the group that is the title: the first, if it looks like one, else one of the
    first few that is centred above text that is not."""
    if len(groups) < 2:
        return None
    if _is_title(groups[0]):
        return 0
    first = range(min(_FIRST_GROUPS, len(groups) - 1))
    width = max(len(line) for group in groups for line in group if len(line) <= _PAGE_WIDTH + 8)
    return next((at for at in first if _is_centred(groups[at], width)), None)


def _is_centred(group: Sequence[str], width: int) -> bool:
    """Whether a few lines stand in the middle of the page and end no sentence."""
    return (
        len(group) <= _TITLE_LINES
        and width >= _LONG_LINE
        and all(
            indent_of(line) >= _CENTRED - 3
            and "   " not in line.strip()
            and abs(indent_of(line) + len(line) - width) <= _CENTRED
            for line in group
        )
        and any(letter.isalpha() for letter in group[0])
        and not group[-1].rstrip().endswith((".", ",", ";", ":"))
    )


def _is_title(group: Sequence[str]) -> bool:
    """One short line that begins with a capital and does not end a sentence."""
    line = group[0].strip()
    return (
        len(group) == 1
        and len(line.split()) <= _MAX_WORDS
        and len(line) <= _MAX_HEADING
        and line[0].isupper()
        and ":" not in line
        and not line.endswith((".", ",", ";", ":", "!", "?"))
        and numbered_level(line) is None
        and "   " not in line
    )


def _is_row_of_items(groups: Sequence[list[str]], number: int) -> bool:
    """Whether a numbered line stands right before or after the line with the next number:
    then both are items of a list."""
    found = _ITEM_NUMBER.match(groups[number][0].strip())
    if not found:
        return False
    for step in (-1, 1):
        if 0 <= number + step < len(groups):
            other = _ITEM_NUMBER.match(groups[number + step][0].strip())
            if other and int(other[1]) == int(found[1]) + step:
                return True
    return False


def _underline(lines: Sequence[str]) -> tuple[str, str, int] | None:
    """The underline's kind, the title and the number of lines of an underlined heading."""
    if len(lines) >= 3 and lines[0] == lines[2] and _UNDERLINE.fullmatch(lines[0]):
        return lines[0][0] * 2, lines[1], 3
    if len(lines) >= 2 and _is_underlined(lines[0], lines[1]):
        return lines[1][0], lines[0], 2
    return None


def _is_underlined(title: str, line: str) -> bool:
    return bool(
        _UNDERLINE.fullmatch(line)
        and 0 < len(title) <= _MAX_UNDERLINED
        and abs(len(title) - len(line.strip())) <= max(4, len(title) // 3)
        and any(c.isalnum() for c in title)
    )


def _underline_levels(groups: Sequence[list[str]]) -> dict[str, int]:
    """Level of each underline: what the numbers of its headings say, one deeper where the
    first heading is the title without a number; else the order in which they first come."""
    marks: dict[str, list[int]] = {}
    titles: list[str] = []
    for group in groups:
        if found := _underline([line.strip() for line in group[:3]]):
            titles.append(found[1])
            marks.setdefault(found[0], []).append(numbered_level(found[1]) or 0)
    depths = [depth for depths in marks.values() for depth in depths]
    if sum(depth > 0 for depth in depths) * 2 <= len(depths):
        return {mark: rank for rank, mark in enumerate(marks, 1)}
    shift = int(numbered_level(titles[0]) is None)
    levels = {}
    for rank, (mark, depths) in enumerate(marks.items(), 1):
        numbered = [depth for depth in depths if depth]
        levels[mark] = max(set(numbered), key=numbered.count) + shift if numbered else rank
    return levels


def _base_indent(groups: Sequence[list[str]]) -> int:
    """The indentation of most running text (RFCs indent all of it by three)."""
    for least in (_LONG_LINE, 1):
        counts = Counter(
            indent_of(line) for group in groups for line in group if len(line.strip()) >= least
        )
        if counts:
            return max(counts, key=lambda indent: (counts[indent], -indent))
    return 0
