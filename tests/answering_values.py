"""Small passages and linked concepts made by hand for the tests of answering and evaluation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from graphrag.domain import Chunk, Hit, Passage, Retrieval


def passage(
    text: str,
    *,
    document: str = "notes.md",
    ordinal: int = 0,
    title: str = "Notes",
    score: float = 0.9,
    heading: tuple[str, ...] = (),
    metadata: Mapping[str, str] | None = None,
    kind: str = "prose",
    tokens: int | None = None,
) -> Passage:
    chunk_id = f"{document}#{ordinal}"
    chunk = Chunk(
        id=chunk_id,
        document_id=document,
        ordinal=ordinal,
        start=0,
        stop=len(text),
        text=text,
        heading_path=heading,
        context=" > ".join((title, *heading)),
        kind=kind,  # type: ignore[arg-type]
        tokens=len(text.split()) if tokens is None else tokens,
    )
    return Passage(
        chunk=chunk,
        source=document,
        title=title,
        score=score,
        channels={"reranked": Hit(chunk_id, ordinal + 1, score)},
        metadata=metadata or {},
    )


def retrieval(question: str, *passages: Passage) -> Retrieval:
    hits = tuple(Hit(p.chunk.id, rank, p.score) for rank, p in enumerate(passages, start=1))
    return Retrieval(
        question=question,
        passages=passages,
        stages={"fused": hits, "reranked": hits},
        seconds={"bm25": 0.001},
        candidates=len(passages),
    )


@dataclass(frozen=True)
class Linked:
    """A concept where a question names it, its name for its id."""

    concept_id: str
    start: int
    stop: int
    exact: bool = True


def linked(question: str, *names: str, exact: bool = True) -> list[Linked]:
    """The concepts of these names, each where it first stands, in upper or lower case."""
    starts = [question.lower().index(name.lower()) for name in names]
    return [Linked(name, at, at + len(name), exact) for name, at in zip(names, starts, strict=True)]
