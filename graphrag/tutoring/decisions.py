"""Decisions as a text file that people edit and keep under version control.

One decision a line, for example::

    accept eigenvalue needs determinant   # the text says so
    reject vector needs matrix
    add    "what needs what" needs logic
    merge  PCA = principal component analysis
    split  set (music) != set
    alias  matrix = matrices
    ignore example
    include codomain                      # beside the concepts of a syllabus

A name that could be misread stands in double quotes, as in JSON. Taking a line away takes
the decision back: what was merged is two concepts again at the next build.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import get_args

from graphrag.domain import Decision, DecisionKind
from graphrag.errors import QueryError

_BETWEEN: dict[DecisionKind, str] = {
    "accept": "needs",
    "reject": "needs",
    "add": "needs",
    "merge": "=",
    "split": "!=",
    "alias": "=",
}
_AGAINST: frozenset[DecisionKind] = frozenset({"reject", "split", "ignore"})
_ALONE: frozenset[DecisionKind] = frozenset({"ignore", "include"})  # they speak of one name
_KINDS: tuple[DecisionKind, ...] = get_args(DecisionKind)
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')
_PLAIN_NAME = re.compile(r'[^\s"#](?:[^"#\n\r]*[^\s"#])?')
_LINE_BREAKS = re.compile(r"[\x00-\x1f\x7f\x85\u2028\u2029]+")


@dataclass(frozen=True, slots=True)
class _Token:
    text: str
    quoted: bool


def write_decisions(decisions: Iterable[Decision], *, heading: str = "") -> str:
    """The decisions as text, in their order; ``heading`` becomes comment lines on top.

    ``read_decisions`` gives the same decisions back, notes with line breaks joined.
    """
    lines = [f"# {line}".rstrip() for line in heading.splitlines()]
    lines.extend(write_decision(decision) for decision in decisions)
    return "".join(f"{line}\n" for line in lines)


def write_decision(decision: Decision) -> str:
    """One decision as a line without its end."""
    parts = [decision.kind, _written(decision.concept)]
    if decision.kind not in _ALONE:
        parts += [_BETWEEN[decision.kind], _written(decision.other)]
    note = _LINE_BREAKS.sub(" ", decision.note).strip()
    return " ".join(parts) + (f"  # {note}" if note else "")


def _written(name: str) -> str:
    words = name.split()
    # Between tokens any white space counts as one blank.
    blanks = name == " ".join(words)
    plain = _PLAIN_NAME.fullmatch(name) and not _LINE_BREAKS.search(name) and blanks
    if plain and not {"needs", "=", "!="} & set(words):
        return name
    return json.dumps(name, ensure_ascii=bool(_LINE_BREAKS.search(name)))


def read_decisions(text: str) -> list[Decision]:
    """The decisions of a text, in their order, duplicates left out.

    Raises QueryError that names the line for one that cannot be read, or that
    contradicts an earlier one (accept and reject of one edge, merge and split of a pair,
    ignore and include of a name).
    """
    found: dict[tuple[DecisionKind, str, str], Decision] = {}
    sides: dict[tuple[str, str, str], tuple[int, Decision]] = {}
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), start=1):
        decision = _read_line(line.strip(), number)
        if decision is None:
            continue
        first, earlier = sides.setdefault(decision.subject, (number, decision))
        if (earlier.kind in _AGAINST) != (decision.kind in _AGAINST):
            raise QueryError(
                f"line {number}: {write_decision(decision)!r} contradicts "
                f"line {first}: {write_decision(earlier)!r}; keep one of them"
            )
        found.setdefault((decision.kind, decision.concept, decision.other), decision)
    return list(found.values())


def _read_line(line: str, number: int) -> Decision | None:
    if not line or line.startswith("#"):
        return None
    word, _, rest = line.partition(" ")
    kind = next((kind for kind in _KINDS if kind == word.rstrip(":")), None)
    if kind is None:
        raise QueryError(f"line {number}: {word!r} is no decision; use one of {', '.join(_KINDS)}")
    tokens, note = _tokens(rest, number)
    if kind in _ALONE:
        return Decision(kind, _name(tokens, number), "", note)
    between = _BETWEEN[kind]
    places = [i for i, token in enumerate(tokens) if token.text == between and not token.quoted]
    if len(places) != 1:
        raise QueryError(
            f"line {number}: write `{kind} NAME {between} NAME`, and quote a name that "
            f"holds {between!r}: {line!r}"
        )
    concept, other = _name(tokens[: places[0]], number), _name(tokens[places[0] + 1 :], number)
    if concept == other:
        raise QueryError(f"line {number}: both names are {concept!r}")
    return Decision(kind, concept, other, note)


def _tokens(text: str, number: int) -> tuple[list[_Token], str]:
    tokens: list[_Token] = []
    position = 0
    while position < len(text):
        if text[position].isspace():
            position += 1
        elif text[position] == "#" and (not position or text[position - 1].isspace()):
            return tokens, text[position + 1 :].strip()
        elif text[position] == '"':
            quoted = _QUOTED.match(text, position)
            if quoted is None:
                raise QueryError(f'line {number}: a quote " is not closed: {text!r}')
            tokens.append(_Token(_unquoted(quoted.group(), number), quoted=True))
            position = quoted.end()
        else:
            stop = next((i for i in range(position, len(text)) if text[i].isspace()), len(text))
            tokens.append(_Token(text[position:stop], quoted=False))
            position = stop
    return tokens, ""


def _unquoted(text: str, number: int) -> str:
    try:
        return str(json.loads(text, strict=False))
    except json.JSONDecodeError as error:
        raise QueryError(f"line {number}: {text} is not a quoted name: {error.msg}") from error


def _name(tokens: list[_Token], number: int) -> str:
    if not tokens or (len(tokens) > 1 and any(token.quoted for token in tokens)):
        words = " ".join(token.text for token in tokens)
        raise QueryError(f"line {number}: {words!r} is not one name; quote the whole of it")
    name = " ".join(token.text for token in tokens)
    if not name.strip():
        raise QueryError(f"line {number}: a name is empty")
    return name
