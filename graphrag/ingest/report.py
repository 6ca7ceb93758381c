"""What an ingest did, and how it says so while it runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from graphrag.concepts.extraction import Extraction
    from graphrag.prerequisites.testimony import Hearing


@dataclass(frozen=True, slots=True)
class RefusedFile:
    """A file that is not in the index, and why."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class IngestReport:
    """Counts of documents by what happened to them, what the index now holds, and seconds.

    ``seconds["total"]`` went by. The stages run side by side, and each has the seconds that
    it was at work: ``reading`` (finding, reading, chunking), ``embedding``, ``concepts``
    (waiting for the language pipeline, then deriving the graph) and ``stores`` (committing,
    then projections). Together they may come to more than the total. ``hearing`` counts what
    a language model was asked and said, where it was heard, ``extraction`` what one was asked
    about concepts.
    """

    added: int = 0
    changed: int = 0
    unchanged: int = 0
    removed: int = 0
    refused: tuple[RefusedFile, ...] = ()
    chunks: int = 0
    concepts: int = 0
    prerequisites: int = 0
    embedded: int = 0
    seconds: Mapping[str, float] = field(default_factory=dict)
    hearing: Hearing | None = None
    extraction: Extraction | None = None


class Progress(Protocol):
    """Told how far an ingest has come; ``total`` may grow while files are being read."""

    def stage(self, name: str) -> None:
        """A stage begins: ``reading``, ``concepts``, ``stores``."""
        ...

    def advance(self, files: int, total_files: int, chunks: int, total_chunks: int = 0) -> None:
        """``files`` of ``total_files`` and ``chunks`` of them are embedded so far; all files
        come to some ``total_chunks``, as far as one can tell: 0 where one cannot."""
        ...


class Silent:
    """Progress that tells nobody."""

    def stage(self, name: str) -> None:
        """Nothing."""

    def advance(self, files: int, total_files: int, chunks: int, total_chunks: int = 0) -> None:
        """Nothing."""
