"""Jupyter notebooks: Markdown cells as text, code cells as code with what they print."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from graphrag.domain import MetadataValue
from graphrag.errors import ReadingError
from graphrag.reading.builder import DocumentBuilder, Draft
from graphrag.reading.encoding import decode
from graphrag.reading.frontmatter import split_front_matter
from graphrag.reading.html import add_html, parse_html
from graphrag.reading.inline import clean
from graphrag.reading.markdown import add_markdown

_COLOURS = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
_MAX_OUTPUT = 5000
_MAX_TABLE = 100_000


def read_notebook(content: bytes, name: str) -> Draft:
    """A notebook; printed results up to 5,000 characters each, pictures left out.

    Raises ReadingError where it is no notebook.
    """
    try:
        notebook = json.loads(decode(content))
    except (ValueError, RecursionError) as error:
        raise ReadingError(f"damaged notebook: {error}") from error
    cells = _cells(notebook)
    stated = notebook.get("metadata") if isinstance(notebook.get("metadata"), Mapping) else {}
    language = _language(stated)
    builder = DocumentBuilder()
    front: dict[str, MetadataValue] = {}
    for number, cell in enumerate(cells):
        source = _joined(cell.get("source", cell.get("input")))
        if not number and cell.get("cell_type") in ("markdown", "raw"):
            front, source = split_front_matter(source.lstrip("\n"))
        kind = cell.get("cell_type")
        if kind == "markdown":
            add_markdown(builder, clean(source))
        elif kind == "heading":
            level = cell.get("level")
            builder.add_heading(level if isinstance(level, int) else 1, source)
        elif kind == "code":
            builder.add_code(source, language)
            outputs = cell.get("outputs")
            for output in outputs if isinstance(outputs, list) else ():
                _add_output(builder, output)
        else:
            builder.add_code(source)
    front = {**_metadata(stated), **front}
    title = front.pop("title", stated.get("title"))
    return builder.build(
        title=title if isinstance(title, str) else "", fallback_title=name, metadata=front
    )


def _cells(notebook: object) -> list[Mapping[str, object]]:
    if not isinstance(notebook, Mapping):
        raise ReadingError("damaged notebook: it is not a JSON object")
    cells = notebook.get("cells")
    if cells is None and isinstance(notebook.get("worksheets"), list):
        sheets = [sheet for sheet in notebook["worksheets"] if isinstance(sheet, Mapping)]
        parts = [part for sheet in sheets if isinstance(part := sheet.get("cells"), list)]
        cells = [cell for part in parts for cell in part]
    if not isinstance(cells, list):
        raise ReadingError("damaged notebook: it has no cells")
    return [cell for cell in cells if isinstance(cell, Mapping)]


def _joined(source: object) -> str:
    if isinstance(source, list):
        return "".join(part for part in source if isinstance(part, str))
    return source if isinstance(source, str) else ""


def _add_output(builder: DocumentBuilder, output: object) -> None:
    """Add what a cell printed or gave: its table, Markdown or formula where it has one, else its
    plain text."""
    if not isinstance(output, Mapping):
        return
    values = output.get("data")
    values = values if isinstance(values, Mapping) else {}
    page = _joined(values.get("text/html"))
    if "<table" in page and len(page) <= _MAX_TABLE:
        add_html(builder, parse_html(page))
        return
    if written := _joined(values.get("text/markdown")):
        add_markdown(builder, clean(written[:_MAX_OUTPUT]))
        return
    formula = _joined(values.get("text/latex")).strip()
    if formula.startswith("$") and len(formula) <= _MAX_OUTPUT:
        builder.add_formula(formula)
        return
    text = _COLOURS.sub("", _joined(values.get("text/plain", output.get("text"))))
    if output.get("output_type") == "error":
        text = f"{output.get('ename', 'error')}: {output.get('evalue', '')}"
    if text.startswith("<") and any(str(kind).startswith("image/") for kind in values):
        return
    builder.add_code(text if len(text) <= _MAX_OUTPUT else f"{text[:_MAX_OUTPUT]}...")


def _language(stated: Mapping[str, object]) -> str:
    for key in ("language_info", "kernelspec"):
        found = stated.get(key)
        if isinstance(found, Mapping):
            language = found.get("name" if key == "language_info" else "language")
            if isinstance(language, str) and language:
                return language.lower()
    return "python"


def _metadata(stated: Mapping[str, object]) -> dict[str, MetadataValue]:
    authors = stated.get("authors")
    names = tuple(
        str(author.get("name"))
        for author in (authors if isinstance(authors, list) else ())
        if isinstance(author, Mapping) and author.get("name")
    )
    date = stated.get("date")
    found: dict[str, MetadataValue] = {"author": names} if names else {}
    return {**found, "date": date} if isinstance(date, str) else found
