"""One immutable part of the keyword index: sparse postings in one file, mapped from disk.

Layout: a magic line, the length of a JSON header, the header (each array's type, shape and
place), then the arrays, each on a border of 64 bytes. Terms are sorted by their UTF-8
bytes and found by bisection, so opening a segment reads nothing but its header.
"""

from __future__ import annotations

import json
import mmap
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphrag.adapters.durable_files import translated, write_whole
from graphrag.errors import DamagedError

_MAGIC = b"graphrag bm25 segment 1\n"
_ALIGN = 64


@dataclass(frozen=True, slots=True)
class Segment:
    """Texts ``0..n-1`` of the segment and the terms that occur in them.

    ``numbers`` (n,) int64, ascending; ``lengths`` (n,) int32, terms a text.
    Term t's postings are ``texts[starts[t]:starts[t+1]]`` (int32, ascending) with
    ``counts`` (int32); text i's terms are ``terms[text_starts[i]:text_starts[i+1]]``.
    Spellings are ``spellings[spelling_starts[t]:spelling_starts[t+1]]`` (UTF-8).
    """

    numbers: NDArray[np.int64]
    lengths: NDArray[np.int32]
    starts: NDArray[np.int64]
    texts: NDArray[np.int32]
    counts: NDArray[np.int32]
    text_starts: NDArray[np.int64]
    terms: NDArray[np.int32]
    spelling_starts: NDArray[np.int64]
    spellings: NDArray[np.uint8]

    @property
    def size(self) -> int:
        return len(self.numbers)

    @property
    def term_count(self) -> int:
        return len(self.spelling_starts) - 1

    def spelling(self, term: int) -> bytes:
        start, stop = self.spelling_starts[term], self.spelling_starts[term + 1]
        return self.spellings[start:stop].tobytes()

    def find(self, spelling: bytes) -> int:
        """The term of that spelling, or -1."""
        # By views of the memory: an element of a numpy array takes five times as long.
        letters, borders = self.spellings.data, self.spelling_starts.data
        low, high = 0, self.term_count
        while low < high:
            middle = (low + high) // 2
            if letters[borders[middle] : borders[middle + 1]].tobytes() < spelling:
                low = middle + 1
            else:
                high = middle
        return low if low < self.term_count and self.spelling(low) == spelling else -1

    def postings(self, term: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        where = slice(self.starts[term], self.starts[term + 1])
        return self.texts[where], self.counts[where]

    def terms_of(self, text: int) -> NDArray[np.int32]:
        return self.terms[self.text_starts[text] : self.text_starts[text + 1]]

    def all_spellings(self) -> Iterator[bytes]:
        blob = self.spellings.tobytes()
        borders = self.spelling_starts.tolist()
        return (blob[a:b] for a, b in pairwise(borders))


_ARRAYS: dict[str, Any] = {
    "numbers": np.int64,
    "lengths": np.int32,
    "starts": np.int64,
    "texts": np.int32,
    "counts": np.int32,
    "text_starts": np.int64,
    "terms": np.int32,
    "spelling_starts": np.int64,
    "spellings": np.uint8,
}


def build(texts: Iterable[tuple[int, Sequence[str]]]) -> Segment:
    """The segment of tokenised texts with their numbers, which must ascend."""
    vocabulary: dict[str, int] = {}
    numbers, lengths, text_starts = array("q"), array("i"), array("q", [0])
    columns, counts = array("i"), array("i")
    for number, terms in texts:
        for term, count in Counter(terms).items():
            columns.append(vocabulary.setdefault(term, len(vocabulary)))
            counts.append(count)
        numbers.append(number)
        lengths.append(len(terms))
        text_starts.append(len(columns))
    encoded = [term.encode("utf-8", "surrogatepass") for term in vocabulary]
    order = sorted(range(len(encoded)), key=encoded.__getitem__)
    place = np.empty(len(order), dtype=np.int32)
    place[order] = np.arange(len(order), dtype=np.int32)
    return _assemble(
        np.array(numbers, dtype=np.int64),
        np.array(lengths, dtype=np.int32),
        text_starts=np.array(text_starts, dtype=np.int64),
        terms=place[np.array(columns, dtype=np.int32)],
        counts=np.array(counts, dtype=np.int32),
        spellings=[encoded[i] for i in order],
    )


def merge(parts: Sequence[tuple[Segment, NDArray[np.bool_]]]) -> Segment:
    """One segment of all texts that are alive in the parts (masks of shape (n,))."""
    spellings = sorted(set().union(*(part.all_spellings() for part, _ in parts)))
    place = {spelling: i for i, spelling in enumerate(spellings)}
    numbers, lengths, sizes, terms, counts = [], [], [], [], []
    for part, alive in parts:
        translation = np.fromiter(
            (place[spelling] for spelling in part.all_spellings()), np.int32, part.term_count
        )
        widths = np.diff(part.text_starts)
        kept = np.repeat(alive, widths)
        numbers.append(part.numbers[alive])
        lengths.append(part.lengths[alive])
        sizes.append(widths[alive])
        terms.append(translation[part.terms[kept]])
        counts.append(_counts_by_text(part)[kept])
    order = np.argsort(np.concatenate(numbers), kind="stable")
    widths = np.concatenate(sizes)
    gather = _ranges(np.concatenate([[0], np.cumsum(widths)])[:-1][order], widths[order])
    return _assemble(
        np.concatenate(numbers)[order],
        np.concatenate(lengths)[order],
        text_starts=np.concatenate([[0], np.cumsum(widths[order])]).astype(np.int64),
        terms=np.concatenate(terms)[gather],
        counts=np.concatenate(counts)[gather],
        spellings=spellings,
    )


def save(segment: Segment, path: Path) -> None:
    """Write the segment's file, whole or not at all."""
    header: dict[str, Any] = {}
    parts: list[bytes | memoryview] = []
    offset = 0
    for name, kind in _ARRAYS.items():
        array = np.ascontiguousarray(getattr(segment, name), dtype=kind)
        header[name] = [offset, len(array)]
        padding = -array.nbytes % _ALIGN
        parts += [array.view(np.uint8).data, b"\0" * padding]
        offset += array.nbytes + padding
    header["size"] = offset
    head = json.dumps(header).encode()
    opening = _MAGIC + len(head).to_bytes(8, "little") + head
    write_whole(path, opening, b"\0" * (-len(opening) % _ALIGN), *parts)


def load(path: Path, size: int) -> Segment:
    """Map the file of a segment of ``size`` texts.

    Raises StoreError when it is missing, damaged or of another size.
    """
    try:
        with translated(path), path.open("rb") as file:
            mapped = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
        begin = len(_MAGIC) + 8
        if bytes(mapped[: len(_MAGIC)]) != _MAGIC:
            raise ValueError("no segment of this version")
        length = int.from_bytes(mapped[len(_MAGIC) : begin], "little")
        header = json.loads(bytes(mapped[begin : begin + length]))
        base = begin + length + -(begin + length) % _ALIGN
        if base + header["size"] != len(mapped):
            raise ValueError("cut short")
        if header["numbers"][1] != size:
            raise ValueError(f"{header['numbers'][1]} texts in place of {size}")
        arrays = {
            name: np.frombuffer(mapped, kind, count=header[name][1], offset=base + header[name][0])
            for name, kind in _ARRAYS.items()
        }
    except (ValueError, KeyError, TypeError, IndexError) as error:
        raise DamagedError(f"keyword index {path} is damaged: build it anew ({error})") from error
    return Segment(**arrays)


def _assemble(
    numbers: NDArray[np.int64],
    lengths: NDArray[np.int32],
    *,
    text_starts: NDArray[np.int64],
    terms: NDArray[np.int32],
    counts: NDArray[np.int32],
    spellings: Sequence[bytes],
) -> Segment:
    """Turn rows (terms of each text) into columns (texts of each term), both kept."""
    rows = np.repeat(np.arange(len(numbers), dtype=np.int32), np.diff(text_starts))
    frequency = np.bincount(terms, minlength=len(spellings))
    used = np.flatnonzero(frequency)
    if len(used) < len(spellings):
        renumbered = np.zeros(len(spellings), dtype=np.int32)
        renumbered[used] = np.arange(len(used), dtype=np.int32)
        terms, frequency = renumbered[terms], frequency[used]
        spellings = [spellings[i] for i in used.tolist()]
    by_term = np.argsort(terms, kind="stable")
    borders = np.zeros(len(spellings) + 1, dtype=np.int64)
    np.cumsum([len(spelling) for spelling in spellings], out=borders[1:])
    return Segment(
        numbers=numbers,
        lengths=lengths,
        starts=np.concatenate([[0], np.cumsum(frequency)]).astype(np.int64),
        texts=rows[by_term],
        counts=counts[by_term],
        text_starts=text_starts,
        terms=terms.astype(np.int32),
        spelling_starts=borders,
        spellings=np.frombuffer(b"".join(spellings), dtype=np.uint8),
    )


def _counts_by_text(segment: Segment) -> NDArray[np.int32]:
    """The counts in the order of ``segment.terms``."""
    counts = np.empty(len(segment.terms), dtype=np.int32)
    counts[np.argsort(segment.terms, kind="stable")] = segment.counts
    return counts


def _ranges(starts: NDArray[np.int64], widths: NDArray[np.int64]) -> NDArray[np.int64]:
    """``start, start+1, ..., start+width-1`` of each pair, one after the other."""
    total = int(widths.sum())
    offsets = np.repeat(np.cumsum(widths) - widths, widths)
    return np.arange(total, dtype=np.int64) - offsets + np.repeat(starts, widths)
