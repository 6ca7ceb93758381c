"""Cypher statements kept by name: ``queries/NAME.cypher`` in the index, for people to edit."""

from __future__ import annotations

import re
from pathlib import Path

from graphrag.errors import QueryError, StoreError

FOLDER = "queries"
_ENDING = ".cypher"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
_PARAMETER = re.compile(r"\$([A-Za-z_]\w*)")


def save_query(index: Path, name: str, statement: str) -> Path:
    """Keep the statement under the name, over one of the same name; gives the file.

    Raises QueryError for a name that is none, StoreError where it cannot be written.
    """
    file = _file(index, name)
    try:
        file.parent.mkdir(exist_ok=True)
        file.write_text(statement.strip() + "\n", encoding="utf-8")
    except OSError as error:
        raise StoreError(f"cannot write {file}: {error.strerror}") from error
    return file


def saved_query(index: Path, name: str) -> str:
    """The statement of that name. Raises QueryError naming those there are."""
    file = _file(index, name)
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        known = ", ".join(saved_queries(index)) or "none yet; keep one with --save NAME"
        raise QueryError(f"no saved query '{name}'; there are: {known}") from error


def saved_queries(index: Path) -> dict[str, str]:
    """Name to statement, sorted by name; files that are no text are left out."""
    found = {}
    for file in sorted((index / FOLDER).glob(f"*{_ENDING}")):
        try:
            found[file.stem] = file.read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError):
            continue
    return found


def parameters_of(statement: str) -> list[str]:
    """The names of the statement's parameters (``$name``), in their order."""
    return list(dict.fromkeys(_PARAMETER.findall(statement)))


def _file(index: Path, name: str) -> Path:
    if not _NAME.fullmatch(name):
        raise QueryError(
            f"'{name}' is no name for a query: letters, digits, - and _ only, at most 64"
        )
    return index / FOLDER / f"{name}{_ENDING}"
