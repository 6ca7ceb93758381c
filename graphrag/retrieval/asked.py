"""A question as the vectors see it."""

from __future__ import annotations

from collections.abc import Sequence

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
