"""The corpus as counts: which concept is named how often in which section."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from graphrag.domain import Concept, Document, Mention, Span

Counts = NDArray[np.float64]
Table = sparse.csr_matrix

_PRACTICE = re.compile(
    r"\b(?:exercises?|problems?|questions?|quiz|test prep|practice|homework|summary|review|"
    r"answers?|solutions?|key equations|references|further reading|bibliography)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Section:
    """What stands between one heading and the next; ``path`` begins with the title."""

    document: int
    span: Span
    path: tuple[str, ...]

    @property
    def is_practice(self) -> bool:
        """Whether it holds exercises or a summary rather than an explanation."""
        return any(_PRACTICE.search(heading) for heading in self.path[1:])


@dataclass(frozen=True, slots=True)
class Occurrences:
    """Mentions as columns, one entry each, in reading order, beside the sections.

    ``weights`` is 1, halved for a mention within a longer name and halved in exercises
    and summaries. Shapes: all columns (n mentions,).
    """

    concepts: tuple[Concept, ...]
    documents: tuple[Document, ...]
    sections: tuple[Section, ...]
    mentions: tuple[Mention, ...]
    concept: NDArray[np.int64]
    document: NDArray[np.int64]
    section: NDArray[np.int64]
    nested: NDArray[np.bool_]
    weights: Counts

    @property
    def size(self) -> int:
        """The number of concepts."""
        return len(self.concepts)

    def section_counts(self) -> Table:
        """Weighted mentions, shape (sections, concepts)."""
        return _table(self.section, self.concept, self.weights, len(self.sections), self.size)

    def document_counts(self) -> Table:
        """Weighted mentions, shape (documents, concepts)."""
        return _table(self.document, self.concept, self.weights, len(self.documents), self.size)

    def totals(self) -> Counts:
        """Weighted mentions of each concept."""
        totals: Counts = np.bincount(
            self.concept, weights=self.weights, minlength=self.size
        ).astype(np.float64)
        return totals


def _table(
    rows: NDArray[np.int64], columns: NDArray[np.int64], values: Counts, height: int, width: int
) -> Table:
    return sparse.csr_matrix((values, (rows, columns)), shape=(height, width))


def at(table: Table, rows: NDArray[np.int64], columns: NDArray[np.int64]) -> Counts:
    """Entries of a sparse table, shape (pairs,)."""
    if not len(rows):
        return np.zeros(0)
    return np.asarray(table[rows, columns], dtype=np.float64).ravel()


def count_occurrences(
    documents: Sequence[Document], concepts: Sequence[Concept], mentions: Sequence[Mention]
) -> Occurrences:
    """The columns for mentions sorted by document and place."""
    number = {concept.id: i for i, concept in enumerate(concepts)}
    document_number = {document.id: i for i, document in enumerate(documents)}
    sections = [s for i, document in enumerate(documents) for s in _sections(i, document)]
    starts: Mapping[int, tuple[list[int], list[int]]] = _starts(sections)
    section_column, nested = [], []
    outer = (-1, 0, 0)
    for mention in mentions:
        d = document_number[mention.document_id]
        begins, indices = starts[d]
        section_column.append(indices[max(0, bisect_right(begins, mention.start) - 1)])
        inside = outer[0] == d and outer[1] <= mention.start and mention.stop <= outer[2]
        nested.append(inside)
        if not inside:
            outer = (d, mention.start, mention.stop)
    section = np.array(section_column, dtype=np.int64)
    nested_column = np.array(nested, dtype=np.bool_)
    practice = np.array([s.is_practice for s in sections], dtype=np.bool_)
    weights = np.where(nested_column, 0.5, 1.0)
    if len(section):
        weights = weights * np.where(practice[section], 0.5, 1.0)
    return Occurrences(
        concepts=tuple(concepts),
        documents=tuple(documents),
        sections=tuple(sections),
        mentions=tuple(mentions),
        concept=np.array([number[m.concept_id] for m in mentions], dtype=np.int64),
        document=np.array([document_number[m.document_id] for m in mentions], dtype=np.int64),
        section=section,
        nested=nested_column,
        weights=weights,
    )


def _starts(sections: Sequence[Section]) -> dict[int, tuple[list[int], list[int]]]:
    starts: dict[int, tuple[list[int], list[int]]] = {}
    for i, section in enumerate(sections):
        begins, indices = starts.setdefault(section.document, ([], []))
        begins.append(section.span.start)
        indices.append(i)
    return starts


def _sections(number: int, document: Document) -> list[Section]:
    sections: list[Section] = []
    start = 0
    path: tuple[str, ...] = (document.title,)
    for block in document.blocks:
        if block.kind != "heading":
            continue
        if block.start > start:
            sections.append(Section(number, Span(start, block.start), path))
        start = block.start
        below = tuple(h for h in block.heading_path if h != document.title)
        path = (document.title, *below)
    sections.append(Section(number, Span(start, len(document.text)), path))
    return sections
