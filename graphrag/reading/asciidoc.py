"""AsciiDoc: headings, paragraphs, lists, tables, code, formulas and notes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from graphrag.domain import MetadataValue
from graphrag.reading.asciidoc_inline import inline_runs
from graphrag.reading.asciidoc_table import table_rows
from graphrag.reading.asciidoc_titles import with_one_line_titles
from graphrag.reading.builder import DocumentBuilder, Draft, ListItem
from graphrag.reading.encoding import decode
from graphrag.reading.fields import are_fields
from graphrag.reading.inline import BREAK, Run, clean, flow

_HEADING = re.compile(r"(={1,6}|#{1,6})[ \t]+(\S.*)")
_ATTRIBUTE = re.compile(r":(!?[\w-]+!?):(?:[ \t]+(.*))?")
_BLOCK_LINE = re.compile(r"\[([^\[\]]*)\][ \t]*")
_ANCHOR = re.compile(r"\[\[[^\]]*\]\][ \t]*")
_TITLE = re.compile(r"\.([^\s.].*)")
_ITEM = re.compile(r"([ \t]*)(\*{1,6}|-|\.{1,6}|\d{1,3}\.|[a-zA-Z]\.|<(?:\.|\d{1,3})>)[ \t]+(\S.*)")
_TERM = re.compile(r"[ \t]*(\S.*?)(:{2,4}|;;)(?:[ \t]+(.*))?")
_DELIMITER = re.compile(
    r"(-{4,}|\.{4,}|={4,}|\*{4,}|_{4,}|\+{4,}|/{4,}|--|`{3,}.*|[|,!]={3,})[ \t]*"
)
_NOTE = re.compile(r"(NOTE|TIP|IMPORTANT|WARNING|CAUTION):[ \t]+(.*)")
_MACRO = re.compile(r"(?:include|image|video|audio|toc|ifdef|ifndef|endif|ifeval)::[^\[]*\[.*\].*")
_CONDITION = re.compile(r"(?:ifdef|ifndef|endif|ifeval)::[^\[]*\[.*\]")
_IMAGE = re.compile(r"image::\S*?\[([^\],]*).*\].*")
_BOX = re.compile(r"\[[ xX*]\][ \t]+")
_BREAKS = ("+", "'''", "'''''", "<<<")
"""Lines that say nothing: what ties a block to an item, a rule, a new page."""
_LISTED = ("qanda", "horizontal", "glossary")
_MAX_DEPTH = 8


def read_asciidoc(content: bytes, name: str) -> Draft:
    """An AsciiDoc file; attributes of its head are metadata. Nothing is included."""
    lines = list(with_one_line_titles(clean(decode(content)).split("\n")))
    reader = _Reader(DocumentBuilder())
    metadata = _head(lines, reader)
    reader.read(lines, 0)
    title = metadata.pop("doctitle", metadata.pop("title", ""))
    return reader.builder.build(
        title=title if isinstance(title, str) else "", fallback_title=name, metadata=metadata
    )


def _attribution(style: str) -> str:
    """Who is quoted, and where from: ``quote, Author, Source``."""
    parts = [part.strip().strip("\"'") for part in style.split(",")[1:] if "=" not in part]
    return f"— {', '.join(filter(None, parts))}" if any(parts) else ""


def _head(lines: list[str], reader: _Reader) -> dict[str, MetadataValue]:
    """Author, revision and attributes below the document's title, taken out of the lines."""
    start = next((i for i, line in enumerate(lines) if line.strip() and line[:2] != "//"), 0)
    metadata: dict[str, MetadataValue] = {}
    if start >= len(lines) or not re.match(r"=[ \t]+\S", lines[start]):
        return metadata
    stop = start + 1
    while stop < len(lines) and lines[stop].strip():
        line = lines[stop].strip()
        if found := _ATTRIBUTE.fullmatch(line):
            reader.attributes[found[1].lower()] = found[2] or ""
        elif stop == start + 1 and not line.startswith("//"):
            metadata["author"] = re.sub(r"(?<!\s)\s*<[^<>]*>", "", line)
        elif stop == start + 2 and (date := re.search(r"\d{4}-\d{2}-\d{2}", line)):
            metadata["date"] = date[0]
        stop += 1
    known = {"author": "author", "revdate": "date", "keywords": "keywords", "lang": "language"}
    for key, target in {**known, "description": "description"}.items():
        if value := reader.attributes.get(key):
            metadata[target] = value
    del lines[start + 1 : stop]
    return metadata


@dataclass(slots=True)
class _Reader:
    """Reads lines block by block; ``style`` is what the last ``[...]`` line asked for,
    ``attached`` whether a ``+`` ties the next block to the item or term before it, ``outer``
    the term that all of the lines tell of."""

    builder: DocumentBuilder
    attributes: dict[str, str] = field(default_factory=dict)
    outer: str = ""
    style: str = ""
    attached: bool = False
    terms: list[Run] = field(default_factory=list)
    items: list[ListItem] = field(default_factory=list)
    marks: list[str] = field(default_factory=list)
    counts: dict[int, int] = field(default_factory=dict)

    def read(self, lines: Sequence[str], depth: int) -> None:
        i = 0
        while i < len(lines):
            i = self._block(lines, i, depth)
        self._end_list()

    def _block(self, lines: Sequence[str], i: int, depth: int) -> int:
        """Read what begins with a line; gives the number of the line after it."""
        line = lines[i].rstrip()
        if not line or line.lstrip() in _BREAKS:
            self.attached = line.lstrip() == "+"
            return i + 1
        if line.startswith("//") and not line.startswith("////"):
            return i + 1
        if found := _ATTRIBUTE.fullmatch(line):
            self.attributes[found[1].lower()] = found[2] or ""
            return i + 1
        if _ANCHOR.fullmatch(line):
            return i + 1
        if found := _BLOCK_LINE.fullmatch(line):
            self.style = found[1]
            return i + 1
        if _MACRO.fullmatch(line):
            if image := _IMAGE.fullmatch(line):
                self.builder.add_paragraph(f"[image: {image[1]}]" if image[1].strip() else "")
            return i + 1
        if _DELIMITER.fullmatch(line):
            return self._delimited(lines, i, depth)
        if found := _HEADING.fullmatch(line):
            self._end_list()
            self.style = ""
            self.builder.entry = self.outer
            self.builder.add_heading(len(found[1]), self._runs(_without_mark(found[2], found[1])))
            return i + 1
        if (found := _TITLE.fullmatch(line)) and not line.startswith(".."):
            self._end_list()
            self._begin_block()
            self.builder.add_paragraph([Run(found[1], True)])
            return i + 1
        return self._text(lines, i)

    def _text(self, lines: Sequence[str], i: int) -> int:
        """A paragraph, a list's item, or indented text, up to the next blank line."""
        line = lines[i]
        stop = i + 1
        while stop < len(lines) and not self._ends_paragraph(lines[stop]):
            stop += 1
        joined = _joined(part for part in lines[i:stop] if part[:2] != "//")
        if found := _ITEM.fullmatch(joined):
            self._add_item(found[1] + re.sub(r"\w+", "1", found[2]), found[3])
        elif (found := _TERM.fullmatch(line)) and (
            not self.style or self.style.split(",")[0] in _LISTED
        ):
            self.style = ""
            return self._term(lines, i, found)
        elif line[0] in " \t" and not self.items and not (self.attached and line[:3].strip()):
            self._begin_block()
            self.builder.add_code("\n".join(lines[i:stop]))
        elif self.marks and self.attached:
            self.items.append(ListItem(self._runs(joined), len(self.marks) - 1, ""))
        else:
            self._end_list()
            self._begin_block()
            self._add_paragraph(joined, lines[i:stop])
        self.style, self.attached = "", False
        return stop

    def _begin_block(self) -> None:
        """A block that nothing ties to the term before it tells no more of it."""
        if not self.attached:
            self.builder.entry = self.outer
        self.attached = False

    def _add_paragraph(self, joined: str, lines: Sequence[str]) -> None:
        kind = self.style.split(",")[0].partition("%")[0].lower()
        if kind in ("source", "listing", "literal"):
            self.builder.add_code("\n".join(lines), self._language())
        elif kind in ("stem", "latexmath", "asciimath"):
            self.builder.add_formula("\n".join(lines))
        elif kind in ("quote", "verse"):
            said_by = _attribution(self.style)
            self.builder.add_quote(self._runs(f"{joined} {said_by}" if said_by else joined))
        elif found := _NOTE.fullmatch(joined):
            self.builder.add_paragraph(self._runs(f"{found[1].capitalize()}: {found[2]}"))
        elif kind.upper() in ("NOTE", "TIP", "IMPORTANT", "WARNING", "CAUTION"):
            self.builder.add_paragraph(self._runs(f"{kind.capitalize()}: {joined}"))
        else:
            self.builder.add_paragraph(self._runs(joined))

    def _ends_paragraph(self, line: str) -> bool:
        bare = line.rstrip()
        return bool(
            not bare
            or bare.lstrip() in _BREAKS
            or _DELIMITER.fullmatch(bare)
            or _ITEM.fullmatch(bare)
            or _BLOCK_LINE.fullmatch(bare)
            or _CONDITION.fullmatch(bare)
            or (_TERM.fullmatch(bare) and "::" in bare)
        )

    def _term(self, lines: Sequence[str], i: int, found: re.Match[str]) -> int:
        """A term and its description, which may stand on the next line."""
        stop = i + 1
        words = [found[3]] if found[3] else []
        while stop < len(lines) and not words and not lines[stop].strip():
            stop += 1
        while stop < len(lines) and not self._ends_paragraph(lines[stop]):
            words.append(lines[stop].strip())
            stop += 1
        self._end_list()
        term = [*self.terms, *(Run(r.text, True, r.target) for r in self._runs(found[1]))]
        text = _joined(words)
        self.terms = []
        if not text and stop < len(lines) and _TERM.fullmatch(lines[stop]):
            # Several terms of one description.
            self.terms = [*term, Run(", ")]
            return stop
        self.attached = False
        self.builder.entry = flow(term).text
        self.builder.add_paragraph([*term, Run(": "), *self._runs(text)] if text else term)
        return max(stop, i + 1)

    def _add_item(self, mark: str, text: str) -> None:
        if mark not in self.marks:
            self.marks.append(mark)
        depth = self.marks.index(mark)
        del self.marks[depth + 1 :]
        is_number = mark.lstrip()[0] not in "*-"
        self.counts = {d: n for d, n in self.counts.items() if d <= depth}
        self.counts[depth] = self.counts.get(depth, 0) + 1
        marker = f"{self.counts[depth]}." if is_number else "-"
        self.items.append(ListItem(self._runs(_BOX.sub("", text)), depth, marker))

    def _end_list(self) -> None:
        self._interrupt_list()
        self.marks, self.counts = [], {}

    def _interrupt_list(self) -> None:
        """Add the items so far; a block that is tied to the last one does not end the list."""
        self.builder.add_list(self.items)
        self.items = []

    def _delimited(self, lines: Sequence[str], i: int, depth: int) -> int:
        """A block between two lines of one delimiter; the end of the file closes it too."""
        mark = lines[i].strip()
        closing = "```" if mark.startswith("```") else mark
        stop = i + 1
        while stop < len(lines) and lines[stop].strip() != closing:
            stop += 1
        body = lines[i + 1 : stop]
        kind = self.style.split(",")[0].partition("%")[0].lower()
        style, language = self.style, self._language()
        if self.attached:
            self._interrupt_list()
        else:
            self._end_list()
        self._begin_block()
        self.style = ""
        if kind in ("stem", "latexmath", "asciimath"):
            self.builder.add_formula("\n".join(body))
        elif mark.startswith("```"):
            self.builder.add_code("\n".join(body), mark[3:].strip())
        elif mark[1:2] == "=" and mark[0] in "|,!":
            rows = table_rows(body, mark[0], style)
            self.builder.add_table([[self._runs(cell) for cell in row] for row in rows])
        elif mark[0] in ".+" or (mark[0] == "-" and len(mark) > 2):
            self.builder.add_code("\n".join(body), language)
        elif mark[0] == "/":
            pass
        elif depth < _MAX_DEPTH:
            self._nested(body, mark, style, depth)
        return stop + 1

    def _nested(self, body: Sequence[str], mark: str, style: str, depth: int) -> None:
        kind = style.split(",", maxsplit=1)[0].partition("%")[0].lower()
        entry = self.builder.entry
        own = DocumentBuilder() if mark[0] == "_" else self.builder
        inner = _Reader(own, self.attributes, entry)
        if kind.upper() in ("NOTE", "TIP", "IMPORTANT", "WARNING", "CAUTION"):
            body = [f"{kind.upper()}: {line}" if not n else line for n, line in enumerate(body)]
        inner.read(body, depth + 1)
        if mark[0] == "_":
            own.add_paragraph(_attribution(style))
        self.builder.entry = entry
        if mark[0] == "_":
            self.builder.add_quote(inner.builder.joined("\n"))

    def _language(self) -> str:
        parts = [part.strip().strip("\"'") for part in self.style.split(",")]
        return parts[1] if len(parts) > 1 and "=" not in parts[1] else ""

    def _runs(self, text: str) -> list[Run]:
        return inline_runs(text, self.attributes)


def _without_mark(title: str, mark: str) -> str:
    """A heading without the mark that may close it as well."""
    bare = title.removesuffix(mark)
    return bare.rstrip() if bare[-1:] in (" ", "\t") else title


def _joined(lines: Iterable[str]) -> str:
    """Lines of a paragraph as one; what ends in `` +`` or is a field keeps its line's end."""
    stripped = [line.strip() for line in lines]
    if are_fields(stripped):
        return BREAK.join(line.removesuffix(" +") for line in stripped)
    text = "".join(line[:-2] + BREAK if line.endswith(" +") else f"{line} " for line in stripped)
    return text.strip()
