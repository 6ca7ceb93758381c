"""One way to write a document: readers add pieces in order, and all formats look alike."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import TypeVar

from graphrag.domain import Block, BlockKind, Link, Metadata, MetadataValue, Span
from graphrag.reading.inline import Content, Flow, clean, flow, join_flows
from graphrag.reading.pieces import Piece
from graphrag.reading.run_in import with_run_in_entries, with_set_off_headings
from graphrag.reading.titles import is_same_title, leading_heading, title_heading

_Span = TypeVar("_Span", tuple[int, int], tuple[int, int, str])
_BLANK_START = re.compile(r"(?:[^\S\n]*\n)+")
_MAX_LEVEL = 6
_MAX_FILLED, _MAX_SWELL = 50_000, 10


@dataclass(frozen=True, slots=True)
class ListItem:
    """One item's paragraph; ``marker`` is empty for a further paragraph of the item before."""

    content: Content
    depth: int = 0
    marker: str = "-"


@dataclass(frozen=True, slots=True)
class Draft:
    """What a reader made of a file: a document without its place and id."""

    title: str
    text: str
    blocks: tuple[Block, ...]
    links: tuple[Link, ...]
    metadata: Metadata = field(default_factory=dict)
    language: str | None = None


class DocumentBuilder:
    """Collects pieces in reading order; ``build`` gives the draft.

    Empty pieces are left out. ``page`` may be set between pieces where there are pages,
    ``depth``, by how many levels the headings of a part are deeper than it says, and
    ``entry``, the term that the pieces tell of.
    """

    def __init__(self) -> None:
        self.page: int | None = None
        self.depth = 0
        self.entry = ""
        self._pieces: list[Piece] = []

    def __len__(self) -> int:
        return len(self._pieces)

    def add_heading(self, level: int, content: Content) -> None:
        """A heading on one line; levels beyond 1 to 6 are clamped."""
        line = flow(content)
        line = Flow(line.text.replace("\n", " "), line.terms, line.links)
        self._add("heading", line, level=min(max(level, 1) + self.depth, _MAX_LEVEL))

    def add_paragraph(self, content: Content) -> None:
        self._add("paragraph", flow(content))

    def add_quote(self, content: Content) -> None:
        self._add("quote", flow(content))

    def add_list(self, items: Sequence[ListItem]) -> None:
        """One list, nested items indented by two spaces a level."""
        lines = []
        for item in items:
            content = flow(item.content)
            if not content.text:
                continue
            indent = "  " * item.depth
            first = f"{indent}{item.marker} " if item.marker else f"{indent}  "
            lines.append(_indented(content, first, indent + "  "))
        self._add("list", join_flows(lines, "\n"))

    def add_table(self, rows: Sequence[Sequence[Content]], *, header: bool = True) -> None:
        """A pipe table; short rows are filled up. A delimiter line stands below the first
        row where that is a header, and is absent otherwise. Rows so uneven that filling up
        would swell the text become several tables."""
        cells = [[_cell(flow(cell)) for cell in row] for row in rows]
        cells = [row for row in cells if any(cell.text for cell in row)]
        for part, rows_of_part in enumerate(_even_parts(cells)):
            width = max(map(len, rows_of_part))
            lines = [_table_row([*row, *[Flow("")] * (width - len(row))]) for row in rows_of_part]
            if header and not part:
                lines.insert(1, Flow("|" + " --- |" * width))
            self._add("table", join_flows(lines, "\n"))

    def add_code(self, text: str, language: str | None = None) -> None:
        """Code verbatim, blank lines at its ends removed."""
        verbatim = clean(text).replace("\u2028", "\n").rstrip()
        if blank := _BLANK_START.match(verbatim):
            verbatim = verbatim[blank.end() :]
        self._add("code", Flow(verbatim), language=language or None)

    def add_formula(self, tex: str) -> None:
        """A displayed formula, kept between ``$$``."""
        body = clean(tex).strip().strip("$").strip()
        if body.startswith(r"\[") and body.endswith(r"\]"):
            body = body[2:-2].strip()
        body = re.sub(r"\n\s*\n+", "\n", body)
        self._add("formula", Flow(f"$${body}$$" if body else ""))

    def add_draft(self, draft: Draft) -> None:
        """What another reader made of a part, with its pages, at this place."""
        links = [(link.start, link.stop, link.target) for link in draft.links]
        first = 0
        for block in draft.blocks:
            terms = tuple((term.start, term.stop) for term in block.terms)
            first, own = _spans_within(links, first, block.start, block.stop)
            text = draft.text[block.start : block.stop]
            content = Flow(text, terms, tuple(own)).moved(-block.start)
            level = min(block.level + self.depth, _MAX_LEVEL) if block.level else 0
            about = (block.page, block.language, block.entry)
            self._pieces.append(Piece(block.kind, content, level, *about))

    def add_all(self, other: DocumentBuilder) -> None:
        """The pieces of another builder, as they are."""
        self._pieces.extend(other._pieces)

    def joined(self, separator: str = " ") -> Flow:
        """All pieces so far as one flow (a table's cell is read with a builder of its own)."""
        return join_flows([piece.flow for piece in self._pieces], separator)

    def first_heading(self) -> str:
        """The text of the first heading so far, or nothing."""
        return next((piece.flow.text for piece in self._pieces if piece.kind == "heading"), "")

    def build(
        self,
        *,
        title: str = "",
        fallback_title: str = "",
        metadata: Metadata | None = None,
        language: str | None = None,
        first_leads: bool = False,
    ) -> Draft:
        """The draft, blocks parted by one blank line.

        The title is ``title``, else the first heading where that leads the document, else
        ``fallback_title``, else empty. A leading heading that is the title (and its
        repetition) stays a block but leaves the heading paths. ``first_leads`` says that the
        format names a document by its first heading, however many are of its level.
        """
        title = flow(title).text.replace("\n", " ")
        fallback_title = flow(fallback_title).text.replace("\n", " ")
        pieces = with_run_in_entries(with_set_off_headings(self._pieces))
        if title:
            top = leading_heading(pieces, title)
        else:
            top = title_heading(pieces, fallback_title, first_leads=first_leads)
            title = pieces[top].flow.text if top is not None else fallback_title
        blocks, links = _placed(pieces, _titles(pieces, top, title))
        return Draft(
            title=title,
            text="\n\n".join(piece.flow.text for piece in pieces),
            blocks=blocks,
            links=links,
            metadata=_clean_metadata(metadata or {}),
            language=clean(language) if language else None,
        )

    def _add(
        self, kind: BlockKind, content: Flow, *, level: int = 0, language: str | None = None
    ) -> None:
        if content.text.strip():
            shown = clean(language) if language else None
            entry = "" if kind == "heading" else self.entry
            self._pieces.append(Piece(kind, content, level, self.page, shown, entry))


def _titles(pieces: Sequence[Piece], top: int | None, title: str) -> frozenset[int]:
    """Indexes of the headings that are the title: the leading one, and the next if it
    repeats that."""
    if top is None:
        return frozenset()
    second = pieces[top + 1] if top + 1 < len(pieces) else None
    repeats = (
        second is not None and second.kind == "heading" and is_same_title(title, second.flow.text)
    )
    return frozenset((top, top + 1)) if repeats else frozenset((top,))


def _placed(
    pieces: Sequence[Piece], titles: frozenset[int]
) -> tuple[tuple[Block, ...], tuple[Link, ...]]:
    blocks: list[Block] = []
    links: list[Link] = []
    path: list[tuple[int, str]] = []
    offset = 0
    for i, piece in enumerate(pieces):
        content = piece.flow.moved(offset)
        if piece.kind == "heading":
            while path and path[-1][0] >= piece.level:
                path.pop()
            if i not in titles:
                path.append((piece.level, content.text))
        blocks.append(
            Block(
                kind=piece.kind,
                start=offset,
                stop=offset + len(content.text),
                heading_path=tuple(text for _, text in path),
                level=piece.level,
                page=piece.page,
                terms=tuple(Span(start, stop) for start, stop in content.terms),
                language=piece.language,
                entry=piece.entry,
            )
        )
        links.extend(Link(start, stop, clean(target)) for start, stop, target in content.links)
        offset += len(content.text) + 2
    return tuple(blocks), tuple(links)


def _clean_metadata(metadata: Metadata) -> dict[str, MetadataValue]:
    return {
        clean(key): clean(value) if isinstance(value, str) else tuple(map(clean, value))
        for key, value in metadata.items()
    }


def _indented(content: Flow, first: str, rest: str) -> Flow:
    lines = []
    start = term = link = 0
    for number, line in enumerate(content.text.split("\n")):
        stop = start + len(line)
        lead = rest if number else first
        by = len(lead) - start
        term, terms = _spans_within(content.terms, term, start, stop)
        link, links = _spans_within(content.links, link, start, stop)
        lines.append(
            Flow(
                lead + line,
                tuple((max(a, start) + by, min(b, stop) + by) for a, b in terms),
                tuple((max(a, start) + by, min(b, stop) + by, target) for a, b, target in links),
            )
        )
        start = stop + 1
    return join_flows(lines, "\n")


def _spans_within(
    spans: Sequence[_Span], first: int, start: int, stop: int
) -> tuple[int, Sequence[_Span]]:
    """Of spans in order, those that touch a stretch; the first of them, from ``first`` on."""
    while first < len(spans) and spans[first][1] <= start:
        first += 1
    last = first
    while last < len(spans) and spans[last][0] < stop:
        last += 1
    return first, spans[first:last]


def _even_parts(rows: list[list[Flow]]) -> list[list[list[Flow]]]:
    """The rows in one part, or parted where their number of cells changes.

    One row of 10,000 cells and 10,000 of one cell would make 100,000,000.
    """
    width = max((len(row) for row in rows), default=0)
    if not rows or width * len(rows) <= _MAX_FILLED + _MAX_SWELL * sum(map(len, rows)):
        return [rows] if rows else []
    return [list(part) for _, part in groupby(rows, len)]


def _cell(content: Flow) -> Flow:
    """A cell on one line with its pipes escaped, spans kept."""
    if "|" not in content.text:
        return Flow(content.text.replace("\n", " "), content.terms, content.links)
    shift = [0]
    for character in content.text:
        shift.append(shift[-1] + (2 if character == "|" else 1))
    return Flow(
        content.text.replace("\n", " ").replace("|", "\\|"),
        tuple((shift[a], shift[b]) for a, b in content.terms),
        tuple((shift[a], shift[b], target) for a, b, target in content.links),
    )


def _table_row(cells: Sequence[Flow]) -> Flow:
    inner = join_flows(cells, " | ").moved(2)
    return Flow(f"| {inner.text} |", inner.terms, inner.links)
