"""The name graph follows the catalog's revision."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

import pytest

from graphrag.domain import ConceptGraph
from graphrag.errors import StoreError
from graphrag.ports import NumberedChunk, Touched
from graphrag.retrieval import name_files
from graphrag.retrieval.name_files import load_name_graph
from graphrag.retrieval.name_keeping import current_name_graph
from tests.retrieval_values import LIBRARY, Shelf


class Source:
    """A catalog that counts how often all its chunks were read."""

    def __init__(
        self,
        revision: int,
        library: Mapping[str, tuple[str, str]],
        touched: Touched | None = None,
    ) -> None:
        self.revision = revision
        self.reads = 0
        self._touched = touched
        self._shelf = Shelf(library)

    def chunk_numbers(self) -> dict[int, str]:
        self.reads += 1
        return {each.number: each.chunk.id for each in self._shelf.numbered}

    def touched_since(self, revision: int) -> Touched | None:
        return self._touched

    def numbered(
        self, *, documents: Sequence[str] = (), numbers: Sequence[int] = ()
    ) -> list[NumberedChunk]:
        return [
            each
            for each in self._shelf.numbered
            if each.number in numbers or each.chunk.document_id in documents
        ]

    def metadata(self, ids: Sequence[str] | None = None) -> dict[str, Mapping[str, object]]:
        return self._shelf.metadata()

    def concept_graph(self, mentions_of: Collection[str] | None = None) -> ConceptGraph:
        return ConceptGraph()


def test_the_graph_is_made_once_a_revision(tmp_path: Path) -> None:
    source = Source(3, LIBRARY)
    first = current_name_graph(tmp_path / "names", source)
    again = current_name_graph(tmp_path / "names", source)
    assert source.reads == 1
    assert first.revision == again.revision == 3
    assert again.find(["lothair ii"])


def test_another_revision_makes_it_anew(tmp_path: Path) -> None:
    current_name_graph(tmp_path / "names", Source(3, LIBRARY))
    fewer = {"pump": LIBRARY["pump"]}
    graph = current_name_graph(tmp_path / "names", Source(4, fewer))
    assert graph.find(["lothair ii"]) == {}
    stored = load_name_graph(tmp_path / "names")
    assert stored is not None
    assert stored.revision == 4


@pytest.mark.parametrize("at_once", [1, 2, 3])
def test_chunks_read_in_batches_give_the_same_graph(tmp_path: Path, at_once: int) -> None:
    source = Source(3, LIBRARY)
    current_name_graph(tmp_path / "whole", source)
    current_name_graph(tmp_path / "batches", source, at_once=at_once)
    assert (tmp_path / "batches").read_bytes() == (tmp_path / "whole").read_bytes()


def test_what_changed_meanwhile_is_not_kept(tmp_path: Path) -> None:
    class Changing(Source):
        def numbered(
            self, *, documents: Sequence[str] = (), numbers: Sequence[int] = ()
        ) -> list[NumberedChunk]:
            self.revision += 1
            return super().numbered(documents=documents, numbers=numbers)

    assert current_name_graph(tmp_path / "names", Changing(3, LIBRARY)).revision == 3
    assert load_name_graph(tmp_path / "names") is None


@pytest.mark.parametrize("content", [b"", b"rubbish", b"graphrag names 2\n{}\n"])
def test_a_damaged_file_is_made_again(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "names").write_bytes(content)
    source = Source(3, LIBRARY)
    assert current_name_graph(tmp_path / "names", source).find(["lothair ii"])
    assert current_name_graph(tmp_path / "names", source).revision == 3
    assert source.reads == 1


@pytest.mark.parametrize("checked_at", [0, 16 << 20])
def test_a_file_whose_lists_are_zeros_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, checked_at: int
) -> None:
    names = tmp_path / "names"
    current_name_graph(names, Source(3, LIBRARY))
    content = names.read_bytes()
    head = content.index(b"\n", content.index(b"\n") + 1) + 1
    names.write_bytes(content[:head] + bytes(len(content) - head))
    # A file that is too large to be read whole is known by its lists' starts.
    monkeypatch.setattr(name_files, "_CHECKED_AT", checked_at)
    with pytest.raises(StoreError, match="names is damaged"):
        load_name_graph(names)
    source = Source(3, LIBRARY)
    assert current_name_graph(names, source).find(["lothair ii"])
    assert source.reads == 1


def test_what_is_not_to_be_kept_leaves_no_file(tmp_path: Path) -> None:
    current_name_graph(tmp_path / "names", Source(3, LIBRARY), keep=False)
    assert list(tmp_path.iterdir()) == []


def test_a_change_is_taken_without_reading_all_chunks(tmp_path: Path) -> None:
    current_name_graph(tmp_path / "names", Source(3, LIBRARY))
    first, *others = LIBRARY.items()
    source = Source(4, dict(others), Touched((), (first[0],)))
    changed = current_name_graph(tmp_path / "names", source)
    assert source.reads == 0
    assert changed.revision == 4
    assert len(changed.numbers) == len(others)


@pytest.mark.parametrize("revision", [2, 3])
def test_a_file_of_another_history_is_made_anew(tmp_path: Path, revision: int) -> None:
    # Ahead of the catalog, or behind it by more than the catalog knows.
    current_name_graph(tmp_path / "names", Source(revision + 1, LIBRARY))
    source = Source(revision, LIBRARY, Touched((), ()) if revision == 2 else None)
    assert current_name_graph(tmp_path / "names", source).revision == revision
    assert source.reads == 1
