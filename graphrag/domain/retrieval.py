"""What the channels find, and the passages that are selected."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from graphrag.domain.documents import Chunk, Metadata

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
    that ran) to their hits, best first; ``seconds`` the time that each took; ``expansions``
    what a language model added to the question, where one was asked.
    """

    question: str
    passages: tuple[Passage, ...]
    stages: Mapping[str, tuple[Hit, ...]]
    seconds: Mapping[str, float] = field(default_factory=dict)
    candidates: int = 0
    expansions: tuple[str, ...] = ()
