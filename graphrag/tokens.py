"""Text to search terms: what the keyword index counts and looks up.

Words are lower-cased, stripped of accents and brought to a common English stem. What
carries meaning as it is written (``VX-2207-B``, ``v2.3.1``, ``C++``, ``.NET``,
``snake_case``, ``camelCase``, ``10.0.0.1``) is kept whole and in its parts. Scripts
without spaces give overlapping pairs of characters. What has too few letters to be a word
(``-u``, ``\\d``, ``%h``, ``->>``) is a term of its own where it stands alone.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from graphrag.stems import stem

VERSION = "3"
"""Changes whenever the same text could give other terms: indexes made before are stale."""

# Scripts that do not set words apart: Han, kana, Hangul, Thai, Lao, Khmer, Burmese.
_UNSPACED = (
    "\u3005-\u3007\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff"
    "\u0e01-\u0eff\u1000-\u109f\u1780-\u17d3\U00020000-\U0003ffff"
)
# Vowel signs of Indic scripts belong to their word, though ``\w`` leaves them out.
_LETTER = "[^\\W_]|[\u0900-\u0dff]"
_TERM = re.compile(
    rf"(?P<run>[{_UNSPACED}]+)"
    r"|(?P<thousands>(?<![\w.,])\d{1,3}(?:,\d{3})+(?![\w,]))"
    rf"|(?P<word>(?:(?<![\w.])\.(?=[^\W\d]))?(?:{_LETTER}|_)+"
    rf"(?:(?:[-.:@]|['’])(?:{_LETTER}|_)+)*(?:\+\+|(?<=\b[a-z])\#(?!\w))?)"
)
_PART = re.compile(rf"(?:{_LETTER})+")
_LONGEST_KNOWN = 32
_OPENING = "\"'([{<*`"
_CLOSING = "\"')]}>*`,;:!?."
_LONE_S = re.compile(r"['’]s\b")
_EXACT = re.compile(r"[\d_.+#@:]")
# Not within mRNA, iPhone or PCRs: there the parts mean nothing.
_HUMP = re.compile("(?<=[a-z]{2})(?=[A-Z][a-z])|(?<=[A-Z]{2})(?=[A-Z][a-z]{2})")
_MARKS = re.compile("[\u0300-\u036f\u0591-\u05c7\u0640\u064b-\u065f\u0670]")
_UNSPACED_RUN = re.compile(f"[{_UNSPACED}]")
# Letters with a stroke, and joined ones, are not composed of anything that could be stripped.
_PLAIN = str.maketrans({"œ": "oe", "æ": "ae", "ø": "o", "ł": "l", "đ": "d", "ı": "i"})

_SYMBOL = re.compile(
    r"(?<![^\s\"'`(\[{<,|])(?:"
    r"-[A-Za-z][A-Za-z0-9]{0,2}|\\[A-Za-z]+\+?|%[A-Za-z]{1,2}"
    r"|\w*@\{[^\s{}]{1,12}\}"  # HEAD@{1}
    r"|==|:=|(?=[^\s\w]*[<>@&!?%^~])[-+*/=<>@&|!?%^~#:]{2,4}(?<![!?:])"
    r")(?![^\s\"'`)\]}>.,;:?!|=]|\.\S)"
)
_PUNCTUATION = ".,;:!?()[]{}\"'“”‘’«»…"

STOP_WORDS = frozenset(
    re.findall(
        "[a-z]+",
        """
        a about an and are as at be been being but by can could did do does for from had has have
        he her his how i if in into is it its me my no not of on or our she should so such than
        that the their them then there these they this those to was we were what when where which
        who why will with would you your
        """,
    )
)
"""English words that say nothing about the subject of a question."""


def fold(text: str) -> str:
    """Lower case without accents, strokes and ligatures; composed and decomposed spellings
    become one."""
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    return unicodedata.normalize("NFC", _MARKS.sub("", decomposed)).translate(_PLAIN)


def tokenize(text: str) -> list[str]:
    """All terms of a text, in its order, repeated as often as they occur."""
    found: list[str] = []
    for word in text.split():
        found += _known_terms(word) if len(word) <= _LONGEST_KNOWN else _terms(word)
    return found


def symbols(text: str) -> list[str]:
    """What stands alone and is told apart by its signs, in its order and as it is written:
    ``-u`` and ``-U``, ``\\timing``, ``%h``, ``HEAD@{1}``, ``->>``."""
    return _SYMBOL.findall(text)


def text_terms(text: str) -> list[str]:
    """What the keyword index counts of a text: its terms and its symbols."""
    return tokenize(text) + symbols(text)


def question_terms(question: str) -> list[str]:
    """The terms to look a question up by: symbols, and words without stop words, unless it has
    no others.

    A stop word written in capitals (WHO, IT) is a name and stays.
    """
    shouted = question.isupper()
    telling = [
        word
        for word in question.split()
        if fold(word.strip(_PUNCTUATION)) not in STOP_WORDS
        or (word.strip(_PUNCTUATION).isupper() and len(word) > 1 and not shouted)
    ]
    return (tokenize(" ".join(telling)) or tokenize(question)) + symbols(question)


def _terms(word: str) -> tuple[str, ...]:
    """The terms of what stands between two blanks."""
    bare = word.lstrip(_OPENING).rstrip(_CLOSING)
    if bare.isascii() and bare.isalpha():  # most words: the pattern would say the same
        stem_of_all = _known_stem(bare.lower())
        humps = _HUMP.split(bare)
        return (stem_of_all, *(_known_stem(hump.lower()) for hump in humps if len(humps) > 1))
    found: list[str] = []
    for match in _TERM.finditer(fold(word)):
        piece = match[0]
        if match.lastgroup == "run":
            found += _pairs(piece)
        elif match.lastgroup == "thousands":
            found.append(piece.replace(",", ""))
        elif piece.isalnum() and not _UNSPACED_RUN.search(piece):
            found.append(_stem(piece))
        else:
            found += _compound(piece)
    return tuple(found)


# Few words make up most of a text: their terms are worked out once.
_known_terms = lru_cache(maxsize=1 << 16)(_terms)
_known_stem = lru_cache(maxsize=1 << 16)(stem)


def _compound(word: str) -> list[str]:
    """A joined word: itself where it is written like a code, and its parts."""
    bare = _LONE_S.sub("", word)
    parts: list[str] = []
    for part in _PART.findall(bare):
        if _UNSPACED_RUN.search(part):
            parts.extend(tokenize(" ".join(_by_script(part))))
        else:
            parts.append(_stem(part))
    whole = bare.strip("_")
    if _EXACT.search(whole) and [whole] != parts:
        return [whole, *parts]
    return parts


def _by_script(part: str) -> list[str]:
    return re.findall(f"[{_UNSPACED}]+|[^{_UNSPACED}]+", part)


def _pairs(run: str) -> list[str]:
    if len(run) == 1:
        return [run]
    return [run[i : i + 2] for i in range(len(run) - 1)]


def _stem(word: str) -> str:
    """The English stem of a word of letters; anything with a digit stays as it is."""
    return _known_stem(word) if word.isascii() and word.isalpha() else word
