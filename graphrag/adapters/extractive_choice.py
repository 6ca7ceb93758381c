"""Which excerpts the extractive writer quotes."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from graphrag.domain import Passage
from graphrag.tokens import fold
from graphrag.wording.definitions import asked_name, defines, defines_what_forms
from graphrag.wording.entries import (
    asked_names,
    code_names,
    entry_term,
    number_codes,
    row_code,
)
from graphrag.wording.excerpts import Excerpt, Score, excerpts
from graphrag.wording.expects import (
    expects_list,
    expects_steps,
    fits,
    is_about_the_text,
    is_aside,
    is_practice,
    names_a_mistake,
)
from graphrag.wording.merit import Merits, merits
from graphrag.wording.prompting import NO_ANSWER
from graphrag.wording.references import without_reference_marks
from graphrag.wording.terms import content_words
from graphrag.wording.units import Unit

_LEANING = re.compile(
    r"(?:then|this|that|these|those|it|they|he|she|its|their|such|therefore|thus|hence|so|but"
    r"|however|otherwise|instead|in th(?:is|at) case|the latter|the former|both|here|there)\b",
    re.IGNORECASE,
)
# Sentences on either side that are quoted with the best one of a paragraph.
_PARAGRAPH = 3
# Items of the longest list that is completed.
_LIST = 8


@dataclass(frozen=True, slots=True)
class Picking:
    """How excerpts are chosen; scores are logits with the points of ``Merits``.

    Quoted are at most ``most``, none less than the best by more than ``drop``; where no logit
    reaches ``least`` nothing answers. Lists of mistakes and the like lose ``aside``, exercises
    ``practice`` more.
    """

    most: int = 8
    drop: float = 11.0
    least: float = -4.0
    aside: float = 1.0
    practice: float = 8.0
    merits: Merits = field(default_factory=Merits)


@dataclass(frozen=True, slots=True)
class Candidate:
    """An excerpt that may be quoted: its passage's number, its place in the order of all, its
    text without foreign marks, its own logit and its score with all that speaks for it, and
    the term of the entry in which it stands."""

    number: int
    order: int
    unit: Unit
    text: str
    logit: float
    score: float
    term: str = ""


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
        chunk = given[excerpt.number].chunk
        aside = is_aside(chunk.heading_path) and not is_aside((question,))
        practice = is_practice(chunk.heading_path) and not is_practice((question,))
        lost = picking.aside * aside + picking.practice * practice
        total = float(logit) + points[order] - lost
        candidates.append(
            Candidate(excerpt.number, order, excerpt.unit, text, float(logit), total, excerpt.term)
        )
    return candidates


def choose(question: str, candidates: Sequence[Candidate], picking: Picking) -> list[Candidate]:
    """The excerpts to quote, those of the best one's passage first; none if nothing answers.

    Where an entry explains an option or parameter that the question names, its passage comes
    first, with its opening, and nothing is quoted of other entries that needs their terms. To
    a question what something is, the passage whose sentence says it comes first.
    """
    if max((c.logit for c in candidates), default=picking.least - 1) < picking.least:
        return []
    entry, candidates = _asked_entry(question, _asked_rows(question, candidates))
    ranked = sorted(candidates, key=lambda c: (_is_idle(c.text), -c.score, c.order))
    best = ranked[0]
    ranked = [c for c in ranked if c is best or not _is_idle(c.text)]
    # Steps are an answer of themselves: what stands beside them must be nearly as good.
    drop = picking.drop if not _completes(best, best, question) else picking.drop / 2
    chosen = [c for c in ranked[: picking.most] if c.score >= best.score - drop]
    chosen += [c for c in candidates if c not in chosen and _completes(c, best, question)]
    chosen += [c for c in ranked if defines_what_forms(question, c.text) and c not in chosen][:1]
    if expects_list(question):
        chosen += _lists_completed(chosen, candidates)
    if not fits(question, best.text):
        chosen += [c for c in candidates if c not in chosen and _belongs(c, best)]
    lead = entry or _definition(question, ranked, best.score - drop)
    chosen += [] if lead is None or lead in chosen else [lead]
    chosen += opened(chosen, candidates)
    first = {c.order for c in chosen}
    chosen += [
        before
        for before, c in pairwise(candidates)
        if c.order in first and before.order not in first and _leans(before, c)
    ]
    # The passage with the best excerpt first, then the others in their order.
    number = best.number if lead is None else lead.number
    return sorted(chosen, key=lambda c: (c.number != number, c.order))


def _definition(question: str, ranked: Sequence[Candidate], least: float) -> Candidate | None:
    """The row of the code that is asked for, else the best sentence or entry, scored ``least``
    or more, that says what the asked thing is."""
    name = asked_name(question)
    if not name:
        return None
    codes = number_codes(name)
    rows = (c for c in ranked if c.unit.kind == "row" and row_code(c.text) in codes)
    told = (c for c in ranked if c.unit.kind in ("sentence", "item") and c.score >= least)
    return next(rows, None) or next((c for c in told if defines(name, c.text)), None)


def _asked_rows(question: str, candidates: Sequence[Candidate]) -> list[Candidate]:
    """The candidates without rows of other codes, where one has a code of the question."""
    codes = number_codes(question)
    found = {row_code(c.text) for c in candidates if c.unit.kind == "row"} - {""}
    if codes.isdisjoint(found):
        return list(candidates)
    others = found - codes
    return [c for c in candidates if c.unit.kind != "row" or row_code(c.text) not in others]


def _asked_entry(
    question: str, candidates: Sequence[Candidate]
) -> tuple[Candidate | None, list[Candidate]]:
    """The opening of the best entry that explains what the question names, and the candidates
    without those that stand in entries on other things and do not open them naming it."""
    names = asked_names(question, [c.term for c in candidates])
    openings = [c for c in candidates if not names.isdisjoint(code_names(entry_term(c.text)))]
    if not openings:
        return None, list(candidates)
    kept = [
        c
        for c in candidates
        if not c.term
        or not names.isdisjoint(code_names(c.term))
        or (entry_term(c.text) == c.term and not names.isdisjoint(code_names(c.text)))
    ]
    return min(openings, key=lambda c: (-c.score, c.order)), kept


def _completes(candidate: Candidate, best: Candidate, question: str) -> bool:
    """Whether a candidate is a further step of the list that the best one stands in."""
    listed = {"item", "code"}
    return (
        expects_steps(question)
        and candidate.number == best.number
        and best.unit.kind in listed
        and candidate.unit.kind in listed
    )


def _lists_completed(
    chosen: Sequence[Candidate], candidates: Sequence[Candidate]
) -> list[Candidate]:
    """The other items of each list of which half or more were chosen."""
    lists: dict[tuple[int, int, str], list[Candidate]] = {}
    for candidate in candidates:
        if candidate.unit.kind == "item":
            place = (candidate.number, candidate.unit.block, candidate.unit.lead)
            lists.setdefault(place, []).append(candidate)
    taken = {candidate.order for candidate in chosen}
    found: list[Candidate] = []
    for items in lists.values():
        missing = [item for item in items if item.order not in taken]
        if len(items) <= _LIST and 2 * len(missing) <= len(items):
            found += missing
    return found


def _belongs(candidate: Candidate, best: Candidate) -> bool:
    """Whether a sentence stands in the paragraph of the best one, near it."""
    return (
        candidate.number == best.number
        and candidate.unit.block == best.unit.block
        and candidate.unit.kind == best.unit.kind == "sentence"
        and abs(candidate.order - best.order) <= _PARAGRAPH
        and not _is_idle(candidate.text)
    )


def opened(chosen: Sequence[Candidate], candidates: Sequence[Candidate]) -> list[Candidate]:
    """What a chosen sentence opens, and what opens a chosen formula: the formula, code or
    list behind a sentence that does not close, and the sentence before."""
    orders = {c.order for c in chosen}
    found: list[Candidate] = []
    opener: Candidate | None = None
    for before, candidate in pairwise(candidates):
        if before.order in orders and _stays_open(before):
            opener = before
        follows = opener is not None and candidate.number == opener.number
        if not follows or candidate.unit.kind in ("sentence", "row"):
            opener = None
        elif candidate.order not in orders:
            found.append(candidate)
        if candidate.unit.kind == "formula":
            opener = None
        if candidate.order in orders and _introduces(before, candidate, orders):
            found.append(before)
    return found


def _stays_open(candidate: Candidate) -> bool:
    """Whether a sentence goes on in what follows: it ends with a colon, a comma or a word."""
    text = candidate.text.rstrip()
    opens = text.endswith((":", ",")) or (text[-1:].isalnum() and candidate.unit.kind == "sentence")
    return opens and candidate.unit.kind in ("sentence", "item")


def _introduces(before: Candidate, candidate: Candidate, orders: Collection[int]) -> bool:
    """Whether the sentence before a chosen formula says what it is."""
    return (
        candidate.unit.kind == "formula"
        and before.order not in orders
        and before.number == candidate.number
        and before.unit.kind == "sentence"
    )


def _leans(before: Candidate, candidate: Candidate) -> bool:
    """Whether a sentence cannot be understood without the one before it."""
    neighbours = before.number == candidate.number and before.unit.block == candidate.unit.block
    kinds = before.unit.kind == candidate.unit.kind == "sentence"
    return neighbours and kinds and _LEANING.match(candidate.text) is not None


def _is_idle(text: str) -> bool:
    """A sentence that only announces, or asks."""
    return is_about_the_text(text) or text.rstrip().endswith("?")


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
