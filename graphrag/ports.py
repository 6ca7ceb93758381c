"""The borders: what the pure parts and use cases ask of the outside world.

Every port has one contract suite in ``tests/contract`` that each adapter passes.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from graphrag.domain import (
    Annotation,
    Chunk,
    ConceptGraph,
    Decision,
    Document,
    GivenConcept,
    Learner,
    Passage,
)
from graphrag.stored import (
    ChunkChanges,
    FileStamp,
    GraphChange,
    GraphSnapshot,
    NumberedChunk,
    Rechunked,
    Rows,
    StoredDocument,
    Touched,
)

__all__ = [
    "Catalog",
    "ChunkChanges",
    "Embedder",
    "FileStamp",
    "GraphChange",
    "GraphSnapshot",
    "GraphStore",
    "Keys",
    "KeywordIndex",
    "ModelIdentity",
    "NumberedChunk",
    "Rechunked",
    "Reranker",
    "Rows",
    "Spotter",
    "StoredDocument",
    "Tokenizer",
    "Touched",
    "VectorIndex",
    "Vectors",
    "WriteRequest",
    "Writer",
]

Vectors = NDArray[np.float32]
Keys = NDArray[np.int64]


# --- models --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ModelIdentity:
    """Which model made a vector.

    ``fingerprint`` is a short hash over the weights (of Ollama's models: their digest),
    name, prompts and limits: two models of the same name and dimension that embed
    differently have different ones. Probe vectors would not do: their last digits differ
    from one processor to the next.
    """

    name: str
    version: str
    dimension: int
    max_tokens: int
    fingerprint: str


class Tokenizer(Protocol):
    """The embedder's own way of counting."""

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text as the model sees it, special tokens included."""
        ...


class Embedder(Tokenizer, Protocol):
    """Text to unit vectors, float32, shape (n, dimension); questions and passages may differ."""

    @property
    def identity(self) -> ModelIdentity: ...

    def embed_passages(
        self, texts: Sequence[str], *, progress: Callable[[int], None] | None = None
    ) -> Vectors: ...

    def embed_questions(self, texts: Sequence[str]) -> Vectors: ...


class Reranker(Protocol):
    """A cross-encoder: how well each text answers the question, as logits."""

    @property
    def name(self) -> str: ...

    def score(self, question: str, texts: Sequence[str]) -> list[float]: ...


class Spotter(Protocol):
    """The language pipeline: sentences, noun phrases, definitions and cues of documents."""

    @property
    def fingerprint(self) -> str:
        """Changes whenever the same text could be annotated differently."""
        ...

    def annotate(self, documents: Iterable[Document]) -> Iterator[Annotation]:
        """One annotation a document, in the same order."""
        ...


# --- stores --------------------------------------------------------------------------


class Catalog(Protocol):
    """The truth. Every method that changes it is one transaction; those that change what
    projections show raise the revision by one. Reading methods give documents in reading
    order (``position``), chunks by document and ordinal, all else sorted by id."""

    @property
    def revision(self) -> int: ...

    def write_documents(self, added: Sequence[StoredDocument], removed: Sequence[str]) -> None:
        """Put documents (replacing those of the same id) and take away those of the ids
        in ``removed``, with all that hangs on them, in one transaction."""

    def stamps(self) -> dict[str, FileStamp]:
        """Document id to stamp."""

    def restamp(self, stamps: Mapping[str, FileStamp]) -> None:
        """Replace stamps of documents whose content did not change; revision stays."""

    def counts(self) -> dict[str, int]:
        """How many ``documents``, ``chunks``, ``concepts``, and ``prerequisites`` in force, in
        all and by status: ``certain``, ``likely``, ``possible``."""

    def document_ids(self) -> list[str]: ...

    def documents(self, ids: Sequence[str] | None = None) -> list[Document]:
        """The documents of those ids (all without), unknown ids left out."""

    def metadata(self, ids: Collection[str] | None = None) -> dict[str, Mapping[str, object]]:
        """Document id to its metadata, with ``title``, ``source`` and ``format`` added (of
        those ids; all without)."""

    def limited_metadata(self) -> dict[str, Mapping[str, object]]:
        """As ``metadata``, of every document that has a ``valid_from``, ``valid_to`` or
        ``supersedes`` (and of others, perhaps)."""

    def documents_where(self, key: str, holds: Callable[[str], bool]) -> set[str] | None:
        """Ids of the documents that have a value of that metadata key for which ``holds``;
        None where no document has the key."""

    def annotations(self) -> dict[str, Annotation]:
        """Document id to annotation."""

    def chunks(self, ids: Sequence[str] | None = None) -> list[Chunk]:
        """The chunks of those ids in that order (all without), unknown ids left out."""

    def chunk_numbers(self) -> dict[int, str]:
        """Number to chunk id, of all chunks."""

    def chunk_ids(self, numbers: Sequence[int]) -> dict[int, str]:
        """Number to chunk id of those numbers, unknown ones left out."""

    def numbers_of(self, document_ids: Collection[str]) -> list[int]:
        """Numbers of the chunks of those documents, ascending."""

    def spread_of_chunks(self) -> tuple[int, int]:
        """How many chunks there are, and how many documents have any."""

    def chunks_of(self, document_ids: Collection[str]) -> list[str]:
        """Chunk ids of those documents."""

    def changes_since(self, revision: int) -> ChunkChanges: ...

    def numbered(
        self, *, documents: Sequence[str] = (), numbers: Sequence[int] = ()
    ) -> list[NumberedChunk]:
        """The chunks of those documents and those of those numbers, by number."""
        ...

    def touched_since(self, revision: int) -> Touched | None:
        """What a projection of that revision may show otherwise than the catalog does now;
        None where that is not known any more, and all may."""

    def put_embeddings(self, fingerprint: str, keys: Sequence[str], vectors: Vectors) -> None:
        """Keep vectors by content hash and model; a known key is left as it is."""

    def embeddings(self, fingerprint: str, keys: Sequence[str]) -> dict[str, Vectors]:
        """Known keys to vectors of shape (dimension,)."""

    def drop_unused_embeddings(self, keep: Collection[str] = ()) -> int:
        """Forget vectors that neither a chunk nor ``keep`` refers to; gives their number."""

    def adopt_model(
        self, fingerprint: str, rechunked: Sequence[Rechunked], values: Mapping[str, str]
    ) -> None:
        """Replace the chunks of those documents, put the values, and forget the vectors of
        all other models, in one transaction."""

    def put_concept_graph(self, graph: ConceptGraph) -> None: ...

    def concept_graph(self, mentions_of: Collection[str] | None = None) -> ConceptGraph:
        """The concept graph, with the mentions of those documents only where ids are given."""
        ...

    def given_concepts(self) -> list[GivenConcept]: ...

    def put_given_concepts(self, concepts: Sequence[GivenConcept]) -> None: ...

    def decisions(self) -> list[Decision]: ...

    def put_decisions(self, decisions: Sequence[Decision]) -> None:
        """Replace all decisions."""

    def learner(self, name: str) -> Learner: ...

    def put_learner(self, learner: Learner) -> None: ...

    def value(self, key: str) -> str | None:
        """A named value of the workspace (the embedder's identity, the roots, ...)."""

    def put_value(self, key: str, value: str) -> None: ...

    def check(self) -> list[str]:
        """What is damaged, in sentences; empty when all is well."""

    def glance(self) -> list[str]:
        """As ``check``, of what a look of bounded cost finds; empty where it finds nothing."""

    def close(self) -> None: ...


class KeywordIndex(Protocol):
    """BM25 over numbered texts; a projection with the catalog revision it was made from."""

    @property
    def revision(self) -> int: ...

    def update(self, added: Mapping[int, str], removed: Sequence[int], revision: int) -> None:
        """Take numbers away, put texts, and keep it on disk: all or nothing."""
        ...

    def search(
        self, question: str, k: int, *, allowed: Keys | None = None
    ) -> list[tuple[int, float]]:
        """The best numbers with their BM25 scores above 0, best first, ties by number;
        only among the sorted numbers ``allowed`` where given."""
        ...


class VectorIndex(Protocol):
    """Inner products over numbered unit vectors; a projection like ``KeywordIndex``."""

    @property
    def revision(self) -> int: ...

    @property
    def fingerprint(self) -> str: ...

    def update(
        self, numbers: Sequence[int], vectors: Vectors, removed: Sequence[int], revision: int
    ) -> None: ...

    def search(
        self, vector: Vectors, k: int, *, allowed: Keys | None = None
    ) -> list[tuple[int, float]]: ...

    def similarities(self, vector: Vectors, numbers: Keys) -> NDArray[np.float32]:
        """Inner product with each number's vector, shape of ``numbers``; unknown ones 0."""
        ...

    def vectors(self, numbers: Keys) -> Vectors:
        """Each number's vector, shape (len(numbers), dimension); unknown ones all zero."""
        ...


class GraphStore(Protocol):
    """The property graph that people see through Cypher; a projection."""

    @property
    def revision(self) -> int: ...

    def replace(self, snapshot: GraphSnapshot, revision: int) -> None:
        """Show the snapshot and nothing else; all or nothing, safe under open readers."""
        ...

    def update(self, change: GraphChange, revision: int) -> bool:
        """Show the change too, as ``replace`` with everything would. False, and nothing is
        done, where the store would rather be replaced."""
        ...

    def concept_graph(self) -> ConceptGraph:
        """Concepts, prerequisites and relations as stored (without mentions and evidence)."""
        ...

    def query(
        self, statement: str, parameters: Mapping[str, object] | None = None, *, limit: int = 1000
    ) -> Rows:
        """Run one read-only Cypher statement in a process of its own."""
        ...

    def close(self) -> None: ...


# --- writers -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class WriteRequest:
    """What a writer gets: the instructions and the numbered passages apart.

    ``outline`` gives, for tutoring routes, the lines that the answer must follow, each
    with the numbers of the passages that it rests on.
    """

    question: str
    instructions: str
    passages: tuple[Passage, ...]
    outline: tuple[tuple[str, tuple[int, ...]], ...] = ()


class Writer(Protocol):
    """Writes an answer with citations ``[1]``; the text comes in pieces.

    Raises GenerationError. An answer that is exactly ``NO ANSWER`` declines.
    """

    @property
    def name(self) -> str: ...

    def write(self, request: WriteRequest) -> Iterator[str]: ...
