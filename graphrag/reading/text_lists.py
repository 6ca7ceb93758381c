"""Lists of a plain text: their items by marks, their depth by indentation."""

from __future__ import annotations

import re
from collections.abc import Sequence

from graphrag.reading.builder import ListItem

_ITEM = re.compile(r"(\s*)([-*+•o◦▪–]|\(?(?:\d{1,3}|[a-z]|[ivx]{1,5})[.)])\s+(\S.*)")
_BULLET = re.compile(r"\s*[-*+•◦▪–]\s+\S")
_MAX_DEPTH = 4


def is_list(group: Sequence[str]) -> bool:
    """Whether a group of lines without a blank one between is a list."""
    if not _ITEM.match(group[0]):
        return False
    marks = sum(bool(_ITEM.match(line)) for line in group)
    return marks * 4 >= len(group) or _indent(group[-1]) > _indent(group[0])


def led_in(group: Sequence[str]) -> int:
    """Where in a group the list begins that its first lines lead in: behind a colon, or with
    two bullets below each other; 0 for nowhere."""
    if _ITEM.match(group[0]):
        return 0
    for i in range(1, len(group)):
        two = _BULLET.match(group[i]) and i + 1 < len(group) and _BULLET.match(group[i + 1])
        if two or (group[i - 1].endswith(":") and _ITEM.match(group[i])):
            return i
    return 0


def is_next_item(group: Sequence[str], before: Sequence[Sequence[str]]) -> bool:
    """Whether a group begins with the number that follows the last of the list before it."""
    own = _ITEM.match(group[0])
    marks = (found[2] for lines in reversed(before) for line in reversed(lines)
             if (found := _ITEM.match(line)))  # fmt: skip
    last = next(marks, "").strip("().")
    return bool(own and last.isdecimal() and own[2].strip("().") == str(int(last) + 1))


def list_items(groups: Sequence[Sequence[str]]) -> list[ListItem]:
    """The items of a list whose groups of lines follow each other; a group without a mark is
    a further paragraph of the item before. An item stands under the nearest one before it that
    begins further left. ``1)`` is written ``1.``; ``(1)`` stays, for people refer to it."""
    found: list[tuple[int, str, list[str]]] = []
    indents: list[int] = []
    for group in groups:
        if not _ITEM.match(group[0]):
            found.append((max(len(indents) - 1, 0), "", [line.strip() for line in group]))
            continue
        for line in group:
            item = _ITEM.match(line)
            if item is None:
                found[-1][2].append(line.strip())
                continue
            while indents and indents[-1] >= len(item[1]):
                indents.pop()
            indents.append(len(item[1]))
            depth = min(len(indents) - 1, _MAX_DEPTH)
            found.append((depth, _marker(item[2]), [item[3]]))
    return [ListItem(" ".join(lines), depth, marker) for depth, marker, lines in found]


def _marker(written: str) -> str:
    if written.startswith("("):
        return written
    return f"{written[:-1]}." if written[-1] in ".)" else "-"


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
