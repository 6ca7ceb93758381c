"""Source code: one code block for each definition, those of a long class under its own."""

from __future__ import annotations

import re
from itertools import pairwise

from graphrag.reading.builder import DocumentBuilder, Draft
from graphrag.reading.encoding import decode
from graphrag.reading.inline import clean

_LANGUAGES = {
    "py": "python", "pyi": "python", "js": "javascript", "mjs": "javascript", "cjs": "javascript",
    "jsx": "javascript", "ts": "typescript", "tsx": "typescript", "h": "c", "hpp": "cpp",
    "cc": "cpp", "cxx": "cpp", "hh": "cpp", "rs": "rust", "rb": "ruby", "kt": "kotlin",
    "cs": "csharp", "sh": "bash", "zsh": "bash", "ps1": "powershell", "pl": "perl", "pm": "perl",
    "yml": "yaml", "hs": "haskell", "ex": "elixir", "exs": "elixir", "erl": "erlang",
    "jl": "julia", "m": "matlab", "f90": "fortran", "tf": "hcl", "bat": "batch",
}  # fmt: skip
_DEFINITION = re.compile(
    r"^(?:(?:export|default|pub(?:\([a-z]+\))?|public|private|protected|internal|static|final|"
    r"abstract|async|unsafe|extern|inline|virtual|const|open|sealed|data|partial|local|case|"
    r"override|suspend)[ \t]+){0,6}"
    r"(?:class|struct|enum|interface|trait|impl|def|defp|defmodule|fn|func|fun|function|module|mod|"
    r"namespace|type|protocol|object|record|sub|procedure|proc|macro_rules!|extension|actor|"
    r"create[ \t]+(?:or[ \t]+replace[ \t]+)?(?:table|view|function|procedure|index|trigger))"
    r"(?:[ \t]+|\b(?=\())(?:\([^()\n]{0,80}\)[ \t]*)?(?P<name>[^\s\n({=:;<.][^\n({=:;<]{0,79})",
    re.IGNORECASE,
)
_ELSEWHERE = re.compile(r"(?:pub(?:\([a-z]+\))?[ \t]+)?mod[ \t]+\w+;")
"""A module of Rust that another file holds."""
_VIEW_BODY = re.compile(r"\s+AS(?:\s.*)?$", re.IGNORECASE)
_METHOD = re.compile(
    r"^(?:(?:public|private|protected|internal|static|final|abstract|async|override|virtual|"
    r"synchronized|readonly|get|set|default)[ \t]+){0,5}"
    r"(?:[A-Za-z_][\w.<>\[\], ?]{0,80}[ \t]+)?(?P<name>[A-Za-z_$#]\w{0,60})[ \t]*"
    r"\([^;]{0,300}\{[ \t]*$"
)
"""A method without a word that says so, as in Java and JavaScript; its line opens a block."""
_NO_METHOD = re.compile(r"\s*(?:if|for|while|switch|catch|else|do|return|new|throw|try|with)\b")
_R_FUNCTION = re.compile(r"^(?P<name>[\w.]{1,80})[ \t]*(?:<-|=)[ \t]*function[ \t]*\(")
_C_FUNCTION = re.compile(
    r"^[A-Za-z_][\w \t*&:<>,]{0,120}?\b(?P<name>[A-Za-z_]\w{1,60})[ \t]*\([^;]{0,300}$"
)
_SCRIPT_FUNCTION = re.compile(
    r"^(?:export[ \t]+(?:default[ \t]+)?)?(?:const|let|var)[ \t]+(?P<name>[\w$]{1,80})"
    r"[^=\n]{0,80}=[ \t]*(?:async[ \t]*)?"
    r"(?:function\b|\([^()\n]{0,200}\)[^=\n]{0,80}=>|[\w$]+[ \t]*=>)"
)
_SHELL_FUNCTION = re.compile(r"^(?P<name>[\w.:-]{1,80})[ \t]*\(\)")
_C_NAME = re.compile(r"^(?P<name>[A-Za-z_]\w{1,60})[ \t]*\([^;]{0,300}$")
_C_TYPE = re.compile(r"^[A-Za-z_][\w \t*]{0,80}$")
"""In GNU's style a function's name begins a line, below its type."""
_ATTACHED = re.compile(
    r"^(?:@|#\[|template\b[ \t]*<|//|#(?!include|define|if|end|pragma)|/\*|[ \t]?\*|--|%)"
)
_DATA = frozenset(("json", "yaml", "toml", "ini", "cfg", "conf", "properties", "env", "css", "xml"))
_LONG_LINE = 2000
_MAX_LINES = 400
_LONG_DEFINITION = 12  # lines; a shorter class is read at one glance
_WITH_METHODS = frozenset(("java", "javascript", "typescript", "csharp", "cpp", "php", "dart"))


def read_source(content: bytes, name: str) -> Draft:
    """A source file: what stands before the first definition, then each definition under
    its name. Decorators and comments directly above belong to it."""
    suffix = name.rpartition(".")[2].lower()
    return _read(content, name, _LANGUAGES.get(suffix, suffix))


def _read(content: bytes, name: str, language: str) -> Draft:
    lines = clean(decode(content)).split("\n")
    builder = DocumentBuilder()
    starts = [] if language in _DATA else _definitions(lines, language)
    bounds = [(0, ""), *starts, (len(lines), "")]
    for (start, heading), (stop, _) in pairwise(bounds):
        if heading:
            builder.add_heading(2, heading)
        _add_code(builder, lines[start:stop], language, divided=bool(heading))
    return builder.build(title=name, metadata={"type": "source code"})


def _add_code(builder: DocumentBuilder, body: list[str], language: str, *, divided: bool) -> None:
    """Add the lines of a definition; those of a long one that holds others each under its
    own heading."""
    inner = _definitions_within(body, language) if divided and len(body) > _LONG_DEFINITION else []
    bounds = [(0, ""), *inner, (len(body), "")]
    for (start, heading), (stop, _) in pairwise(bounds):
        if heading:
            builder.add_heading(3, heading)
        for first in range(start, stop, _MAX_LINES):
            builder.add_code("\n".join(body[first : min(first + _MAX_LINES, stop)]), language)


def _definitions_within(body: list[str], language: str) -> list[tuple[int, str]]:
    """First line and heading of each definition one level within a definition."""
    own = next((i for i, _ in enumerate(body) if _definition(body, i, language)), 0)
    inner = [line for line in body[own + 1 :] if line[:1] in (" ", "\t")]
    indents = [_indent(line) for line in inner if line.strip() and line.lstrip()[0] != "*"]
    if not indents:
        return []
    step = min(indents)
    dedented = [line[step:] if not line[:step].strip() else line for line in body]
    dedented[: own + 1] = [""] * (own + 1)  # the definition itself
    return _definitions(dedented, language, within=True)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _definition(
    lines: list[str], number: int, language: str, *, within: bool = False
) -> re.Match[str] | None:
    """What a line defines, if it does; ``within`` another definition."""
    line = lines[number]
    match = _DEFINITION.match(line)
    if match:
        return None if _ELSEWHERE.match(line) else match
    if language in ("javascript", "typescript") and not within:
        return _SCRIPT_FUNCTION.match(line)
    if language == "bash":
        return _SHELL_FUNCTION.match(line)
    if language == "r":
        return _R_FUNCTION.match(line)
    if within:
        is_other = language not in _WITH_METHODS or _NO_METHOD.match(line)
        return None if is_other else _METHOD.match(line)
    if language in ("c", "cpp", "java", "csharp"):
        above = lines[number - 1] if number else ""
        return _C_FUNCTION.match(line) or (_C_TYPE.match(above) and _C_NAME.match(line)) or None
    return None


def _definitions(lines: list[str], language: str, *, within: bool = False) -> list[tuple[int, str]]:
    """First line and heading of each definition at the level of the lines."""
    found: list[tuple[int, str]] = []
    earliest = 0
    for number, line in enumerate(lines):
        if not line or line[0] in " \t}#" or len(line) > _LONG_LINE:
            continue
        match, start = _definition(lines, number, language, within=within), number
        if not match or not match["name"].strip():
            continue
        if match.re is _C_NAME:
            start -= 1
        while start > earliest and _ATTACHED.match(lines[start - 1]):
            start -= 1
        shown = match["name"] if match.re in (_C_NAME, _METHOD) else line[: match.end()]
        shown = _VIEW_BODY.sub("", shown) if language == "sql" else shown
        heading = " ".join(shown.split()).rstrip(" {(:=<>")
        found.append((start, heading))
        earliest = number + 1
    return found
