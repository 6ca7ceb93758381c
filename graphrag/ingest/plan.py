"""What an ingest has to do: which files are new, changed, unchanged or gone, and their ids.

Ids are a pure function of the set of files, never of the order in which they came, so that
history does not matter.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from graphrag.ports import FileStamp
from graphrag.reading.files import path_of, printable

CORPUS_SUFFIX = ".jsonl"
_NUMBER = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class KnownFile:
    """A file and the folder that it was given with. A root that is only a single file's
    parent claims nothing beside that file."""

    path: str
    root: str


@dataclass(frozen=True, slots=True)
class Plan:
    """``read``: files to read, with the id that each gets; ``unchanged``: ids whose file is as
    it was, ``gone``: ids whose file is no more. All in reading order. ``anew``: what is
    stored was made otherwise than it would be now."""

    read: tuple[tuple[KnownFile, str], ...]
    unchanged: tuple[str, ...]
    gone: tuple[str, ...]
    anew: bool = False


def file_of(document_id: str, stamp: FileStamp) -> str:
    """The file that a document came from: its source without a corpus file's ``#id``."""
    tail = f"#{document_id}"
    if stamp.source.endswith(tail) and stamp.source[: -len(tail)].endswith(CORPUS_SUFFIX):
        return path_of(stamp.source[: -len(tail)])
    return path_of(stamp.source)


def make_plan(
    found: Sequence[KnownFile],
    stored: Mapping[str, FileStamp],
    *,
    folders: Iterable[str],
    unchanged: Iterable[str],
    prune: bool = False,
    anew: bool = False,
) -> Plan:
    """Compare what was found with what is stored.

    ``folders`` were given, so what is stored from them and not found is gone; ``unchanged``
    are paths whose bytes are those of the stored stamp. With ``prune``, any stored
    document whose file does not exist is gone, wherever it came from. With ``anew``, every
    file is read that is still there.
    """
    present = {each.path for each in found}
    gone = _gone(stored, present, tuple(folders), prune=prune)
    kept = {
        path: KnownFile(path, stamp.root)
        for document_id, stamp in stored.items()
        if document_id not in gone and (path := file_of(document_id, stamp)) not in present
    }
    files = [*outermost(found, stored), *kept.values()]
    ids = document_ids(files)
    owners = _owners(stored)
    # What is stored of a file that was not given and is no more can only stay as it is.
    lost = {path for path in kept if not Path(path).exists()}
    settled = lost | {
        path
        for path in {*kept, *unchanged}
        if not anew and owners[path] and (_is_corpus(path) or owners[path] == {ids[path]})
    }
    corpora = {each.path for each in files if _is_corpus(each.path)} - lost
    if not corpora <= settled or any(_is_corpus(file_of(id_, stored[id_])) for id_ in gone):
        # Ids may have moved from one corpus file to another.
        settled -= corpora
    read = [(each, ids[each.path]) for each in files if each.path not in settled]
    gone |= {
        document_id
        for each, own in read
        if not _is_corpus(each.path)
        for document_id in owners[each.path] - {own}
    }
    still = [id_ for path in settled & present for id_ in owners[path]]
    return Plan(
        tuple(sorted(read, key=lambda item: natural_key(item[1]))),
        tuple(sorted(still, key=natural_key)),
        tuple(sorted(gone, key=natural_key)),
        anew,
    )


def _gone(
    stored: Mapping[str, FileStamp], present: set[str], folders: Sequence[str], *, prune: bool
) -> set[str]:
    """Ids of documents whose file was looked for and is not there."""
    return {
        document_id
        for document_id, stamp in stored.items()
        if (path := file_of(document_id, stamp)) not in present
        and (
            any(_inside(path, folder) for folder in folders) or (prune and not Path(path).exists())
        )
    }


def _owners(stored: Mapping[str, FileStamp]) -> defaultdict[str, set[str]]:
    """Path to the ids of the documents that came from it."""
    owners = defaultdict(set)
    for document_id, stamp in stored.items():
        owners[file_of(document_id, stamp)].add(document_id)
    return owners


def _is_corpus(path: str) -> bool:
    return path.endswith(CORPUS_SUFFIX)


def outermost(found: Sequence[KnownFile], stored: Mapping[str, FileStamp]) -> list[KnownFile]:
    """The files with the outermost folder that they were ever given with, as root."""
    roots = {each.root for each in found} | {stamp.root for stamp in stored.values()}
    chosen = {}
    for each in found:
        claims = [root for root in roots if _inside(each.root, root)]
        chosen[each.path] = min(claims, key=len, default=each.root)
    return [KnownFile(each.path, chosen[each.path]) for each in found]


def document_ids(files: Sequence[KnownFile]) -> dict[str, str]:
    """Path to document id: the path below its root; where two share that, the root's name in
    front; where they still share it, the whole path."""
    ids: dict[str, str] = {}
    relative = {each.path: _relative(each.path, each.root) for each in files}
    roots = {root: printable(PurePosixPath(root).name) for root in {each.root for each in files}}
    named = {each.path: f"{roots[each.root]}/{relative[each.path]}" for each in files}
    for names in (relative, named, {each.path: each.path for each in files}):
        takers = defaultdict(list)
        for path, name in names.items():
            if path not in ids:
                takers[name].append(path)
        taken = set(ids.values())
        ids.update(
            {
                paths[0]: name
                for name, paths in takers.items()
                if len(paths) == 1 and name not in taken
            }
        )
    return ids


def _relative(path: str, root: str) -> str:
    """The path below the root, as every store keeps it: a name need not be UTF-8."""
    below = len(root.rstrip("/")) + 1 if _inside(path, root) else path.rfind("/") + 1
    return printable(path[below:])


def _inside(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def natural_key(text: str) -> tuple[str, ...]:
    """A sort key by which ``2-basis`` comes before ``10-rank``."""
    return tuple(
        _NUMBER.sub(lambda number: number.group().zfill(12), part.casefold())
        for part in _parts(text)
    )


def _parts(text: str) -> Sequence[str]:
    """As ``PurePosixPath.parts``, which takes ten times as long."""
    parts = text.split("/")
    return PurePosixPath(text).parts if "" in parts or "." in parts else parts
