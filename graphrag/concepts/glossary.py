"""Definitions that a document gives by its structure: glossaries, terms set off, headings."""

from __future__ import annotations

import re

from graphrag.concepts.names import name_key, tokens
from graphrag.concepts.prose import Sentence, list_items
from graphrag.domain import Block, Definition, Document, Span

_GLOSSARY = re.compile(
    r"\b(?:glossary|key terms?|definitions?|terminology|vocabulary|nomenclature|abbreviations)\b",
    re.IGNORECASE,
)
_ENTRY = re.compile(
    r"(?P<term>[^\n:–—|]{1,80}?)[ \t]*(?::(?!//)|[ \t][–—-][ \t]|[–—])[ \t\n]*(?=\S)"
)
_TERM_COLUMN = re.compile(
    r"^(?:terms?|concepts?|words?|names?|notions?|symbols?|abbreviations?|acronyms?)$", re.I
)
_MEANING_COLUMN = re.compile(
    r"\b(?:meaning|definitions?|explanations?|descriptions?|stands for)\b", re.I
)
_MOST_WORDS = 7


def glossary_definitions(document: Document) -> list[Definition]:
    """Entries of glossaries: ``term: meaning`` in lists and paragraphs under such a heading,
    list items that begin with a term set off, and tables of terms and meanings."""
    found: list[Definition] = []
    for block in document.blocks:
        under_glossary = in_glossary(document, block)
        if block.kind == "list":
            for item in list_items(document.text, block):
                found += _entry(document.text, item, block, under_glossary)
        elif block.kind == "paragraph" and under_glossary:
            found += _entry(document.text, Span(block.start, block.stop), block, False)
        elif block.kind == "table":
            found += _table_entries(document.text, block)
    return found


def in_glossary(document: Document, block: Block) -> bool:
    """Whether a title above the block calls it a glossary, or it is a table of terms: other
    lists begin their items with names too, but with advice and cases as well."""
    titles = (document.title, *block.heading_path)
    return block.kind == "table" or any(_GLOSSARY.search(title) for title in titles)


def _entry(text: str, item: Span, block: Block, under_glossary: bool) -> list[Definition]:
    match = _ENTRY.match(text, item.start, item.stop)
    if match is None:
        return []
    set_off = any(
        t.start <= item.start + 1 and t.stop >= match.end("term") - 1 for t in block.terms
    )
    term = Span(match.start("term"), match.end("term"))
    if not (under_glossary or set_off) or not _is_term(text[term.start : term.stop]):
        return []
    if len(tokens(text[match.end() : item.stop])) < 3:
        return []
    return [Definition(term, item, "glossary")]


def _table_entries(text: str, block: Block) -> list[Definition]:
    rows = _rows(text, block)
    if len(rows) < 2:
        return []
    header = [text[cell.start : cell.stop].strip() for cell in rows[0]]
    terms = [i for i, name in enumerate(header) if _TERM_COLUMN.match(name)]
    meanings = [i for i, name in enumerate(header) if _MEANING_COLUMN.search(name)]
    if not terms or not meanings or terms[0] == meanings[0]:
        return []
    found = []
    for row in rows[1:]:
        if len(row) <= max(terms[0], meanings[0]):
            continue
        term, meaning = row[terms[0]], row[meanings[0]]
        if (
            term.start < term.stop
            and meaning.start < meaning.stop
            and _is_term(text[term.start : term.stop])
        ):
            found.append(Definition(term, Span(row[0].start, row[-1].stop), "glossary"))
    return found


def _rows(text: str, block: Block) -> list[list[Span]]:
    rows: list[list[Span]] = []
    position = block.start
    for line in text[block.start : block.stop].splitlines(keepends=True):
        if not re.fullmatch(r"[\s|:-]*", line):
            rows.append(_cells(line, position))
        position += len(line)
    return rows


def _cells(line: str, offset: int) -> list[Span]:
    cells = []
    for match in re.finditer(r"[^|\n]+", line):
        cell = match[0]
        start = offset + match.start() + len(cell) - len(cell.lstrip())
        cells.append(Span(start, max(start, offset + match.start() + len(cell.rstrip()))))
    return cells


def emphasis_definitions(sentences: list[Sentence]) -> list[Definition]:
    """The first sentence in which the author sets a term off, taken as saying what it is."""
    found: list[Definition] = []
    terms: dict[int, int] = {}
    for sentence in sentences:
        block = sentence.block
        if block.kind == "list" or not block.terms:
            continue
        for term in block.terms:
            inside = sentence.span.start <= term.start and term.stop <= sentence.span.stop
            # A term that is its whole sentence is a run-in heading.
            alone = term.stop - term.start >= 0.8 * (sentence.span.stop - sentence.span.start)
            if inside and not alone and term.start not in terms:
                terms[term.start] = term.stop
                found.append(Definition(term, sentence.span, "bold"))
    return found


def heading_definitions(document: Document, sentences: list[Sentence]) -> list[Definition]:
    """The first sentence below a heading that repeats the heading's words."""
    found: list[Definition] = []
    seen: set[int] = set()
    for sentence in sentences:
        heading = sentence.heading
        if heading is None or heading.start in seen:
            continue
        seen.add(heading.start)
        title = document.text[heading.start : heading.stop]
        words = {token.key for token in tokens(title)}
        body = document.text[sentence.span.start : sentence.span.stop]
        if words and len(words) <= _MOST_WORDS and words <= {token.key for token in tokens(body)}:
            found.append(Definition(heading, sentence.span, "heading"))
    return found


def _is_term(name: str) -> bool:
    return 0 < len(name_key(name).split()) <= _MOST_WORDS
