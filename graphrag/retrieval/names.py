"""Names in a text: what two passages may share, and so a bridge between them.

A name is a capitalised span (``Ermengarde of Tours``) or one of the known names (titles,
headings, concepts) written out. It goes by its key: folded words joined by blanks. Nothing is
singularised, for ``Williams`` is not ``William``.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
# Scripts without blanks are cut into characters, so that a name is found inside a sentence.
_TOKEN = re.compile(
    rf"[{_CJK}]"
    r"|(?<!\S)\.[A-Za-z]\w*"
    r"|[A-Za-z]\w*\+\+"
    r"|[A-Za-z]\#(?!\w)"
    rf"|(?:[^\W_{_CJK}]|[\u0300-\u036f])+(?:['’][^\W_{_CJK}]+)*"
    r"|[^\w\s]"
    r"|\n"
)
# What the pattern above comes to in a plain text, in half of the time.
_PLAIN_TOKEN = re.compile(r"[A-Za-z0-9]+(?:'[A-Za-z0-9]+)*|[^\w\s]|\n")
_DOTTED = re.compile(r"\.[A-Za-z]")
_POSSESSIVE = re.compile(r"['’][sS]$")
_TRAILING_BRACKET = re.compile(r"\s*[(\[][^)\]]*[)\]]\s*$")
LONGEST = 12
_FUNCTION_WORDS = (
    "a an the and or but of in on at to for from by with as is are was were be been being it its "
    "he his him she her hers they their them we our us you your i my me this that these those "
    "there here who whom whose which what when where why how if then than so not no nor do does "
    "did has have had will would can could may might shall should must also after before during "
    "while since until although though because however both either neither each every all any "
    "some one two three first second other another such many most more few several later into "
    "over under between about against through out up down off now only own same just very among "
    "within without new like unlike let given consider suppose thus hence therefore find show "
    "name list tell"
)
_BETWEEN_CAPITALS = (
    "of the de la du des del della di da von van der den le les el al bin ibn y e & for and in on "
    "at to a"
)
_NOT_NAMES = frozenset(_FUNCTION_WORDS.split())
_JOINERS = frozenset(_BETWEEN_CAPITALS.split())
_SEPARATORS = frozenset({"and", "in", "on", "at", "to", "for"})
_ABBREVIATIONS = frozenset({"Mrs", "Col", "Gen", "Rev", "Capt", "Prof"})
_NUMERAL = frozenset("IVX")
_INNER_MARKS = frozenset(".-–&/")


@lru_cache(maxsize=1 << 16)
def _fold(token: str) -> tuple[str, ...]:
    """The words of a token: lower case, no accents, no possessive."""
    token = _POSSESSIVE.sub("", token)
    if not token.isascii():
        token = "".join(
            letter
            for letter in unicodedata.normalize("NFKD", token)
            if not unicodedata.combining(letter)
        )
    token = token.lower().replace("’", "'")
    if token[-2:] == "++" or token[-1:] == "#" or (token[:1] == "." and token[1:].isalnum()):
        return (token,)
    return tuple(word for word in token.split("'") if any(map(str.isalnum, word)))


def placed_words(text: str) -> list[tuple[str, int, int]]:
    """The folded words of a text, each with start and stop of the token it stands in."""
    return [
        (word, match.start(), match.end())
        for match in _TOKEN.finditer(text)
        for word in _fold(match[0])
    ]


def tokens_of(text: str) -> list[str]:
    """Words, marks and line ends of a text, as written."""
    plain = text.isascii() and "++" not in text and "#" not in text and not _DOTTED.search(text)
    return (_PLAIN_TOKEN if plain else _TOKEN).findall(text)


def name_words(tokens: list[str]) -> tuple[list[str], list[bool]]:
    """The folded words of tokens, and whether each is written other than in lower case."""
    written = [each for token in tokens for each in written_words(token)]
    return [word for word, _ in written], [capital for _, capital in written]


@lru_cache(maxsize=1 << 16)
def written_words(token: str) -> tuple[tuple[str, bool], ...]:
    """The folded words of a token, and whether each is written other than in lower case."""
    capital = not token[0].islower()
    return tuple((word, capital) for word in _fold(token))


def is_function_word(word: str) -> bool:
    """Whether a folded word (``the``, ``who``) is never a name by itself."""
    return word in _NOT_NAMES


def words_of(text: str) -> list[str]:
    """The folded words of a text."""
    return [word for token in tokens_of(text) for word in _fold(token)]


def name_key(text: str) -> str:
    """The key of a name; empty where it has no letter or digit."""
    return " ".join(words_of(text))


def title_keys(title: str) -> tuple[str, ...]:
    """Keys that a title goes by: without its trailing bracket, and in full."""
    keys = (name_key(_TRAILING_BRACKET.sub("", title)), name_key(title))
    return tuple(dict.fromkeys(key for key in keys if key))


def proper_names(tokens: list[str]) -> set[str]:
    """Keys of the capitalised spans, and of their parts around ``and``, ``in``, ``for``...

    Titles hold such words (``Murder in Paris``), and so do neighbours (``Smith in Paris``).
    """
    found: set[str] = set()
    for span in _capitalised(tokens):
        parts = list(_parts(span))
        for part in [span, *parts] if len(parts) > 1 else parts:
            words = [word for token in part for word in _fold(token)]
            while words and words[0] in _NOT_NAMES:
                words = words[1:]
            while words and words[-1] in _NOT_NAMES and words[-1] != "i":  # Lothair I
                words.pop()
            if len(words) > 1 or (words and len(words[0]) > 1 and not words[0].isdigit()):
                found.add(" ".join(words))
    return found


def names_in_title(title: str) -> set[str]:
    """Keys of the names that a title is put together from: ``Kansas`` in ``2018 Kansas
    gubernatorial election``, ``Italy`` in ``History of Italy``. A title that is one name
    (``William Smith``) has no other."""
    return proper_names(["\n" if token[0].islower() else token for token in tokens_of(title)])


def _capitalised(tokens: list[str]) -> Iterator[list[str]]:
    """Runs of capitalised words, over joiners (``of``, ``de``) and marks within names."""
    i, n = 0, len(tokens)
    while i < n:
        if not tokens[i][0].isupper():
            i += 1
            continue
        j = last = i + 1
        while j < n:
            token = tokens[j]
            if token[0].isupper() or token[0].isdigit():
                last = j + 1
            elif token in _JOINERS and j - last < 2:
                pass
            elif not (token in _INNER_MARKS and j == last and _goes_on(tokens, j)):
                break
            j += 1
        yield tokens[i:last]
        i = last


def _goes_on(tokens: list[str], mark: int) -> bool:
    """Whether a name goes on behind a mark: ``J. R. Smith``, ``Rolls-Royce``, ``VX-2207``."""
    if mark + 1 == len(tokens):
        return False
    before, after = tokens[mark - 1], tokens[mark + 1]
    if tokens[mark] == ".":
        # ``J.`` and ``St.`` go on; ``Lothair I.`` and ``Henry IV.`` end a sentence.
        short = len(before) <= 2 and not _NUMERAL.issuperset(before)
        return after[0].isupper() and (short or before in _ABBREVIATIONS)
    return after[0].isupper() or (after[0].isdigit() and before[0].isupper())


def _parts(span: list[str]) -> Iterator[list[str]]:
    part: list[str] = []
    for token in span:
        if token in _SEPARATORS:
            yield part
            part = []
        else:
            part.append(token)
    yield part


def runs_of(words: Sequence[str]) -> set[str]:
    """Every key that a ``NameMatcher`` may find in a text of those words."""
    return {
        " ".join(words[start:stop])
        for start in range(len(words))
        for stop in range(start + 1, min(start + LONGEST, len(words)) + 1)
    }


class NameMatcher:
    """Finds known names in texts, the longest first, from left to right."""

    def __init__(self, keys: Iterable[str]) -> None:
        self._singles: set[str] = set()
        # By the first two words: few places of a text begin a known pair.
        self._longest: dict[tuple[str, str], int] = {}
        self._longer: set[str] = set()
        for key in keys:
            words = key.split(" ")
            if len(words) == 1:
                self._singles.add(key)
            elif len(words) <= LONGEST:
                pair = (words[0], words[1])
                self._longest[pair] = max(self._longest.get(pair, 0), len(words))
                self._longer.add(key)

    def find(self, tokens: list[str]) -> set[str]:
        """Keys of the known names in a text. A name of one word counts only where it is
        capitalised: ``Help`` may be a film, ``help`` is none."""
        return self.find_in(*name_words(tokens))

    def find_in(self, words: Sequence[str], capital: Sequence[bool]) -> set[str]:
        """As ``find``, in a text that is cut into its words already."""
        found: set[str] = set()
        passed = 0
        for i, pair in enumerate(pairwise([*words, ""])):
            if i < passed:
                continue
            key = self._longest_at(words, i, self._longest[pair]) if pair in self._longest else ""
            if key:
                passed = i + key.count(" ") + 1
            elif capital[i] and pair[0] in self._singles and pair[0] not in _NOT_NAMES:
                key = pair[0]
            if key:
                found.add(key)
        return found

    def _longest_at(self, words: Sequence[str], start: int, length: int) -> str:
        for stop in range(min(start + length, len(words)), start + 1, -1):
            key = " ".join(words[start:stop])
            if key in self._longer:
                return key
        return ""
