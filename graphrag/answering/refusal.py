"""When to say that the passages hold no answer, and what comes nearest."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from graphrag.domain import Passage, RefusalReason
from graphrag.wording.terms import contains_identifier, content_words, identifiers


@dataclass(frozen=True, slots=True)
class Floor:
    """Below which probability a question counts as unanswered.

    The probability is logistic in the signals of ``Signals``; the weights were fitted on
    questions with and without an answer (see ``answering/refusal.md`` in the benchmarks)
    for one reranker, whose logits ``logit`` speaks of.
    """

    intercept: float = 1.2
    logit: float = 0.35
    coverage: float = 3.0
    missing: float = -1.5
    floor: float = 0.5


@dataclass(frozen=True, slots=True)
class Signals:
    """What is known of a question and its passages before anything is written.

    ``logit`` is the best passage's relevance by the cross-encoder; ``coverage`` the share
    of the question's content words in that passage, rare words weighing more;
    ``missing`` the share of the words' weight that no passage holds; ``unknown`` the
    identifiers of the question that stand in no passage.
    """

    logit: float
    coverage: float
    missing: float
    unknown: tuple[str, ...]


def logit(probability: float) -> float:
    """The log-odds of a probability, kept within 16 either way."""
    clipped = min(max(probability, 1e-7), 1 - 1e-7)
    return math.log(clipped / (1 - clipped))


def signals(question: str, passages: Sequence[Passage]) -> Signals:
    """Measure a question against its passages, best first; their score is a probability."""
    asked = list(dict.fromkeys(content_words(question)))
    held = [set(content_words(f"{p.title} {p.source} {p.chunk.embedded_text}")) for p in passages]
    weights = {word: 1.0 + sum(c.isdigit() for c in word) for word in asked}
    total = sum(weights.values()) or 1.0
    best = max(range(len(passages)), key=lambda n: (passages[n].score, -n), default=None)
    everywhere = set().union(*held) if held else set()
    unknown = tuple(
        code
        for code in identifiers(question)
        if not any(contains_identifier(_all_text(p), code) for p in passages)
    )
    return Signals(
        logit=logit(passages[best].score) if best is not None else -16.0,
        coverage=sum(w for word, w in weights.items() if best is not None and word in held[best])
        / total,
        missing=sum(w for word, w in weights.items() if word not in everywhere) / total,
        unknown=unknown,
    )


def probability(measured: Signals, floor: Floor) -> float:
    """How probable it is that the passages answer the question, from 0 to 1."""
    if measured.unknown:
        return 0.0
    odds = (
        floor.intercept
        + floor.logit * measured.logit
        + floor.coverage * measured.coverage
        + floor.missing * measured.missing
    )
    return 1 / (1 + math.exp(-odds))


def judge(
    question: str, passages: Sequence[Passage], *, floor: Floor | None = None
) -> RefusalReason | None:
    """Why the question must be refused before a writer sees it, or None if it may go on.

    An identifier that no passage contains refuses by itself: "E1999" is not answered by
    what is known of E1042.
    """
    if not passages:
        return "no passages"
    settings = floor or Floor()
    below = probability(signals(question, passages), settings) < settings.floor
    return "below the floor" if below else None


def explain(question: str, passages: Sequence[Passage], reason: RefusalReason) -> str:
    """The refusal in words for people, with the nearest miss."""
    if reason == "no passages":
        return (
            "Nothing in the indexed documents was found for this question. "
            "Check the filters, or ingest documents that cover it."
        )
    nearest = max(passages, key=lambda p: p.score) if passages else None
    close = f" The closest is {_named(nearest)}." if nearest else ""
    if reason == "the model declined":
        return f"The passages that were found do not answer this question.{close}"
    unknown = signals(question, passages).unknown
    if unknown:
        named = " and ".join(unknown)
        return f"Nothing in the indexed documents mentions {named}.{close}"
    return f"No passage of the indexed documents answers this question.{close}"


def _named(passage: Passage) -> str:
    place = " > ".join(passage.chunk.heading_path[-2:])
    where = f", {place}" if place else ""
    return f"“{passage.title}”{where} ({passage.source})"


def _all_text(passage: Passage) -> str:
    return f"{passage.title}\n{passage.source}\n{passage.chunk.embedded_text}"
