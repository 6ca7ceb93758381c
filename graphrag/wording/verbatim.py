"""What is asked for to the letter: codes, flags, names from code, phrases in quotation marks.

A lone ``--keep-index`` or ``0x80070005`` says nothing to an embedder, which finds the nearest
of what it has never seen; and no stem, part or likeness of it will do.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from graphrag.tokens import fold, symbols, tokenize
from graphrag.wording.entries import number_codes
from graphrag.wording.terms import contains_identifier, content_words, identifiers

_FLAG = re.compile(r"(?<![\w-])--[A-Za-z][\w-]*\w")
_SNAKE = re.compile(r"(?<![\w.-])(?=\w*[A-Za-z])\w*[^\W_]_\w+(?![\w-])")
_HEXADECIMAL = re.compile(r"(?<!\w)0x[0-9A-Fa-f]+(?!\w)")
_QUOTED = re.compile(r"\"([^\"]+)\"|“([^”]+)”|„([^“”]+)[“”]|«([^»]+)»|「([^」]+)」|`([^`]+)`")
_WRITTEN = (_FLAG, _SNAKE, _HEXADECIMAL)
_BESIDE = 1  # words that may stand beside: "error 40P01", "PN 88-4310"
_BESIDE_NUMBER = 2  # "error code 23505"
_CLAUSE = re.compile(
    r"(?:(?<!\w)(?:clause|section|chapter|article|paragraph|annex|appendix|table|figure)s?|§)"
    r"\s*(\d+(?:\.\d+)*)(?![\w/-]|[.,:]\w)",
    re.IGNORECASE,
)
_QUALIFIER = re.compile(r"(?<![\w./-])(?:[^\W\d]\w*\.)+(?=[^\W\d])")
# "guide.md#3", "notes/wal.md"
_ID = re.compile(
    r"(?<![\w/.#-])[\w./%+-]*\w#\d+(?![\w#])|(?<![\w/.-])[\w./%+-]+\.[A-Za-z]\w{1,5}(?!\w)"
)


@dataclass(frozen=True, slots=True)
class Exact:
    """A term to find to the letter; where it ``opens``, only a heading, a line or a row of a
    table that begins with it counts."""

    text: str
    opens: bool = False


def verbatim(question: str) -> list[str]:
    """What of a question must be found as it is written, each once: identifiers (``E1042``,
    ``2.14.1``), flags (``--no-ff``, ``-u``), joined names (``work_mem``), symbols (``->>``), what
    stands in quotation marks."""
    quoted = [next(filter(None, match.groups())).strip() for match in _QUOTED.finditer(question)]
    rest = _QUOTED.sub(" ", question)
    written = [each for pattern in _WRITTEN for each in pattern.findall(rest)]
    every = [*quoted, *identifiers(rest), *written, *symbols(rest)]
    return list(dict.fromkeys(each for each in every if each))


def asked_exactly(question: str) -> list[Exact]:
    """What a question names to the letter, each once: codes, flags and joined names; numbers of
    clauses; where the question says little else what stands in quotation marks, numbers of three
    digits and more, and signs, which in a sentence may only be its own notation."""
    few = is_lookup(question)
    unquoted = _QUOTED.sub(" ", question)
    clauses = _CLAUSE.findall(unquoted)
    numbers = sorted(number_codes(unquoted)) if few else []
    codes = [each for each in verbatim(question if few else unquoted) if few or tokenize(each)]
    opening = [each for each in dict.fromkeys([*clauses, *numbers]) if each not in codes]
    return [*(Exact(code) for code in codes), *(Exact(each, opens=True) for each in opening)]


def named_ids(question: str) -> list[str]:
    """What of a question may be the id of a chunk or a document: ``guide.md#3``, ``wal.md``."""
    return list(dict.fromkeys(_ID.findall(question)))


def is_lookup(question: str) -> bool:
    """Whether a question consists of little else than what is to be looked up. One that says
    more says which of several places it means."""
    wanted, names = verbatim(question), [*number_codes(question), *named_ids(question)]
    beside = _beside(question, [*wanted, *names])
    return bool(wanted and beside <= _BESIDE) or bool(names and beside <= _BESIDE_NUMBER)


def _beside(question: str, wanted: Sequence[str]) -> int:
    rest = fold(question)
    for each in wanted:
        rest = rest.replace(fold(each), " ")
    return len(content_words(rest))


def holds(text: str, wanted: str) -> bool:
    """Whether a text holds it as it is written, but for case, accents and the breaks of lines.
    A word of another script may be joined to its neighbours, or have an ending. A name may be
    qualified (``signal.SIGUSR1``), and a symbol is held in no longer one, and in its own case."""
    if symbols(wanted) == [wanted]:
        return wanted in symbols(text)
    plain, sought = _plain(text), _plain(wanted)
    if not sought.isascii():
        return sought in plain
    if contains_identifier(plain, sought):
        return True
    return sought[:1].isalpha() and contains_identifier(_QUALIFIER.sub(" ", plain), sought)


def _plain(text: str) -> str:
    return " ".join(fold(text).split())
