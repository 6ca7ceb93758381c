"""The name graph on disk: one file of arrays, mapped when it is opened.

The file is a magic line, a line of JSON that says where each array lies, and the arrays,
each at a multiple of 64 bytes; last comes the CRC-32 of all that, which a full check reads,
and who opens a small file. It is replaced whole, so that who has the old one open keeps it,
and a crash leaves the old or the new.
"""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphrag.errors import StoreError
from graphrag.retrieval.name_arrays import Ragged
from graphrag.retrieval.name_graph import Lists, NameGraph
from graphrag.retrieval.name_sources import NameSources, Owners

_MAGIC = b"graphrag names 5\n"
_ALIGNMENT = 64
_CHECKSUM = 4  # bytes
_CHECKED_AT = 16 << 20  # bytes, at most, of a file that is read whole when it is opened
_SOURCES = "sources"


def save_name_graph(graph: NameGraph, path: Path, sources: NameSources | None = None) -> None:
    """Put the graph, with its sources, in the file's place.

    Raises StoreError where the disk refuses it.
    """
    arrays = dict(arrays_of(graph))
    arrays |= {} if sources is None else _source_arrays(sources)
    header = {
        "revision": graph.revision,
        "linkage": graph.linkage,
        "arrays": {
            name: {"dtype": array.dtype.str, "length": len(array)} for name, array in arrays.items()
        },
    }
    beside = path.with_name(f"{path.name}.{os.getpid()}.new")
    try:
        with beside.open("wb") as file:
            checksum = 0
            for piece in _pieces(header, arrays.values()):
                checksum = zlib.crc32(piece, checksum)
                file.write(piece)
            file.write(checksum.to_bytes(_CHECKSUM, "little"))
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)
    except OSError as error:
        with suppress(OSError):
            beside.unlink()
        raise StoreError(
            f"{path}: the names cannot be written ({error.strerror}): check the disk's "
            "free space and the folder's permissions, and run the command again"
        ) from error


def _pieces(header: dict[str, Any], arrays: Iterable[NDArray[Any]]) -> Iterator[bytes | memoryview]:
    """What the file holds before its checksum, in order."""
    start = _MAGIC + json.dumps(header).encode() + b"\n"
    yield start
    length = len(start)
    for array in arrays:
        padding = -length % _ALIGNMENT
        yield bytes(padding)
        yield np.ascontiguousarray(array).data.cast("B") if len(array) else b""
        length += padding + array.nbytes


def check_names(path: Path) -> None:
    """Read the file whole. Raises StoreError where it is not what was written."""
    if not path.exists():
        return
    content = memoryview(path.read_bytes())
    whole, checksum = content[:-_CHECKSUM], content[-_CHECKSUM:]
    if zlib.crc32(whole) != int.from_bytes(checksum, "little"):
        raise _damaged(path)


def load_name_graph(path: Path) -> NameGraph | None:
    """The graph in the file, its arrays mapped and not yet read; None where there is none.

    Raises StoreError where the file is not whole: it may be deleted, and is then built anew.
    """
    found = load_names(path)
    return None if found is None else found[0]


def load_names(path: Path) -> tuple[NameGraph, NameSources | None] | None:
    """As ``load_name_graph``, with the graph's sources where the file has them."""
    if not path.exists():
        return None
    try:
        if path.stat().st_size <= _CHECKED_AT:
            check_names(path)
        with path.open("rb") as file:
            magic, line = file.readline(), file.readline()
            if magic != _MAGIC:
                raise _damaged(path)
            header = json.loads(line)
            places, end = _places(header, file.tell())
            if path.stat().st_size < end + _CHECKSUM:
                raise _damaged(path)
        # As a plain array: each slice of a memmap object costs ten times as much.
        mapped = np.asarray(np.memmap(path, dtype=np.uint8, mode="r"))
        arrays = {
            name: mapped[start:stop].view(dtype) for name, (start, stop, dtype) in places.items()
        }
        if not all(_ascends(name, arrays) for name in arrays if name.endswith(".starts")):
            raise _damaged(path)
        return _graph(header, arrays), _sources(arrays)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise _damaged(path) from error


def _ascends(name: str, arrays: Mapping[str, NDArray[Any]]) -> bool:
    """Whether the lists' starts go up to the end of their items; a walk would break on others."""
    starts, items = arrays[name], arrays[f"{name.removesuffix('.starts')}.items"]
    return bool(starts[0] == 0 and starts[-1] == len(items) and np.all(starts[1:] >= starts[:-1]))


def _damaged(path: Path) -> StoreError:
    return StoreError(f"{path} is damaged: delete it, it is made again from the catalog")


def arrays_of(graph: NameGraph) -> Iterator[tuple[str, NDArray[Any]]]:
    """The graph's arrays, each with a name of its own."""
    for field in fields(graph):
        value = getattr(graph, field.name)
        if isinstance(value, Lists):
            yield f"{field.name}.starts", value.starts
            yield f"{field.name}.items", value.items
        elif isinstance(value, np.ndarray):
            yield field.name, value


def _places(
    header: dict[str, Any], start: int
) -> tuple[dict[str, tuple[int, int, np.dtype[Any]]], int]:
    """Where each array starts and stops in the file, and where the last one stops."""
    places = {}
    for name, array in header["arrays"].items():
        dtype = np.dtype(array["dtype"])
        start += -start % _ALIGNMENT
        stop = start + dtype.itemsize * array["length"]
        places[name] = (start, stop, dtype)
        start = stop
    return places, start


def _graph(header: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> NameGraph:
    values: dict[str, Any] = {"revision": header["revision"], "linkage": header["linkage"]}
    for name, array in arrays.items():
        field, _, part = name.partition(".")
        if field == _SOURCES:
            continue
        if not part:
            values[field] = array
        elif part == "starts":
            values[field] = Lists(array, arrays[f"{field}.items"])
    return NameGraph(**values)


def _source_arrays(sources: NameSources) -> dict[str, NDArray[Any]]:
    owners = sources.owners
    lists = {"headings": owners.headings, "titles": sources.titles, "words": sources.words}
    arrays: dict[str, NDArray[Any]] = {
        "documents": owners.documents,
        "concepts": sources.concepts,
        **{f"{name}.starts": each.starts for name, each in lists.items()},
        **{f"{name}.items": each.items for name, each in lists.items()},
    }
    return {f"{_SOURCES}.{name}": array for name, array in arrays.items()}


def _sources(arrays: dict[str, NDArray[Any]]) -> NameSources | None:
    if f"{_SOURCES}.documents" not in arrays:
        return None
    headings, titles, words = (
        Ragged(arrays[f"{_SOURCES}.{name}.starts"], arrays[f"{_SOURCES}.{name}.items"])
        for name in ("headings", "titles", "words")
    )
    documents, concepts = arrays[f"{_SOURCES}.documents"], arrays[f"{_SOURCES}.concepts"]
    return NameSources(Owners(documents, headings), titles, words, concepts)
