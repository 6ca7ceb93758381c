"""The name graph that fits the catalog: from its file where that is current, else changed
or made."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from graphrag.errors import StoreError
from graphrag.ports import ChunkChanges, Touched
from graphrag.retrieval.name_building import (
    assembled,
    concept_spellings,
    name_passages,
    naming_headings,
    read_names,
)
from graphrag.retrieval.name_changes import ChangedSource, changed_names
from graphrag.retrieval.name_files import load_names, save_name_graph
from graphrag.retrieval.name_graph import NameGraph
from graphrag.retrieval.name_sources import NameSources, sources_of


class NameSource(ChangedSource, Protocol):
    """What the names are made from; the catalog is one."""

    @property
    def revision(self) -> int: ...

    def changes_since(self, revision: int) -> ChunkChanges: ...

    def touched_since(self, revision: int) -> Touched | None: ...


def current_name_graph(path: Path, source: NameSource, *, keep: bool = True) -> NameGraph:
    """The graph of the source's present revision.

    Read from the file where that is whole and of this revision; else changed by what was
    touched since its revision, or made anew where that is not known, and kept in the file
    unless ``keep`` is false. Raises StoreError where the disk refuses it.
    """
    revision = source.revision
    try:
        found = load_names(path)
    except StoreError:
        # A projection is never worth an error: it is made again from the catalog.
        found = None
    if found is not None and found[0].revision == revision:
        return found[0]
    made = _changed(found, source, revision) or _anew(source, revision)
    if keep:
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


def _anew(source: NameSource, revision: int) -> tuple[NameGraph, NameSources]:
    """The graph from all chunks."""
    chunks = source.changes_since(0).added
    titles = {key: str(about.get("title", "")) for key, about in source.metadata().items()}
    graph = source.concept_graph()
    spellings = concept_spellings(graph.concepts)
    passages = name_passages(chunks, titles, graph, naming_headings(chunks))
    read = read_names(passages, spellings)
    return (
        assembled(read, spellings, revision),
        sources_of(chunks, passages, read.words, graph.concepts),
    )
