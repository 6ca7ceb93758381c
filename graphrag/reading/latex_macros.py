r"""Macros that a LaTeX file defines for itself: ``\newcommand`` and its like are expanded."""

from __future__ import annotations

import re
from dataclasses import dataclass

from graphrag.reading.latex_inline import argument

_VERBATIM = (
    r"\\begin\{(?P<code>verbatim\*?|lstlisting|minted|Verbatim|alltt|code)\}"
    r"|\\verb\*?(?P<mark>[^A-Za-z\s*]).{0,500}?(?P=mark)"
)
_DEFINITION = re.compile(
    rf"{_VERBATIM}"
    r"|\\(?:(?P<command>(?:re)?newcommand|providecommand|DeclareRobustCommand)"
    r"|(?P<operator>DeclareMathOperator))(?P<star>\*?)"
    r"\s*+(?:\{\s*\\(?P<braced>[A-Za-z@]{1,40})\s*\}|\\(?P<bare>[A-Za-z@]{1,40}))"
    r"\s*+(?:\[(?P<count>\d)\])?\s*+(?:\[(?P<default>[^\[\]]{0,200})\])?\s*+(?=\{)"
    r"|\\def\s*\\(?P<plain>[A-Za-z@]{1,40})(?P<places>(?:#\d){0,9})\s*+(?=\{)"
)
_OPTION = re.compile(r"\s*\[([^\[\]]{0,500})\]")
_TOKEN = re.compile(r"\s*(\\[A-Za-z@]+|\\.|[^\s{}])", re.DOTALL)
_PLACE = re.compile(r"(\\[A-Za-z@]+)?#(\d)")
_ENDS_IN_COMMAND = re.compile(r"\\[A-Za-z@]+\Z")
_MAX_MACROS = 2000
_MAX_DEPTH = 12
_MAX_EXPANSIONS = 20_000
_MAX_WRITTEN = 1_000_000  # characters that expansions may write


@dataclass(frozen=True, slots=True)
class _Macro:
    body: str
    count: int = 0
    default: str | None = None


@dataclass(slots=True)
class _Budget:
    expansions: int = _MAX_EXPANSIONS
    written: int = _MAX_WRITTEN


def with_macros_expanded(text: str, keep: frozenset[str]) -> str:
    r"""The text with its own macros written out and their definitions left out; code stays.

    Macros of the names in ``keep``, which the reader knows itself, are not expanded. What
    calls itself, or writes beyond bounds (20,000 expansions, 1,000,000 characters), stays
    as it is from there on.
    """
    macros, rest = _definitions(text)
    macros = {name: macro for name, macro in macros.items() if name not in keep}
    if not macros:
        return rest
    names = "|".join(sorted(map(re.escape, macros), key=len, reverse=True))
    uses = re.compile(rf"{_VERBATIM}|\\(?P<name>{names})(?![A-Za-z@])|\\\\")
    return _expanded(rest, macros, uses, _Budget(), 0)


def _definitions(text: str) -> tuple[dict[str, _Macro], str]:
    """The macros by name, the last definition of each, and the text without them."""
    macros: dict[str, _Macro] = {}
    pieces: list[str] = []
    position = 0
    unclosed: set[str] = set()
    while len(macros) < _MAX_MACROS and (found := _DEFINITION.search(text, position)):
        name = found["braced"] or found["bare"] or found["plain"]
        if not name:
            stop = _past_code(text, found, unclosed)
            pieces.append(text[position:stop])
            position = stop
            continue
        pieces.append(text[position : found.start()])
        body, position = argument(text, found.end())
        count = int(found["count"] or 0) + len(found["places"] or "") // 2
        if found["operator"]:
            body = rf"\operatorname{found['star']}{{{body}}}"
        macros[name] = _Macro(body, count, found["default"] if count else None)
    pieces.append(text[position:])
    return macros, "".join(pieces)


def _past_code(text: str, found: re.Match[str], unclosed: set[str]) -> int:
    """Where code ends; environments that are never closed are looked for once."""
    name = found["code"]
    if not name or name in unclosed:
        return found.end()
    stop = text.find(f"\\end{{{name}}}", found.end())
    if stop < 0:
        unclosed.add(name)
    return max(stop, found.end())


def _expanded(
    text: str, macros: dict[str, _Macro], uses: re.Pattern[str], budget: _Budget, depth: int
) -> str:
    pieces: list[str] = []
    unclosed: set[str] = set()
    position = 0
    while found := uses.search(text, position):
        name = found["name"]
        if not name or not budget.expansions or budget.written <= 0:
            stop = found.end() if name else _past_code(text, found, unclosed)
            pieces.append(text[position:stop])
            position = stop
            continue
        budget.expansions -= 1
        pieces.append(text[position : found.start()])
        written, position = _written(text, found.end(), macros[name])
        budget.written -= len(written)
        if depth < _MAX_DEPTH:
            written = _expanded(written, macros, uses, budget, depth + 1)
        pieces.append(written.removesuffix(r"\xspace"))
        if _ENDS_IN_COMMAND.search(written) and text[position : position + 1].isalpha():
            pieces.append(" ")
    pieces.append(text[position:])
    return "".join(pieces)


def _written(text: str, position: int, macro: _Macro) -> tuple[str, int]:
    """The body with the arguments that follow a use in their places, and where they end."""
    values: list[str] = []
    if macro.default is not None:
        option = _OPTION.match(text, position)
        values.append(option[1] if option else macro.default)
        position = option.end() if option else position
    while len(values) < macro.count:
        token = _TOKEN.match(text, position)
        braced, stop = argument(text, position)
        values.append(token[1] if token else braced)
        position = token.end() if token else stop

    def value(place: re.Match[str]) -> str:
        number = int(place[2])
        said = values[number - 1] if 0 < number <= len(values) else ""
        gap = " " if place[1] and said[:1].isalpha() else ""
        return f"{place[1] or ''}{gap}{said}"

    return _PLACE.sub(value, macro.body), position
