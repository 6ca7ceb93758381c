"""What must be quoted along with what was chosen, so that it is whole and can be understood."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import pairwise

from graphrag.adapters.extractive_candidates import Candidate
from graphrag.wording.expects import expects_steps, is_about_the_text
from graphrag.wording.terms import content_words

_LEANING = re.compile(
    r"(?:then|this|that|these|those|it|they|he|she|its|their|such|therefore|thus|hence|so|but"
    r"|however|otherwise|instead|in th(?:is|at) case|the latter|the former|both|here|there)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[a-z]+(?=\s)")
# An entry of what code is made of, as in "list.append(x): Add an item".
_ENTRY = re.compile(r"[\w.-]+(?:\([^)]*\))?(?:, [\w.-]+(?:\([^)]*\))?)* ?:\s")
# "... is determined by the following three rules."
_ANNOUNCES = re.compile(r"\b(?:following|these)\b[^.:]{0,60}[.:]$", re.IGNORECASE)
_NUMBERED = re.compile(r"\s*\d{1,3}[.)]\s")
# Sentences on either side that are quoted with the best one of a paragraph.
_PARAGRAPH = 3
# Items or rows of the longest list that is completed, and entries that a sentence may open.
_LIST, _ENTRIES = 8, 16
# Chunks over which the steps of one section may run.
_CHUNKS = 4
_LISTED = ("item", "row")


def is_idle(text: str) -> bool:
    """A sentence that only announces, or asks."""
    return is_about_the_text(text) or text.rstrip().endswith("?")


def hollow(candidates: Sequence[Candidate]) -> set[int]:
    """The orders of what answers nothing by itself: what announces or asks, what opens something
    that its passage does not hold, and the rest of a sentence that code cuts in two."""
    found = {c.order for c in candidates if is_idle(c.text)}
    last = {c.number: c.order for c in candidates}
    found |= {c.order for c in candidates if opens(c) and c.order == last[c.number]}
    befores: list[Candidate | None] = [None, *candidates]
    return found | {
        c.order for before, c in zip(befores, candidates, strict=False) if _is_cut_off(before, c)
    }


def _is_cut_off(before: Candidate | None, candidate: Candidate) -> bool:
    """Whether a sentence begins small with a word like "is", behind code or at the beginning of
    its passage: "is a timestamp with time zone"."""
    word = _WORD.match(candidate.text)
    if candidate.unit.kind != "sentence" or word is None or content_words(word.group()):
        return False
    if before is None or before.number != candidate.number:
        return True
    return before.unit.kind == "code" or before.text.rstrip()[-1:] not in ".!?:"


def opens(candidate: Candidate) -> bool:
    """Whether a sentence or item says that something follows."""
    return candidate.unit.kind in ("sentence", "item") and candidate.text.rstrip().endswith(":")


def completes(candidate: Candidate, best: Candidate, question: str) -> bool:
    """Whether a candidate is a further step of the list that the best one stands in; numbered
    ones go on in the next chunks of the section."""
    listed = {"item", "code"}
    if not expects_steps(question) or best.unit.kind not in listed:
        return False
    if candidate.number == best.number:
        return candidate.unit.kind in listed
    return _NUMBERED.match(candidate.text) is not None and in_one_list(candidate, best)


def in_one_list(candidate: Candidate, best: Candidate) -> bool:
    """Whether two numbered items can be of one list: in one section, in near chunks."""
    here, there = candidate.place, best.place
    return (
        _NUMBERED.match(best.text) is not None
        and (here.document_id, here.section) == (there.document_id, there.section)
        and abs(here.ordinal - there.ordinal) <= _CHUNKS
    )


def of_another_list(candidate: Candidate, best: Candidate, question: str) -> bool:
    """Whether a candidate is a step of another procedure than the best one."""
    steps = expects_steps(question) and _NUMBERED.match(best.text) is not None
    other = candidate.number != best.number and not in_one_list(candidate, best)
    return steps and other and _NUMBERED.match(candidate.text) is not None


def lists_completed(
    chosen: Sequence[Candidate], candidates: Sequence[Candidate]
) -> list[Candidate]:
    """The other items of each list, and rows of each table, of which half or more were chosen."""
    lists: dict[tuple[int, str, int, str], list[Candidate]] = {}
    for candidate in candidates:
        if candidate.unit.kind in _LISTED:
            unit = candidate.unit
            lists.setdefault((candidate.number, unit.kind, unit.block, unit.lead), []).append(
                candidate
            )
    taken = {candidate.order for candidate in chosen}
    found: list[Candidate] = []
    for items in lists.values():
        missing = [item for item in items if item.order not in taken]
        if len(items) <= _LIST and 2 * len(missing) <= len(items):
            found += missing
    return found


def belongs(candidate: Candidate, best: Candidate) -> bool:
    """Whether a sentence stands in the paragraph of the best one, near it."""
    return (
        candidate.number == best.number
        and candidate.unit.block == best.unit.block
        and candidate.unit.kind == best.unit.kind == "sentence"
        and abs(candidate.order - best.order) <= _PARAGRAPH
        and not is_idle(candidate.text)
    )


def opened(chosen: Sequence[Candidate], candidates: Sequence[Candidate]) -> list[Candidate]:
    """What a chosen sentence opens, and what opens a chosen formula or code: the formula, code,
    list, entries or short table behind a sentence that does not close, and the sentence before."""
    orders = {c.order for c in chosen}
    found: list[Candidate] = []
    opener: Candidate | None = None
    for before, candidate in pairwise(candidates):
        if before.order in orders and _stays_open(before, candidate):
            opener = before
        if opener is not None and not _follows(candidate, before, opener, candidates):
            opener = None
        entry = candidate.unit.kind != "sentence" or _ENTRY.match(candidate.text) is not None
        if opener is not None and candidate.order not in orders and (entry or before is opener):
            found.append(candidate)
        if candidate.unit.kind == "formula":
            opener = None
        if candidate.order in orders and _introduces(before, candidate, orders):
            found.append(before)
    return found


def _follows(
    candidate: Candidate, before: Candidate, opener: Candidate, candidates: Sequence[Candidate]
) -> bool:
    """Whether a candidate still belongs to what a sentence opens. Of sentences only entries do,
    the first one behind a colon, and what goes on in an entry's block."""
    kind = candidate.unit.kind
    if candidate.number != opener.number:
        return False
    if kind == "row":
        rows = [c for c in candidates if c.number == opener.number and c.unit.kind == "row"]
        return sum(c.unit.block == candidate.unit.block for c in rows) <= _LIST
    if kind != "sentence":
        return True
    if not opens(opener) or candidate.unit.block - opener.unit.block > _ENTRIES:
        return False
    if before is opener:
        return candidate.unit.block != opener.unit.block
    return _ENTRY.match(candidate.text) is not None or (
        candidate.unit.block == before.unit.block and before.unit.kind == "sentence"
    )


def _stays_open(candidate: Candidate, behind: Candidate) -> bool:
    """Whether a sentence goes on in what follows: it ends with a colon, a comma or a word, or
    announces the list that follows."""
    if candidate.unit.kind not in ("sentence", "item"):
        return False
    text = candidate.text.rstrip()
    if text.endswith((":", ",")):
        return True
    if candidate.unit.kind == "item":
        return False
    return text[-1:].isalnum() or (
        behind.unit.kind == "item" and _ANNOUNCES.search(text) is not None
    )


def _introduces(before: Candidate, candidate: Candidate, orders: Collection[int]) -> bool:
    """Whether the sentence before a chosen formula says what it is, or opens a chosen code."""
    formula, code = candidate.unit.kind == "formula", candidate.unit.kind == "code"
    unclosed = before.text.rstrip()[-1:] not in ".!?)"
    return (
        (formula or (code and unclosed))
        and before.order not in orders
        and before.number == candidate.number
        and before.unit.kind == "sentence"
    )


def leans(before: Candidate, candidate: Candidate) -> bool:
    """Whether a sentence cannot be understood without the one before it."""
    neighbours = before.number == candidate.number and before.unit.block == candidate.unit.block
    kinds = before.unit.kind == candidate.unit.kind == "sentence"
    return neighbours and kinds and _LEANING.match(candidate.text) is not None


def without_danglers(chosen: Sequence[Candidate], first: Candidate) -> list[Candidate]:
    """The chosen without those but ``first`` that say that something follows which does not."""
    orders = {c.order: c.number for c in chosen}
    return [c for c in chosen if c is first or not opens(c) or orders.get(c.order + 1) == c.number]
