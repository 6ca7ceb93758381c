"""A corpus in one file: each line is one document of its own id."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass

from graphrag.errors import ReadingError
from graphrag.reading.builder import DocumentBuilder, Draft
from graphrag.reading.encoding import decode
from graphrag.reading.frontmatter import flatten
from graphrag.reading.inline import clean


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a corpus: its id and what it says."""

    id: str
    draft: Draft


def read_jsonl(content: bytes) -> Iterator[Entry]:
    """The documents of a file of {id, title?, text, ...metadata}, in the file's order.

    Paragraphs are parted by blank lines. Raises ReadingError with the line's number for
    what is no such object or repeats an id.
    """
    seen: set[str] = set()
    for number, line in enumerate(decode(content).split("\n"), 1):
        if not line.strip():
            continue
        entry = _entry(line, number)
        if entry.id in seen:
            raise ReadingError(f"line {number} repeats the id {entry.id!r}; ids must be unique")
        seen.add(entry.id)
        yield entry


def _entry(line: str, number: int) -> Entry:
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise ReadingError(f"line {number} is not JSON: {error}") from error
    if not isinstance(fields, dict):
        raise ReadingError(f"line {number} is not a JSON object")
    key = fields.pop("id", fields.pop("_id", None))
    text = fields.pop("text", None)
    if not isinstance(key, str | int) or isinstance(key, bool) or not str(key).strip():
        raise ReadingError(f"line {number} has no id; a corpus needs id and text on each line")
    if not isinstance(text, str):
        raise ReadingError(f"line {number} has no text; a corpus needs id and text on each line")
    title = fields.pop("title", "")
    builder = DocumentBuilder()
    for paragraph in clean(text).split("\n\n"):
        builder.add_paragraph(paragraph)
    identity = clean(str(key)).strip()
    draft = builder.build(
        title=title if isinstance(title, str) else "",
        fallback_title=identity,
        metadata=flatten(fields),
    )
    return Entry(identity, draft)
