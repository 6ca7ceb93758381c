"""Citation marks in a written text: where they stand and to what they point."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from graphrag.sentences import split_sentences

_NUMBERS = r"\d{1,3}(?:\s*(?:[,;]|[-–]|and|&)\s*\d{1,3})*"
_MARK = re.compile(
    rf"\s?(?:\[\s*\^?(?:(?:passages?|sources?|refs?\.?|citations?)\s*)?#?({_NUMBERS})\s*\]"
    rf"|【({_NUMBERS})[^】]*】)",
    re.IGNORECASE,
)
_PROTECTED = re.compile(
    r"^ {0,3}```.*?(?:^ {0,3}```|\Z)|\$\$.+?\$\$|\$[^$\n]+\$|`[^`\n]+`", re.DOTALL | re.MULTILINE
)
_BLOCK = re.compile(
    r"^ {0,3}```.*?(?:^ {0,3}```[ \t]*$|\Z)(?:\s*(?:\[[\d, ]+\])+)?"  # fenced code
    r"|^\s{0,3}\$\$.*?(?:\$\$|\Z)(?:\s*(?:\[[\d, ]+\])+)?"  # a displayed formula
    r"|^[ \t]*\|[^\n]*\n[ \t]*\|?[ :|-]+\|?[ \t]*$",  # a table's header and rule
    re.MULTILINE | re.DOTALL,
)
# In front of a bracket these make it an index, an argument or a value, and no citation.
_BEFORE_VALUE = re.compile(
    r"[=(,+*/^<>·×∈]\s*$|\b(?:vectors?|intervals?|range|lists?|arrays?|rows?)\s*$"
)


@dataclass(frozen=True, slots=True)
class Mark:
    """A citation mark: its place (with the blank before it) and its numbers in order."""

    start: int
    stop: int
    numbers: tuple[int, ...]


def marks(text: str) -> list[Mark]:
    """The citation marks of a text: ``[1]``, ``[1, 2]``, ``[2-4]``, ``[passage 3]``, ``【1】``.

    Brackets in formulas and code, indexes (``A[1]``), values (``x = [1, 2]``, ``[[1, 2], [3]]``)
    and groups with a zero or with a number twice are no citations; neighbours such as ``[1][2]``
    are one mark.
    """
    found: list[Mark] = []
    for mark in groups(text):
        if found and found[-1].stop == mark.start:
            left = found.pop()
            numbers = tuple(dict.fromkeys((*left.numbers, *mark.numbers)))
            mark = Mark(left.start, mark.stop, numbers)
        found.append(mark)
    return found


def groups(text: str) -> list[Mark]:
    """The citation marks of a text, each bracket by itself."""
    protected = [match.span() for match in _PROTECTED.finditer(text)]
    found: list[Mark] = []
    for match in _MARK.finditer(text):
        bracket = match.start() + (match.group()[0].isspace())
        if any(start <= bracket < stop for start, stop in protected):
            continue
        before = text[:bracket]
        numbers = tuple(_numbers(match.group(1) or match.group(2)))
        listed = re.search(r"[,;]", match.group(1) or "") is not None
        if 0 in numbers or _is_value(before, text[match.end() :], numbers, listed=listed):
            continue
        found.append(Mark(match.start(), match.end(), numbers))
    return found


def _is_value(before: str, behind: str, numbers: Sequence[int], *, listed: bool) -> bool:
    """Whether a bracket between two texts is an index, an argument, or a row of numbers."""
    if before[-1:].isalnum() and len(re.findall(r"\w+$", before)[-1]) == 1:
        return True
    if len(set(numbers)) < len(numbers):
        return True
    if _BEFORE_VALUE.search(before) and (listed or before.rstrip()[-1:] in "=("):
        return True
    # A row within brackets: "[[1], [2]]"; but "[[1]]" is how some write a citation.
    within = before.count("[") > before.count("]") and before.rstrip()[-1:] in "[,"
    return within and (listed or before[-1:] != "[" or not behind.startswith("]"))


def _numbers(group: str) -> Iterator[int]:
    for part in re.split(r"[,;&]|and", group):
        ends = [int(number) for number in re.findall(r"\d+", part)]
        if len(ends) == 2 and ends[0] < ends[1] <= ends[0] + 20:
            yield from range(ends[0], ends[1] + 1)
        else:
            yield from ends


def without_marks(text: str) -> str:
    """The text with its citation marks taken out."""
    for mark in reversed(marks(text)):
        text = text[: mark.start] + text[mark.stop :]
    return text


def cited(text: str) -> list[int]:
    """The numbers that a text cites, each once, in order."""
    return list(dict.fromkeys(number for mark in marks(text) for number in mark.numbers))


def pieces(text: str) -> list[str]:
    """The text cut into sentences, lines and the blanks between; joined, it is the text.

    Citation marks behind a full stop belong to the sentence before. A fenced code block
    and a displayed formula are one piece, with the marks on the line behind; so is a
    table's header with its rule.
    """
    found: list[str] = []
    position = 0
    for block in _BLOCK.finditer(text):
        found.extend(_lines_pieces(text[position : block.start()]))
        found.append(block.group())
        position = block.end()
    found.extend(_lines_pieces(text[position:]))
    return found


def _lines_pieces(text: str) -> Iterator[str]:
    for line in text.splitlines(keepends=True):
        body = line.rstrip("\r\n")
        yield from _line_pieces(body)
        if line[len(body) :]:
            yield line[len(body) :]


def _line_pieces(line: str) -> list[str]:
    if line.lstrip().startswith("|"):
        return [line]
    starts: list[int] = []
    for start in (span.start for span in split_sentences(line)):
        trailing = _MARK.match(line, max(start - 1, 0))
        if starts and trailing is not None and trailing.end() > start:
            # The sentence opens with marks: they close the one before.
            end = trailing.end()
            while (more := _MARK.match(line, end)) is not None:
                end = more.end()
            start = end + (len(line[end:]) - len(line[end:].lstrip(" .")))
            if start >= len(line):
                continue
        # A bare list number ("1.") is no sentence of its own.
        if starts and re.fullmatch(
            r"\s*(?:#+ )?(?:\d{1,3}[.)]|[-*•])\s*", line[starts[-1] : start]
        ):
            continue
        starts.append(start)
    borders = [0, *starts[1:], len(line)]
    return [line[a:b] for a, b in itertools.pairwise(borders) if line[a:b]]


def stream_pieces(parts: Iterable[str]) -> Iterator[str]:
    """Whole pieces as soon as they are complete, from a text that comes in parts.

    A sentence is complete once the next one has begun, so that marks behind its full stop
    come with it.
    """
    pending = ""
    for part in parts:
        pending += part
        found = pieces(pending)
        # A bracket just opened may be the mark of what stands before it.
        while len(found) > 2 and not (len(found) == 3 and found[2].lstrip().startswith("[")):
            piece = found.pop(0)
            pending = pending[len(piece) :]
            yield piece
    yield from pieces(pending)
