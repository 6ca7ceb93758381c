"""Runs of inline text: how readers hand over prose, and how it becomes clean text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

BREAK = "\u2028"
"""Stands for a line break that the author wanted; any other white space is one space."""

MAX_TERM = 120
"""Longer emphasis (in characters) is a way of writing, not a term."""

MAX_REPEATED = 500
"""Longest content of a cell (in characters) that is repeated in each row that it covers."""

_WIDE = "\u3000-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uff00-\uffef"
_WIDE_BREAK = re.compile(rf"(?<=[{_WIDE}])[ \t]*\n[ \t]*(?=[{_WIDE}])")
"""A line's end in Chinese and Japanese, which set no space between words."""
_SPACES = re.compile(r"[^\S\u2028]+")
_UNWANTED = re.compile("[\x00-\x08\x0e-\x1f\x7f\xad\ufeff\u200b\u2060\ufffe\uffff]")
_SURROGATES = re.compile("[\ud800-\udfff]")
_LINE_ENDS = re.compile("\r\n?|[\x0b\x0c\x85]")


@dataclass(frozen=True, slots=True)
class Run:
    """A stretch of inline text; ``term`` where it is set off, ``target`` where it is linked."""

    text: str
    term: bool = False
    target: str = ""


@dataclass(frozen=True, slots=True)
class Flow:
    """Clean inline text with the spans of its terms and links (start, stop[, target])."""

    text: str
    terms: tuple[tuple[int, int], ...] = ()
    links: tuple[tuple[int, int, str], ...] = ()

    def moved(self, offset: int) -> Flow:
        """The same spans, counted from ``offset`` characters earlier."""
        return Flow(
            self.text,
            tuple((start + offset, stop + offset) for start, stop in self.terms),
            tuple((start + offset, stop + offset, target) for start, stop, target in self.links),
        )


Content = Sequence[Run] | Flow | str
"""What the builder takes as inline text."""


def clean(text: str) -> str:
    """Text that every store can keep: lone surrogates become U+FFFD, control characters,
    soft hyphens and zero-width marks go, line ends become a line feed."""
    text = _LINE_ENDS.sub("\n", text)
    text = _UNWANTED.sub("", text)
    return _SURROGATES.sub("\ufffd", text)


def flow(runs: Content) -> Flow:
    """Join runs: white space collapsed, breaks as line feeds, no space at either end.

    Neighbouring runs of one kind make one span; a span has no space at its ends.
    """
    if isinstance(runs, Flow):
        return runs
    if isinstance(runs, str):
        runs = (Run(runs),)
    pieces: list[str] = []
    length = 0
    last = ""
    terms: list[tuple[int, int]] = []
    links: list[tuple[int, int, str]] = []
    for run in runs:
        text = clean(run.text)
        if "\n" in text:
            text = _WIDE_BREAK.sub("", text)
        text = _SPACES.sub(" ", text)
        if BREAK in text:
            text = re.sub(f" ?{BREAK} ?", "\n", text)
        if last in ("", "\n"):
            text = text.lstrip(" \n")
        elif last == " ":
            text = text.lstrip(" ")
            if text.startswith("\n"):
                pieces[-1] = pieces[-1][:-1]
                length -= 1
        if not text:
            continue
        start, length = length, length + len(text)
        pieces.append(text)
        last = text[-1]
        if run.term:
            _extend_terms(terms, start, length)
        if run.target:
            _extend_links(links, start, length, run.target)
    text = "".join(pieces)
    stripped = text.rstrip(" \n")
    return Flow(
        stripped,
        tuple(
            (start, stop)
            for start, stop in (_trim(stripped, span) for span in terms)
            if 0 < stop - start <= MAX_TERM
        ),
        tuple(
            (*_trim(stripped, (start, stop)), target)
            for start, stop, target in links
            if stripped[start:stop].strip()
        ),
    )


def repeated(content: Flow) -> Flow:
    """A cell's content as it stands in the further rows that the cell covers: nothing where
    it is long, for it would swell the text."""
    return content if len(content.text) <= MAX_REPEATED else Flow("")


def join_flows(flows: Sequence[Flow], separator: str) -> Flow:
    """Flows one after the other with the separator between, their spans kept."""
    moved: list[Flow] = []
    offset = 0
    for part in flows:
        moved.append(part.moved(offset))
        offset += len(part.text) + len(separator)
    return Flow(
        separator.join(part.text for part in flows),
        tuple(span for part in moved for span in part.terms),
        tuple(span for part in moved for span in part.links),
    )


def _extend_terms(terms: list[tuple[int, int]], start: int, stop: int) -> None:
    if terms and terms[-1][1] == start:
        terms[-1] = (terms[-1][0], stop)
    else:
        terms.append((start, stop))


def _extend_links(links: list[tuple[int, int, str]], start: int, stop: int, target: str) -> None:
    if links and links[-1][1] == start and links[-1][2] == target:
        links[-1] = (links[-1][0], stop, target)
    else:
        links.append((start, stop, target))


def _trim(text: str, span: tuple[int, int]) -> tuple[int, int]:
    start, stop = span[0], min(span[1], len(text))
    while start < stop and text[start].isspace():
        start += 1
    while stop > start and text[stop - 1].isspace():
        stop -= 1
    return start, stop
