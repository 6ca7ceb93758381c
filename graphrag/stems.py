"""English stems: words of one family (``matrix``, ``matrices``) to one spelling.

The Porter2 algorithm, written from its published description: suffixes come off in steps,
each only where enough of a word is left in front. R1 is the part after the first consonant
that follows a vowel, R2 the same within R1.

Source: Porter, Snowball: A language for stemming algorithms, 2001, and
https://snowballstem.org/algorithms/english/stemmer.html as of version 3.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

_IRREGULAR = {
    "skis": "ski",
    "skies": "sky",
    "idly": "idl",
    "gently": "gentl",
    "ugly": "ugli",
    "early": "earli",
    "only": "onli",
    "singly": "singl",
    "sky": "sky",
    "news": "news",
    "howe": "howe",
    "atlas": "atlas",
    "cosmos": "cosmos",
    "bias": "bias",
    "andes": "andes",
}
_REGION_PREFIX = re.compile("gener|commun|arsen|past|univers|later|emerg|organ|inter")
_REGION = re.compile("[aeiouy][^aeiouy]")
_VOWEL = re.compile("[aeiouy]")
_SHORT = re.compile("(?:[^aeiouy][aeiouy][^aeiouywxY]|^[aeiouy][^aeiouy]|^past)$")
_MARKED_Y = re.compile("(?:^|(?<=[aeiouy]))y")
_DOUBLE = re.compile("(?:bb|dd|ff|gg|mm|nn|pp|rr|tt)$")

_STEP_2 = {
    "tional": "tion",
    "enci": "ence",
    "anci": "ance",
    "abli": "able",
    "entli": "ent",
    "izer": "ize",
    "ization": "ize",
    "ational": "ate",
    "ation": "ate",
    "ator": "ate",
    "alism": "al",
    "aliti": "al",
    "alli": "al",
    "fulness": "ful",
    "ousli": "ous",
    "ousness": "ous",
    "iveness": "ive",
    "iviti": "ive",
    "biliti": "ble",
    "bli": "ble",
    "ogi": "og",
    "ogist": "og",
    "fulli": "ful",
    "lessli": "less",
    "li": "",
}
_STEP_3 = {
    "tional": "tion",
    "ational": "ate",
    "alize": "al",
    "icate": "ic",
    "iciti": "ic",
    "ical": "ic",
    "ful": "",
    "ness": "",
    "ative": "",
}
_STEP_4 = dict.fromkeys(
    (
        *("al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ism"),
        *("ate", "iti", "ous", "ive", "ize", "ion"),
    ),
    "",
)


def stem(word: str) -> str:
    """The stem of a lower-case word of English letters; two letters or fewer stay."""
    if len(word) <= 2:
        return word
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    marked = _MARKED_Y.sub("Y", word) if "y" in word else word
    first, second = _regions(marked)
    marked = _step_1b(_step_1a(marked), first)
    marked = _step_1c(marked)
    marked = _step_2(marked, first)
    marked = _step_3(marked, first, second)
    marked = _step_4(marked, second)
    return _step_5(marked, first, second).lower()


def _regions(word: str) -> tuple[int, int]:
    """Where R1 and R2 begin."""
    special = _REGION_PREFIX.match(word)
    found = special or _REGION.search(word)
    first = found.end() if found else len(word)
    again = _REGION.search(word, first)
    return first, again.end() if again else len(word)


def _suffix(word: str, endings: Mapping[str, str]) -> str:
    """The longest of the endings that the word has, or nothing."""
    for length in range(min(7, len(word)), 1, -1):
        if word[-length:] in endings:
            return word[-length:]
    return ""


def _step_1a(word: str) -> str:
    if word[-1] not in "sd":
        return word
    if word.endswith("sses"):
        return word[:-2]
    if word.endswith(("ied", "ies")):
        return word[:-2] if len(word) > 4 else word[:-1]
    if word.endswith("s") and not word.endswith(("us", "ss")) and _VOWEL.search(word[:-2]):
        return word[:-1]
    return word


def _step_1b(word: str, first: int) -> str:
    for ending in ("eedly", "ingly", "edly", "eed", "ing", "ed"):
        if word.endswith(ending):
            break
    else:
        return word
    rest = word[: -len(ending)]
    if ending in ("eed", "eedly"):
        kept = rest in ("proc", "exc", "succ")
        return rest + "ee" if len(rest) >= first and not kept else word
    if ending == "ing" and (rest in ("inn", "out", "cann", "herr", "earr", "even")):
        return word
    if ending == "ing" and re.fullmatch("[^aeiouy]y", rest):
        return rest[0] + "ie"
    if not _VOWEL.search(rest):
        return word
    if rest.endswith(("at", "bl", "iz")):
        return rest + "e"
    if _DOUBLE.search(rest):
        return rest if len(rest) == 3 and rest[0] in "aeo" else rest[:-1]
    if len(rest) <= first and _SHORT.search(rest):
        return rest + "e"
    return rest


def _step_1c(word: str) -> str:
    if word[-1] in "yY" and len(word) > 2 and word[-2] not in "aeiouy":
        return word[:-1] + "i"
    return word


def _step_2(word: str, first: int) -> str:
    ending = _suffix(word, _STEP_2)
    rest = word[: len(word) - len(ending)]
    if not ending or len(rest) < first:
        return word
    if ending == "ogi" and not rest.endswith("l"):
        return word
    if ending == "li" and rest[-1:] not in tuple("cdeghkmnrt"):
        return word
    return rest + _STEP_2[ending]


def _step_3(word: str, first: int, second: int) -> str:
    ending = _suffix(word, _STEP_3)
    rest = word[: len(word) - len(ending)]
    if not ending or len(rest) < first or (ending == "ative" and len(rest) < second):
        return word
    return rest + _STEP_3[ending]


def _step_4(word: str, second: int) -> str:
    ending = _suffix(word, _STEP_4)
    rest = word[: len(word) - len(ending)]
    if not ending or len(rest) < second or (ending == "ion" and rest[-1:] not in ("s", "t")):
        return word
    return rest


def _step_5(word: str, first: int, second: int) -> str:
    rest = word[:-1]
    if word.endswith("e"):
        removable = len(rest) >= second or (len(rest) >= first and not _SHORT.search(rest))
        return rest if removable else word
    if word.endswith("ll") and len(rest) >= second:
        return rest
    return word
