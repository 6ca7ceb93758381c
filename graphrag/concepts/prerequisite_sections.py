"""Prerequisites that a document states outright: in a section of that name or front matter."""

from __future__ import annotations

import re
from dataclasses import dataclass

from graphrag.concepts.prose import list_items
from graphrag.domain import Block, Document, Span

_SECTION = re.compile(
    r"""^(?:\W*\d*[.\s]*)?(?:
      pre-?requisites?|prerequisite\s(?:knowledge|concepts|topics|lessons|reading)
      |requirements?|before\syou\s(?:start|begin|read)|what\syou\sneed\sto\sknow(?:\sfirst)?
      |(?:what\s)?you\sshould\s(?:already\s)?know|required\s(?:knowledge|background|reading)
      |assumed\s(?:knowledge|background)|prior\sknowledge|depends\son|builds\son|needed\sfirst
      |dependencies
    )\W*$""",
    re.IGNORECASE | re.VERBOSE,
)
_RUN_IN = re.compile(
    r"^(?:prerequisites?|requires|required knowledge|assumed knowledge|before you start"
    r"|builds on|depends on|you should (?:already )?know)\s*:\s*(?=\S)",
    re.IGNORECASE,
)
FRONT_MATTER_KEYS = ("prerequisites", "prerequisite", "requires", "depends_on", "depends-on")
_NONE = re.compile(r"^(?:none|nothing|no prerequisites?|n/a|-)\W*$", re.IGNORECASE)
_MOST_WORDS = 8
_REASON = re.compile(r"\s*(?::\s|\s[-–—]\s|\s\()")


@dataclass(frozen=True, slots=True)
class StatedNeed:
    """One entry of a list of prerequisites.

    ``topic`` is the heading that the list belongs to, none for the document as a whole.
    ``names`` are the readings of the entry's name, the longest first; ``target`` is the
    link in it, where there is one; ``span`` is empty for front matter. ``loose`` entries are
    running text, in which concepts are looked for.
    """

    topic: str | None
    names: tuple[str, ...]
    sentence: str
    span: Span | None = None
    target: str = ""
    loose: bool = False

    @property
    def name(self) -> str:
        """The likeliest reading: up to the first mark that can begin a reason."""
        return self.names[-1] if self.names else ""


def is_prerequisite_heading(heading: str) -> bool:
    """Whether a section of this name lists what is needed first."""
    return _SECTION.match(heading.strip()) is not None


def stated_needs(document: Document) -> list[StatedNeed]:
    """The entries of prerequisite sections, of lines ``Prerequisites: ...`` and of front matter."""
    needs = [
        StatedNeed(None, _readings(name), name)
        for key in FRONT_MATTER_KEYS
        for name in _values(document.metadata.get(key, ()))
    ]
    for block in document.blocks:
        path = [heading for heading in block.heading_path if heading != document.title]
        inside = bool(path) and is_prerequisite_heading(path[-1])
        if block.kind == "list" and inside:
            for item in list_items(document.text, block):
                needs += _entry(document, item, _topic(path[:-1]))
        elif block.kind == "paragraph":
            needs += _paragraph(document, block, path, inside=inside)
    return needs


def _paragraph(
    document: Document, block: Block, path: list[str], *, inside: bool
) -> list[StatedNeed]:
    text = document.text[block.start : block.stop]
    run_in = _RUN_IN.match(text)
    if not inside and run_in is None:
        return []
    topic = _topic(path[:-1] if inside else path)
    start = block.start + (run_in.end() if run_in else 0)
    span = Span(start, block.stop)
    body = document.text[start : block.stop].strip()
    if _NONE.match(body):
        return []
    names = [part.strip(" .") for part in re.split(r",|;|\band\b|\n", body)]
    if (
        len(body) <= 200
        and "." not in body.rstrip(". ")
        and all(len(n.split()) <= 6 for n in names)
    ):
        return [
            StatedNeed(topic, (name,), text.strip(), span, _target(document, span, name))
            for name in names
            if name
        ]
    return [StatedNeed(topic, (), text.strip(), span, loose=True)]


def _entry(document: Document, item: Span, topic: str | None) -> list[StatedNeed]:
    text = document.text[item.start : item.stop].strip()
    if not text or _NONE.match(text):
        return []
    names = _readings(text)
    loose = len(names[-1].split()) > _MOST_WORDS
    return [StatedNeed(topic, names, text, item, _target(document, item, ""), loose)]


def _readings(entry: str) -> tuple[str, ...]:
    """The readings of ``name: reason``, longest first; names may hold colons themselves."""
    ends = [match.start() for match in _REASON.finditer(entry)][:3]
    parts = [entry.strip().rstrip("."), *(entry[:end].strip() for end in reversed(ends))]
    return tuple(dict.fromkeys(part for part in parts if part)) or (entry.strip(),)


def _target(document: Document, span: Span, name: str) -> str:
    for link in document.links:
        inside = span.start <= link.start and link.stop <= span.stop
        if inside and (not name or document.text[link.start : link.stop].strip() == name):
            return link.target
    return ""


def _topic(path: list[str]) -> str | None:
    return path[-1] if path else None


def _values(value: str | tuple[str, ...]) -> list[str]:
    if isinstance(value, str):
        parts = re.split(r"[,;\n]", value)
        return [part.strip() for part in parts if part.strip() and not _NONE.match(part.strip())]
    return [part.strip() for part in value if part.strip()]
