"""What documents state under a key: lines, rows of tables, settings, and answers to the
questions of headings."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from graphrag.conflicts.values import Value, read_answer, read_value
from graphrag.domain import Block, Document
from graphrag.wording.terms import content_words, identifiers, words

StatementKind = Literal[
    "line", "row", "setting", "question", "sentence", "claim", "cell", "wording"
]

_LINE = re.compile(
    r"\s*(?:[-*•]|\d{1,3}(?:\.\d{1,3})*[.)]?(?=\s))?\s*([^:|\n]{2,80}?)\s?:\s+(\S.{0,120})\s*"
)
_SETTING = re.compile(
    r"\s*(?:export\s+)?([A-Za-z](?:[\w.-]*\w)?)\s*([=:])(?:\s*(\S.{0,80}?))?\s*(?:\s[#;].*)?"
)
_SECTION = re.compile(r"\s*\[+([\w. -]+)\]+\s*")
_COMMENT = re.compile(r"\s*(?:[#;].*)?")
_YAML = ("yaml", "yml")
_RULE = re.compile(r"^\s*\|?[\s:|-]*-[\s:|-]*\|?\s*$")
_CELL = re.compile(r"(?<!\\)\|")
MEASURED = ("quantity", "day", "flag")
"""Kinds of values that are no mere names."""
SAYS_VALUE = frozenset(content_words("value values setting settings data amount"))
"""Words of a column's head that name no attribute."""
_QUESTION = re.compile(
    r"(?:what|which|who|whom|whose|when|where|why|how (?:long|much|many|often|far|old|high|big)"
    r"|is|are|do|does|did|can|may|must|should|shall|will)\b.*\?",
    re.IGNORECASE,
)
_KEY_WORDS = 8
CHANGE_NOTE = re.compile(
    r"\W*(?:originally\s+)?(?:changed|added|new|deprecated|removed|introduced)\s+(?:in|since)\b",
    re.IGNORECASE,
)
"""How a note begins that tells what a version changed."""


@dataclass(frozen=True, slots=True)
class Statement:
    """One value under one key, with its place.

    ``kind`` is how it is stated: a ``key: value`` line, a cell of a row under its column's head,
    a setting in code, the answer to a question, a number right behind a name (``sentence``), a
    measure in a sentence or a row that names a thing (``claim``, ``cell``), or a sentence that
    others have in the same words (``wording``).

    ``key`` are the stems of the key's words, by which statements meet; ``name`` is the key
    as written, ``quote`` the text that states it. ``values`` has one value, but for the
    answer to a question, which may say several things.
    """

    kind: StatementKind
    key: tuple[str, ...]
    name: str
    said: str
    values: tuple[Value, ...]
    document_id: str
    heading_path: tuple[str, ...]
    quote: str
    page: int | None = None


def statements(document: Document) -> list[Statement]:
    """All that the document states under a key, in order."""
    found: list[Statement] = []
    for block in document.blocks:
        text = document.text[block.start : block.stop]
        if block.kind in ("paragraph", "list"):
            found.extend(_lines(document, block, text))
        elif block.kind == "heading":  # a clause of one line; a name there is a title
            lines = _lines(document, block, text)
            found.extend(each for each in lines if each.values[0].kind in MEASURED)
        elif block.kind == "table":
            found.extend(_rows(document, block, text))
        elif block.kind == "code":
            found.extend(_settings(document, block, text))
    found.extend(_questions(document))
    return found


def _lines(document: Document, block: Block, text: str) -> Iterator[Statement]:
    for line in text.split("\n"):
        if (match := _LINE.fullmatch(line)) and _is_key(match[1]):
            yield from _stated("line", match[1], "", match[2], line.strip(), document, block)


def states_line(text: str) -> bool:
    """Whether the text is a ``key: value`` line whose value can be compared."""
    match = _LINE.fullmatch(text)
    return bool(match and _is_key(match[1]) and read_value(match[2]))


def _is_key(text: str) -> bool:
    if CHANGE_NOTE.match(text):  # of the version, of which there are many
        return False
    return len(text.split()) <= _KEY_WORDS and not re.search(r"[.!?](?:\s|$)|[;=(){}<>$]|://", text)


def _rows(document: Document, block: Block, text: str) -> Iterator[Statement]:
    rows = table_rows(text)
    if not rows:
        return
    first = text.strip().partition("\n")[0]
    header = _cells(first)
    if _is_row(header):  # a table without a head
        rows, header = [(first, header), *rows], ["", ""]
    # Where rows share their first cell, the second is part of the key.
    firsts = Counter(cells[0] for _, cells in rows)
    labels = 2 if max(firsts.values()) > 1 and len(header) > 2 else 1
    for line, cells in rows:
        key = " ".join(cells[:labels])
        if len(cells) != len(header) or not _is_key(key):
            continue
        for column, cell in zip(header[labels:], cells[labels:], strict=True):
            attribute = "" if _names_the_thing(column, document, block) else column
            yield from _stated("row", key, attribute, cell, line, document, block)


def _is_row(header: Sequence[str]) -> bool:
    """Whether the head of a table of two columns is a key with its value."""
    value = read_value(header[1]) if len(header) == 2 else None
    return value is not None and value.kind in MEASURED and _is_key(header[0])


def _names_the_thing(column: str, document: Document, block: Block) -> bool:
    """Whether a column is headed by the code that the title or a heading above has: the whole
    table tells of that, as ``P-200`` in "Data of the P-200"."""
    codes = set(identifiers(column))
    return bool(codes) and codes <= set(
        identifiers(" ".join((document.title, *block.heading_path)))
    )


def table_rows(text: str) -> list[tuple[str, list[str]]]:
    """Each row below the head of a pipe table, as written and as cells."""
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    if len(lines) < 3 or not _RULE.match(lines[1]):
        return []
    return [(line, _cells(line)) for line in lines[2:]]


def _cells(line: str) -> list[str]:
    inner = line.strip().removeprefix("|").removesuffix("|")
    return [cell.replace("\\|", "|").strip() for cell in _CELL.split(inner)]


def _settings(document: Document, block: Block, text: str) -> Iterator[Statement]:
    """``key = value`` of a block that holds nothing else, and ``key: value`` of YAML; the
    names of sections and of outer keys stand in front, parted by dots."""
    marks = "=:" if (block.language or "").lower() in _YAML else "="
    outer: list[tuple[int, str]] = []
    found: list[Statement] = []
    for line in text.split("\n"):
        indent = len(line) - len(line.lstrip())
        if head := _SECTION.fullmatch(line):
            outer = [(-1, head[1])]
            continue
        setting = _SETTING.fullmatch(line)
        if setting is None or setting[2] not in marks:
            if not _COMMENT.fullmatch(line):
                return
            continue
        outer = [each for each in outer if each[0] < indent]
        key = ".".join((*(name for _, name in outer), setting[1]))
        if setting[3]:
            said = setting[3].strip("\"',")
            found += _stated("setting", key, "", said, line.strip(), document, block)
        elif marks == "=:":
            outer.append((indent, setting[1]))
    yield from found


def _questions(document: Document) -> Iterator[Statement]:
    """Headings that ask, with the text up to the next heading as the answer."""
    for at, block in enumerate(document.blocks):
        heading = document.text[block.start : block.stop]
        if block.kind != "heading" or not _QUESTION.fullmatch(heading.strip()):
            continue
        body = _body(document, document.blocks[at + 1 :])
        values = read_answer(body)
        key = tuple(content_words(heading))
        if values and key:
            yield Statement(
                "question",
                key,
                heading.strip(),
                " ".join(body.split())[:200],
                tuple(values),
                document.id,
                block.heading_path,
                " ".join(body.split())[:200],
                block.page,
            )


def _body(document: Document, following: Sequence[Block]) -> str:
    """The text of the blocks up to the next heading, without code and tables."""
    parts = []
    for block in following:
        if block.kind == "heading":
            break
        if block.kind in ("paragraph", "list", "quote"):
            parts.append(document.text[block.start : block.stop])
    return "\n\n".join(parts)


def _stated(
    kind: StatementKind,
    key: str,
    attribute: str,
    said: str,
    quote: str,
    document: Document,
    block: Block,
) -> Iterator[Statement]:
    value = read_value(said)
    terms = tuple(content_words(key))
    if value is None or not terms:
        return
    said_of_it = content_words(attribute) or words(attribute)
    more = tuple(term for term in said_of_it if term not in SAYS_VALUE)
    name = f"{key} / {attribute}" if more else key
    yield Statement(
        kind,
        (*terms, "/", *more) if more else terms,
        " ".join(name.split()).strip("*_` "),
        " ".join(said.split()),
        (value,),
        document.id,
        block.heading_path,
        quote,
        block.page,
    )
