"""Short forms that a text spells out: ``principal component analysis (PCA)``.

Three ways a short form may stand for the words before its bracket, the surest first: by their
initials; by letters of theirs in order, as *IdP* for *identity provider* and *JS* for
*JavaScript*; and by all their initials but one, as *XSS* for *cross-site scripting*. What is
not the initials must be written so several times.

Source of the second: Schwartz and Hearst, "A simple algorithm for identifying abbreviation
definitions in biomedical text", PSB 2003.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from graphrag.concepts.names import is_acronym_pair, name_key
from graphrag.domain import Document

_BRACKETED = re.compile(r"(?<=\s)\(([A-Za-z][\w-]{1,7})\)")
_ROW = re.compile(r"^\|?[ \t]*([A-Z][\w&-]{1,7})[ \t]*\|[ \t]*([^|\n]{3,80}?)[ \t]*(?:\||$)", re.M)
_WORDS = re.compile(r"(?:[\w’'-]+\s+)+$")
_WORD = re.compile(r"\w+")
_REACH = 120  # letters before a bracket
_MOST_WORDS = 8
_FEWEST_BY_LETTERS, _FEWEST_BUT_ONE = 2, 3  # times that it is spelt out so
_FEWEST_INITIALS = 3  # of which one may differ


def short_forms(documents: Sequence[Document]) -> dict[str, str]:
    """Short form to the spelled-out name, as written in brackets behind it, and in tables
    whose second cell spells the first one out.

    One that stands for several names stands for the most frequent, ties by name; one that is
    spelt out by its initials anywhere stands for nothing else.
    """
    sure: dict[str, Counter[str]] = defaultdict(Counter)
    loose: dict[str, Counter[str]] = defaultdict(Counter)
    for document in documents:
        for short, name in _ROW.findall(document.text):
            if is_acronym_pair(name, short):
                sure[short][name] += 1
        for match in _BRACKETED.finditer(document.text) if "(" in document.text else ():
            if not any(c.isupper() for c in match[1][:2]):
                continue
            short = re.sub(r"(?<=[A-Z])s$", "", match[1])
            before = _WORDS.search(document.text[max(0, match.start() - _REACH) : match.start()])
            words = before[0].split()[-_MOST_WORDS:] if before else []
            by_initials = _by_initials(short, words)
            if by_initials:
                sure[short][by_initials] += 1
            elif words:
                loose[short][_by_letters(short, words) or _but_one(short, words)] += 1
    spelt = {short: commonest(names) for short, names in sure.items()}
    for short, names in loose.items():
        name = commonest(_again(short, names))
        if short not in spelt and name:
            spelt[short] = name
    return dict(sorted(spelt.items()))


def commonest(names: Mapping[str, int]) -> str:
    """The most frequent of counted names, ties by name; empty where there is none."""
    return min(names, key=lambda name: (-names[name], name), default="")


def _again(short: str, names: Mapping[str, int]) -> dict[str, int]:
    """The names that are written before their short form often enough, in whatever spelling."""
    counts: Counter[str] = Counter()
    for name, count in names.items():
        counts[name_key(name)] += count
    fewest = {
        name: _FEWEST_BY_LETTERS if _by_letters(short, name.split()) else _FEWEST_BUT_ONE
        for name in names
        if name
    }
    return {name: names[name] for name in fewest if counts[name_key(name)] >= fewest[name]}


def _by_initials(short: str, words: Sequence[str]) -> str:
    for size in range(1, len(words) + 1):
        name = " ".join(words[-size:])
        if len(_WORD.findall(name)) > 1 and is_acronym_pair(name, short):
            return name
    return ""


def _by_letters(short: str, words: Sequence[str]) -> str:
    """The shortest run of last words that holds the letters in order, each of its words
    lending at least its first."""
    letters = re.sub(r"[^\w]", "", short).casefold()
    lent = re.compile(r"(?:\w*?|\w*\W+)".join(letters) + r"\w*")
    for size in range(1, min(len(words), len(letters)) + 1):
        name = " ".join(words[-size:])
        if len(name) > 2 * len(letters) and lent.fullmatch(name.casefold()):
            return name
    return ""


def _but_one(short: str, words: Sequence[str]) -> str:
    """The last words, as many as there are letters, where one of these is not its word's."""
    letters = re.sub(r"[^\w]", "", short)
    for size in range(1, len(words) + 1):
        name = " ".join(words[-size:])
        initials = "".join(word[0] for word in _WORD.findall(name)).upper()
        if len(initials) >= len(letters):
            differing = sum(a != b for a, b in zip(initials, letters.upper(), strict=False))
            one = len(initials) == len(letters) >= _FEWEST_INITIALS and differing == 1
            return name if one and letters.isupper() else ""
    return ""
