"""Foot- and endnotes of a DOCX file: the marks by which a reader sees them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from graphrag.reading.docx_styles import W, attribute, counted
from graphrag.reading.elements import Element, local_name
from graphrag.reading.zips import Package

_PARTS = {"footnotes": "footnote", "endnotes": "endnote"}
_REFERENCES = {
    "footnotereference": ("footnote", "decimal"),
    "endnotereference": ("endnote", "lowerRoman"),
}


@dataclass(frozen=True, slots=True)
class Note:
    """A note's mark and its paragraphs."""

    mark: str
    paragraphs: tuple[Element, ...]


def note_marks(root: Element) -> dict[tuple[str, str], str]:
    """Kind and id of each note to its mark, counted in the order in which they are referred to:
    1, 2, ... for footnotes, i, ii, ... for endnotes."""
    marks: dict[tuple[str, str], str] = {}
    counts = {"footnote": 0, "endnote": 0}
    for element in root.iter(f"{W}footnoteReference", f"{W}endnoteReference"):
        kind, form = _REFERENCES[local_name(element)]
        key = (kind, attribute(element, "id"))
        if key not in marks:
            counts[kind] += 1
            marks[key] = counted(counts[kind], form)
    return marks


def mark_of(reference: Element, marks: Mapping[tuple[str, str], str]) -> str:
    """The mark of the note that a reference leads to."""
    kind, _ = _REFERENCES[local_name(reference)]
    note_id = attribute(reference, "id")
    return marks.get((kind, note_id), note_id)


def notes(package: Package, marks: Mapping[tuple[str, str], str]) -> Iterator[Note]:
    """The notes that the text refers to, footnotes first, each kind in its order."""
    for part, kind in _PARTS.items():
        root = package.xml(f"word/{part}.xml")
        found = {
            attribute(note, "id"): note
            for note in (root.iter(f"{W}{kind}") if root is not None else ())
            if not attribute(note, "type")
        }
        for (its_kind, note_id), mark in marks.items():
            if its_kind == kind and note_id in found:
                yield Note(mark, tuple(found[note_id].iter(f"{W}p")))
