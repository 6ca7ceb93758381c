"""A syllabus or glossary that people give: the concepts that are to be used as they stand."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from graphrag.concepts.names import name_key
from graphrag.domain import GivenConcept
from graphrag.errors import ReadingError, why_unread
from graphrag.reading.inline import clean
from graphrag.reading.tabular import csv_source


def read_syllabus(path: Path) -> list[GivenConcept]:
    """The concepts of a ``.jsonl`` file ({id?, title, aliases?} a line) or a ``.csv`` file
    with the columns ``title``, and where wanted ``id`` and ``aliases`` (``;`` between them).

    Raises ReadingError naming the line for anything else, and for an id that comes twice.
    """
    if path.suffix.lower() not in (".jsonl", ".csv"):
        raise ReadingError(f"{path}: a syllabus must be .jsonl or .csv")
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise ReadingError(f"cannot read the syllabus {path}: {why_unread(error)}") from error
    rows = _csv_rows(text, path) if path.suffix.lower() == ".csv" else _json_rows(text, path)
    concepts: dict[str, GivenConcept] = {}
    for line, row in rows:
        concept = _concept(row, f"{path}:{line}")
        if concept.id in concepts:
            raise ReadingError(
                f"{path}:{line}: the id '{concept.id}' comes twice; give one an 'id' of its own"
            )
        concepts[concept.id] = concept
    if not concepts:
        raise ReadingError(f"{path}: no concept in it")
    return list(concepts.values())


def _json_rows(text: str, path: Path) -> Iterator[tuple[int, Any]]:
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            yield number, json.loads(line)
        except (ValueError, RecursionError) as error:
            raise ReadingError(f"{path}:{number}: not JSON: {error}") from error


def _csv_rows(text: str, path: Path) -> Iterator[tuple[int, Any]]:
    reader = csv.DictReader(csv_source(text))
    try:
        for row in reader:
            aliases = [alias.strip() for alias in (row.get("aliases") or "").split(";")]
            yield reader.line_num, {**row, "aliases": [alias for alias in aliases if alias]}
    except csv.Error as error:
        raise ReadingError(f"{path}:{reader.reader.line_num}: not CSV: {error}") from error


def _concept(row: Any, where: str) -> GivenConcept:
    title = row.get("title") if isinstance(row, dict) else None
    if not isinstance(title, str) or not clean(title).strip():
        raise ReadingError(f"{where}: every concept needs a 'title'")
    aliases = row.get("aliases") or []
    if not isinstance(aliases, list) or not all(isinstance(alias, str) for alias in aliases):
        raise ReadingError(f"{where}: 'aliases' must be a list of names")
    # C and C++, .NET and Net are two: the key of a name keeps what tells names apart.
    title = clean(title).strip()
    concept_id = clean(str(row.get("id") or "")).strip() or name_key(title) or title
    return GivenConcept(concept_id, title, tuple(map(clean, aliases)))
