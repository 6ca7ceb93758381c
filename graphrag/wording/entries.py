"""Entries that explain an option, a parameter or a command: "--force : Overwrite ..."."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from graphrag.wording.units import Unit

# "-f", "--force-with-lease", "max_connections", "rebase.autoSquash", "autoVacuum".
_CODE_NAME = r"(?:--?[A-Za-z][\w-]*|[A-Za-z]\w*(?:[._]\w+)+|[a-z]+[A-Z]\w*)"
_NAME = re.compile(rf"(?<![\w.-]){_CODE_NAME}(?![\w-])")
# A term that opens with such a name, or is set off as readers set off what a list defines.
_ENTRY = re.compile(rf"(?:(?={_CODE_NAME})[^:.\n]{{1,80}}| ?\S[^\n]{{0,118}}? ):(?=\s)")

# A number that is a code by its length, and no year.
_NUMBER_CODE = re.compile(r"(?<![\w.,:/-])(?!(?:1[5-9]|20)\d\d\b)\d{3,}(?![\w/-]|[.,:]\w)")
_ROW_CODE = re.compile(r"\|\s*[`*]*(\d{3,})[`*]*\s*\|")

_TERM = re.compile(rf"{_CODE_NAME}(?![\w-])[^:.|\n]{{0,80}}")


def code_names(text: str) -> list[str]:
    """Names of options, parameters and settings in a text, in order, each once."""
    return list(dict.fromkeys(_NAME.findall(text)))


def entry_term(text: str) -> str:
    """The term of the entry that a text opens; empty where it opens none."""
    found = _ENTRY.match(text)
    return found.group().rstrip(": ") if found else ""


def term_begun(context: str) -> str:
    """The term of the entry within which a passage begins, by the lines of its context below
    its headings; empty where it begins none that is named like code."""
    _, *leant_on = context.split("\n")
    return next((line for line in leant_on if _TERM.fullmatch(line)), "")


def terms_above(units: Iterable[Unit], begun: str = "") -> list[str]:
    """For each unit of one passage, in order, the term of the entry in which it stands: the
    one that was last opened at the start of a block; ``begun`` before the first, and empty
    below a heading."""
    found: list[str] = []
    term, block = begun, -1
    for unit in units:
        if unit.kind == "heading":
            term = ""
        elif unit.block != block or unit.kind == "item":
            term = entry_term(unit.text) or term
        block = unit.block
        found.append(term)
    return found


def asked_names(question: str, terms: Sequence[str]) -> set[str]:
    """The names of a question that one of the terms explains."""
    explained = {name for term in terms for name in code_names(term)}
    return explained & set(code_names(question))


def number_codes(text: str) -> set[str]:
    """Numbers of three digits and more, years aside: "error 23505"."""
    return set(_NUMBER_CODE.findall(text))


def row_code(row: str) -> str:
    """The number in the first cell of a table's row ("| 23505 | unique |"), or nothing."""
    found = _ROW_CODE.match(row)
    return found[1] if found else ""


def first_cell(row: str) -> str:
    """What stands in the first cell of a table's row, without its marks."""
    cells = row.strip().strip("|").split("|")
    return cells[0].strip().strip("`*").strip()
