"""Which hits count for a question: relevant ids against chunk ids."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from graphrag.errors import QueryError


def document_of(chunk_id: str) -> str:
    """The document of a chunk id ``<document id>#<ordinal>``."""
    return chunk_id.rpartition("#")[0] or chunk_id


class Corpus:
    """The ids that a question's ``relevant`` may mean."""

    def __init__(self, document_ids: Iterable[str], chunk_ids: Iterable[str] = ()) -> None:
        self._documents = set(document_ids)
        self._chunks = set(chunk_ids)
        self._suffixes: Mapping[str, list[str]] = _suffixes(self._documents)

    def resolve(self, relevant: str) -> str:
        """The document or chunk id that is meant: the id itself, or a document whose path
        ends so. Raises QueryError if none does, or several do."""
        if relevant in self._documents or relevant in self._chunks:
            return relevant
        name, mark, ordinal = relevant.rpartition("#")
        if mark and ordinal.isdigit() and not self._suffixes.get(relevant):
            return f"{self._unique(name)}#{ordinal}"
        return self._unique(relevant)

    def _unique(self, relevant: str) -> str:
        found = self._suffixes.get(relevant.replace("\\", "/").removeprefix("./"), [])
        if len(found) == 1:
            return found[0]
        if not found:
            raise QueryError(f"relevant id {relevant!r} is no document or chunk of this index")
        raise QueryError(
            f"relevant id {relevant!r} is the end of {len(found)} documents "
            f"({', '.join(sorted(found)[:3])}): write more of the path"
        )


def _suffixes(documents: Iterable[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for document in documents:
        parts = document.replace("\\", "/").split("/")
        for start in range(len(parts)):
            found["/".join(parts[start:])].append(document)
    return dict(found)


def gains(ranking: Sequence[str], relevant: Sequence[str]) -> list[int]:
    """1 where a rank brings a relevant id for the first time, else 0.

    ``ranking`` are chunk ids, best first. A chunk stands for itself and its document, and
    each relevant id counts once: a second chunk of the same document brings nothing new.
    """
    wanted = set(relevant)
    found = []
    for chunk_id in ranking:
        new = wanted & {chunk_id, document_of(chunk_id)}
        found.append(1 if new else 0)
        wanted -= new
    return found
