"""The name graph that fits the catalog: from its file where that is current, else made."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

from graphrag.domain import ConceptGraph
from graphrag.errors import StoreError
from graphrag.ports import ChunkChanges
from graphrag.retrieval.name_building import name_graph_of
from graphrag.retrieval.name_files import load_name_graph, save_name_graph
from graphrag.retrieval.name_graph import NameGraph
from graphrag.retrieval.name_texts import KnownTexts


class NameSource(Protocol):
    """What the names are made from; the catalog is one."""

    @property
    def revision(self) -> int: ...

    def changes_since(self, revision: int) -> ChunkChanges: ...

    def metadata(self) -> dict[str, Mapping[str, object]]: ...

    def concept_graph(self) -> ConceptGraph: ...


def current_name_graph(path: Path, source: NameSource, *, keep: bool = True) -> NameGraph:
    """The graph of the source's present revision.

    Read from the file where that is whole and of this revision; made anew otherwise, and
    kept in the file unless ``keep`` is false. Raises StoreError where the disk refuses it.
    """
    revision = source.revision
    try:
        found = load_name_graph(path)
    except StoreError:
        # A projection is never worth an error: it is made again from the catalog.
        found = None
    if found is not None and found.revision == revision:
        return found
    titles = {id_: str(about.get("title", "")) for id_, about in source.metadata().items()}
    chunks = source.changes_since(0).added
    beside = path.with_name(f"{path.name}.texts")
    # Where the graph is gone or damaged, nothing that lies beside it is trusted either.
    texts = KnownTexts(beside) if found is None else KnownTexts.load(beside)
    graph = name_graph_of(chunks, titles, source.concept_graph(), revision, texts)
    if keep:
        texts.save()
        save_name_graph(graph, path)
    return graph
