"""Which Cypher a person may run: one reading statement, told apart token by token.

The statement is cut into tokens by Kùzu's own lexical rules, checked against a list of
what is allowed, and put together again from those tokens. So what runs is exactly what
was checked: no comment, no second statement, no spelling that two lexers read in two ways.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal

from graphrag.errors import QueryError

TokenKind = Literal["word", "name", "string", "number", "parameter", "mark"]

LONGEST_STATEMENT = 20_000
"""In characters: what people write is shorter."""

_FIRST = frozenset({"MATCH", "OPTIONAL", "UNWIND", "WITH", "RETURN", "CALL"})
_FORBIDDEN = frozenset(
    re.findall(
        "[A-Z]+",
        """
        ALTER ANALYZE ATTACH BEGIN CHECKPOINT COMMIT COPY CREATE DELETE DETACH DROP EXPLAIN EXPORT
        FOREACH FORCE IMPORT INSTALL LOAD MERGE PROFILE REMOVE ROLLBACK SET UNINSTALL UPDATE USE
        """,
    )
)
_PROCEDURES = frozenset(
    {"show_tables", "table_info", "show_connection", "show_functions", "db_version"}
)
_TOKEN = re.compile(
    r"""
    (?P<space>[ \t\r\n]+)
    |(?P<comment>//[^\r\n]*(?=\r?\n|\Z)|/\*(?:[^*]|\*(?!/))*\*/)
    |(?P<string>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")
    |(?P<name>`[^`]+`)
    |(?P<number>0x[0-9a-fA-F]+|(?:\d+\.\d+|\.\d+|\d+)(?:[eE][+-]?\d+)?)
    |(?P<parameter>\$(?:[^\W\d]\w*|\d+))
    |(?P<word>[^\W\d]\w*)
    |(?P<mark><=|>=|<>|=~|!=|\.\.|->|<-|\|\||/(?![/*])|[-+*%^=<>()\[\]{}.,:;|&!~])
    """,
    re.VERBOSE | re.DOTALL,
)
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([\\'\"bfnrt]))|\\", re.DOTALL)
_PLAIN_ESCAPES = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}


_KINDS: dict[str, TokenKind] = {
    "string": "string",
    "name": "name",
    "number": "number",
    "parameter": "parameter",
    "word": "word",
    "mark": "mark",
}


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of the statement; ``text`` as written, ``position`` counted from 1;
    ``spaced`` where blanks or comments stood in front."""

    kind: TokenKind
    text: str
    position: int
    spaced: bool = False

    @property
    def keyword(self) -> str:
        """The word in capitals, or nothing for all that cannot be a keyword."""
        return self.text.upper() if self.kind == "word" else ""


def guarded(statement: str, parameters: Collection[str] = ()) -> str:
    """The statement as it may be run: without comments and without a last semicolon.

    Raises QueryError, naming the word and its position, for anything but one statement
    that only reads, for a parameter that is not among the given ones, and for a given one
    that is not used.
    """
    tokens = tokenize(statement)
    while tokens and tokens[-1].text == ";":
        tokens.pop()
    if not tokens:
        raise QueryError("there is no statement: try MATCH (c:Concept) RETURN c.name LIMIT 5")
    _refuse_second_statement(tokens)
    body = tokens[1:] if tokens[0].keyword == "EXPLAIN" else tokens
    if not body or body[0].keyword not in _FIRST:
        _refuse((body or tokens)[0])
    for place, token in enumerate(body):
        if token.keyword in _FORBIDDEN:
            _refuse(token)
        if token.keyword == "CALL":
            _check_call(body, place)
        if token.kind == "parameter" and token.text[1:] not in parameters:
            raise QueryError(
                f"parameter {token.text} at position {token.position} has no value: give it one "
                f"(-p {token.text.removeprefix('$')}=VALUE)"
            )
    used = {token.text[1:] for token in body if token.kind == "parameter"}
    for name in sorted(set(parameters) - used):
        raise QueryError(f"parameter {name!r} is not used: write ${name} where it belongs")
    return "".join(f" {token.text}" if token.spaced else token.text for token in tokens).strip()


def tokenize(statement: str) -> list[Token]:
    """The tokens of a statement without blanks and comments; strings in one spelling.

    Raises QueryError for what is no Cypher: an open string, a stray character.
    """
    if len(statement) > LONGEST_STATEMENT:
        raise QueryError(
            f"the statement has {len(statement)} characters, at most {LONGEST_STATEMENT} are "
            "allowed: pass long values as parameters"
        )
    tokens: list[Token] = []
    place = 0
    spaced = False
    while place < len(statement):
        match = _TOKEN.match(statement, place)
        if match is None:
            raise _stray(statement, place)
        kind, text = str(match.lastgroup), match[0]
        if kind in ("space", "comment"):
            spaced = True
        else:
            written = _canonical(text, place) if kind == "string" else text
            tokens.append(Token(_KINDS[kind], written, place + 1, spaced))
            spaced = False
        place = match.end()
    return tokens


def _stray(statement: str, place: int) -> QueryError:
    character = statement[place]
    meaning = {"'": "an open string", '"': "an open string", "`": "an open name"}
    if character == "/" and statement[place + 1 : place + 2] in ("/", "*"):
        meaning["/"] = "an open comment"
    what = meaning.get(character, f"the character {character!r}")
    return QueryError(
        f"{what} at position {place + 1} is no Cypher: see `graphrag cypher --schema`"
    )


def _canonical(text: str, place: int) -> str:
    """The string in single quotes, with the escapes that every lexer knows."""

    def meant(found: re.Match[str]) -> str:
        if found[1] or found[2]:
            return chr(int(found[1] or found[2], 16))
        if found[3]:
            return _PLAIN_ESCAPES.get(found[3], found[3])
        raise ValueError(found[0])

    try:
        value = _ESCAPE.sub(meant, text[1:-1])
    except (ValueError, OverflowError) as error:
        raise QueryError(
            f"the string at position {place + 1} has an unknown escape: write \\\\ for a backslash"
        ) from error
    return "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'"


def _refuse_second_statement(tokens: Sequence[Token]) -> None:
    for token in tokens:
        if token.text == ";" and token.kind == "mark":
            raise QueryError(
                f"only one statement is allowed: a second one begins at position "
                f"{token.position + 1}"
            )


def _check_call(tokens: Sequence[Token], place: int) -> None:
    name = tokens[place + 1] if place + 1 < len(tokens) else tokens[place]
    opening = tokens[place + 2].text if place + 2 < len(tokens) else ""
    if name.kind != "word" or name.text.lower() not in _PROCEDURES or opening != "(":
        raise QueryError(
            f"CALL {name.text} at position {name.position} is not allowed: only "
            f"{', '.join(sorted(_PROCEDURES))} may be called"
        )


def _refuse(token: Token) -> None:
    what = token.keyword or token.text
    hint = "; if it is a name, write it in backticks" if token.kind == "word" else ""
    raise QueryError(
        f"only reading statements are allowed: {what} at position {token.position}{hint}"
    )
