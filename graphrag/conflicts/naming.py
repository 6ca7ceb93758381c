"""Names of things in running text: runs of words that carry meaning."""

from __future__ import annotations

import re
from functools import lru_cache

from graphrag.domain import Span
from graphrag.wording.terms import content_words

_WORD = re.compile(r"[^\W\d_]{2,}(?:['’-][^\W\d_]+)*")
_BETWEEN = re.compile(r"[ *`_\"“”]*")
_KEY = re.compile(r"[*`\"”\s]*[=:]")
_SHORTEST, _LONGEST = 2, 4


def name_spans(text: str, start: int = 0, stop: int | None = None) -> list[Span]:
    """Runs of two to four words that carry meaning, parted by blanks and marks of emphasis
    alone, in order: ``seal flush pressure`` in "set the *seal flush pressure* to 2 bar".

    Source: candidate keywords of RAKE (Rose, Engel, Cramer and Cowley, 2010).
    """
    runs: list[list[re.Match[str]]] = [[]]
    for word in _WORD.finditer(text, start, len(text) if stop is None else stop):
        if not _carries_meaning(word[0]):
            runs.append([])
        elif runs[-1] and _BETWEEN.fullmatch(text, runs[-1][-1].end(), word.start()):
            runs[-1].append(word)
        else:
            runs.append([word])
    return [
        Span(run[0].start(), run[-1].end()) for run in runs if _SHORTEST <= len(run) <= _LONGEST
    ]


def is_key(text: str, name: Span) -> bool:
    """Whether the name is that of a ``key: value`` pair, which lines and settings are read for."""
    return _KEY.match(text, name.stop) is not None


@lru_cache(maxsize=20_000)
def _carries_meaning(word: str) -> bool:
    return bool(content_words(word))
