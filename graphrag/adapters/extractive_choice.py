"""Which excerpts the extractive writer quotes."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from graphrag.domain import Passage
from graphrag.tokens import fold
from graphrag.wording.excerpts import Score, excerpts
from graphrag.wording.expects import expects_steps, fits, is_about_the_text, is_aside
from graphrag.wording.prompting import NO_ANSWER
from graphrag.wording.references import without_reference_marks
from graphrag.wording.terms import contains_identifier, content_words, identifiers
from graphrag.wording.units import Unit

_LEANING = re.compile(
    r"(?:then|this|that|these|those|it|they|he|she|its|their|such|therefore|thus|hence|so|but"
    r"|however|otherwise|instead|in th(?:is|at) case|the latter|the former|both|here|there)\b",
    re.IGNORECASE,
)
# Sentences on either side that are quoted with the best one of a paragraph.
_PARAGRAPH = 3


@dataclass(frozen=True, slots=True)
class Picking:
    """How excerpts are chosen; scores are logits.

    Quoted are at most ``most``, none less than the best by more than ``drop``; below
    ``least`` nothing answers. To an excerpt's own logit come shares of its passage's, and
    points for having the kind of answer asked for and the question's codes; sentences that
    only announce what follows, and questions, lose points.
    """

    most: int = 5
    drop: float = 7.0
    least: float = -4.0
    passage: float = 0.5
    kind: float = 2.0
    code: float = 2.0
    code_near: float = 1.0
    empty: float = 4.0
    aside: float = 3.0


@dataclass(frozen=True, slots=True)
class Candidate:
    """An excerpt that may be quoted: its passage's number, its place in the order of all, its
    text without foreign marks, its own logit and its score with all that speaks for it."""

    number: int
    order: int
    unit: Unit
    text: str
    logit: float
    score: float


def scored(
    question: str,
    passages: Sequence[tuple[int, Passage]],
    score: Score | None,
    picking: Picking,
) -> list[Candidate]:
    """The excerpts of numbered passages with their scores, in the order of the text.

    ``score`` is a cross-encoder giving logits; without it shared words count.
    """
    found = [
        (excerpt, text)
        for excerpt in excerpts(passages)
        if _says_something(text := _quotable(excerpt.unit))
    ]
    texts = [excerpt.text for excerpt, _ in found]
    logits = score(question, texts) if score else _overlap(question, texts)
    given = dict(passages)
    candidates = []
    for order, ((excerpt, text), logit) in enumerate(zip(found, logits, strict=True)):
        merit = _merit(question, excerpt.unit.text, given[excerpt.number], picking)
        candidates.append(
            Candidate(excerpt.number, order, excerpt.unit, text, float(logit), float(logit) + merit)
        )
    return candidates


def _merit(question: str, text: str, passage: Passage, picking: Picking) -> float:
    """What speaks for an excerpt beside its own logit."""
    codes = identifiers(question)
    held = sum(contains_identifier(text, code) for code in codes)
    near = sum(contains_identifier(passage.chunk.embedded_text, code) for code in codes)
    aside = is_aside(passage.chunk.heading_path) and not is_aside((question,))
    return (
        picking.passage * _logit(passage.score)
        + picking.kind * fits(question, text)
        + picking.code * held
        + picking.code_near * near
        - picking.empty * _is_idle(text)
        - picking.aside * aside
    )


def choose(question: str, candidates: Sequence[Candidate], picking: Picking) -> list[Candidate]:
    """The excerpts to quote, those of the best one's passage first; none if nothing answers."""
    if max((c.logit for c in candidates), default=picking.least - 1) < picking.least:
        return []
    ranked = sorted(candidates, key=lambda c: (-c.score, c.order))
    best = ranked[0]
    chosen = [c for c in ranked[: picking.most] if c.score >= best.score - picking.drop]
    chosen += [c for c in candidates if c not in chosen and _completes(c, best, question)]
    if not fits(question, best.text):
        chosen += [c for c in candidates if c not in chosen and _belongs(c, best)]
    chosen += _opened(chosen, candidates)
    first = {c.order for c in chosen}
    chosen += [
        before
        for before, c in pairwise(candidates)
        if c.order in first and before.order not in first and _leans(before, c)
    ]
    # The passage with the best excerpt first, then the others in their order.
    return sorted(chosen, key=lambda c: (c.number != best.number, c.order))


def _completes(candidate: Candidate, best: Candidate, question: str) -> bool:
    """Whether a candidate is a further step of the list that the best one stands in."""
    listed = {"item", "code"}
    return (
        expects_steps(question)
        and candidate.number == best.number
        and best.unit.kind in listed
        and candidate.unit.kind in listed
    )


def _belongs(candidate: Candidate, best: Candidate) -> bool:
    """Whether a sentence stands in the paragraph of the best one, near it."""
    return (
        candidate.number == best.number
        and candidate.unit.block == best.unit.block
        and candidate.unit.kind == best.unit.kind == "sentence"
        and abs(candidate.order - best.order) <= _PARAGRAPH
        and not _is_idle(candidate.text)
    )


def _opened(chosen: Sequence[Candidate], candidates: Sequence[Candidate]) -> list[Candidate]:
    """What a chosen sentence opens with a colon: the formula, code or list behind it."""
    orders = {c.order for c in chosen}
    found: list[Candidate] = []
    opener: Candidate | None = None
    for before, candidate in pairwise(candidates):
        if before.order in orders and before.text.rstrip().endswith((":", ",")):
            opener = before
        follows = opener is not None and candidate.number == opener.number
        if not follows or candidate.unit.kind in ("sentence", "row"):
            opener = None
        elif candidate.order not in orders:
            found.append(candidate)
        if candidate.unit.kind == "formula":
            opener = None
    return found


def _leans(before: Candidate, candidate: Candidate) -> bool:
    """Whether a sentence cannot be understood without the one before it."""
    neighbours = before.number == candidate.number and before.unit.block == candidate.unit.block
    kinds = before.unit.kind == candidate.unit.kind == "sentence"
    return neighbours and kinds and _LEANING.match(candidate.text) is not None


def _is_idle(text: str) -> bool:
    """A sentence that only announces, or asks."""
    return is_about_the_text(text) or text.rstrip().endswith("?")


def _logit(probability: float) -> float:
    """Within -6 and 8: a passage's own relevance must not drown its excerpts'."""
    clipped = min(max(probability, 1e-6), 1 - 1e-6)
    return min(8.0, max(-6.0, math.log(clipped / (1 - clipped))))


def _overlap(question: str, texts: Sequence[str]) -> list[float]:
    """Shared words on a scale like the logits: -8 for none, +4 for all."""
    asked = set(content_words(question))
    if not asked:
        return [0.0] * len(texts)
    return [12 * len(asked & set(content_words(text))) / len(asked) - 8 for text in texts]


def _quotable(unit: Unit) -> str:
    verbatim = unit.kind in ("code", "formula")
    return unit.text if verbatim else without_reference_marks(unit.text)


def _says_something(text: str) -> bool:
    return any(c.isalpha() for c in text) and not _poses_as_refusal(text)


def _poses_as_refusal(text: str) -> bool:
    """A passage must not decline in the writer's place."""
    return re.sub(r"[^a-z ]", "", fold(text)).strip().startswith(NO_ANSWER.lower())
