"""Sentence borders by rule: fast, language-tolerant, and never inside a number or a formula."""

from __future__ import annotations

import re

from graphrag.domain import Span

_BORDER = re.compile(
    r"""
    (?:[.!?…]["'”’)\]]*(?=\s)      # a full stop and what closes behind it, then a space
      |[。！？](?:[」』）])*)         # CJK full stops need no space
    """,
    re.VERBOSE,
)
_ABBREVIATION = re.compile(
    r"(?:^|[\s(])(?:e\.g|i\.e|cf|vs|etc|al|Fig|Figs|Eq|Eqs|No|Nos|Sec|Ch|Vol|pp?|approx|Dr|Mr|Mrs|Ms"
    r"|Prof|St|Jr|Sr|Inc|Ltd|Co|U\.S|[A-Z])$"
)
_NEXT_IS_SMALL = re.compile(r"\s+[a-z]")
_CLAUSE = re.compile(r"(?:[,;:]|\s[–—-])\s+(?=\S)|[，、；：—](?=\S)")
_PARAGRAPH = re.compile(r"\n[ \t]*\n")
_LIST_MARK = re.compile(r"^(?:[-*•]|\d{1,3}[.)])\s+")


def split_sentences(text: str, start: int = 0, stop: int | None = None) -> list[Span]:
    """The sentences of ``text[start:stop]``, in order, without the white space around them.

    Together they hold every character that is not white space. A blank line always ends
    a sentence; an abbreviation, an initial, or a small letter that follows does not.
    """
    stop = len(text) if stop is None else stop
    sentences: list[Span] = []
    begin = start
    for end in _borders(text, start, stop):
        span = _strip(text, begin, end)
        if span is not None:
            sentences.append(span)
        begin = end
    return sentences


def clause_starts(text: str, start: int, stop: int) -> list[int]:
    """Where the clauses of the sentence ``text[start:stop]`` begin, but for the first, in
    order: behind a comma, semicolon, colon or dash; never within a formula, code or brackets."""
    return [
        match.end()
        for match in _CLAUSE.finditer(text, start, stop)
        if _is_balanced(text[match.end() : stop])
    ]


def _is_balanced(rest: str) -> bool:
    """Whether the rest of a sentence closes nothing that was opened before it."""
    return not (
        any(rest.count(mark) % 2 for mark in "$`")
        or any(rest.count(left) < rest.count(right) for left, right in ("()", "[]", "“”", "{}"))
    )


def near_middle(piece: str) -> int:
    """Where to halve a text: at a blank near its middle where there is one, at least 1."""
    half = len(piece) // 2
    window = max(1, len(piece) // 4)
    for border in (piece.rfind(" ", half - window, half), piece.find(" ", half, half + window)):
        if border > 0:
            return border
    return max(1, half)


def bare(sentence: str) -> str:
    """A sentence on one line, without the mark of the list that it stands in."""
    return _LIST_MARK.sub("", " ".join(sentence.split()))


def _borders(text: str, start: int, stop: int) -> list[int]:
    borders = {match.start() for match in _PARAGRAPH.finditer(text, start, stop)}
    for match in _BORDER.finditer(text, start, stop):
        end = match.end()
        if text[match.start()] in "。！？":
            borders.add(end)
            continue
        if _NEXT_IS_SMALL.match(text, end, min(stop, end + 40)):
            continue
        before = text[max(start, match.start() - 12) : match.start()]
        if text[match.start()] == "." and _ABBREVIATION.search(before):
            continue
        borders.add(end)
    borders.discard(start)
    return [*sorted(borders), stop]


def _strip(text: str, start: int, stop: int) -> Span | None:
    while start < stop and text[start].isspace():
        start += 1
    while stop > start and text[stop - 1].isspace():
        stop -= 1
    return Span(start, stop) if start < stop else None
