"""Source code: one code block for each definition at the top level."""

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
    r"abstract|async|unsafe|extern|inline|virtual|const|open|sealed|data|partial)[ \t]+){0,6}"
    r"(?:class|struct|enum|interface|trait|impl|def|defp|defmodule|fn|func|fun|function|module|"
    r"namespace|type|protocol|object|record|sub|procedure|proc|macro_rules!|"
    r"create[ \t]+(?:or[ \t]+replace[ \t]+)?(?:table|view|function|procedure|index|trigger))"
    r"(?:[ \t]+|\b(?=\())(?:\([^()\n]{0,80}\)[ \t]*)?(?P<name>[^\s\n({=:;<.][^\n({=:;<]{0,79})",
    re.IGNORECASE,
)
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
_ATTACHED = re.compile(r"^(?:@|#\[|//|#(?!include|define|if|end|pragma)|/\*|[ \t]?\*|--|%)")
_DATA = frozenset(("json", "yaml", "toml", "ini", "cfg", "conf", "properties", "env", "css", "xml"))
_LONG_LINE = 2000
_MAX_LINES = 400


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
        body = lines[start:stop]
        if heading:
            builder.add_heading(2, heading)
        for first in range(0, len(body), _MAX_LINES):
            builder.add_code("\n".join(body[first : first + _MAX_LINES]), language)
    return builder.build(title=name, metadata={"type": "source code"})


def _definition(lines: list[str], number: int, language: str) -> re.Match[str] | None:
    """What a line defines, if it does."""
    line = lines[number]
    match = _DEFINITION.match(line)
    if match:
        return match
    if language in ("javascript", "typescript"):
        return _SCRIPT_FUNCTION.match(line)
    if language == "bash":
        return _SHELL_FUNCTION.match(line)
    if language in ("c", "cpp", "java", "csharp"):
        above = lines[number - 1] if number else ""
        return _C_FUNCTION.match(line) or (_C_TYPE.match(above) and _C_NAME.match(line)) or None
    return None


def _definitions(lines: list[str], language: str) -> list[tuple[int, str]]:
    """First line and heading of each definition at the top level."""
    found: list[tuple[int, str]] = []
    earliest = 0
    for number, line in enumerate(lines):
        if not line or line[0] in " \t}#" or len(line) > _LONG_LINE:
            continue
        match, start = _definition(lines, number, language), number
        if not match or not match["name"].strip():
            continue
        if match.re is _C_NAME:
            start -= 1
        while start > earliest and _ATTACHED.match(lines[start - 1]):
            start -= 1
        shown = match["name"] if match.re is _C_NAME else line[: match.end()]
        heading = " ".join(shown.split()).rstrip(" {(:=<>")
        found.append((start, heading))
        earliest = number + 1
    return found
