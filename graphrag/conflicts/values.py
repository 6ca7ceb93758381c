"""What a key's value says, in a form in which two values agree or contradict.

Only values that stand for one thing are compared: a quantity, a day, a yes or no, a code, a
name of up to three words that carry meaning. Prose is not: two wordings of one fact would look
like two facts.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from graphrag.sentences import split_sentences
from graphrag.wording.days import iso_day
from graphrag.wording.numbers import Number, numbers
from graphrag.wording.terms import content_words, identifiers, words

ValueKind = Literal["quantity", "day", "flag", "code", "name"]

_REMARK = re.compile(r"\s*[(\[][^()\[\]]*[)\]]")
CLOCK = re.compile(r"\d{1,2}:\d{2}(?:\s?(?:-|–|to|until)\s?\d{1,2}:\d{2})?")
"""A time of the day, or from when to when."""
_BOUND = re.compile(r"\W*no (?:more|less|fewer|longer|later|earlier|sooner)\b", re.IGNORECASE)
_MINUTES = re.compile(r"0?(\d{1,2}:\d{2})")
_COUNTED = re.compile(r"\s([a-z]{3,})\b")
_MARKS = re.compile(r"[*`_\"“”]+")
_WORDS_OF_VALUE = 8
_WORDS_OF_NAME = 3
OPPOSITES = frozenset(
    {
        frozenset({"yes", "no"}),
        frozenset({"true", "false"}),
        frozenset({"on", "off"}),
        frozenset({"enabled", "disabled"}),
        frozenset({"allowed", "forbidden"}),
        frozenset({"allowed", "prohibited"}),
        frozenset({"permitted", "forbidden"}),
        frozenset({"permitted", "prohibited"}),
        frozenset({"required", "optional"}),
        frozenset({"mandatory", "optional"}),
    }
)
_FLAGS = frozenset(word for pair in OPPOSITES for word in pair)
# With more words these are prepositions, as in "on request".
_ALONE = frozenset({"on", "off"})
# A clause is no name ("because it tells whether there are enough"): it would contradict another.
_OF_CLAUSES = frozenset(
    words(
        "because since if when whenever where while whether that which who whose it its they he "
        "she we you this these those there"
    )
)
_BASE: dict[str, tuple[str, Fraction]] = {
    "ms": ("s", Fraction(1, 1000)),
    "min": ("s", Fraction(60)),
    "h": ("s", Fraction(3600)),
    "d": ("s", Fraction(86400)),
    "wk": ("s", Fraction(604800)),
    "yr": ("mo", Fraction(12)),
    "mm": ("m", Fraction(1, 1000)),
    "cm": ("m", Fraction(1, 100)),
    "km": ("m", Fraction(1000)),
    "g": ("kg", Fraction(1, 1000)),
    "t": ("kg", Fraction(1000)),
    "kpa": ("pa", Fraction(1000)),
    "mpa": ("pa", Fraction(1_000_000)),
    "bar": ("pa", Fraction(100_000)),
    "kw": ("w", Fraction(1000)),
}


@dataclass(frozen=True, slots=True)
class Value:
    """A value of one kind; ``parts`` are comparable, ``units`` those of a quantity in order."""

    kind: ValueKind
    parts: tuple[str, ...]
    units: tuple[str, ...] = ()


def read_value(text: str) -> Value | None:
    """What the text says, where it is short enough to say one thing; remarks in brackets
    are left out."""
    plain = _MARKS.sub("", _REMARK.sub("", text)).strip().rstrip(".;,")
    length = len(plain.split())
    if not plain or length > _WORDS_OF_VALUE:
        return None
    if CLOCK.fullmatch(plain):
        return Value("quantity", tuple(times_of_day(plain)), ("clock",))
    if day := iso_day(plain):
        return Value("day", (day,))
    terms = words(plain)
    if terms and terms[0] in _FLAGS and length <= (1 if terms[0] in _ALONE else _WORDS_OF_NAME):
        return Value("flag", (terms[0],))
    codes = identifiers(plain)
    if length == 1 and codes:
        return Value("code", tuple(code.casefold() for code in codes))
    found = numbers(plain, spelled=True)
    if found and not codes:
        return _quantity(found, plain)
    if not _OF_CLAUSES.isdisjoint(terms):
        return None
    stems = tuple(sorted(set(content_words(plain))))
    if any(letter.isdigit() for letter in plain) or not 0 < len(stems) <= _WORDS_OF_NAME:
        return None
    return Value("name", stems)


def times_of_day(text: str) -> list[str]:
    """The times that a text of them names, without a zero in front: ``7:30``."""
    return _MINUTES.findall(text)


def contradict(one: Value, other: Value) -> bool:
    """Whether both cannot hold: the same kind (and units) with another value."""
    if one.kind != other.kind or one.units != other.units:
        return False
    if one.kind == "flag":
        return frozenset((one.parts[0], other.parts[0])) in OPPOSITES
    if one.kind == "name":
        return set(one.parts).isdisjoint(other.parts)
    return one.parts != other.parts


def read_answer(text: str) -> list[Value]:
    """The yes or no that the text begins with, and the quantities of its first two sentences,
    one value a unit or a thing that is counted (``80 pages``)."""
    terms = words(text[:40])
    says = terms and terms[0] in ("yes", "no") and not _BOUND.match(text)
    found = [Value("flag", (terms[0],))] if says else []
    opening = " ".join(text[span.start : span.stop] for span in split_sentences(text, 0)[:2])
    by_unit: dict[str, set[str]] = {}
    for number in numbers(opening, spelled=True):
        value, unit = _based(number)
        counted = _COUNTED.match(opening, number.stop)
        unit = unit or " ".join(content_words(counted[1]) if counted else ())
        if unit:
            by_unit.setdefault(unit, set()).add(value)
    return [
        *found,
        *(
            Value("quantity", tuple(sorted(values)), (unit,))
            for unit, values in sorted(by_unit.items())
        ),
    ]


def answers_contradict(one: Sequence[Value], other: Sequence[Value]) -> bool:
    """Whether two answers to one question say yes and no, or share no quantity of a unit
    that both have."""
    return any(
        mine.kind == its.kind
        and mine.units == its.units
        and (
            contradict(mine, its) if mine.kind == "flag" else set(mine.parts).isdisjoint(its.parts)
        )
        for mine in one
        for its in other
    )


def measure(number: Number) -> Value:
    """One number as a quantity of its unit."""
    value, unit = _based(number)
    return Value("quantity", (value,), (unit,))


def _quantity(found: list[Number], text: str) -> Value | None:
    based = [_based(number) for number in found]
    # The words beside the numbers tell what is counted: ``3 tags`` and ``4 people`` are two.
    beside = "".join(
        " " if any(number.start <= at < number.stop for number in found) else letter
        for at, letter in enumerate(text)
    )
    units = tuple(unit for _, unit in based)
    counted = tuple(sorted(set(content_words(beside))))
    return Value("quantity", tuple(value for value, _ in based), (*units, *counted))


def _based(number: Number) -> tuple[str, str]:
    unit, factor = _BASE.get(number.unit, (number.unit, Fraction(1)))
    return str(Fraction(number.value) * factor), unit
