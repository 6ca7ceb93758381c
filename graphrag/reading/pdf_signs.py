"""Signs of a formula in rows: each from left to right with its scripts and limits."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from operator import attrgetter

AXIS = 0.25
"""How far fraction bars and large signs are centred above the base line, in sizes."""
_SMALLER = 0.85  # a script is set in less than this share of the size around it
_APART = 0.9  # base lines of two rows, in sizes
_SPACE, _CELL = 0.17, 0.75  # gaps between signs, and between the columns of a matrix, in sizes
LARGE = frozenset("∑∏∫∮⋃⋂⋀⋁∐⊎⊕⊗⊙⨆")
"""Operators that limits stand above and below, whatever their own size."""
_WITH_LIMITS = frozenset(
    ("lim", "max", "min", "sup", "inf", "limsup", "liminf", "argmax", "argmin")
)


@dataclass(frozen=True, slots=True)
class Sign:
    """A character, or what was built of several; its inked box, base line and size in points.

    ``roman``: an upright letter or digit of a text font; ``built``: it stands on the axis,
    whatever its height (a fraction, a large operator, a delimiter).
    """

    text: str
    left: float
    right: float
    bottom: float
    top: float
    base: float
    size: float
    roman: bool = False
    built: bool = False

    @property
    def middle(self) -> float:
        return (self.left + self.right) / 2


def size_of(signs: Sequence[Sign]) -> float:
    """The size that a row is set in: the largest of its signs but sums and the like."""
    sizes = [sign.size for sign in signs if sign.text not in LARGE]
    return max(sizes or [sign.size for sign in signs])


def without(signs: Sequence[Sign], taken: Iterable[Sign]) -> list[Sign]:
    """The signs but those taken, which are told by identity: two may be equal."""
    gone = set(map(id, taken))
    return [sign for sign in signs if id(sign) not in gone]


def rows_of(signs: Sequence[Sign]) -> list[list[Sign]]:
    """The rows of a formula from the top; scripts and limits go to the nearest row."""
    if not signs:
        return []
    size = size_of(signs)
    full = [sign for sign in signs if sign.size >= _SMALLER * size]
    bases = sorted({round(sign.base, 1) for sign in full}, reverse=True)
    groups = [[bases[0]]]
    for before, base in pairwise(bases):
        if before - base > _APART * size:
            groups.append([])
        groups[-1].append(base)
    rows: list[list[Sign]] = [[] for _ in groups]
    for sign in signs:
        distances = [min(abs(base - sign.base) for base in group) for group in groups]
        rows[distances.index(min(distances))].append(sign)
    return rows


def line_of(signs: Sequence[Sign], *, cells: bool = False) -> str:
    """One row from left to right, each sign with its scripts."""
    size = size_of(signs)
    full = [sign for sign in signs if sign.size >= _SMALLER * size]
    base = _base_line(full)
    level = [s for s in full if abs(s.base - base) < 0.3 * size or s.built]
    level += [s for s in signs if s.size < _SMALLER * size and _is_on_axis(s, base, size)]
    owners = _words(sorted(level, key=attrgetter("left")))
    scripts: dict[int, list[Sign]] = {}
    for sign in without(signs, level):
        scripts.setdefault(_owner(owners, sign), []).append(sign)
    pieces = [_scripts(owners[0], scripts[-1])] if -1 in scripts else []
    end = None
    for place, sign in enumerate(owners):
        own = scripts.get(place, [])
        if end is not None:
            gap = (min([sign.left, *(s.left for s in own)]) - end) / size
            is_apart = gap > _SPACE or owners[place - 1].text in LARGE
            pieces.append(" & " if cells and gap > _CELL else " " if is_apart else "")
        pieces.append(sign.text + _scripts(sign, own))
        end = max([sign.right, *(s.right for s in own)])
    return "".join(pieces).strip()


def _is_on_axis(sign: Sign, base: float, size: float) -> bool:
    """Whether a fraction of small signs stands on the line, and is no script."""
    is_high = sign.top - sign.bottom > size
    return sign.built and is_high and abs(sign.base - base) < 0.15 * size


def _base_line(signs: Sequence[Sign]) -> float:
    """The height that most signs stand on."""
    return max(
        (sign.base for sign in signs),
        key=lambda base: sum(abs(base - sign.base) < 0.1 * sign.size for sign in signs),
    )


def _words(signs: Sequence[Sign]) -> list[Sign]:
    """The signs, upright letters that touch joined: ``log``, ``max``."""
    found: list[Sign] = []
    for sign in signs:
        before = found[-1] if found else None
        is_letter = sign.roman and sign.text.isalpha()
        if (
            before is not None and is_letter and before.roman and before.text.isalpha()
            and sign.left - before.right < 0.12 * sign.size
        ):  # fmt: skip
            found[-1] = replace(
                before,
                text=before.text + sign.text,
                right=sign.right,
                bottom=min(before.bottom, sign.bottom),
                top=max(before.top, sign.top),
            )
        else:
            found.append(sign)
    return found


def _owner(owners: Sequence[Sign], script: Sign) -> int:
    """The place of the sign that a script belongs to: an operator that it stands above or
    below, else the sign before it; -1 where there is none."""
    for place, sign in enumerate(owners):
        takes_limits = sign.text in LARGE or sign.text.lower() in _WITH_LIMITS
        reach = 0.6 * sign.size
        outside = script.bottom > sign.top - 1 or script.top < sign.bottom + 1
        if takes_limits and outside and sign.left - reach <= script.middle <= sign.right + reach:
            return place
    before = [place for place, sign in enumerate(owners) if sign.left < script.left]
    return before[-1] if before else -1


def _scripts(sign: Sign, scripts: Sequence[Sign]) -> str:
    axis = (sign.bottom + sign.top) / 2 if sign.built else sign.base + 0.1 * sign.size
    ordered = sorted(scripts, key=lambda s: (_level(s) > axis, s.left))
    pieces = []
    for is_up, group in groupby(ordered, key=lambda s: _level(s) > axis):
        text = line_of(list(group))
        is_prime = is_up and not text.strip("′")
        pieces.append(text if is_prime else ("^" if is_up else "_") + _braced(text))
    return "".join(pieces)


def _level(script: Sign) -> float:
    return (script.bottom + script.top) / 2 if script.built else script.base


def _braced(text: str) -> str:
    return text if len(text) == 1 else f"{{{text}}}"
