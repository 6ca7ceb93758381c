"""The files below folders that are documents, in an order that people expect."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from pathspec import GitIgnoreSpec

from graphrag.errors import ReadingError
from graphrag.reading.encoding import is_binary
from graphrag.reading.formats import format_of, reason_against
from graphrag.reading.sidecar import SIDECAR_NAMES

IGNORE_FILE = ".graphragignore"
_SKIPPED_FOLDERS = frozenset(("node_modules", "__pycache__", "CVS", "$RECYCLE.BIN"))
_INDEX_FILES = ("catalog.sqlite", "lock")
_SNIFFED = 8192

# Ignore rules of a folder: the folder and its patterns, outermost first.
_Rules = tuple[tuple[Path, GitIgnoreSpec], ...]


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A file to read; ``root`` is the folder it was found from, or its own folder."""

    path: Path
    root: Path


@dataclass(frozen=True, slots=True)
class Discovery:
    """What was found, in natural order, and what is passed over with the reason."""

    files: tuple[FoundFile, ...]
    refused: tuple[tuple[Path, str], ...]


def discover(paths: Sequence[Path]) -> Discovery:
    """The documents at and below ``paths``, each once, ``2-x`` before ``10-x``.

    Left out in silence: hidden files and folders, index folders, what a
    ``.graphragignore`` names (the syntax of ``.gitignore``, in any folder), metadata files
    (``graphrag.toml``, ``graphrag.csv``), and symbolic links to what lies below the folder
    anyway. Refused with a reason: links that lead outside or nowhere, binary files of no
    known format, paths that are not there or not readable.
    """
    files: list[FoundFile] = []
    refused: list[tuple[Path, str]] = []
    seen: set[str] = set()
    for path in paths:
        found = _found_at(path, refused)
        for file in sorted(found, key=lambda file: natural_key(file.path)):
            real = os.path.realpath(file.path)
            if real not in seen:
                seen.add(real)
                files.append(file)
    refused.sort(key=lambda pair: natural_key(pair[0]))
    return Discovery(tuple(files), tuple(dict.fromkeys(refused)))


def natural_key(path: Path) -> tuple[tuple[tuple[int, int | str], ...], ...]:
    """Sorts paths part by part, numbers in names by their value, letters without case."""
    return tuple(map(_part_key, path.parts))


@lru_cache(maxsize=1 << 12)  # folders are shared by many
def _part_key(part: str) -> tuple[tuple[int, int | str], ...]:
    return (
        *(
            (0, int(piece)) if piece.isdecimal() else (1, piece.casefold())
            for piece in re.split(r"(\d{1,18})", part)
            if piece
        ),
        (2, part),
    )


def _found_at(path: Path, refused: list[tuple[Path, str]]) -> list[FoundFile]:
    if path.is_dir():
        if _is_index(path.resolve()):
            refused.append((path, "an index of this program, not documents"))
            return []
        return list(_walk(path, refused))
    if not path.exists():
        refused.append((path, "no such file or folder"))
        return []
    if reason := _reason_against(path):
        refused.append((path, reason))
        return []
    return [FoundFile(path, path.parent)]


def _walk(root: Path, refused: list[tuple[Path, str]]) -> Iterator[FoundFile]:
    """All documents below a folder; symbolic links to folders are never entered."""
    real_root = os.path.realpath(root)
    stack: list[tuple[Path, _Rules]] = [(root, ())]
    while stack:
        folder, rules = stack.pop()
        rules = _with_rules_of(folder, rules, refused)
        try:
            entries = list(os.scandir(folder))
        except OSError as error:
            refused.append((folder, f"folder cannot be read: {error.strerror}"))
            continue
        for entry in entries:
            path = folder / entry.name
            if entry.name.startswith(".") or entry.name in SIDECAR_NAMES:
                continue
            is_folder = entry.is_dir(follow_symlinks=False)
            if _is_ignored(path, rules, is_folder=os.path.isdir(path)):
                continue
            if entry.is_symlink():
                if reason := _reason_against_link(path, real_root):
                    refused.append((path, reason))
            elif is_folder:
                if entry.name not in _SKIPPED_FOLDERS and not _is_index(path):
                    stack.append((path, rules))
            elif reason := _reason_against(path):
                refused.append((path, reason))
            else:
                yield FoundFile(path, root)


def _is_index(folder: Path) -> bool:
    """An index by its usual name, or, under another name, by what every index holds."""
    named = folder.name.endswith(".graphrag")
    return named or all((folder / name).is_file() for name in _INDEX_FILES)


def _reason_against_link(path: Path, real_root: str) -> str:
    target = os.path.realpath(path)
    if not os.path.exists(target) or os.path.islink(target):
        return "symbolic link that leads nowhere or in a circle"
    if os.path.commonpath((target, real_root)) != real_root:
        return "symbolic link that leads out of the folder"
    return ""


def _reason_against(path: Path) -> str:
    """Why a file is no document, or nothing."""
    if not path.is_file():
        return "not a regular file"
    suffix = path.suffix.lower()
    if format_of(path.name) is not None:
        return ""
    if reason := reason_against(path.name):
        return reason
    try:
        with path.open("rb") as file:
            sample = file.read(_SNIFFED)
    except OSError as error:
        return "no permission to read it" if error.errno == 13 else f"unreadable: {error.strerror}"
    return f"binary file of an unknown format ({suffix or 'no suffix'})" * is_binary(sample)


def _with_rules_of(folder: Path, rules: _Rules, refused: list[tuple[Path, str]]) -> _Rules:
    path = folder / IGNORE_FILE
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
        return (*rules, (folder, GitIgnoreSpec.from_lines(lines)))
    except FileNotFoundError:
        return rules
    except OSError as error:
        refused.append((path, f"ignore rules cannot be read: {error.strerror}"))
    except ValueError as error:
        raise ReadingError(f"{path} holds a pattern that is no pattern: {error}") from error
    return rules


def _is_ignored(path: Path, rules: _Rules, *, is_folder: bool) -> bool:
    """Whether the last rule that matches, the innermost folder's first, says so."""
    for folder, patterns in reversed(rules):
        relative = path.relative_to(folder).as_posix() + "/" * is_folder
        decision = patterns.check_file(relative).include
        if decision is not None:
            return decision
    return False
