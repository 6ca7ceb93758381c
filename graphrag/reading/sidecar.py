"""Metadata beside documents: ``graphrag.toml`` and ``graphrag.csv`` in a folder."""

from __future__ import annotations

import csv
import tomllib
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from pathlib import Path

from pathspec import GitIgnoreSpec

from graphrag.domain import Metadata, MetadataValue
from graphrag.errors import ReadingError
from graphrag.reading.authority import reason_against_authority
from graphrag.reading.encoding import decode
from graphrag.reading.frontmatter import flatten
from graphrag.reading.inline import clean
from graphrag.reading.tabular import csv_source
from graphrag.reading.validity import reason_against_validity

SIDECAR_NAMES = ("graphrag.toml", "graphrag.csv")


def sidecar_files(folder: Path, root: Path) -> list[Path]:
    """The metadata files that speak for the documents of a folder: those of ``root`` first,
    then of each folder on the way, the nearest last."""
    folders = [root]
    if folder.is_relative_to(root):
        for part in folder.relative_to(root).parts:
            folders.append(folders[-1] / part)
    beside = [each / name for each in folders for name in SIDECAR_NAMES]
    return [path for path in beside if path.is_file()]


def sidecar_metadata(root: Path) -> Callable[[Path], dict[str, MetadataValue]]:
    """What a folder's own files, and those of the folders in it, say of a document, by its path.

    ``graphrag.toml`` holds ``[[documents]]`` tables with ``path`` (a pattern as in
    ``.gitignore``) and any keys; ``graphrag.csv`` has a column ``path`` and one column a
    key. All rules that match apply, later ones, the ``.csv`` and the nearer folder winning.
    Lists are arrays in TOML, and parted by ``;`` in CSV. Raises ReadingError for a file that
    is broken.
    """

    def metadata_of(path: Path) -> dict[str, MetadataValue]:
        found: dict[str, MetadataValue] = {}
        for file in sidecar_files(path.parent, root):
            base = file.parent
            relative = path.relative_to(base) if path.is_relative_to(base) else Path(path.name)
            for pattern, metadata in _rules(file, _changed(file)):
                if pattern.match_file(relative.as_posix()):
                    found.update(metadata)
        return found

    return metadata_of


def check_sidecars(files: Iterable[tuple[Path, Path]]) -> None:
    """Raises ReadingError where the metadata beside one of the documents, each given with the
    folder that it was found from, are broken: taken for a fault of each document, it would
    cost the index all of them."""
    for folder, root in dict.fromkeys((path.parent, root) for path, root in files):
        for file in sidecar_files(folder, root):
            _rules(file, _changed(file))


def _changed(path: Path) -> int:
    """When a file was changed last, in ns; 0 for one that is gone, which reading it will say."""
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


# Every file of a folder asks for the same rules; the time of change is part of the key.
@lru_cache(maxsize=64)
def _rules(path: Path, changed: int) -> tuple[tuple[GitIgnoreSpec, Metadata], ...]:
    try:
        text = decode(path.read_bytes())
    except OSError as error:
        raise ReadingError(f"{path} cannot be read: {error.strerror}") from error
    except ReadingError as error:
        raise ReadingError(f"{path} cannot be read: {error}") from error
    rows = _toml_rows(text, path) if path.suffix == ".toml" else _csv_rows(text, path)
    rules = []
    for row in rows:
        keys = {key: value for key, value in row.items() if key != "path"}
        pattern = row["path"]
        if not isinstance(pattern, str) or not pattern.strip():
            raise ReadingError(f"{path}: a document without path; give it one, e.g. path = '*.md'")
        reason = reason_against_authority(keys.get("authority"), numbers_only=True)
        if reason := reason or reason_against_validity(keys):
            raise ReadingError(f"{path}: {reason}")
        rules.append((_spec(pattern.strip(), path), keys))
    return tuple(rules)


def _spec(pattern: str, path: Path) -> GitIgnoreSpec:
    try:
        return GitIgnoreSpec.from_lines([f"/{pattern.lstrip('/')}"])
    except ValueError as error:
        raise ReadingError(f"{path}: the path '{pattern}' is no pattern: {error}") from error


def _toml_rows(text: str, path: Path) -> list[dict[str, MetadataValue]]:
    try:
        tables = tomllib.loads(text).get("documents", [])
    except (ValueError, RecursionError) as error:
        # Numbers of more than 4,300 digits and deep lists are more than the parser says.
        raise ReadingError(f"{path} is not valid TOML: {error}") from error
    if not isinstance(tables, list) or not all(isinstance(table, Mapping) for table in tables):
        raise ReadingError(f"{path}: documents must be tables, each under [[documents]]")
    return [{"path": "", **flatten(table)} for table in tables]


def _csv_rows(text: str, path: Path) -> list[dict[str, MetadataValue]]:
    reader = csv.DictReader(csv_source(clean(text)))
    try:
        return _rows_of(reader, path)
    except csv.Error as error:
        line = reader.reader.line_num
        raise ReadingError(f"{path}:{line} is not comma-separated values: {error}") from error


def _rows_of(reader: csv.DictReader[str], path: Path) -> list[dict[str, MetadataValue]]:
    names = {(name or "").strip().lower() for name in reader.fieldnames or ()}
    if "path" not in names:
        raise ReadingError(f"{path} has no column named path")
    rows: list[dict[str, MetadataValue]] = []
    for row in reader:
        cells: dict[str, MetadataValue] = {"path": ""}
        for key, value in row.items():
            # Cells beyond the header come under the key None.
            if not key or not isinstance(value, str) or not value.strip():
                continue
            parts = tuple(part.strip() for part in value.split(";") if part.strip())
            is_list = ";" in value and key.strip().lower() != "path"
            cells[key.strip().lower()] = parts if is_list else value.strip()
        rows.append(cells)
    return rows
