"""Plain text: paragraphs by blank lines; headings, lists and code by their look."""

from __future__ import annotations

import re
from collections.abc import Sequence

from graphrag.reading.builder import DocumentBuilder, Draft, ListItem
from graphrag.reading.encoding import decode
from graphrag.reading.inline import clean
from graphrag.reading.text_furniture import without_contents, without_page_furniture
from graphrag.reading.text_headings import TextStyle, heading_at, indent_of, text_style
from graphrag.reading.text_memo import memo_metadata

_BULLET = re.compile(r"(\s*)([-*+•o◦▪–]|\(?(?:\d{1,3}|[a-z])[.)])\s+(\S.*)")
_HEAD = 4_000
_DELIMITERS = re.compile(r"\|(?:\s*:?-+:?\s*\|)+")
_GAP = re.compile(r"\S {3,}\S")
_HYPHENATED = re.compile(r"([^\W\d_])-\n([a-zà-ÿ])")


def read_text(content: bytes, name: str) -> Draft:
    """A text file; the title is a sole leading heading, else the file's name."""
    raw = decode(content).replace("\r\n", "\n")
    builder = DocumentBuilder()
    plain = without_page_furniture(raw)
    add_text(builder, plain)
    return builder.build(fallback_title=name, metadata=memo_metadata(_head(plain)))


def add_text(builder: DocumentBuilder, text: str) -> None:
    """Add a plain text's blocks to a builder."""
    groups = without_contents(_groups(clean(text).expandtabs(8).split("\n")))
    style = text_style(groups)
    items: list[ListItem] = []
    level = 1
    for number, group in enumerate(groups):
        heading = None if _is_next_item(group, items) else heading_at(groups, number, style)
        if heading is None and _is_list(group):
            items.extend(_items(group))
            continue
        if heading is None and items and _goes_on(group, style):
            items.append(ListItem(" ".join(group), 0, ""))
            continue
        builder.add_list(items)
        items = []
        if heading:
            level = heading.level or level
            builder.add_heading(heading.level or level + 1, heading.text)
        rest = group[heading.lines :] if heading else group
        if rest and _is_list(rest):
            builder.add_list(_items(rest))
        elif rest:
            _add_body(builder, rest, style)
    builder.add_list(items)


def _goes_on(group: list[str], style: TextStyle) -> bool:
    """Whether an indented group is a further paragraph of the list's item before it."""
    return indent_of(group[0]) > style.base and not _looks_like_code(group)


def _add_body(builder: DocumentBuilder, group: list[str], style: TextStyle) -> None:
    if rows := _pipe_rows(group):
        builder.add_table(rows, header=bool(_DELIMITERS.fullmatch(group[1].strip())))
    elif _has_columns(group) or (_looks_like_code(group) and indent_of(group[0]) > style.base):
        builder.add_code("\n".join(_cut(line, style.base) for line in group))
    else:
        builder.add_paragraph(_joined(group))


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
    return groups


def _is_list(group: list[str]) -> bool:
    found = _BULLET.match(group[0])
    if not found:
        return False
    marks = sum(bool(_BULLET.match(line)) for line in group)
    return marks * 4 >= len(group) or indent_of(group[-1]) > indent_of(group[0])


def _is_next_item(group: list[str], items: Sequence[ListItem]) -> bool:
    """Whether a group begins with the number that follows the last of the list before it."""
    found = _BULLET.match(group[0])
    last = next((item.marker for item in reversed(items) if item.marker), "")
    return bool(
        found and last[:-1].isdecimal() and found[2].strip("().") == str(int(last[:-1]) + 1)
    )


def _items(group: list[str]) -> list[ListItem]:
    found: list[tuple[int, str, list[str]]] = []
    base = indent_of(group[0])
    for line in group:
        bullet = _BULLET.match(line)
        if bullet:
            marker = f"{bullet[2].strip('().')}." if bullet[2][-1] in ".)" else "-"
            found.append((min(max(len(bullet[1]) - base, 0) // 2, 4), marker, [bullet[3]]))
        else:
            found[-1][2].append(line.strip())
    return [ListItem(" ".join(lines), depth, marker) for depth, marker, lines in found]


def _cut(line: str, base: int) -> str:
    """A line without the indentation of the running text."""
    return line[base:] if not line[:base].strip() else line


def _pipe_rows(group: list[str]) -> list[list[str]]:
    """The cells of a table between pipes, or nothing."""
    lines = [line.strip() for line in group]
    if len(lines) < 2 or not all(line.startswith("|") and line.endswith("|") for line in lines):
        return []
    return [
        [cell.replace("\\|", "|").strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        for line in lines
        if not _DELIMITERS.fullmatch(line)
    ]


def _has_columns(group: list[str]) -> bool:
    """Whether most of two or more lines have wide gaps: a table set by spaces."""
    gaps = sum(bool(_GAP.search(line)) for line in group)
    return len(group) > 1 and gaps * 3 >= len(group) * 2


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
