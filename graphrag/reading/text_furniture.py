"""What a plain text repeats and is not its text: heads and feet of pages, contents."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from graphrag.reading.leaders import ends_in_leaders

_LEAST_PAGES = 3
_FOOT = re.compile(r"^\S.* {2}\[Page \d{1,4}\][ \t]*$", re.MULTILINE)
_COLUMNS = re.compile(r" {3,}")
_SENTENCE_ENDS = (".", ":", ";", "!", "?")
_CONTENTS = re.compile(r"(?:table of )?contents|list of (?:tables|figures|examples)", re.IGNORECASE)
_ENTRY = re.compile(
    r"(?P<kind>(?:chapter|appendix|part|section)\s+)?(?P<number>[A-Z]|\d{1,3}(?:\.\d{1,3}){0,5})"
    r"(?:\.\s+|\s+)\S.*",
    re.IGNORECASE,
)


@dataclass(slots=True)
class _Contents:
    """A table of contents as far as it has been read."""

    numbers: set[str]
    indent: int | None = None
    named: bool | None = None

    def takes(self, group: Sequence[str]) -> bool:
        """Whether a group of lines is more of its entries; remembers their numbers."""
        numbers: list[str] = []
        last = 0
        plain = sum(not _ENTRY.fullmatch(line.strip()) for line in group)
        mixed = self.indent is None and 2 * plain <= len(group)
        for line in group:
            depth = len(line) - len(line.lstrip())
            entry = _ENTRY.fullmatch(line.strip())
            if entry:
                if not self._fits(depth, named=bool(entry["kind"])):
                    return False
                numbers.append(entry["number"].upper())
                last = depth
            elif not ends_in_leaders(line) and not (
                numbers and (mixed or depth > last or (depth == last and len(group) == 2))
            ):
                return False
        if self.numbers.intersection(numbers):
            return False
        self.numbers.update(numbers)
        return True

    def _fits(self, depth: int, *, named: bool) -> bool:
        """Entries are all alike: none further left than the first, or newly named."""
        if self.indent is None or self.named is None:
            self.indent, self.named = depth, named
        return depth >= self.indent and (self.named or not named)


def without_contents(groups: Sequence[list[str]]) -> list[list[str]]:
    """Groups of lines without the tables of contents, which repeat the headings.

    One begins with its name and ends before the first group that is no entry like those
    before it, or whose number it has had: there the text begins.
    """
    kept: list[list[str]] = []
    contents: _Contents | None = None
    for group in groups:
        if _CONTENTS.fullmatch(" ".join(group[0].split()).rstrip(":")):
            contents = _Contents(set())
            group = group[1:]
        if contents and group and not contents.takes(group):
            contents = None
        if not contents:
            kept.append(group)
    return kept


def without_page_furniture(text: str) -> str:
    """Paged text (RFCs) without what repeats at the top and foot of pages, a paragraph that
    goes on over the page's end in one piece."""
    pages = [page.strip("\n") for page in _FOOT.sub("\\g<0>\f", text).split("\f")]
    if len(pages) < 2:
        return text
    pages = pages_without_furniture([page for page in pages if page.strip()])
    whole = ""
    for page in _without_numbered_feet(pages):
        goes_on = not whole.endswith(_SENTENCE_ENDS) and page.lstrip()[:1].islower()
        whole += ("\n" if goes_on else "\n\n") + page if whole else page
    return whole


def _without_numbered_feet(pages: Sequence[str]) -> list[str]:
    """Pages without a foot that says ``[Page 3]`` (two pages show no custom, but that does),
    and without the head of three columns on the page after it."""
    kept: list[str] = []
    is_turned = False
    for page in pages:
        first, _, below = page.partition("\n")
        if is_turned and first[:1] != " " and len(_COLUMNS.split(first)) == 3:
            page = below.strip("\n")
        above, _, last = page.rpartition("\n")
        is_turned = bool(_FOOT.fullmatch(last))
        kept.append(above.rstrip() if is_turned else page)
    return kept


def pages_without_furniture(pages: Sequence[str]) -> list[str]:
    """Each page without a first and last line that more than half of the pages have, but
    for numbers; fewer than three pages show no custom."""
    if len(pages) < _LEAST_PAGES:
        return list(pages)
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
    return kept
