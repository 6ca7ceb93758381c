"""Which segments make up the keyword index, in one small file that is replaced whole."""

from __future__ import annotations

import base64
import binascii
import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphrag.adapters.bm25_segment import Segment
from graphrag.adapters.bm25_segment import load as load_segment
from graphrag.adapters.durable_files import translated, write_whole
from graphrag.errors import StoreError
from graphrag.tokens import VERSION as TOKENS

_FORMAT = 1
_NAME = "manifest.json"


@dataclass(frozen=True, slots=True)
class Manifest:
    """``parts`` are (file name, which texts are alive); ``histogram`` maps a document
    frequency to how many terms have it; ``next_file`` numbers the next segment."""

    revision: int = 0
    parts: tuple[tuple[str, NDArray[np.bool_]], ...] = ()
    histogram: Mapping[int, int] = field(default_factory=dict)
    next_file: int = 1


def save(folder: Path, manifest: Manifest) -> None:
    """Put the manifest in place, then delete the segments that it no longer names."""
    content = {
        "format": _FORMAT,
        "tokens": TOKENS,
        "revision": manifest.revision,
        "next_file": manifest.next_file,
        "parts": [[name, len(alive), _packed(alive)] for name, alive in manifest.parts],
        "histogram": [[n, many] for n, many in manifest.histogram.items()],
    }
    body = json.dumps(content, separators=(",", ":")).encode()
    write_whole(folder / _NAME, b"%08x\n" % zlib.crc32(body), body)
    named = {name for name, _ in manifest.parts}
    with translated(folder):
        for file in folder.iterdir():
            if file.name != _NAME and file.name not in named:
                file.unlink(missing_ok=True)


def load(folder: Path) -> tuple[Manifest, list[Segment]]:
    """The manifest with its segments; a missing folder is an empty index.

    A writer may replace the manifest between the two reads: then they are read again.
    """
    for _ in range(5):
        manifest = _read(folder / _NAME)
        try:
            return manifest, [_segment(folder, name, alive) for name, alive in manifest.parts]
        except StoreError:
            if _read(folder / _NAME).revision == manifest.revision:
                raise
    raise StoreError(f"keyword index {folder} changes while it is opened: try again")


def _segment(folder: Path, name: str, alive: NDArray[np.bool_]) -> Segment:
    segment = load_segment(folder / name)
    if segment.size != len(alive):
        raise StoreError(
            f"keyword index {folder / name} is not the one in its manifest: build it anew"
        )
    return segment


def _read(path: Path) -> Manifest:
    with translated(path):
        if not path.exists():
            return Manifest()
        content = path.read_bytes()
    try:
        checksum, body = content.split(b"\n", 1)
        if int(checksum, 16) != zlib.crc32(body):
            raise ValueError("wrong checksum")
        values = json.loads(body)
        if (values["format"], values["tokens"]) != (_FORMAT, TOKENS):
            raise ValueError("made by another version of the program")
        return _manifest(values)
    except (ValueError, KeyError, TypeError, binascii.Error, zlib.error) as error:
        raise StoreError(f"keyword index {path} cannot be used: build it anew ({error})") from error


def _manifest(values: Mapping[str, Any]) -> Manifest:
    return Manifest(
        int(values["revision"]),
        tuple((str(name), _unpacked(packed, size)) for name, size, packed in values["parts"]),
        {int(n): int(many) for n, many in values["histogram"]},
        int(values["next_file"]),
    )


def _packed(alive: NDArray[np.bool_]) -> str:
    return base64.b64encode(zlib.compress(np.packbits(alive).tobytes(), 1)).decode()


def _unpacked(packed: str, size: int) -> NDArray[np.bool_]:
    bits = np.frombuffer(zlib.decompress(base64.b64decode(packed)), dtype=np.uint8)
    return np.unpackbits(bits, count=size).astype(bool)
