"""A question before it is searched: whether it makes sense, and as the vectors see it."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from graphrag.domain import CHANNELS, Channel
from graphrag.errors import QueryError
from graphrag.ports import Embedder, Vectors


def embed_asked(embedder: Embedder, questions: Sequence[str]) -> list[Vectors]:
    """A vector (dimension,) for each question, in order. A statement is looked for among its
    like: without the prefix that a question takes."""
    claims = [question for question in questions if is_claim(question)]
    asked = [question for question in questions if not is_claim(question)]
    known: dict[str, Vectors] = {}
    if claims:
        known |= zip(claims, embedder.embed_passages(claims), strict=True)
    if asked:
        known |= zip(asked, embedder.embed_questions(asked), strict=True)
    return [known[question] for question in questions]


def is_claim(question: str) -> bool:
    """Whether a text states something rather than asking."""
    return question.rstrip().endswith(".")


def check_asked(
    questions: Sequence[str], k: int, depth: int, channels: Collection[Channel]
) -> None:
    """Raises QueryError where a question, ``k``, ``depth`` or ``channels`` make no sense."""
    if k < 1 or depth < 1:
        raise QueryError(f"k {k} and depth {depth} must be at least 1")
    unknown = sorted(set(channels) - set(CHANNELS))
    if unknown or not channels:
        raise QueryError(f"channels {unknown or 'none'} must be of {', '.join(CHANNELS)}")
    for question in questions:
        if not question.strip():
            raise QueryError("the question is empty: write what you want to know")
