"""Whether a sentence says more than the passages: of all, at all times, of necessity, or as a
reason, where they do not."""

from __future__ import annotations

import re
from collections.abc import Sequence

from graphrag.answering.claims import Claim, Ground
from graphrag.answering.polarity import negates
from graphrag.wording.alignment import plain_phrases
from graphrag.wording.terms import content_words


def _any(words: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(words.split(', '))})\b", re.IGNORECASE)


_ALL = _any("all, every, each, everything, everyone, everybody, always, whole, entire")
_ALWAYS = _any("always, in (?:any|every|all) cases?, at all times, invariably")
_NEVER = _any("never, at no time, under no circumstances")
_MUST = _any("must, shall, mandatory, has no choice")
_REASON = _any(
    "because, therefore, hence, consequently, due to, owing to, as a result, that is why, thanks to"
)
# What allows each of them where it stands near the words of the claim.
_SAYS_ALL = _any("all, every, each, everything, everyone, everybody, any, always, whenever, whole,"
                 " entire, both, no, none, never, not, only, must")  # fmt: skip
_SAYS_MUST = _any(
    "must, shall, mandatory, need, needs, needed, require, requires, required, requirement, "
    "necessary, only, never, not, no, has to, have to, at least, atleast, minimum, forbidden, "
    "always, every, ensure, ensures"
)
_SAYS_WHY = _any(
    "because, since, as, so, therefore, hence, thus, consequently, due, owing, reasons?, why, "
    "otherwise, mean, means, causes?, caused, leads?, results?, for, in that, to (?:avoid|prevent|"
    "ensure|make|keep|minimi[sz]e|allow|help|ease|protect|give|save), would, prevents?, ensures?, "
    "if, when"
)
# What leaves exceptions open, or leaves the choice.
_HEDGED = _any(
    "some, most, many, several, few, may, might, can, could, often, usually, generally, normally, "
    "typically, sometimes, common, commonly, in general, mostly, certain, tends?"
)
_WEAK = _any(
    "may, might, can, could, should, optional, optionally, encouraged, recommended, allowed, "
    "permitted, possible, suggested, advised"
)
_NEAR = 0.1
_SPEAKS_OF_IT = 0.4


def overstatement(claimed: Claim, grounds: Sequence[Ground]) -> str:
    """What the claim adds to the sentences that speak of the same, in words; empty if nothing."""
    tests = [
        (words, allowed, open_only, reason)
        for words, allowed, open_only, reason in _TESTS
        if words.search(plain_phrases(claimed.text))
    ]
    if not tests:
        return ""
    near = _nearest(claimed, grounds)
    for _, allowed, open_only, reason in tests:
        if near and not any(_allows(pair, allowed, open_only) for pair in near):
            return reason
    return ""


def _allows(
    pair: tuple[str, str], allowed: re.Pattern[str] | None, open_only: re.Pattern[str] | None
) -> bool:
    """Whether a sentence with its neighbours allows a word; one without anything that leaves
    it open ("a matrix has ...") may speak of all."""
    unit, window = (plain_phrases(text) for text in pair)
    if allowed is None:
        return negates(window)
    return bool(allowed.search(window)) or (open_only is not None and not open_only.search(unit))


def _nearest(claimed: Claim, grounds: Sequence[Ground]) -> list[tuple[str, str]]:
    """The units that share most words with the claim, each with its window."""
    found = []
    for prepared in grounds:
        for unit, window in zip(prepared.units, prepared.windows, strict=False):
            text = f"{unit.lead} {unit.text}"
            share = len(claimed.content & set(content_words(text))) / max(1, len(claimed.content))
            found.append((share, text, window))
    best = max((share for share, _, _ in found), default=0.0)
    if best < _SPEAKS_OF_IT:
        return []
    return [(text, window) for share, text, window in found if share >= best - _NEAR]


_TESTS: tuple[tuple[re.Pattern[str], re.Pattern[str] | None, re.Pattern[str] | None, str], ...] = (
    (_NEVER, None, None, "the cited passage does not say that it never is so"),
    (_ALWAYS, _SAYS_ALL, _HEDGED, "the cited passage does not say that it is always so"),
    (_ALL, _SAYS_ALL, _HEDGED, "the cited passage does not say so of all"),
    (_MUST, _SAYS_MUST, _WEAK, "the cited passage does not say that it must be so"),
    (_REASON, _SAYS_WHY, None, "the cited passage does not give that reason"),
)
