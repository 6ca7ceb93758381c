"""AsciiDoc's older form of a heading: a line with a line of one mark below it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

_LEVELS = "=-~^+"
_UNDERLINE = re.compile(r"([=\-~^+])\1{2,}[ \t]*")
_FENCE = re.compile(r"(?:-{4,}|\.{4,}|={4,}|\*{4,}|_{4,}|\+{4,}|/{4,}|`{3,}|[|,!]={3,}).*")
_BEFORE = re.compile(r"\[.*\][ \t]*|:[\w-]+:.*|//.*|(?:ifdef|ifndef|endif)::.*")
_NO_TITLE = re.compile(r"[ \t.|*/+\[:]|[-=~^]{2}")


def with_one_line_titles(lines: Sequence[str]) -> Iterator[str]:
    """The lines, each heading of two lines in the form with ``==`` in front.

    The two may differ in length by one letter; ``=``, ``-``, ``~``, ``^`` and ``+`` are the
    levels. What stands in a delimited block is left as it is.
    """
    fence = ""
    previous = ""
    i = 0
    while i < len(lines):
        line = lines[i].rstrip()
        below = lines[i + 1].rstrip() if i + 1 < len(lines) else ""
        if fence:
            fence = "" if line == fence else fence
        elif _is_title(line, below) and (not previous or _BEFORE.fullmatch(previous)):
            yield f"{'=' * (_LEVELS.index(below[0]) + 1)} {line}"
            previous = ""
            i += 2
            continue
        elif _FENCE.fullmatch(line):
            fence = line
        yield lines[i]
        previous = line
        i += 1


def _is_title(line: str, below: str) -> bool:
    return bool(
        line
        and _UNDERLINE.fullmatch(below)
        and abs(len(line) - len(below)) <= 1
        and not _NO_TITLE.match(line)
        and any(letter.isalnum() for letter in line)
    )
