"""What the language pipeline spots in one document."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from graphrag.domain.documents import Span

DefinitionForm = Literal["glossary", "copula", "called", "bold", "heading"]
CueKind = Literal["requires", "uses", "part_of", "kind_of", "contrasts", "derived_from", "used_for"]


@dataclass(frozen=True, slots=True)
class Phrase:
    """A noun phrase; ``key`` is its normalised spelling (see ``concepts.names``)."""

    start: int
    stop: int
    key: str


@dataclass(frozen=True, slots=True)
class Definition:
    """A sentence or entry that says what a term is; ``term`` may be several words."""

    term: Span
    sentence: Span
    form: DefinitionForm


@dataclass(frozen=True, slots=True)
class Cue:
    """A sentence that relates two phrases.

    For ``requires`` and ``uses``, ``subject`` is what needs and ``object`` what is needed,
    whatever the sentence's own word order ("X is required for Y" has subject Y).
    """

    kind: CueKind
    subject: Span
    object: Span
    sentence: Span
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Annotation:
    """What the language pipeline found in one document, in the order of the text.

    ``names`` are what a language model takes for concepts; None where none was asked, and the
    noun phrases stand in.
    """

    sentences: tuple[Span, ...] = ()
    phrases: tuple[Phrase, ...] = ()
    definitions: tuple[Definition, ...] = ()
    cues: tuple[Cue, ...] = ()
    names: tuple[Span, ...] | None = None
