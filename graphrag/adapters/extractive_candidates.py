"""Excerpts of passages as what may be quoted, with all that speaks for each."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from graphrag.domain import Chunk, Passage
from graphrag.tokens import fold
from graphrag.wording.excerpts import Excerpt, Score, excerpts
from graphrag.wording.expects import is_aside, is_practice, names_a_mistake
from graphrag.wording.merit import Merits, merits
from graphrag.wording.prompting import NO_ANSWER
from graphrag.wording.references import without_reference_marks
from graphrag.wording.terms import content_words
from graphrag.wording.units import Unit


@dataclass(frozen=True, slots=True)
class Picking:
    """How excerpts are chosen; scores are logits with the points of ``Merits``.

    Quoted are at most ``most``, none less than the best by more than ``drop``, and none once
    ``words`` are told; where no logit reaches ``least`` nothing answers. Lists of mistakes and
    the like lose ``aside``, exercises ``practice`` more.
    """

    most: int = 8
    words: int = 160
    drop: float = 11.0
    least: float = -4.0
    aside: float = 1.0
    practice: float = 8.0
    merits: Merits = field(default_factory=Merits)


@dataclass(frozen=True, slots=True)
class Place:
    """Where an excerpt stands: its document, the headings above, the number of its chunk."""

    document_id: str = ""
    section: tuple[str, ...] = ()
    ordinal: int = 0


@dataclass(frozen=True, slots=True)
class Candidate:
    """An excerpt that may be quoted: its passage's number, its position in the order of all,
    its text without foreign marks, its own logit and its score with all that speaks for it,
    the term of the entry in which it stands, and its place."""

    number: int
    order: int
    unit: Unit
    text: str
    logit: float
    score: float
    term: str = ""
    place: Place = Place()


def scored(
    question: str,
    passages: Sequence[tuple[int, Passage]],
    score: Score | None,
    picking: Picking,
    *,
    likeness: Score | None = None,
) -> list[Candidate]:
    """The excerpts of numbered passages with their scores, in the order of the text.

    ``score`` is a cross-encoder giving logits; without it shared words count. ``likeness``
    compares the vectors of question and excerpts.
    """
    given = dict(passages)
    found = [
        (excerpt, text)
        for excerpt in excerpts(passages)
        if _says_something(text := _quotable(excerpt.unit))
        and not (names_a_mistake(text) and is_aside(given[excerpt.number].chunk.heading_path))
    ]
    texts = [excerpt.text for excerpt, _ in found]
    logits = score(question, texts) if score else _overlap(question, texts)
    chunks = [given[excerpt.number].chunk for excerpt, _ in found]
    points = merits(
        question,
        [excerpt for excerpt, _ in found],
        [chunk.heading_path[-1] if chunk.heading_path else "" for chunk in chunks],
        [chunk.embedded_text for chunk in chunks],
        picking.merits,
        likeness=likeness(question, [_bare(excerpt) for excerpt, _ in found]) if likeness else (),
    )
    candidates = []
    for order, ((excerpt, text), logit) in enumerate(zip(found, logits, strict=True)):
        chunk = chunks[order]
        total = float(logit) + points[order] - _lost(question, chunk, picking)
        where = Place(chunk.document_id, chunk.heading_path, chunk.ordinal)
        candidates.append(
            Candidate(
                excerpt.number,
                order,
                excerpt.unit,
                text,
                float(logit),
                total,
                excerpt.term,
                where,
            )
        )
    return candidates


def _lost(question: str, chunk: Chunk, picking: Picking) -> float:
    aside = is_aside(chunk.heading_path) and not is_aside((question,))
    practice = is_practice(chunk.heading_path) and not is_practice((question,))
    return picking.aside * aside + picking.practice * practice


def _overlap(question: str, texts: Sequence[str]) -> list[float]:
    """Shared words on a scale like the logits: -8 for none, +4 for all."""
    asked = set(content_words(question))
    if not asked:
        return [0.0] * len(texts)
    return [12 * len(asked & set(content_words(text))) / len(asked) - 8 for text in texts]


def _bare(excerpt: Excerpt) -> str:
    """An excerpt as its vector is taken: with what opens it, without its headings."""
    unit = excerpt.unit
    return f"{unit.lead} {unit.text}" if unit.lead else unit.text


def _quotable(unit: Unit) -> str:
    verbatim = unit.kind in ("code", "formula")
    return unit.text if verbatim else without_reference_marks(unit.text)


def _says_something(text: str) -> bool:
    return any(c.isalpha() for c in text) and not _poses_as_refusal(text)


def _poses_as_refusal(text: str) -> bool:
    """A passage must not decline in the writer's place."""
    return re.sub(r"[^a-z ]", "", fold(text)).strip().startswith(NO_ANSWER.lower())
