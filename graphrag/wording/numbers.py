"""Numbers in a text with their units, so that 87 % never passes for 85 %."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

_UNITS = {
    "%": "% percent percentage pct per-cent",
    "s": "s sec secs second seconds",
    "ms": "ms millisecond milliseconds",
    "min": "min mins minute minutes",
    "h": "h hr hrs hour hours",
    "d": "day days",
    "wk": "week weeks",
    "mo": "month months",
    "yr": "year years yr yrs",
    "mm": "mm millimetre millimetres millimeter millimeters",
    "cm": "cm centimetre centimetres centimeter centimeters",
    "m": "m metre metres meter meters",
    "km": "km kilometre kilometres kilometer kilometers",
    "mg": "mg milligram milligrams",
    "g": "g gram grams gramme grammes",
    "kg": "kg kilogram kilograms",
    "t": "t tonne tonnes ton tons",
    "bar": "bar bars",
    "mbar": "mbar millibar",
    "pa": "pa pascal pascals",
    "kpa": "kpa",
    "mpa": "mpa",
    "°c": "°c degc celsius",
    "°f": "°f fahrenheit",
    "°": "° degree degrees",
    "k": "kelvin",
    "v": "v volt volts",
    "ma": "ma milliampere milliamperes",
    "a": "ampere amperes amp amps",
    "w": "w watt watts",
    "kw": "kw kilowatt kilowatts",
    "hz": "hz hertz",
    "mm/s": "mm/s",
    "m/s": "m/s",
    "l": "l litre litres liter liters",
    "kb": "kb kilobyte kilobytes",
    "mb": "mb megabyte megabytes",
    "gb": "gb gigabyte gigabytes",
    "nm": "nm newton-metre newton-metres",
    "rpm": "rpm",
    "$": "$ usd dollar dollars",
    "€": "€ eur euro euros",
}
_UNIT_OF = {name: unit for unit, names in _UNITS.items() for name in names.split()}
_SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen twenty"
)
_WORDS = {word: str(value) for value, word in enumerate(_SMALL.split())}
_WORDS |= {"thirty": "30", "forty": "40", "fifty": "50", "sixty": "60", "ninety": "90"}
SPELLED: Mapping[str, str] = {word: value for word, value in _WORDS.items() if word != "one"}
"""Numbers written as words, with their digits; ``one`` is as often no number."""
_PLACES = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth"
ORDINALS: Mapping[str, str] = {
    word: f"#{place}" for place, word in enumerate(_PLACES.split(), start=1)
}
"""Places in an order written as words."""
_SCALES = {"thousand": 3, "million": 6, "billion": 9}

_NUMBER = re.compile(
    r"(?<![\w.,/\\-])([€$£]\s?)?([-−–]?)"
    r"(\d{1,3}(?:[,\u00a0\u202f ]\d{3})+(?:\.\d+)?|\d+(?:[.,]\d+)?)"
    r"(?:\s(thousand|million|billion)\b)?"
    r"(?:[\s\u00a0\u202f-]?(%|°[CF]?|per cent\b|[a-zA-Z]+(?:/[a-z]+)?(?![\w²³])))?"
)


@dataclass(frozen=True, slots=True)
class Number:
    """A number as it stands: ``value`` in canonical digits, ``unit`` a known one or empty.

    ``start`` and ``stop`` are its place in the text, unit included where one was known.
    """

    value: str
    unit: str
    start: int
    stop: int


def unit_of(word: str) -> str:
    """The unit that a word or sign names, in one spelling; empty for any other word."""
    return _UNIT_OF.get(word.lower(), "")


def numbers(text: str, *, spelled: bool = False) -> list[Number]:
    """The numbers of a text in order; digits inside words and codes are none.

    ``spelled`` adds small numbers written as words (``three``, ``ninety seconds``).
    """
    found = []
    for match in _NUMBER.finditer(text):
        if match.end(3) < len(text) and _inside_code(text, match.end(3)):
            continue
        word = (match.group(5) or "").lower().replace("per cent", "%")
        unit = _UNIT_OF.get(word, "")
        currency = (match.group(1) or "").strip()
        stop = match.end(5) if unit else (match.end(4) if match.group(4) else match.end(3))
        value = _canonical(match.group(3), _SCALES.get(match.group(4) or "", 0))
        sign = "-" if match.group(2) and not currency and _is_sign(text, match.start(2)) else ""
        found.append(Number(sign + value, unit or currency, match.start(), stop))
    if spelled:
        found += _spelled(text)
    return sorted(found, key=lambda number: number.start)


def _spelled(text: str) -> list[Number]:
    found = []
    for match in re.finditer(r"\b([A-Za-z]+)(?=[\s-]([a-zA-Z]+|%)|)", text):
        value = _WORDS.get(match.group(1).lower())
        if value is None:
            continue
        unit = _UNIT_OF.get((match.group(2) or "").lower(), "")
        found.append(Number(value, unit, match.start(), match.end(2) if unit else match.end(1)))
    return found


def _inside_code(text: str, stop: int) -> bool:
    """Digits that run on into a code, a date or a version: ``66-0310``, ``10.44.0.5``."""
    return re.match(r"[-.:/]\d|_", text[stop:]) is not None


def _is_sign(text: str, start: int) -> bool:
    return start == 0 or text[start - 1] in " \t\n(=[|,"


def _canonical(digits: str, scale: int) -> str:
    """``1,000.50`` and ``1000.5`` are one value; a lone comma before 1, 2 or 4 digits is
    a decimal one."""
    plain = re.sub("[\u00a0\u202f ]", "", digits)
    if re.fullmatch(r"\d+,\d+", plain) and not re.fullmatch(r"\d{1,3},\d{3}", plain):
        plain = plain.replace(",", ".")
    plain = plain.replace(",", "")
    if scale:
        whole, _, decimals = plain.partition(".")
        plain = (
            whole
            + decimals.ljust(scale, "0")[:scale]
            + ("." + decimals[scale:] if len(decimals) > scale else "")
        )
    if "." in plain:
        plain = plain.rstrip("0").rstrip(".")
    return plain.lstrip("0") or "0" if "." not in plain else plain
