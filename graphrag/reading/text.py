"""Plain text: paragraphs by blank lines; headings, lists and code by their look."""

from __future__ import annotations

import re
from collections.abc import Sequence

from graphrag.reading.builder import DocumentBuilder, Draft, ListItem
from graphrag.reading.encoding import decode
from graphrag.reading.inline import clean
from graphrag.reading.numbering import is_shouted, numbered_level

_UNDERLINE = re.compile(r"([=\-~^*#+_\"'`.:])\1{2,}\s*")
_BULLET = re.compile(r"(\s*)([-*+•o◦▪–]|\(?(?:\d{1,3}|[a-z])[.)])\s+(\S.*)")
_PAGE_BREAK = re.compile(r"\n*\f")
_HYPHENATED = re.compile(r"([^\W\d_])-\n([a-zà-ÿ])")
_MAX_HEADING = 100


def read_text(content: bytes, name: str) -> Draft:
    """A text file; the title is a sole leading heading, else the file's name."""
    raw = decode(content).replace("\r\n", "\n")
    builder = DocumentBuilder()
    add_text(builder, _without_page_furniture(raw))
    return builder.build(fallback_title=name)


def add_text(builder: DocumentBuilder, text: str) -> None:
    """Add a plain text's blocks to a builder."""
    groups = _groups(clean(text).expandtabs(8).split("\n"))
    base = _base_indent(groups)
    levels = _underline_levels(groups)
    items: list[ListItem] = []
    for number, group in enumerate(groups):
        before = groups[number - 1] if number else []
        if _is_list(group):
            items.extend(_items(group))
            continue
        if items and _indent(group[0]) > base and not _looks_like_code(group):
            items.append(ListItem(" ".join(group), 0, ""))
            continue
        builder.add_list(items)
        items = []
        _add_group(builder, group, base, levels, is_first=not before)
    builder.add_list(items)


def _add_group(
    builder: DocumentBuilder,
    group: list[str],
    base: int,
    levels: dict[str, int],
    *,
    is_first: bool,
) -> None:
    title, level, rest = _heading(group, base, levels, is_first=is_first)
    if title:
        builder.add_heading(level, title)
        if rest:
            add_rest = _items(rest) if _is_list(rest) else None
            if add_rest:
                builder.add_list(add_rest)
            else:
                builder.add_paragraph(_joined(rest))
    elif _looks_like_code(group) and _indent(group[0]) > base:
        builder.add_code("\n".join(line[base:] for line in group))
    else:
        builder.add_paragraph(_joined(group))


def _heading(
    group: list[str], base: int, levels: dict[str, int], *, is_first: bool
) -> tuple[str, int, list[str]]:
    """The heading that opens a group, its level, and the lines after it; or an empty one."""
    lines = [line.strip() for line in group]
    if len(lines) >= 3 and lines[0] == lines[2] and _UNDERLINE.fullmatch(lines[0]):
        return lines[1], levels[lines[0][0] * 2], group[3:]
    if len(lines) >= 2 and _is_underlined(lines[0], lines[1]):
        return lines[0], levels[lines[1][0]], group[2:]
    line = " ".join(lines)
    if len(line) > _MAX_HEADING or len(lines) > 2 or _indent(group[0]) > base + 3:
        return "", 0, []
    if not (is_first and len(lines) > 1) and (level := numbered_level(line)):
        return line, level + len(levels), []
    if len(lines) == 1 and is_shouted(line):
        return line, 1 + len(levels), []
    return "", 0, []


def _is_underlined(title: str, line: str) -> bool:
    return bool(
        _UNDERLINE.fullmatch(line)
        and 0 < len(title) <= _MAX_HEADING
        and abs(len(title) - len(line.strip())) <= max(4, len(title) // 3)
        and any(c.isalnum() for c in title)
    )


def _underline_levels(groups: Sequence[list[str]]) -> dict[str, int]:
    """Levels of the underlines in the order in which they first come."""
    levels: dict[str, int] = {}
    for group in groups:
        lines = [line.strip() for line in group[:3]]
        if len(lines) == 3 and lines[0] == lines[2] and _UNDERLINE.fullmatch(lines[0]):
            levels.setdefault(lines[0][0] * 2, len(levels) + 1)
        elif len(lines) >= 2 and _is_underlined(lines[0], lines[1]):
            levels.setdefault(lines[1][0], len(levels) + 1)
    return levels


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


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _base_indent(groups: Sequence[list[str]]) -> int:
    """The indentation of most running text (RFCs indent all of it by three)."""
    counts: dict[int, int] = {}
    for group in groups:
        for line in group:
            counts[_indent(line)] = counts.get(_indent(line), 0) + 1
    return max(counts, key=lambda indent: (counts[indent], -indent), default=0)


def _is_list(group: list[str]) -> bool:
    found = _BULLET.match(group[0])
    if not found:
        return False
    marks = sum(bool(_BULLET.match(line)) for line in group)
    if found[2][-1] in ".)" and numbered_level(group[0].strip()) and len(group) == 1:
        return False
    return marks * 4 >= len(group) or _indent(group[-1]) > _indent(group[0])


def _items(group: list[str]) -> list[ListItem]:
    items: list[ListItem] = []
    base = _indent(group[0])
    for line in group:
        found = _BULLET.match(line)
        if found:
            marker = f"{found[2].strip('().')}." if found[2][-1] in ".)" else "-"
            depth = min(max(len(found[1]) - base, 0) // 2, 4)
            items.append(ListItem(found[3], depth, marker))
        else:
            last = items.pop()
            items.append(ListItem(f"{last.content} {line.strip()}", last.depth, last.marker))
    return items


def _looks_like_code(group: list[str]) -> bool:
    """Whether an indented group keeps its columns: code, a figure, a table of text."""
    text = "\n".join(group)
    signs = sum(text.count(sign) for sign in "{}[]()=<>|;+$%&\\/_#")
    gaps = sum(bool(re.search(r"\S {3,}\S", line)) for line in group)
    deeper = len({_indent(line) for line in group}) > 2
    return signs * 12 > len(text) or gaps * 2 >= len(group) or deeper


def _joined(group: list[str]) -> str:
    """Lines of one paragraph as one line, words parted at a line's end mended."""
    return _HYPHENATED.sub(r"\1\2", "\n".join(line.strip() for line in group))


def _without_page_furniture(text: str) -> str:
    """Paged text (RFCs) without what repeats at the top and foot of pages."""
    pages = text.split("\f")
    if len(pages) < 3:
        return _PAGE_BREAK.sub("\n\n", text)
    edges: dict[str, int] = {}
    stripped = [page.strip("\n").split("\n") for page in pages]
    for lines in stripped:
        for line in {re.sub(r"\d+", "#", edge.strip()) for edge in (lines[0], lines[-1])}:
            edges[line] = edges.get(line, 0) + 1
    common = {line for line, count in edges.items() if count * 2 > len(pages) and line}
    kept = []
    for lines in stripped:
        if re.sub(r"\d+", "#", lines[0].strip()) in common:
            lines = lines[1:]
        if lines and re.sub(r"\d+", "#", lines[-1].strip()) in common:
            lines = lines[:-1]
        kept.append("\n".join(lines).strip("\n"))
    return "\n\n".join(kept)
