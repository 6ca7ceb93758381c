"""How much of a model's window the passages may take, counted before anything is sent."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from graphrag.domain import Passage
from graphrag.wording.prompting import estimate_tokens, passage_block


def room(
    *,
    window: int,
    reserve_answer: int,
    instructions_tokens: int,
    question_tokens: int,
    margin: int = 0,
) -> int:
    """Tokens that are left for passages; never below 0.

    ``8192 - 250 (instructions) - 60 (question) - 800 (answer) - 150 (margin) = 6932``.
    """
    taken = instructions_tokens + question_tokens
    return max(0, window - taken - reserve_answer - margin)


def count_passage(passage: Passage) -> int:
    """Tokens of a passage as a writer sees it, fence and source included, never too few."""
    return estimate_tokens(passage_block(99, passage))


def fit(
    passages: Sequence[Passage],
    *,
    window: int,
    reserve_answer: int,
    instructions_tokens: int,
    question_tokens: int,
    margin: int = 0,
    count: Callable[[Passage], int] = count_passage,
) -> list[Passage]:
    """The passages that fit the window, in their order.

    Each passage goes in whole or not at all; one that is too large does not keep the
    smaller ones behind it out.
    """
    left = room(
        window=window,
        reserve_answer=reserve_answer,
        instructions_tokens=instructions_tokens,
        question_tokens=question_tokens,
        margin=margin,
    )
    kept = []
    for passage in passages:
        tokens = count(passage)
        if tokens <= left:
            kept.append(passage)
            left -= tokens
    return kept


def whole_fits(passages: Sequence[Passage], *, room: int) -> bool:
    """Whether all passages of a corpus fit the room at once, so that none need be chosen."""
    total = 0
    for passage in passages:
        total += count_passage(passage)
        if total > room:
            return False
    return bool(passages)
