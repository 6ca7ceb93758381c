"""The keyword index: BM25 over immutable segments, changed in proportion to the change.

A folder holds segment files and ``manifest.json``, which alone says what counts: the
revision, the segments with their dead texts, and how many terms have which document
frequency. An update writes one new segment, merges it with others of its size, and puts
a new manifest in place; readers go on with what they have mapped.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray

from graphrag.adapters import bm25_manifest as manifests
from graphrag.adapters import bm25_scoring as scoring
from graphrag.adapters.bm25_segment import Segment, build, merge, save
from graphrag.adapters.durable_files import make_folder
from graphrag.ports import Keys
from graphrag.tokens import question_terms, tokenize

_SMALL = 256  # segments of fewer texts are merged at once: they cost next to nothing
_GROWTH = 4  # a segment is merged when the next one is more than a quarter of it


@dataclass(frozen=True, slots=True)
class _Part:
    """A segment in use: its file's name, and which texts are alive (n,)."""

    name: str
    segment: Segment
    alive: NDArray[np.bool_]
    count: int
    penalty: NDArray[np.float64]

    def frequency(self, term: int) -> int:
        """How many living texts hold the term."""
        if self.count == self.segment.size:
            return int(self.segment.starts[term + 1] - self.segment.starts[term])
        return int(self.alive[self.segment.postings(term)[0]].sum())


@dataclass(frozen=True, slots=True)
class _State:
    """All that a search reads: replaced as a whole by an update."""

    revision: int
    parts: tuple[_Part, ...]
    histogram: Mapping[int, int]
    text_count: int
    mean_idf: float
    next_file: int


class Bm25Index:
    """``ports.KeywordIndex`` from a folder. Searching is safe in several threads."""

    def __init__(self, path: Path, state: _State) -> None:
        self._path = path
        self._state = state

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open the folder; a missing one is an empty index of revision 0.

        Raises StoreError when it is damaged or its terms were made by another version:
        delete the folder and build the index anew.
        """
        manifest, segments = manifests.load(path)
        pairs = [
            (name, segment, alive)
            for (name, alive), segment in zip(manifest.parts, segments, strict=True)
        ]
        return cls(
            path, _state(manifest.revision, pairs, dict(manifest.histogram), manifest.next_file)
        )

    @property
    def revision(self) -> int:
        return self._state.revision

    def update(self, added: Mapping[int, str], removed: Sequence[int], revision: int) -> None:
        make_folder(self._path)
        state = self._state
        gone = np.unique(np.asarray([*removed, *added], dtype=np.int64))
        fresh = build({number: tokenize(text) for number, text in added.items()})
        kept, change = _without(state.parts, gone)
        for term, spelling in enumerate(fresh.all_spellings()):
            change[spelling] += int(fresh.starts[term + 1] - fresh.starts[term])
        pairs = [*kept, ("", fresh, np.ones(fresh.size, dtype=bool))] if fresh.size else kept
        pairs, next_file = self._merged(pairs, state.next_file)
        histogram = _histogram(state, pairs, change)
        manifest = manifests.Manifest(
            revision, tuple((name, alive) for name, _, alive in pairs), histogram, next_file
        )
        manifests.save(self._path, manifest)
        self._state = _state(revision, pairs, histogram, next_file)

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
                    _add(scores[i], state.parts[i], place, times * weight, rows[i])
        return _collect(state.parts, scores, rows, k)

    def _merged(self, pairs: list[_Pair], next_file: int) -> tuple[list[_Pair], int]:
        """Merge what is of like size, largest first; write the segments that are new."""
        pairs = sorted(pairs, key=_living, reverse=True)
        merged: list[_Pair] = []
        while pairs:
            name, segment, alive = pairs.pop()
            if merged and _living((name, segment, alive)) < _GROWTH * max(
                _SMALL, _living(merged[-1])
            ):
                other = merged.pop()
                segment = merge([(segment, alive), other[1:]])
                name, alive = "", np.ones(segment.size, dtype=bool)
            elif 2 * _living((name, segment, alive)) < segment.size:
                segment = merge([(segment, alive)])
                name, alive = "", np.ones(segment.size, dtype=bool)
            merged.append((name, segment, alive))
        written = []
        for name, segment, alive in merged:
            if not name:
                name = f"segment-{next_file:06d}.bin"
                next_file += 1
                save(segment, self._path / name)
            written.append((name, segment, alive))
        return written, next_file


_Pair = tuple[str, Segment, NDArray[np.bool_]]


def _living(pair: _Pair) -> int:
    return int(pair[2].sum())


def _state(
    revision: int, pairs: Sequence[_Pair], histogram: Mapping[int, int], next_file: int
) -> _State:
    count = sum(_living(pair) for pair in pairs)
    length = sum(int(segment.lengths[alive].sum()) for _, segment, alive in pairs)
    mean_length = length / count if length else 1.0
    parts = tuple(
        _Part(
            name,
            segment,
            alive,
            int(alive.sum()),
            scoring.length_penalty(segment.lengths, mean_length),
        )
        for name, segment, alive in pairs
    )
    return _State(revision, parts, histogram, count, scoring.mean_idf(count, histogram), next_file)


def _without(parts: Sequence[_Part], gone: NDArray[np.int64]) -> tuple[list[_Pair], Counter[bytes]]:
    """The parts with those numbers dead, and by how much each term's frequency falls."""
    kept: list[_Pair] = []
    change: Counter[bytes] = Counter()
    for part in parts:
        numbers = part.segment.numbers
        places = np.searchsorted(numbers, gone)
        inside = places < len(numbers)
        places = places[inside][numbers[places[inside]] == gone[inside]]
        places = places[part.alive[places]]
        if not len(places):
            kept.append((part.name, part.segment, part.alive))
            continue
        for place in places.tolist():
            for term in part.segment.terms_of(place).tolist():
                change[part.segment.spelling(term)] -= 1
        alive = part.alive.copy()
        alive[places] = False
        if alive.any():
            kept.append((part.name, part.segment, alive))
    return kept, change


def _histogram(
    state: _State, pairs: Sequence[_Pair], change: Mapping[bytes, int]
) -> dict[int, int]:
    """Document frequency to number of terms in ``pairs``, which ``change`` led to."""
    if len(pairs) == 1 and pairs[0][2].all():
        values, many = np.unique(np.diff(pairs[0][1].starts), return_counts=True)
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
    numbers = part.segment.numbers
    places = np.searchsorted(numbers, allowed)
    inside = places < len(numbers)
    places = places[inside][numbers[places[inside]] == np.asarray(allowed)[inside]]
    living: NDArray[np.int64] = places[part.alive[places]]
    return living


def _add(
    scores: NDArray[np.float64],
    part: _Part,
    term: int,
    weight: float,
    rows: NDArray[np.int64] | None,
) -> None:
    texts, counts = part.segment.postings(term)
    if rows is not None and 16 * len(rows) < len(texts):
        found = np.searchsorted(texts, rows)
        found = found[found < len(texts)]
        found = found[np.isin(texts[found], rows)]
        texts, counts = texts[found], counts[found]
    scores[texts] += scoring.contribution(weight, counts, part.penalty[texts])


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
