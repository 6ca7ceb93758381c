"""The name graph that fits the catalog: from its file where that is current, else changed
or made."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Protocol

import numpy as np

from graphrag.errors import StoreError
from graphrag.ports import NumberedChunk, Touched
from graphrag.retrieval.name_building import (
    assembled,
    concept_spellings,
    own_keys,
    read_names,
    read_together,
)
from graphrag.retrieval.name_changes import ChangedSource, changed_names, passages_in
from graphrag.retrieval.name_files import load_names, save_name_graph
from graphrag.retrieval.name_graph import NameGraph
from graphrag.retrieval.name_sources import (
    NameSources,
    among,
    owners_of,
    owners_together,
    sources_of,
    sources_together,
)
from graphrag.retrieval.names import NameMatcher

_AT_ONCE = 10_000  # chunks in memory: some 20 MB


class NameSource(ChangedSource, Protocol):
    """What the names are made from; the catalog is one."""

    @property
    def revision(self) -> int: ...

    def chunk_numbers(self) -> dict[int, str]: ...

    def touched_since(self, revision: int) -> Touched | None: ...


def current_name_graph(
    path: Path, source: NameSource, *, keep: bool = True, at_once: int = _AT_ONCE
) -> NameGraph:
    """The graph of the source's present revision.

    Read from the file where that is whole and of this revision; else changed by what was
    touched since its revision, or made anew where that is not known, with ``at_once`` chunks
    in memory, and kept in the file unless ``keep`` is false. Raises StoreError where the disk
    refuses it.
    """
    revision = source.revision
    try:
        found = load_names(path)
    except StoreError:
        # A projection is never worth an error: it is made again from the catalog.
        found = None
    if found is not None and found[0].revision == revision:
        return found[0]
    made = _changed(found, source, revision) or names_anew(source, at_once)
    # What another process has written meanwhile may be in it by half.
    if keep and source.revision == revision:
        save_name_graph(made[0], path, made[1])
    return made[0]


def _changed(
    found: tuple[NameGraph, NameSources | None] | None, source: NameSource, revision: int
) -> tuple[NameGraph, NameSources] | None:
    """What was found with what changed since; None where everything may have."""
    if found is None or found[1] is None or found[0].revision > revision:
        return None
    touched = source.touched_since(found[0].revision)
    if touched is None:
        return None
    return changed_names(found[0], found[1], touched, source, revision)


def names_anew(source: NameSource, at_once: int = _AT_ONCE) -> tuple[NameGraph, NameSources]:
    """The graph from all chunks, which are gone through three times: for who has which
    headings, for what passages are called, and for what they mention. Only some are held at
    a time; in memory stay the names and the arrays that the graph is made of."""
    revision = source.revision
    batches = _Batches(source, at_once)
    concepts = source.concept_graph(()).concepts
    spellings = concept_spellings(concepts)
    owners = owners_together([owners_of(chunks) for chunks in batches])
    few = owners.few(np.unique(owners.headings.items))
    naming = partial(among, few)
    matcher = NameMatcher(
        {
            key
            for chunks in batches
            for passage in passages_in(source, chunks, naming)
            for key in own_keys(passage, spellings)
        }
    )
    reads, sources = [], []
    for chunks in batches:
        passages = passages_in(source, chunks, naming)
        reads.append(read_names(passages, spellings, matcher))
        sources.append(sources_of(chunks, passages, reads[-1].words, concepts))
    del matcher
    return assembled(read_together(reads), spellings, revision), sources_together(sources)


class _Batches:
    """The chunks of a catalog by ascending number, so many at a time; at least one batch,
    which is kept where there is no other."""

    def __init__(self, source: NameSource, at_once: int) -> None:
        self._source = source
        self._at_once = at_once
        self._numbers = np.sort(np.fromiter(source.chunk_numbers(), dtype=np.int64))
        self._only: list[NumberedChunk] | None = None

    def __iter__(self) -> Iterator[list[NumberedChunk]]:
        if self._only is not None:
            yield self._only
            return
        for first in range(0, max(len(self._numbers), 1), self._at_once):
            numbers = self._numbers[first : first + self._at_once]
            chunks = self._source.numbered(numbers=numbers.tolist())
            if len(numbers) == len(self._numbers):
                self._only = chunks
            yield chunks
