"""Words, identifiers and names of a text, folded so that spellings meet."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from graphrag.tokens import fold, tokenize

_STOP_WORDS = """
a about above after again all also am an and any are as at be because been before being below
between both but by can could did do does doing done down during each either else ever every few
for from further get gets give gives given go goes got had has have having he her here hers him
his how however i if in into is it its itself just kind know let like many may me might mine more
most much must my near need needed needs no nor not now of off on once one only onto or other
others our out over own per please same say says shall she should so some such take tell than that
the their them then there these they thing things this those through thus to too under until up
upon us use used uses using very via want was way we were what whatever when where whether which
while who whom whose why will with within without would yes yet you your yours explain describe
define mean means meaning called work works happen happens s t d ll re ve m don doesn didn isn
aren wasn weren won wouldn couldn shouldn hasn haven
"""
_WORD = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*")
_CODE = re.compile(
    r"(?<![\w$\\])(?=[\w./:-]*\d)(?=[\w./:-]*[A-Za-z_])[A-Za-z0-9]\w*(?:[.:/-]\w+)*"
    r"|(?<![\w$.,-])\d+(?:-\d+)+(?![\w-])"
    r"|(?<![\w$])\d+(?:\.\d+){2,}(?![\w])"
)
_UNIT_LIKE = re.compile(
    r"^\d+(?:[.,]\d+)?(?:st|nd|rd|th|s|ms|us|ns|m|mm|cm|km|g|kg|mg|w|kw|v|kv|mv|a|ma|hz|khz|mhz|ghz"
    r"|kb|mb|gb|tb|kib|mib|gib|px|pt|x|d|h|min|bar|mbar|pa|kpa|mpa|j|kj|k|c|f|n|l|ml|b|am|pm|bit)$",
    re.IGNORECASE,
)
_PLAIN_DATE = re.compile(r"^\d{4}-\d{2}-\d{2}$")
_MEASURE = re.compile(r"^\d+-(?:by|to|[a-z]{3,}|d)\b|^\d+[x×]\d+$")


@cache
def _stop_terms() -> frozenset[str]:
    return frozenset(tokenize(_STOP_WORDS))


def words(text: str) -> list[str]:
    """All words in order, folded but not stemmed; hyphens and dots inside a word stay."""
    return _WORD.findall(fold(text))


def content_words(text: str) -> list[str]:
    """The stems of the words that carry meaning, in order, with repetitions.

    A hyphenated word gives its parts, so ``row-echelon`` meets ``row echelon``.
    """
    stop = _stop_terms()
    return [
        term for term in tokenize(text) if term not in stop and (len(term) > 1 or term.isdigit())
    ]


def any_name(names: Iterable[str]) -> str:
    """A pattern (for ``re.IGNORECASE``) that matches any of the names as whole words, the
    longest first, in the plural too; ``C++`` and ``.NET`` count as words."""
    ordered = sorted(set(names), key=lambda name: (-len(name), name))
    choice = "|".join(re.escape(name).replace(r"\ ", r"[\s-]+") for name in ordered)
    return rf"(?<!\w)(?:{choice})(?:e?s)?(?!\w)"


def identifiers(text: str) -> list[str]:
    """Codes, part numbers, versions and addresses: what must match to the letter.

    ``E1042``, ``E1042-B``, ``88-4460``, ``10.44.0.5``, ``CVE-2024-1234``, ``net.core_2``;
    quantities with their unit (``30s``, ``5th``), plain dates and ranges are none.
    """
    found = []
    for match in _CODE.finditer(text):
        code = match.group().strip(".:/-_")
        if _UNIT_LIKE.match(code) or _PLAIN_DATE.match(code) or _is_range(code.lower()):
            continue
        if code not in found:
            found.append(code)
    return found


def _is_range(code: str) -> bool:
    """``10-12``, ``90-110`` and ``3-by-3``; not the part number ``88-4460``."""
    ends = re.fullmatch(r"(\d+)-(\d+)", code)
    if ends is None:
        return _MEASURE.match(code) is not None
    low, high = ends.groups()
    return int(low) < int(high) and len(high) <= len(low) + 1


def contains_identifier(text: str, identifier: str) -> bool:
    """Whether the identifier stands in the text as a whole, letter case aside.

    ``E1042`` is not contained in ``E1042-B`` nor in ``E10421``.
    """
    pattern = rf"(?<![\w-])(?<!\w[.]){re.escape(identifier)}(?![\w]|[.:/-]\w)"
    return re.search(pattern, text, re.IGNORECASE) is not None


def coverage(question: str, text: str) -> float:
    """Share of the question's distinct content words that the text holds, from 0 to 1."""
    asked = set(content_words(question))
    return len(asked & set(content_words(text))) / len(asked) if asked else 0.0
