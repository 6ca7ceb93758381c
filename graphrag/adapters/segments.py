"""Indexes made of immutable segments: what they consist of, and when to merge.

A folder holds segment files and ``manifest.json``, which alone says what counts: the
revision and, for each segment, which of its entries are alive. A change writes new
segments and puts a new manifest in place, so readers go on with what they opened, and a
crash leaves the old state.
"""

from __future__ import annotations

import base64
import binascii
import json
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from graphrag.adapters.durable_files import checksum, identity, translated, write_whole
from graphrag.errors import DamagedError, StoreError

_NAME = "manifest.json"
_GROWTH = 4  # a segment is merged with those that together exceed a quarter of it
CHECKED_AT_ONCE = 16 << 20  # bytes of a file, read in some 10 ms: more only ``check`` reads

_Segment = TypeVar("_Segment")


@dataclass(frozen=True, slots=True)
class Part:
    """A segment's file name, which of its entries are alive, shape (n,), and the checksum
    of the file's bytes."""

    name: str
    alive: NDArray[np.bool_]
    checksum: int


@dataclass(frozen=True, slots=True)
class Manifest:
    """``kind`` is the index's own format and version; ``values`` are plain JSON values of
    its own; ``next_file`` numbers the next segment."""

    kind: str
    revision: int = 0
    parts: tuple[Part, ...] = ()
    values: Mapping[str, Any] = field(default_factory=dict)
    next_file: int = 1


def save(folder: Path, manifest: Manifest) -> None:
    """Put the manifest in place, then delete the files that it no longer names.

    What a segment's file has beside it under its own name with another ending stays.
    """
    content = {
        "kind": manifest.kind,
        "revision": manifest.revision,
        "next_file": manifest.next_file,
        "parts": [
            [part.name, len(part.alive), _packed(part.alive), part.checksum]
            for part in manifest.parts
        ],
        "values": dict(manifest.values),
    }
    body = json.dumps(content, separators=(",", ":")).encode()
    write_whole(folder / _NAME, b"%08x\n" % zlib.crc32(body), body)
    named = {Path(part.name).stem for part in manifest.parts} | {Path(_NAME).stem}
    with translated(folder):
        for file in folder.iterdir():
            if file.stem not in named:
                file.unlink(missing_ok=True)


def load(
    folder: Path, kind: str, open_segment: Callable[[Path, int], _Segment]
) -> tuple[Manifest, list[_Segment]]:
    """The manifest with its segments; a folder without one is an empty index.

    ``open_segment`` takes a path and the number of entries, and raises StoreError. The
    bytes of small segments are checked, those of large ones only by ``check``. A writer
    may put a new manifest in place between the two steps: then both are repeated.
    """
    for _ in range(5):
        manifest = _read(folder / _NAME, kind)
        try:
            check(folder, manifest.parts, largest=CHECKED_AT_ONCE)
            return manifest, [
                open_segment(folder / part.name, len(part.alive)) for part in manifest.parts
            ]
        except StoreError:
            if _names(_read(folder / _NAME, kind)) == _names(manifest):
                raise
    raise StoreError(f"index {folder} changes while it is opened: try again")


def shown(folder: Path, kind: str) -> Manifest:
    """The manifest, once its segments are checked as ``load`` does, without opening them."""
    return load(folder, kind, lambda path, size: None)[0]


def stamp(folder: Path) -> list[int]:
    """Numbers that change whenever a manifest is put in place; none where there is none."""
    path = folder / _NAME
    return identity(path) if path.exists() else []


def check(folder: Path, parts: Sequence[Part], *, largest: int | None = None) -> None:
    """Read the files of the parts (of at most ``largest`` bytes).

    Raises StoreError where one is not what was written.
    """
    for part in parts:
        path = folder / part.name
        with translated(path):
            size = path.stat().st_size
        if (largest is None or size <= largest) and checksum(path) != part.checksum:
            raise DamagedError(f"index {path} is damaged: build it anew (wrong checksum)")


def merge_groups(living: Sequence[int], sizes: Sequence[int], small: int) -> list[list[int]]:
    """Which segments to put together, as groups of their places; groups of one stay.

    Segments of fewer than ``small`` living entries go together at once, larger ones when
    the next smaller ones make up more than a quarter, so there are few (their number
    grows with the logarithm of the size) and each entry is rewritten a few times in all.
    A segment of which more than half is dead counts as a group to be rewritten: its place
    then stands twice.
    """
    groups: list[list[int]] = []
    totals: list[int] = []
    for place in sorted(range(len(living)), key=lambda i: (living[i], i)):
        if groups and living[place] < _GROWTH * max(small, totals[-1]):
            groups[-1].append(place)
            totals[-1] += living[place]
        else:
            groups.append([place])
            totals.append(living[place])
    return [
        group * 2 if len(group) == 1 and 2 * living[group[0]] < sizes[group[0]] else group
        for group in groups
    ]


def places_of(
    numbers: NDArray[np.signedinteger[Any]], wanted: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Where the sorted ``wanted`` stand in the sorted ``numbers``; absent ones left out."""
    if len(numbers) and numbers[-1] - numbers[0] == len(numbers) - 1:
        # Without a gap, as a first ingest leaves them: nothing needs to be looked for.
        first, last = wanted.searchsorted((numbers[0], numbers[-1] + 1))
        places: NDArray[np.int64] = wanted[first:last] - numbers[0]
        return places
    places = np.searchsorted(numbers, wanted)
    inside = places < len(numbers)
    found: NDArray[np.int64] = places[inside][numbers[places[inside]] == wanted[inside]]
    return found


def _names(manifest: Manifest) -> list[str]:
    return [part.name for part in manifest.parts]


def _read(path: Path, kind: str) -> Manifest:
    with translated(path):
        if not path.exists():
            return Manifest(kind)
        content = path.read_bytes()
    try:
        checksum, body = content.split(b"\n", 1)
        if int(checksum, 16) != zlib.crc32(body):
            raise ValueError("wrong checksum")
        values = json.loads(body)
        if values["kind"] != kind:
            raise ValueError("made by another version of the program")
        return Manifest(
            kind,
            int(values["revision"]),
            tuple(
                Part(str(name), _unpacked(bits, size), int(total))
                for name, size, bits, total in values["parts"]
            ),
            values["values"],
            int(values["next_file"]),
        )
    except (ValueError, KeyError, TypeError, binascii.Error, zlib.error) as error:
        raise DamagedError(f"index {path} cannot be used: build it anew ({error})") from error


def _packed(alive: NDArray[np.bool_]) -> str:
    return base64.b64encode(zlib.compress(np.packbits(alive).tobytes(), 1)).decode()


def _unpacked(packed: str, size: int) -> NDArray[np.bool_]:
    bits = np.frombuffer(zlib.decompress(base64.b64decode(packed)), dtype=np.uint8)
    return np.unpackbits(bits, count=size).astype(bool)
