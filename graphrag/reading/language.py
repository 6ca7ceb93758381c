"""Which language a text is in: by its script, then by its commonest short words."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache

_SAMPLE = 20_000
_SCRIPTS = (
    ("ja", re.compile("[\u3040-\u30ff]")),
    ("ko", re.compile("[\uac00-\ud7af]")),
    ("zh", re.compile("[\u4e00-\u9fff]")),
    ("ar", re.compile("[\u0600-\u06ff]")),
    ("he", re.compile("[\u0590-\u05ff]")),
    ("el", re.compile("[\u0370-\u03ff]")),
    ("hi", re.compile("[\u0900-\u097f]")),
    ("th", re.compile("[\u0e00-\u0e7f]")),
    ("ru", re.compile("[\u0400-\u04ff]")),
)
_WORDS = {
    "en": "the of and to is in that for with are as this be which by from not it or an",
    "de": "der die und das ist nicht ein eine den mit von zu für auf dem des im sich werden",
    "fr": "le la les des et est une dans que pour pas sur qui avec du par au ce sont",
    "es": "el los las una es que en por con para del se como más su al lo pero está",
    "it": "il di che è una per non con del della sono gli nel alla più le come anche dei",
    "pt": "o os uma não que em para com do da dos das se mais como ao é são por",
    "nl": "het een van en is dat niet op te zijn voor met die aan er ook bij worden naar",
    "sv": "och att det som är en på av för inte med den till ett om har de kan",
    "pl": "nie się na jest do że w z i to jak dla są przez oraz po od może",
    "tr": "bir ve bu için ile da de olarak daha olan gibi çok en kadar sonra",
    "cs": "je se na že to v a jako pro by jsou ale není které při podle nebo",
}


@cache
def _languages_of_words() -> dict[str, tuple[str, ...]]:
    languages: dict[str, tuple[str, ...]] = {}
    for language, words in _WORDS.items():
        for word in words.split():
            languages[word] = (*languages.get(word, ()), language)
    return languages


def detect_language(text: str) -> str | None:
    """An ISO 639-1 code, or None where too little speaks for any language."""
    sample = text[:_SAMPLE]
    if not any(map(str.isalpha, sample)):
        return None
    letters = 0 if sample.isascii() else sum(map(str.isalpha, sample))
    for language, pattern in _SCRIPTS if letters else ():
        share = len(pattern.findall(sample)) / letters
        if share > (0.1 if language == "ja" else 0.3):
            return language
    words = re.findall(r"[^\W\d_]+", sample.lower())
    known = _languages_of_words()
    counts = Counter(language for word in words for language in known.get(word, ()))
    if not counts:
        return None
    (best, count), *others = counts.most_common(2)
    is_clear = not others or count > others[0][1]
    # One word over and over, such as a variable's name, speaks for none.
    distinct = sum(best in known.get(word, ()) for word in set(words))
    is_enough = count >= 3 and distinct >= 2 and count * 20 >= len(words)
    return best if is_enough and is_clear else None
