"""Words that mean the same in a sentence of instruction or explanation."""

from __future__ import annotations

from collections.abc import Set
from functools import cache

from graphrag.tokens import tokenize

_GROUPS = """
swap interchange exchange switch; find found get obtain compute calculate determine; begin start
commence; stop halt pause end; finish complete; need require; permit allow; forbid prohibit;
stand lie sit find found; remove delete; replace change substitute; enough sufficient; show display
indicate; help assist; keep hold retain preserve; contain include hold have; build make create
construct produce form; big large; small little; quick fast rapid; purchase buy; use employ apply
utilize; choose pick select; often frequently; always invariably; happen occur; say state tell;
call name term; give yield provide deliver; link connect join; fix repair mend; look inspect check
examine; error fault; person anyone; location place position; equal same; whole entire; kind type
sort; method procedure way; about approximately roughly; almost nearly; fit mount
install; send transmit; receive get; near close; measure gauge; consequence result; consist
comprise; describe characterize; vanish disappear; share have; perform carry do execute; leave
remain; touch handle; work run operate; exceed surpass; each every; cause reason
"""

# What two stems of one family share, and how much of the longer may differ.
_ROOT, _ENDING = 5, 4


@cache
def _groups() -> dict[str, frozenset[int]]:
    found: dict[str, set[int]] = {}
    for number, group in enumerate(_GROUPS.replace("\n", " ").split(";")):
        for word in group.split():
            found.setdefault(_stem(word), set()).add(number)
    return {word: frozenset(numbers) for word, numbers in found.items()}


def _stem(word: str) -> str:
    terms = tokenize(word)
    return terms[-1] if terms else word


def mean_the_same(one: str, other: str) -> bool:
    """Whether two words are known to mean the same ("swapping" and "interchanging")."""
    none: frozenset[int] = frozenset()
    groups = _groups()
    return bool(groups.get(_stem(one), none) & groups.get(_stem(other), none))


def is_told(term: str, held: Set[str]) -> bool:
    """Whether one of the terms is a word of content, one of its family ("injured" and "injury")
    or one that is known to mean the same."""
    return term in held or any(_akin(term, other) or mean_the_same(term, other) for other in held)


def _akin(one: str, other: str) -> bool:
    root = max(_ROOT, len(one) - _ENDING, len(other) - _ENDING)
    return min(len(one), len(other)) >= root and one[:root] == other[:root]
