"""The keyword index: BM25 over immutable segments, changed in proportion to the change.

Beside the segments the manifest keeps how many terms have which document frequency: the
mean idf, which every frequent term's weight depends on, follows from that without a look
at the terms.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray

from graphrag.adapters import bm25_scoring as scoring
from graphrag.adapters import segments
from graphrag.adapters.bm25_segment import Segment, build, load, merge, save
from graphrag.adapters.durable_files import checksum, make_folder
from graphrag.ports import Keys
from graphrag.tokens import VERSION, question_terms, text_terms

_KIND = f"bm25 1, terms {VERSION}"
_SMALL = 256  # segments of fewer texts are merged at once: they cost next to nothing


@dataclass(frozen=True, slots=True)
class _Part:
    """A segment in use: its file's name and checksum, and which texts are alive (n,)."""

    name: str
    checksum: int
    segment: Segment
    alive: NDArray[np.bool_]
    count: int

    def frequency(self, term: int) -> int:
        """How many living texts hold the term."""
        if self.count == self.segment.size:
            return int(self.segment.starts[term + 1] - self.segment.starts[term])
        return int(np.count_nonzero(self.alive[self.segment.postings(term)[0]]))


@dataclass(frozen=True, slots=True)
class _State:
    """All that a search reads: replaced as a whole by an update. ``penalties`` has, for
    each part, its texts' length penalties (n,)."""

    revision: int
    parts: tuple[_Part, ...]
    penalties: tuple[NDArray[np.float64], ...]
    histogram: Mapping[int, int]
    text_count: int
    mean_idf: float
    next_file: int


class Bm25Index:
    """``ports.KeywordIndex`` from a folder. Searching is safe in several threads."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._stamp, self._state = _load(path)

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open the folder; a missing one is an empty index of revision 0.

        Raises StoreError when it is damaged or its terms were made by another version:
        delete the folder and build the index anew.
        """
        return cls(path)

    @property
    def revision(self) -> int:
        """The revision on disk; what another process wrote there is taken up."""
        self._refresh()
        return self._state.revision

    @property
    def numbers(self) -> NDArray[np.int64]:
        """The texts that it holds, ascending."""
        held = [part.segment.numbers[part.alive] for part in self._state.parts]
        return np.sort(np.concatenate([np.zeros(0, dtype=np.int64), *held]))

    def check(self) -> None:
        """Read all files. Raises StoreError where one is not what was written."""
        segments.check(self._path, _named(self._state.parts))

    def update(self, added: Mapping[int, str], removed: Sequence[int], revision: int) -> None:
        make_folder(self._path)
        self._refresh()
        state = self._state
        gone = np.unique(np.asarray([*removed, *added], dtype=np.int64))
        fresh = build((number, text_terms(added[number])) for number in sorted(added))
        parts, change = _without(state.parts, gone)
        for term, spelling in enumerate(fresh.all_spellings()):
            change[spelling] += int(fresh.starts[term + 1] - fresh.starts[term])
        if fresh.size:
            parts.append(_whole("", fresh))
        parts, next_file = self._merged(parts, state.next_file)
        histogram = _histogram(state, parts, change)
        values = {"histogram": list(histogram.items())}
        segments.save(
            self._path, segments.Manifest(_KIND, revision, _named(parts), values, next_file)
        )
        self._stamp = segments.stamp(self._path)
        self._state = _state(revision, parts, histogram, next_file)

    def search(
        self, question: str, k: int, *, allowed: Keys | None = None
    ) -> list[tuple[int, float]]:
        state = self._state
        terms = Counter(term.encode("utf-8", "surrogatepass") for term in question_terms(question))
        rows = [None if allowed is None else _rows(part, allowed) for part in state.parts]
        scores = [np.zeros(part.segment.size) for part in state.parts]
        for spelling, times in terms.items():
            places = [part.segment.find(spelling) for part in state.parts]
            frequency = sum(
                part.frequency(place)
                for part, place in zip(state.parts, places, strict=True)
                if place >= 0
            )
            if not frequency:
                continue
            weight = scoring.idf(state.text_count, frequency, state.mean_idf)
            for i, place in enumerate(places):
                if place >= 0:
                    postings = _among(state.parts[i].segment.postings(place), rows[i])
                    _add(scores[i], postings, state.penalties[i], times * weight)
        return _collect(state.parts, scores, rows, k)

    def occurs(self, term: str) -> bool:
        """Whether any text holds the term (as ``tokens.text_terms`` gives it)."""
        spelling = term.encode("utf-8", "surrogatepass")
        for part in self._state.parts:
            place = part.segment.find(spelling)
            if place >= 0 and part.frequency(place):
                return True
        return False

    def terms(self, letter: str, lengths: range) -> dict[str, int]:
        """The terms in use that begin with a letter and are so many bytes long, each with how
        many texts hold it."""
        first = letter.encode("utf-8", "surrogatepass")
        found: Counter[str] = Counter()
        for part in self._state.parts:
            for place, spelling in enumerate(part.segment.all_spellings()):
                if spelling.startswith(first) and len(spelling) in lengths:
                    held = part.frequency(place)
                    if held:
                        found[spelling.decode("utf-8", "surrogatepass")] += held
        return dict(found)

    def _refresh(self) -> None:
        if segments.stamp(self._path) != self._stamp:
            self._stamp, self._state = _load(self._path)

    def _merged(self, parts: list[_Part], next_file: int) -> tuple[list[_Part], int]:
        """Merge what is of like size and write the segments that are new."""
        living = [part.count for part in parts]
        sizes = [part.segment.size for part in parts]
        merged: list[_Part] = []
        for group in segments.merge_groups(living, sizes, _SMALL):
            part = parts[group[0]]
            if len(group) > 1:
                chosen = [parts[place] for place in dict.fromkeys(group)]
                part = _whole("", merge([(each.segment, each.alive) for each in chosen]))
            if not part.name:
                file = self._path / f"segment-{next_file:06d}.bin"
                next_file += 1
                save(part.segment, file)
                part = _whole(file.name, part.segment, checksum(file))
            merged.append(part)
        return merged, next_file


def _load(path: Path) -> tuple[list[int], _State]:
    stamp = segments.stamp(path)
    manifest, opened = segments.load(path, _KIND, load)
    parts = [
        _Part(part.name, part.checksum, segment, part.alive, _living(part.alive))
        for part, segment in zip(manifest.parts, opened, strict=True)
    ]
    histogram = {int(n): int(many) for n, many in manifest.values.get("histogram", ())}
    return stamp, _state(manifest.revision, parts, histogram, manifest.next_file)


def _living(alive: NDArray[np.bool_]) -> int:
    return int(np.count_nonzero(alive))


def _whole(name: str, segment: Segment, total: int = -1) -> _Part:
    return _Part(name, total, segment, np.ones(segment.size, dtype=bool), segment.size)


def _named(parts: Sequence[_Part]) -> tuple[segments.Part, ...]:
    return tuple(segments.Part(part.name, part.alive, part.checksum) for part in parts)


def _state(
    revision: int, parts: Sequence[_Part], histogram: Mapping[int, int], next_file: int
) -> _State:
    count = sum(part.count for part in parts)
    length = sum(int(part.segment.lengths[part.alive].sum()) for part in parts)
    mean_length = length / count if length else 1.0
    return _State(
        revision,
        tuple(parts),
        tuple(scoring.length_penalty(part.segment.lengths, mean_length) for part in parts),
        histogram,
        count,
        scoring.mean_idf(count, histogram),
        next_file,
    )


def _without(parts: Sequence[_Part], gone: NDArray[np.int64]) -> tuple[list[_Part], Counter[bytes]]:
    """The parts with those numbers dead, and by how much each term's frequency falls."""
    kept: list[_Part] = []
    change: Counter[bytes] = Counter()
    for part in parts:
        places = segments.places_of(part.segment.numbers, gone)
        places = places[part.alive[places]]
        for place in places.tolist():
            for term in part.segment.terms_of(place).tolist():
                change[part.segment.spelling(term)] -= 1
        alive = part.alive.copy()
        alive[places] = False
        if alive.any():
            kept.append(_Part(part.name, part.checksum, part.segment, alive, _living(alive)))
    return kept, change


def _histogram(
    state: _State, parts: Sequence[_Part], change: Mapping[bytes, int]
) -> dict[int, int]:
    """Document frequency to number of terms in ``parts``, which ``change`` led to."""
    if len(parts) == 1 and parts[0].alive.all():
        values, many = np.unique(np.diff(parts[0].segment.starts), return_counts=True)
        return dict(zip(values.tolist(), many.tolist(), strict=True))
    histogram = Counter(state.histogram)
    for spelling, by in change.items():
        if not by:
            continue
        old = sum(
            part.frequency(place)
            for part in state.parts
            if (place := part.segment.find(spelling)) >= 0
        )
        if old:
            histogram[old] -= 1
        if old + by:
            histogram[old + by] += 1
    return {n: many for n, many in sorted(histogram.items()) if many}


def _rows(part: _Part, allowed: Keys) -> NDArray[np.int64]:
    """Places of the living texts among the sorted numbers ``allowed``, ascending."""
    places = segments.places_of(part.segment.numbers, np.asarray(allowed, dtype=np.int64))
    living: NDArray[np.int64] = places[part.alive[places]]
    return living


def _among(
    postings: tuple[NDArray[np.int32], NDArray[np.int32]], rows: NDArray[np.int64] | None
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """The postings, where that is worth its while only those of the ascending ``rows``."""
    texts, counts = postings
    if rows is None or 16 * len(rows) >= len(texts):
        return postings
    places = segments.places_of(texts, rows)
    return texts[places], counts[places]


def _add(
    scores: NDArray[np.float64],
    postings: tuple[NDArray[np.int32], NDArray[np.int32]],
    penalties: NDArray[np.float64],
    weight: float,
) -> None:
    texts, counts = postings
    scores[texts] += scoring.contribution(weight, counts, penalties[texts])


def _collect(
    parts: Sequence[_Part],
    scores: Sequence[NDArray[np.float64]],
    rows: Sequence[NDArray[np.int64] | None],
    k: int,
) -> list[tuple[int, float]]:
    numbers, values = [], []
    for part, score, allowed in zip(parts, scores, rows, strict=True):
        places = np.flatnonzero((score > 0) & part.alive) if allowed is None else allowed
        places = places[score[places] > 0]
        numbers.append(part.segment.numbers[places])
        values.append(score[places])
    if not numbers:
        return []
    return scoring.best(np.concatenate(numbers), np.concatenate(values), k)
