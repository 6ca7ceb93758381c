"""When to say that the passages hold no answer, and what comes nearest."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from graphrag.answering.conversation import is_follow_up
from graphrag.domain import Passage, RefusalReason
from graphrag.wording.excerpts import Score, excerpts
from graphrag.wording.parts import parts
from graphrag.wording.terms import contains_identifier, content_words, identifiers


@dataclass(frozen=True, slots=True)
class Floor:
    """Below which probability a question counts as unanswered, and how it is computed.

    The probability is logistic in ``Signals``. The weights were fitted on questions with
    and without an answer for the default reranker, on one corpus, and judged on another.
    """

    intercept: float = 4.5
    relevance: float = 0.9
    missing: float = -6.5
    attribute: float = -7.0
    floor: float = 0.5


@dataclass(frozen=True, slots=True)
class Signals:
    """What is known of a question and its passages before anything is written.

    ``relevance`` is the logit that the cross-encoder gives the best passage or excerpt;
    ``missing`` the share of the question's words of content that no passage holds;
    ``attribute`` the share of the words between "the" and "of" ("the serial number of")
    that the best excerpts lack; ``unknown`` the identifiers of the question that stand in
    no passage.
    """

    relevance: float
    missing: float
    attribute: float
    unknown: tuple[str, ...]


# Relevance far beyond these is settled by the passages alone, without their excerpts.
_SETTLED = (-7.0, 6.5)
_BEST = 3
# A part counts as not covered where its probability is this share of the floor.
_CLEARLY = 0.4
_ATTRIBUTE = re.compile(
    r"\bthe ((?:[\w-]+ ){0,3}[\w-]+) (?:of|for) (?:the |a |an |this |that |our |my )?\w",
    re.IGNORECASE,
)
_NAMED_NUMBER = re.compile(r"\b([A-Z][A-Za-z]+)[ -](\d+(?:\.\d+)*)\b(?!\s?%)")
_NO_NAMES = (
    "what which how who when where why in on at by for from to of is are the a an does do did "
    "after before until since over under between about all any january february march april may "
    "june july august september october november december"
)
# Words that ask for a measure or a relation without naming it: their absence says little.
_ASKING = frozenset(
    content_words(
        "long often fast wide heavy tight high deep big large far old soon quickly relate related "
        "connect connected link links difference differ compare depend belong step steps correct "
        "right first last today now present currently today come came go happen stay type kind "
        "way reason cause purpose role example definition formula"
    )
)


def logit(probability: float) -> float:
    """The log-odds of a probability, kept within 16 either way."""
    clipped = min(max(probability, 1e-7), 1 - 1e-7)
    return math.log(clipped / (1 - clipped))


def signals(question: str, passages: Sequence[Passage], *, score: Score | None = None) -> Signals:
    """Measure a question against its passages, best first; their score is a probability.

    ``score`` is the cross-encoder (logits): with it the best excerpt counts as well.
    """
    texts = [_all_text(passage) for passage in passages]
    best = max((passage.score for passage in passages), default=0.0)
    relevance = logit(best)
    near = [text for _, text in sorted(zip(passages, texts, strict=True), key=_by_score)][:_BEST]
    if score is not None and _SETTLED[0] < relevance < _SETTLED[1]:
        found = excerpts(list(enumerate(passages, start=1)))
        logits = score(question, [excerpt.text for excerpt in found])
        ranked = sorted(zip(logits, found, strict=True), key=lambda pair: -pair[0])[:_BEST]
        relevance = max([relevance, *(value for value, _ in ranked)])
        near = [excerpt.text for _, excerpt in ranked]
    held = set(content_words("\n".join(texts)))
    # Codes are judged by themselves, to the letter.
    plain = question
    for code in identifiers(question):
        plain = plain.replace(code, " ")
    asked = [word for word in dict.fromkeys(content_words(plain)) if word not in _ASKING]
    return Signals(
        relevance=relevance,
        missing=sum(word not in held for word in asked) / len(asked) if asked else 0.0,
        attribute=_missing_attribute(question, near),
        unknown=tuple(_unknown(question, "\n".join(texts))),
    )


def _by_score(pair: tuple[Passage, str]) -> float:
    return -pair[0].score


def _missing_attribute(question: str, near: Sequence[str]) -> float:
    match = _ATTRIBUTE.search(question)
    if match is None:
        return 0.0
    wanted = [w for w in content_words(match.group(1)) if w not in _ASKING]
    held = set(content_words("\n".join(near)))
    return sum(word not in held for word in wanted) / len(wanted) if wanted else 0.0


def _unknown(question: str, text: str) -> Iterator[str]:
    """Codes, and names with a number ("PlantDeck 5.0"), that the text does not hold."""
    for code in identifiers(question):
        if not contains_identifier(text, code):
            yield code
    for match in _NAMED_NUMBER.finditer(question):
        name, number = match.groups()
        if name.lower() in _NO_NAMES.split():
            continue
        written = rf"\b{re.escape(name)}s?[\s:-]+(?:\w+\s)?{re.escape(number)}(?!\w|\.\d)"
        if not re.search(written, text, re.IGNORECASE):
            yield f"{name} {number}"


def probability(measured: Signals, floor: Floor) -> float:
    """How probable it is that the passages answer the question, from 0 to 1."""
    if measured.unknown:
        return 0.0
    odds = (
        floor.intercept
        + floor.relevance * measured.relevance
        + floor.missing * measured.missing
        + floor.attribute * measured.attribute
    )
    return 1 / (1 + math.exp(-max(-50.0, min(50.0, odds))))


def judge(
    question: str,
    passages: Sequence[Passage],
    *,
    score: Score | None = None,
    floor: Floor | None = None,
) -> RefusalReason | None:
    """Why the question must be refused before a writer sees it, or None if it may go on.

    An identifier that no passage contains refuses by itself: "E1999" is not answered by
    what is known of E1042.
    """
    if not passages:
        return "no passages"
    settings = floor or Floor()
    below = probability(signals(question, passages, score=score), settings) < settings.floor
    return "below the floor" if below else None


def covered_parts(
    question: str,
    passages: Sequence[Passage],
    *,
    score: Score | None = None,
    floor: Floor | None = None,
) -> tuple[list[str], list[str]]:
    """The parts of a question that the passages answer, and those that they clearly do not.

    A part that leans on another ("and how is it reset?") goes with it. The question stays
    whole without a cross-encoder to read the parts, and where no part is covered.
    """
    pieces = parts(question)
    if len(pieces) < 2 or score is None or not passages:
        return [question], []
    settings = floor or Floor()
    strict = replace(settings, floor=settings.floor * _CLEARLY)
    covered: list[str] = []
    missing: list[str] = []
    for piece in pieces:
        logits = score(piece, [passage.chunk.embedded_text for passage in passages])
        read = [
            replace(passage, score=1 / (1 + math.exp(-max(-16.0, min(16.0, value)))))
            for passage, value in zip(passages, logits, strict=True)
        ]
        leans = is_follow_up(piece) and piece != pieces[0]
        reason = None if leans else judge(piece, read, score=score, floor=strict)
        (missing if reason else covered).append(piece)
    return (covered, missing) if covered else ([question], [])


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
    unknown = list(_unknown(question, "\n".join(map(_all_text, passages))))
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
