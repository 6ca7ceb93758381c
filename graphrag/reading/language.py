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


# What questions are asked with; those that open one in several languages tell nothing.
_ASKING = {
    "en": "what which who whose when where why how does do did can may must should i we my",
    "de": "was welche welcher welches wer wie wo wann warum wieso wozu woran wodurch kann darf muss"
    " ich man wird sind",
    "fr": "quel quelle quels quelles qui que quoi comment pourquoi combien où quand peut doit je",
    "es": "qué cuál cuáles quién cómo dónde cuándo cuánto cuántos puede debe hay por",
    "it": "quale quali chi cosa che come perché quanto dove quando può deve ci si",
    "pt": "qual quais quem como onde quando quanto porque pode deve o uma",
    "nl": "wat welke wie hoe waar waarom wanneer kan moet mag ik wordt hoeveel",
    "sv": "vad vilken vilket vilka vem hur var när varför kan ska måste får jag",
    "pl": "co jaki jaka jakie kto jak gdzie kiedy dlaczego ile czy może mogę",
    "tr": "ne nasıl neden nerede hangi kim kaç mı mi nedir",
    "cs": "co jaký jaká jaké kdo jak kde kdy proč kolik může musí",
}


_NAMES = {
    "ar": "Arabic", "cs": "Czech", "de": "German", "el": "Greek", "en": "English",
    "es": "Spanish", "fr": "French", "he": "Hebrew", "hi": "Hindi", "it": "Italian",
    "ja": "Japanese", "ko": "Korean", "nl": "Dutch", "pl": "Polish", "pt": "Portuguese",
    "ru": "Russian", "sv": "Swedish", "th": "Thai", "tr": "Turkish", "zh": "Chinese",
}  # fmt: skip


def language_name(code: str) -> str:
    """The English name of a language that is known here by its code; else the code."""
    return _NAMES.get(code, code)


def question_language(text: str) -> str | None:
    """The language of a question, which is too short for ``detect_language``: the one of whose
    words of asking and commonest words it has most, two at least; None where two tie."""
    known = detect_language(text)
    if known is not None:
        return known
    words = set(re.findall(r"[^\W\d_]+", text.lower()))
    counts = sorted(
        (
            (len(words & {*_WORDS[language].split(), *asking.split()}), language)
            for language, asking in _ASKING.items()
        ),
        reverse=True,
    )
    (most, best), (second, _) = counts[:2]
    return best if most >= 2 and most > second else None


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
