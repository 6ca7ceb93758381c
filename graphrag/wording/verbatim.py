"""What is asked for to the letter: codes, flags, names from code, phrases in quotation marks.

A lone ``--keep-index`` or ``0x80070005`` says nothing to an embedder, which finds the nearest
of what it has never seen; and no stem, part or likeness of it will do.
"""

from __future__ import annotations

import re

from graphrag.tokens import fold
from graphrag.wording.terms import contains_identifier, content_words, identifiers

_FLAG = re.compile(r"(?<![\w-])--[A-Za-z][\w-]*\w")
_SNAKE = re.compile(r"(?<![\w.-])(?=\w*[A-Za-z])\w*[^\W_]_\w+(?![\w-])")
_HEXADECIMAL = re.compile(r"(?<!\w)0x[0-9A-Fa-f]+(?!\w)")
_QUOTED = re.compile(r"\"([^\"]+)\"|“([^”]+)”|„([^“”]+)[“”]|«([^»]+)»|「([^」]+)」|`([^`]+)`")
_WRITTEN = (_FLAG, _SNAKE, _HEXADECIMAL)
_BESIDE = 1  # words that may stand beside: "error 40P01", "PN 88-4310"


def verbatim(question: str) -> list[str]:
    """What of a question must be found as it is written, each once: identifiers (``E1042``,
    ``2.14.1``), flags (``--no-ff``), joined names (``work_mem``), what stands in quotation
    marks."""
    quoted = [next(filter(None, match.groups())).strip() for match in _QUOTED.finditer(question)]
    rest = _QUOTED.sub(" ", question)
    written = [each for pattern in _WRITTEN for each in pattern.findall(rest)]
    return list(dict.fromkeys(each for each in [*quoted, *identifiers(rest), *written] if each))


def looked_up(question: str) -> list[str]:
    """What is to be looked up by a question that consists of little else, as ``verbatim``
    gives it; nothing where the question says more, and so which of several places it means."""
    wanted = verbatim(question)
    rest = fold(question)
    for each in wanted:
        rest = rest.replace(fold(each), " ")
    return wanted if len(content_words(rest)) <= _BESIDE else []


def share_held(text: str, wanted: list[str]) -> float:
    """The share of ``wanted``, of which there is at least one, that a text holds as it is
    written, but for case, accents and the breaks of lines."""
    plain = _plain(text)
    return sum(_holds(plain, _plain(each)) for each in wanted) / len(wanted)


def _plain(text: str) -> str:
    return " ".join(fold(text).split())


def _holds(text: str, wanted: str) -> bool:
    """A word of another script may be joined to its neighbours, or have an ending."""
    return contains_identifier(text, wanted) if wanted.isascii() else wanted in text
