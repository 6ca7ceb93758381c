"""Words that say the opposite of each other."""

from __future__ import annotations

from functools import cache

from graphrag.tokens import tokenize

_PAIRS = """
increase decrease, rise fall, raise lower, above below, over under, more less, more fewer,
maximum minimum, most least, higher lower, high low, highest lowest, open close, opened closed,
open closed, on off, before after, always never, all none, allowed forbidden, required optional,
dependent independent, invertible singular, left right, singular nonsingular, true false,
start stop, enable disable, enabled disabled, up down, upper lower, first last, longer shorter,
longest shortest, long short, larger smaller, largest smallest, large small, greater smaller,
greatest smallest, big small, hot cold, warm cold, even odd, positive negative, earlier later,
early late, daily weekly, weekly monthly, daily monthly, row column, horizontal vertical,
inside outside, inner outer, input output, inlet outlet, suction discharge, same different,
equal different, unique several, with without, day night, morning evening, old new, old current,
everything nothing, everybody nobody, red green, injective surjective, numerator denominator,
add subtract, plus minus, sum difference, sum product, multiply divide, front back, front rear,
top bottom, near far, nearest farthest, closest farthest, begin end, gain lose, fast slow,
faster slower, full empty, wet dry, clean dirty, tight loose, tighten loosen, lock unlock,
connect disconnect, send receive, read write, success failure, pass fail, manual automatic,
local remote, internal external, temporary permanent, minimal maximal, ascending descending,
increasing decreasing, wide narrow, thick thin, heavy light, strong weak, rich poor, public private,
single double, necessary sufficient, cause prevent, include exclude, accept reject, buy sell,
clockwise anticlockwise, clockwise counterclockwise, warning trip, parallel orthogonal,
parallel perpendicular, next previous, child parent, former latter, much little, many few,
primary secondary, enlarge reduce, enlarge shrink, atmost more, atleast less, atleast fewer,
duty standby, incoming outgoing, keep remove, keep delete, keep drop, preserve remove,
preserve delete, add remove, create delete
"""
# A prefix and the least length of the word behind it: "inside" is no opposite of "side".
_PREFIXES = {
    "non-": 3, "non": 4, "dis": 5, "anti": 4, "mis": 5, "un": 4, "in": 5, "im": 5, "ir": 5
}  # fmt: skip


@cache
def _known() -> frozenset[tuple[str, str]]:
    pairs = [pair.split() for pair in _PAIRS.replace("\n", " ").split(",")]
    found = {(_stem(one), _stem(other)) for one, other in pairs}
    return frozenset(found | {(other, one) for one, other in found})


def _stem(word: str) -> str:
    terms = tokenize(word)
    return terms[-1] if terms else word


def are_opposite(one: str, other: str) -> bool:
    """Whether two words are opposites: a known pair, or one with a negating prefix
    ("dependent" and "independent")."""
    left, right = one.casefold(), other.casefold()
    if (_stem(left), _stem(right)) in _known():
        return True
    parts = [word.split("-") for word in (left, right)]
    if len(parts[0]) == len(parts[1]) > 1:
        differing = [pair for pair in zip(*parts, strict=True) if pair[0] != pair[1]]
        return len(differing) == 1 and are_opposite(*differing[0])
    shorter, longer = sorted((left, right), key=len)
    return any(
        longer == prefix + shorter and len(shorter) >= least for prefix, least in _PREFIXES.items()
    )
