"""When to say that the passages hold no answer, and what comes nearest."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Unpack

from graphrag.answering.conversation import Turn, complete, is_follow_up, topics
from graphrag.answering.signals import (
    Senses,
    Signals,
    passage_text,
    signals,
    unknown_identifiers,
)
from graphrag.domain import Passage, RefusalReason
from graphrag.reading.language import detect_language, language_name, question_language
from graphrag.wording.excerpts import Score
from graphrag.wording.parts import parts

# What a part such as "What is a pivot?" or "How heavy is the unit?" is about.
_SUBJECT = re.compile(
    r"\b(?:is|are|was|were|does|do|did) (?:(?:an?|the) )?([\w -]{3,40}?)"
    r"(?: (?:mean|weigh|cost|work|last|do|defined|called|found|made))?\s*\?",
    re.IGNORECASE,
)
# A part counts as not covered where its probability is this share of the floor.
_CLEARLY = 0.6


@dataclass(frozen=True, slots=True)
class Floor:
    """Below which probability a question counts as unanswered, and how it is computed.

    The probability is logistic in ``regressors``. The weights are those that
    ``tests/benchmarks/refusal.py`` fits, for the default reranker and embedder, to questions
    with and without an answer over five sources. Below ``floor`` a question is refused, below
    ``doubtful`` its answer begins by saying that the documents may not have one.
    """

    intercept: float = -2.17
    relevance: float = 0.0399
    missing: float = -3.57
    topic: float = -1.37
    attribute: float = -1.93
    quantity: float = -1.52
    estranged: float = -0.336
    prominent: float = 0.26
    cold: float = -0.27
    sought: float = -1.89
    likeness: float = 5.45
    unmet: float = -8.75
    floor: float = 0.25
    doubtful: float = 0.5


REGRESSORS = (
    "relevance",
    "missing",
    "topic",
    "attribute",
    "quantity",
    "estranged",
    "prominent",
    "cold",
    "sought",
    "likeness",
    "unmet",
)
# Beyond these the cross-encoder's logits say no more.
_RELEVANCE, _ESTRANGED = (-11.0, 9.0), 8.0


def regressors(measured: Signals) -> dict[str, float]:
    """What the probability of an answer is reckoned from, by the names of ``REGRESSORS``.

    ``cold`` is how far the relevance is below 0 where no word is missing: then no other wording
    explains that the cross-encoder sees no answer.
    """
    relevance = min(max(measured.relevance, _RELEVANCE[0]), _RELEVANCE[1])
    return {
        "relevance": relevance,
        "missing": measured.missing,
        "topic": measured.topic,
        "attribute": measured.attribute,
        "quantity": measured.quantity,
        "estranged": min(max(measured.estranged, 0.0), _ESTRANGED),
        "prominent": measured.prominent,
        "cold": max(-relevance, 0.0) if not measured.missing else 0.0,
        "sought": float(measured.sought),
        "likeness": measured.likeness,
        "unmet": measured.unmet,
    }


def probability(measured: Signals, floor: Floor) -> float:
    """How probable it is that the passages answer the question, from 0 to 1."""
    if measured.unknown:
        return 0.0
    if measured.identified:
        return 1.0
    return 1 / (1 + math.exp(-max(-50.0, min(50.0, odds(regressors(measured), floor)))))


def odds(reckoned: Mapping[str, float], floor: Floor) -> float:
    """The log-odds of an answer by the regressors."""
    return floor.intercept + sum(
        float(getattr(floor, name)) * value for name, value in reckoned.items()
    )


def judge(
    question: str,
    passages: Sequence[Passage],
    *,
    floor: Floor | None = None,
    **senses: Unpack[Senses],
) -> RefusalReason | None:
    """Why the question must be refused before a writer sees it, or None if it may go on.

    An identifier that no passage contains refuses by itself: "E1999" is not answered by
    what is known of E1042. Each of the ``senses`` makes the judgement surer.
    """
    if not passages:
        return "no passages"
    return verdict(signals(question, passages, **senses), floor)


def verdict(measured: Signals, floor: Floor | None = None) -> RefusalReason | None:
    """The same of a question that has been measured against its passages."""
    settings = floor or Floor()
    return "below the floor" if probability(measured, settings) < settings.floor else None


def is_doubtful(measured: Signals, floor: Floor | None = None) -> bool:
    """Whether the documents rather do not answer a question that has been measured."""
    settings = floor or Floor()
    return probability(measured, settings) < settings.doubtful


def covered_parts(
    question: str,
    passages: Sequence[Passage],
    *,
    floor: Floor | None = None,
    **senses: Unpack[Senses],
) -> tuple[list[str], list[str]]:
    """The parts of a question that the passages answer, and those that they clearly do not.

    A part that leans on the one before ("and how is it reset?") is completed from it, and goes
    with it where that cannot be done or that is not covered. The question stays whole without
    a cross-encoder to read the parts, and where no part is covered.
    """
    pieces, score = parts(question), senses.get("score")
    if len(pieces) < 2 or score is None or not passages:
        return [question], []
    settings = floor or Floor()
    strict = replace(settings, floor=settings.floor * _CLEARLY)
    covered: list[str] = []
    missing: list[str] = []
    refused = False
    for piece in pieces:
        asked = _completed(piece, pieces[0])
        # What leans on a part that is not covered is not covered either.
        if asked and not (refused and is_follow_up(piece) and piece != pieces[0]):
            read = [replace(p, score=value) for p, value in _read(asked, passages, score)]
            refused = judge(asked, read, floor=strict, **senses) is not None
        (missing if refused else covered).append(piece)
    return (covered, missing) if covered else ([question], [])


def opens_answered(
    question: str,
    passages: Sequence[Passage],
    *,
    floor: Floor | None = None,
    **senses: Unpack[Senses],
) -> bool:
    """Whether the first of several parts, which leans on no other, is answered by itself."""
    pieces, score = parts(question), senses.get("score")
    if len(pieces) < 2 or score is None or not passages:
        return False
    read = [replace(p, score=value) for p, value in _read(pieces[0], passages, score)]
    return judge(pieces[0], read, floor=floor, **senses) is None


def _completed(piece: str, first: str) -> str:
    """A part with what the first part is about in its pronoun's place; empty where it leans
    on that and cannot be completed."""
    if piece == first or not is_follow_up(piece):
        return piece
    subject = _SUBJECT.search(first)
    names = [subject.group(1).strip()] if subject else []
    found = topics(first, names)
    return complete(piece, [Turn(first, found)]) if found else ""


def _read(piece: str, passages: Sequence[Passage], score: Score) -> Iterator[tuple[Passage, float]]:
    """Each passage with its probability of answering a part."""
    logits = score(piece, [passage.chunk.embedded_text for passage in passages])
    for passage, value in zip(passages, logits, strict=True):
        yield passage, 1 / (1 + math.exp(-max(-16.0, min(16.0, value))))


def explain(question: str, passages: Sequence[Passage], reason: RefusalReason) -> str:
    """The refusal in words for people, with the nearest miss."""
    if reason == "no passages":
        return (
            "Nothing in the indexed documents was found for this question. "
            "Check the filters, or ingest documents that cover it."
        )
    nearest = max(passages, key=lambda p: p.score) if passages else None
    close = f" The closest is {_named(nearest)}." if nearest else ""
    close += _other_language(question, passages)
    if reason == "the model declined":
        return f"The passages that were found do not answer this question.{close}"
    unknown = list(unknown_identifiers(question, "\n".join(map(passage_text, passages))))
    if unknown:
        named = " and ".join(unknown)
        return f"Nothing in the indexed documents mentions {named}.{close}"
    return f"No passage of the indexed documents answers this question.{close}"


def _other_language(question: str, passages: Sequence[Passage]) -> str:
    """A line for a question in another language than the passages'; empty for others."""
    asked = question_language(question)
    written = detect_language("\n".join(passage.chunk.text for passage in passages))
    if asked is None or written is None or asked == written:
        return ""
    return (
        f" The question is in {language_name(asked)}, the passages are in "
        f"{language_name(written)}: ask it in their language."
    )


def _named(passage: Passage) -> str:
    place = " > ".join(passage.chunk.heading_path[-2:])
    where = f", {place}" if place else ""
    return f"“{passage.title}”{where} ({passage.source})"
