"""Whether a sentence holds where the passages say so: under their condition, and not where they
make an exception."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set

from graphrag.answering.claims import Claim, Ground
from graphrag.answering.polarity import negates
from graphrag.wording.terms import content_words

_CONDITION = re.compile(
    r"\b(?:if|when|whenever|unless|once|as soon as|before|after|until|while|as long as"
    r"|provided that|in case)\b",
    re.IGNORECASE,
)
_EXCEPTION = re.compile(
    r"\b(?:except(?: for)?|apart from|with the exception of|other than) ([\w\s-]{3,40})"
    r"|, ([\w\s-]{3,30}) excepted",
    re.IGNORECASE,
)
# A claim with one of these may be about the exception.
_LIMITS = re.compile(r"\b(?:except\w*|apart|other than|but|only|alone|exclud\w+)\b", re.IGNORECASE)
_BOTH = re.compile(r"\bboth (\S+) and (\S+)", re.IGNORECASE)
# Shares of words: of what is said under a condition, where a sentence speaks of it, and of the
# condition, which stands there too.
_SPEAKS_OF_IT = 0.6
_AS_NEAR = 0.15
_SAME_CONDITION = 1 / 3
_EXCEPTED = 2


def exceeded(claimed: Claim, grounds: Sequence[Ground]) -> str:
    """Which bound of the passages the claim leaves, in words; empty if none."""
    units = [f"{unit.lead} {unit.text}" for g in grounds for unit in g.units]
    if _other_condition(claimed.text, units):
        return "the cited passage does not say so under that condition"
    if any(_excepts(claimed, text) for text in units):
        return "the cited passage makes an exception there"
    if _both_for_either(claimed.text, units):
        return "the cited passage asks for one of them"
    return ""


def _other_condition(text: str, units: Sequence[str]) -> bool:
    """Whether each sentence that says what the claim says under a condition says nothing of
    that condition. Paraphrases keep a third of its words."""
    said, condition = (set(content_words(part)) for part in _conditional(text))
    if len(said) < 2 or len(condition) < 2:
        return False
    shares = [(_share(said, unit), unit) for unit in units]
    best = max((share for share, _ in shares), default=0.0)
    near = [unit for share, unit in shares if share >= best - _AS_NEAR]
    return best >= _SPEAKS_OF_IT and all(_share(condition, unit) < _SAME_CONDITION for unit in near)


def _conditional(text: str) -> tuple[str, str]:
    """What a sentence says and under which condition; both empty where it has none."""
    found = _CONDITION.search(text)
    if found is None:
        return "", ""
    before, behind = text[: found.start()], text[found.end() :]
    if before.strip():
        return before, behind.partition(",")[0]
    condition, comma, said = behind.partition(",")
    return (said, condition) if comma else ("", "")


def _excepts(claimed: Claim, text: str) -> bool:
    """Whether a sentence of the same matter takes out what the claim speaks of."""
    if negates(claimed.text) or _LIMITS.search(claimed.text):
        return False
    return any(
        claimed.content >= out and _share(claimed.content - out, text) >= _SPEAKS_OF_IT
        for out in _taken_out(text)
        if claimed.content - out
    )


def _taken_out(text: str) -> Iterator[set[str]]:
    """The first words of what each exception of a sentence takes out."""
    for found in _EXCEPTION.finditer(text):
        out = set(content_words(found.group(1) or found.group(2))[:_EXCEPTED])
        if out:
            yield out


def _both_for_either(text: str, units: Sequence[str]) -> bool:
    """Whether a claim asks for two things of which the passages only ever ask for one."""
    found = _BOTH.search(text)
    if found is None:
        return False
    one, other = (re.escape(part.strip(".,;:")) for part in found.groups())

    def joined(word: str) -> bool:
        pairs = rf"{one}\W+{word}\W+{other}|{other}\W+{word}\W+{one}"
        return any(re.search(pairs, unit, re.IGNORECASE) for unit in units)

    return joined("or") and not joined("and")


def _share(words: Set[str], text: str) -> float:
    return len(words & set(content_words(text))) / len(words)
