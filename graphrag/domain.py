"""The words of the house: frozen values that every part speaks in.

Offsets are counted in Unicode code points of ``Document.text``; ``stop`` is exclusive.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

MetadataValue = str | tuple[str, ...]
Metadata = Mapping[str, MetadataValue]

BlockKind = Literal["heading", "paragraph", "list", "table", "code", "formula", "quote"]


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a document's text."""

    start: int
    stop: int


@dataclass(frozen=True, slots=True)
class Link:
    """A hyperlink in a document: the linked text's span and its target as written."""

    start: int
    stop: int
    target: str


@dataclass(frozen=True, slots=True)
class Block:
    """One structural piece of a document.

    ``heading_path`` holds the headings above, outermost first, without the document's
    title; a heading block's own text is the path's last item. ``level`` is 1 to 6 for
    headings and 0 otherwise. ``terms`` are spans that the author set off (bold, italic,
    a definition list's term). ``page`` counts from 1 where the format has pages.
    """

    kind: BlockKind
    start: int
    stop: int
    heading_path: tuple[str, ...] = ()
    level: int = 0
    page: int | None = None
    terms: tuple[Span, ...] = ()
    language: str | None = None


@dataclass(frozen=True, slots=True)
class Document:
    """A document as read: clean text, and the blocks that tile it in order.

    ``text`` is the rendition that people read: inline markup removed, headings without
    marks, list items behind ``- `` or ``1. ``, tables as Markdown pipe tables, code and
    formulas verbatim (TeX between ``$`` or ``$$``). Between blocks stand only blank lines.
    ``source`` is the file's path (for a corpus file, ``path#id``).
    ``metadata`` has lower-case keys: ``author``, ``date``, ``type``, ``prerequisites``, ...
    """

    id: str
    source: str
    title: str
    text: str
    blocks: tuple[Block, ...]
    format: str
    metadata: Metadata = field(default_factory=dict)
    links: tuple[Link, ...] = ()
    language: str | None = None


ChunkKind = Literal["prose", "table", "code"]


@dataclass(frozen=True, slots=True)
class Chunk:
    """A passage: exactly ``document.text[start:stop]``, with its place beside it.

    ``context`` stands in front of the text when it is embedded or shown to a model:
    the document's title and heading path, and for a later part of a split table its
    header rows. ``tokens`` counts ``embedded_text`` by the embedder's own tokenizer.
    ``id`` is ``<document id>#<ordinal>``, the ordinal counted from 0.
    """

    id: str
    document_id: str
    ordinal: int
    start: int
    stop: int
    text: str
    heading_path: tuple[str, ...]
    context: str
    kind: ChunkKind
    tokens: int
    page: int | None = None

    @property
    def embedded_text(self) -> str:
        """What the embedder and the keyword index see."""
        return f"{self.context}\n{self.text}" if self.context else self.text


# --- what is spotted in one document -------------------------------------------------

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
    """What the language pipeline found in one document, in the order of the text."""

    sentences: tuple[Span, ...] = ()
    phrases: tuple[Phrase, ...] = ()
    definitions: tuple[Definition, ...] = ()
    cues: tuple[Cue, ...] = ()


# --- concepts and relations ----------------------------------------------------------


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


Status = Literal["certain", "likely", "possible", "suppressed", "rejected"]


@dataclass(frozen=True, slots=True)
class Prerequisite:
    """``prerequisite_id`` must be understood before ``concept_id``.

    In force are ``certain``, ``likely`` and ``possible``; ``suppressed`` edges lost in a
    cycle (``reason`` says to which), ``rejected`` ones were refused by a person.
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
        return self.status not in ("suppressed", "rejected")


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
    """All that is derived from the documents: sorted, so equal inputs give equal values."""

    concepts: tuple[Concept, ...] = ()
    mentions: tuple[Mention, ...] = ()
    prerequisites: tuple[Prerequisite, ...] = ()
    relations: tuple[Relation, ...] = ()


DecisionKind = Literal["accept", "reject", "add", "merge", "split", "alias", "ignore"]


@dataclass(frozen=True, slots=True)
class Decision:
    """What a person decided; names, not ids, so that it outlives every re-ingest.

    accept/reject/add: ``concept`` needs ``other``; merge: ``other`` is the same as
    ``concept``; split: ``other`` is not the same; alias: ``other`` is a spelling of
    ``concept``; ignore: ``concept`` is none.
    """

    kind: DecisionKind
    concept: str
    other: str = ""
    note: str = ""


# --- retrieval -----------------------------------------------------------------------

Channel = Literal["bm25", "vector", "graph"]
CHANNELS: tuple[Channel, ...] = ("bm25", "vector", "graph")


@dataclass(frozen=True, slots=True)
class Hit:
    """What one stage found: rank counted from 1, score on the stage's own scale.

    ``path`` is, for the graph channel, the chain of names that led to the chunk.
    """

    chunk_id: str
    rank: int
    score: float
    path: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Passage:
    """A chunk that was selected, and how that came about.

    ``score`` is the last stage's: the reranker's (a probability) where it ran, else the
    fused one. ``channels`` maps each stage that saw the chunk to its hit.
    """

    chunk: Chunk
    source: str
    title: str
    score: float
    channels: Mapping[str, Hit] = field(default_factory=dict)
    metadata: Metadata = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Retrieval:
    """One question's way through the stages.

    ``stages`` maps ``bm25``, ``vector``, ``graph``, ``fused`` and ``reranked`` (those
    that ran) to their hits, best first; ``seconds`` the time that each took.
    """

    question: str
    passages: tuple[Passage, ...]
    stages: Mapping[str, tuple[Hit, ...]]
    seconds: Mapping[str, float] = field(default_factory=dict)
    candidates: int = 0


# --- answers -------------------------------------------------------------------------

Route = Literal["prerequisite", "next", "relationship", "lookup", "overview"]
RefusalReason = Literal["no passages", "below the floor", "the model declined"]


@dataclass(frozen=True, slots=True)
class Citation:
    """A claim's pointer to a passage: ``number`` as printed, counted from 1."""

    number: int
    document_id: str
    chunk_id: str
    quote: str
    supported: bool


@dataclass(frozen=True, slots=True)
class Answer:
    """What was written, by whom, from which passages, with its checked citations.

    ``warnings`` says what was struck and why, in sentences for people.
    """

    question: str
    route: Route
    text: str
    citations: tuple[Citation, ...]
    passages: tuple[Passage, ...]
    writer: str
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why there is no answer; ``text`` says it to people and names the nearest miss."""

    question: str
    route: Route
    text: str
    reason: RefusalReason
    passages: tuple[Passage, ...] = ()
    writer: str = ""


# --- tutoring ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a learning path: the concept, the edges that put it here, its passage,
    and a question from the documents to check oneself with, where there is one."""

    concept: Concept
    because: tuple[Prerequisite, ...] = ()
    passage: Passage | None = None
    check: str = ""


@dataclass(frozen=True, slots=True)
class Belief:
    """How well a learner knows a concept: probability from 0 to 1, when that was last
    shown (seconds since the epoch) and the evidence for it in words."""

    concept: str
    probability: float
    updated: float
    because: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Learner:
    """A person's state of knowledge; a concept that is absent is unknown."""

    name: str
    beliefs: Mapping[str, Belief] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Implicated:
    """An upstream concept that a wrong answer points at, with quotes that show it."""

    concept: Concept
    score: float
    quotes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Question:
    """A case of a frozen question set; ``relevant`` empty means a refusal is right."""

    id: str
    question: str
    relevant: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()
    type: str = ""
