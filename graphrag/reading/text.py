"""Plain text: paragraphs by blank lines; headings, lists and code by their look."""

from __future__ import annotations

import re
from collections.abc import Sequence

from graphrag.reading.asciidoc import read_asciidoc
from graphrag.reading.builder import DocumentBuilder, Draft
from graphrag.reading.encoding import decode
from graphrag.reading.fields import are_fields
from graphrag.reading.inline import BREAK, Run, clean
from graphrag.reading.text_furniture import without_contents, without_page_furniture
from graphrag.reading.text_headings import (
    TextStyle,
    heading_at,
    indent_of,
    text_style,
    title_below,
)
from graphrag.reading.text_lists import is_list, is_next_item, led_in, list_items
from graphrag.reading.text_markup import is_asciidoc
from graphrag.reading.text_memo import memo_metadata
from graphrag.reading.text_tables import add_text_table

_HEAD = 4_000
# A line of stars or dashes parts two scenes and says nothing.
_BREAK = re.compile(r"\s*([*#~_=-])(?:\s{0,10}\1){2,80}")
_GAP = re.compile(r"\S {3,}\S")
_DEFINITION = re.compile(r"\s*[\w.<>-]+\s*:{0,2}=/?\s")
_HYPHENATED = re.compile(r"([^\W\d_])-\n([a-zà-ÿ])")


def read_text(content: bytes, name: str) -> Draft:
    """A text file; the title is a sole leading heading, else the file's name. One that is
    written in AsciiDoc is read as that."""
    raw = decode(content).replace("\r\n", "\n")
    if is_asciidoc(raw):
        return read_asciidoc(content, name)
    builder = DocumentBuilder()
    plain = without_page_furniture(raw)
    add_text(builder, plain)
    return builder.build(fallback_title=name, metadata=memo_metadata(_head(plain)))


def add_text(builder: DocumentBuilder, text: str) -> None:
    """Add a plain text's blocks to a builder."""
    lines = clean(text).expandtabs(8).split("\n")
    groups = without_contents(_groups(lines))
    groups = [group for group in groups if len(group) > 1 or not _BREAK.fullmatch(group[0])]
    style = text_style(groups, _after_wide_gaps(lines))
    listed: list[list[str]] = []
    level = 1
    titled = -1
    for number, group in enumerate(groups):
        if number == titled:
            continue
        heading = None if is_next_item(group, listed) else heading_at(groups, number, style)
        if heading is None and (is_list(group) or _goes_on(group, listed, style)):
            listed.append(group)
            continue
        builder.add_list(list_items(listed))
        listed = []
        if heading:
            level = heading.level or level
            title = title_below(groups, number)
            titled = number + 1 if title else titled
            builder.add_heading(heading.level or level + 1, f"{heading.text} {title}".rstrip())
        rest = group[heading.lines :] if heading else group
        if rest and is_list(rest):
            builder.add_list(list_items([rest]))
        elif rest:
            _add_body(builder, rest, style)
    builder.add_list(list_items(listed))


def _goes_on(group: list[str], listed: Sequence[list[str]], style: TextStyle) -> bool:
    """Whether an indented group is a further paragraph of the last item of the list."""
    if not listed or _looks_like_code(group):
        return False
    return indent_of(group[0]) > min(style.base, indent_of(listed[0][0]))


def _add_body(builder: DocumentBuilder, group: list[str], style: TextStyle) -> None:
    if add_text_table(builder, group):
        return
    is_code = _looks_like_code(group) and indent_of(group[0]) > style.base
    if is_code or _has_columns(group) or _is_grammar(group):
        builder.add_code("\n".join(_cut(line, style.base) for line in group))
    else:
        builder.add_paragraph(_fields(group) or _joined(group))


def _fields(group: list[str]) -> list[Run]:
    """Two or more lines that each say ``Key: value``, kept as lines; empty for any other."""
    if not are_fields(group):
        return []
    runs = [run for line in group for run in (Run(line.strip()), Run(BREAK))]
    return runs[:-1]


def _head(text: str) -> list[list[str]]:
    """The first groups of lines."""
    return _groups(clean(text[:_HEAD]).split("\n"))


def _groups(lines: Sequence[str]) -> list[list[str]]:
    """Runs of lines without a blank one between."""
    groups: list[list[str]] = []
    current: list[str] = []
    for line in lines:
        if line.strip():
            current.append(line.rstrip())
        elif current:
            groups.append(current)
            current = []
    if current:
        groups.append(current)
    return [part for group in groups for part in _with_list_apart(group)]


def _after_wide_gaps(lines: Sequence[str]) -> list[str]:
    """The lines below two blank ones or more, in a text where others have one between."""
    starts = [
        at for at, line in enumerate(lines) if at and line.strip() and not lines[at - 1].strip()
    ]
    wide = [lines[at].rstrip() for at in starts if at > 1 and not lines[at - 2].strip()]
    return wide if len(wide) < len(starts) else []


def _with_list_apart(group: list[str]) -> list[list[str]]:
    """A group of lines, the list at its end as a group of its own."""
    start = led_in(group)
    return [group[:start], group[start:]] if start else [group]


def _cut(line: str, base: int) -> str:
    """A line without the indentation of the running text."""
    return line[base:] if not line[:base].strip() else line


def _has_columns(group: list[str]) -> bool:
    """Whether most of two or more lines have wide gaps: a table set by spaces."""
    gaps = sum(bool(_GAP.search(line)) for line in group)
    return len(group) > 1 and gaps * 3 >= len(group) * 2


def _is_grammar(group: list[str]) -> bool:
    """Whether two or more lines define names, one below the other, and others only go on."""
    defined = [line for line in group if _DEFINITION.match(line)]
    base = indent_of(group[0])
    return len(defined) > 1 and all(
        line in defined or indent_of(line) > base + 2 or line.strip().startswith(";")
        for line in group
    )


def _looks_like_code(group: list[str]) -> bool:
    """Whether an indented group keeps its columns: code, a figure, a table of text."""
    text = "\n".join(group)
    signs = sum(text.count(sign) for sign in "{}[]()=<>|;+$%&\\/_#")
    gaps = sum(bool(_GAP.search(line)) for line in group)
    deeper = len({indent_of(line) for line in group}) > 2
    return signs * 12 > len(text) or gaps * 2 >= len(group) or deeper


def _joined(group: list[str]) -> str:
    """Lines of one paragraph as one line, words parted at a line's end mended."""
    return _HYPHENATED.sub(r"\1\2", "\n".join(line.strip() for line in group))
