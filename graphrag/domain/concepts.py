"""Concepts, their mentions and relations, and what people decided about them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class GivenConcept:
    """A concept of a syllabus or glossary, used as it stands."""

    id: str
    title: str
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Concept:
    """Something to be understood: one node whatever its spelling.

    ``weight`` from 0 to 1 says how surely it is a concept (1 for given ones);
    ``definition`` is the id of the chunk that explains it best, where there is one.
    """

    id: str
    name: str
    aliases: tuple[str, ...] = ()
    weight: float = 1.0
    definition: str | None = None
    given: bool = False


MentionKind = Literal["text", "heading", "definition", "title", "emphasis"]


@dataclass(frozen=True, slots=True)
class Mention:
    """One place where a concept is named; offsets in the document's text."""

    concept_id: str
    document_id: str
    chunk_id: str
    start: int
    stop: int
    kind: MentionKind = "text"


EvidenceKind = Literal[
    "stated",
    "section",
    "front_matter",
    "cue",
    "definition",
    "title",
    "order",
    "structure",
    "link",
    "reference",
    "generality",
    "similarity",
    "model",
]


@dataclass(frozen=True, slots=True)
class Evidence:
    """Why one concept may need another: the signal, its score from 0 to 1, and the
    sentence with its document (empty for signals that are counted over the corpus)."""

    kind: EvidenceKind
    score: float
    sentence: str = ""
    document_id: str = ""
    chunk_id: str = ""


Status = Literal["certain", "likely", "possible", "open", "suppressed", "rejected"]
IN_FORCE = ("certain", "likely", "possible")


@dataclass(frozen=True, slots=True)
class Prerequisite:
    """``prerequisite_id`` must be understood before ``concept_id``.

    In force are ``certain``, ``likely`` and ``possible``; of an ``open`` one the documents do
    not settle which of the two comes first, or whether it is needed at all; ``suppressed``
    edges lost in a cycle (``reason`` says to which), ``rejected`` ones were refused by a person.
    ``weight`` is a calibrated probability. ``direct`` is false where the edge follows
    from others.
    """

    concept_id: str
    prerequisite_id: str
    weight: float
    status: Status
    evidence: tuple[Evidence, ...] = ()
    direct: bool = True
    reason: str = ""

    @property
    def in_force(self) -> bool:
        return self.status in IN_FORCE


RelationKind = Literal[
    "requires",
    "uses",
    "part_of",
    "kind_of",
    "contrasts",
    "derived_from",
    "used_for",
    "co_occurs",
    "corequisite",
]


@dataclass(frozen=True, slots=True)
class Relation:
    """A typed edge between concepts with the sentence that shows it."""

    source_id: str
    kind: RelationKind
    target_id: str
    weight: float
    sentence: str = ""
    document_id: str = ""
    chunk_id: str = ""


@dataclass(frozen=True, slots=True)
class ConceptGraph:
    """All that is derived from the documents: sorted, so equal inputs give equal values.

    ``open`` holds the pairs that are close but not settled: they are listed for people, and are
    no part of the prerequisite relation.
    """

    concepts: tuple[Concept, ...] = ()
    mentions: tuple[Mention, ...] = ()
    prerequisites: tuple[Prerequisite, ...] = ()
    relations: tuple[Relation, ...] = ()
    open: tuple[Prerequisite, ...] = ()


DecisionKind = Literal["accept", "reject", "add", "merge", "split", "alias", "ignore", "include"]


@dataclass(frozen=True, slots=True)
class Decision:
    """What a person decided; names, not ids, so that it outlives every re-ingest.

    accept/reject/add: ``concept`` needs ``other``; merge: ``other`` is the same as
    ``concept``; split: ``other`` is not the same; alias: ``other`` is a spelling of
    ``concept``; ignore: ``concept`` is none; include: it is one, whatever a syllabus says.
    """

    kind: DecisionKind
    concept: str
    other: str = ""
    note: str = ""

    @property
    def subject(self) -> tuple[str, str, str]:
        """What is decided, and of which names: a later decision on the same subject takes
        an earlier one's place. Whether two names are one has no direction."""
        ends = self.concept.casefold(), self.other.casefold()
        if self.kind in ("merge", "split", "alias"):
            return "same", min(ends), max(ends)
        return ("is one" if self.kind in ("ignore", "include") else "needs"), *ends
