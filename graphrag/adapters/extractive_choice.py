"""Which excerpts the extractive writer quotes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from graphrag.adapters.extractive_candidates import Candidate, Picking
from graphrag.adapters.extractive_order import in_order
from graphrag.adapters.extractive_whole import (
    belongs,
    completes,
    hollow,
    leans,
    lists_completed,
    of_another_list,
    opened,
    without_danglers,
)
from graphrag.wording.definitions import asked_name, defines, defines_what_forms
from graphrag.wording.entries import (
    asked_names,
    code_names,
    entry_term,
    first_cell,
    number_codes,
    row_code,
)
from graphrag.wording.expects import compared, expects_list, expects_steps, fits
from graphrag.wording.terms import contains_identifier, content_words

_LITERAL = re.compile(r"['\"“‘`]([^'\"”’`\s]{1,30})['\"”’`]")


def choose(question: str, candidates: Sequence[Candidate], picking: Picking) -> list[Candidate]:
    """The excerpts to quote, those of the best one's section first; none if nothing answers.

    Where an entry explains an option or parameter that the question names, its passage comes
    first, with its opening, and nothing is quoted of other entries that needs their terms. To
    a question what something is, the passage whose sentence says it comes first.
    """
    if max((c.logit for c in candidates), default=picking.least - 1) < picking.least:
        return []
    entry, candidates = _asked_entry(question, _asked_rows(question, candidates))
    empty = hollow(candidates)
    ranked = sorted(candidates, key=lambda c: (c.order in empty, -c.score, c.order))
    best = ranked[0]
    ranked = [
        c
        for c in ranked
        if c is best or not (c.order in empty or of_another_list(c, best, question))
    ]
    # Steps are an answer of themselves: what stands beside them must be nearly as good.
    drop = picking.drop if not completes(best, best, question) else picking.drop / 2
    likely = [c for c in ranked[: picking.most] if c.score >= best.score - drop]
    chosen = _within(likely, picking.words, code=expects_steps(question))
    chosen += [c for c in candidates if c not in chosen and completes(c, best, question)]
    chosen += [c for c in ranked if defines_what_forms(question, c.text) and c not in chosen][:1]
    chosen += _for_each_compared(question, chosen, ranked)
    if expects_list(question):
        chosen += lists_completed(chosen, candidates)
    if not fits(question, best.text):
        beside = (c for c in candidates if c not in chosen and c.order not in empty)
        chosen += [c for c in beside if belongs(c, best)]
    lead = entry or _definition(question, ranked, best.score - drop)
    chosen = [c for c in chosen if c is best or _bears_on(c, lead or best, question)]
    chosen += [] if lead is None or lead in chosen else [lead]
    chosen += opened(chosen, candidates)
    taken = {c.order for c in chosen}
    chosen += [
        before
        for before, c in pairwise(candidates)
        if c.order in taken and before.order not in taken and leans(before, c)
    ]
    first = lead or best
    return in_order(without_danglers(chosen, first), first, question)


def _for_each_compared(
    question: str, chosen: Sequence[Candidate], ranked: Sequence[Candidate]
) -> list[Candidate]:
    """For each of the things compared that nothing chosen begins with, the best that begins with
    it, else for one that nothing chosen names the best that names it."""
    found: list[Candidate] = []
    for name in compared(question):
        if any(_begins_with(c.text, name) for c in chosen):
            continue
        beginning = next((c for c in ranked if _begins_with(c.text, name)), None)
        if beginning is None and not any(contains_identifier(c.text, name) for c in chosen):
            beginning = next((c for c in ranked if contains_identifier(c.text, name)), None)
        found += [beginning] if beginning is not None else []
    return found


def _begins_with(text: str, name: str) -> bool:
    lead = r"\W*(?:(?:an?|the)\s+)?" if name[:1].isalnum() else r"(?:[-*•]\s+)?[`*]*"
    return re.match(rf"{lead}{re.escape(name)}(?![\w-])", text, re.IGNORECASE) is not None


def _within(ranked: Sequence[Candidate], words: int, *, code: bool) -> list[Candidate]:
    """The best until so many words are told; blocks of ``code`` beyond, where they are wanted."""
    chosen: list[Candidate] = []
    told = 0
    for candidate in ranked:
        if told < words or (code and candidate.unit.kind == "code"):
            chosen.append(candidate)
            told += len(candidate.text.split())
    return chosen


def _bears_on(candidate: Candidate, first: Candidate, question: str) -> bool:
    """Whether what was chosen in another passage than the first tells of what is asked: to what
    something is, it has a word of its name."""
    name = set(content_words(asked_name(question)))
    if not name or candidate.number == first.number:
        return True
    return not name.isdisjoint(content_words(f"{candidate.unit.lead} {candidate.text}"))


def _definition(question: str, ranked: Sequence[Candidate], least: float) -> Candidate | None:
    """What opens with the literal that the question quotes, else the row of the code that is
    asked for, else the best sentence or entry, scored ``least`` or more, that says what the
    asked thing is."""
    literals = _LITERAL.findall(question)
    quoted = (c for c in ranked if any(_opens_with(c.text, each) for each in literals))
    if literals and (found := next(quoted, None)):
        return found
    name = asked_name(question)
    if not name:
        return None
    codes = number_codes(name)
    rows = (c for c in ranked if c.unit.kind == "row" and row_code(c.text) in codes)
    told = (c for c in ranked if c.unit.kind in ("sentence", "item") and c.score >= least)
    return next(rows, None) or next((c for c in told if defines(name, c.text)), None)


def _opens_with(text: str, literal: str) -> bool:
    """Whether a text opens with a literal, list marks and quotation marks aside."""
    return re.match(rf"(?:[-*•]\s+)?['\"“‘`]*{re.escape(literal)}['\"”’`]*(?!\w)", text) is not None


def _asked_rows(question: str, candidates: Sequence[Candidate]) -> list[Candidate]:
    """The candidates without rows of other things, where one opens with a code of the question.

    Where the first cell of a row is named in the question, the rows of its table whose first
    cells share no word with it go too, unless they answer better.
    """
    codes = number_codes(question)
    found = {row_code(c.text) for c in candidates if c.unit.kind == "row"} - {""}
    if not codes.isdisjoint(found):
        others = found - codes
        return [c for c in candidates if c.unit.kind != "row" or row_code(c.text) not in others]
    if expects_list(question):
        return list(candidates)
    least: dict[tuple[int, str], float] = {}
    for c in candidates:
        if c.unit.kind == "row" and _names_row(question, c):
            table = (c.number, c.unit.lead)
            least[table] = min(c.score, least.get(table, c.score))
    asked = set(content_words(question))
    return [
        c
        for c in candidates
        if c.unit.kind != "row"
        or c.score >= least.get((c.number, c.unit.lead), c.score)
        or not asked.isdisjoint(content_words(first_cell(c.text)))
    ]


def _names_row(question: str, row: Candidate) -> bool:
    """Whether the question names what stands in the first cell of a row."""
    cell = first_cell(row.text)
    sort = re.search(rf"\b(?:which|what)\s+{re.escape(cell)}\b", question, re.IGNORECASE)
    return len(cell) > 2 and sort is None and contains_identifier(question, cell)


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
