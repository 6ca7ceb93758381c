"""Frozen question sets: read, checked line by line, added to."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from graphrag.domain import Question
from graphrag.errors import QueryError, StoreError, why_unread

_KEYS = ("answers", "id", "question", "relevant", "type")


def load_questions(path: Path) -> list[Question]:
    """The questions of a JSON Lines file, in its order.

    Keys of other names are left to those who made the set. Raises QueryError naming the line
    for anything that is no question: no JSON, a missing or misspelt key, a value of another
    kind, an id or question that stands twice.
    """
    questions: list[Question] = []
    ids: dict[str, int] = {}
    for number, line in _lines(path):
        question = _question(line, f"{path}:{number}")
        if question.id in ids:
            raise QueryError(
                f"{path}:{number}: id {question.id!r} stands in line {ids[question.id]} already"
            )
        ids[question.id] = number
        questions.append(question)
    if not questions:
        raise QueryError(f"{path} holds no question: give one JSON object a line")
    return questions


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise QueryError(f"{path} cannot be read: {why_unread(error)}") from error
    # Not splitlines: JSON may hold other line breaks, such as U+2028, inside a text.
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            yield number, line


def _question(line: str, where: str) -> Question:
    try:
        value = json.loads(line)
    except json.JSONDecodeError as error:
        raise QueryError(f"{where}: no JSON ({error.msg} at column {error.colno})") from error
    if not isinstance(value, dict):
        raise QueryError(f"{where}: a question is an object {{id, question, relevant, ...}}")
    for key in sorted(set(value) - set(_KEYS)):
        near = get_close_matches(key.casefold(), _KEYS, 1, cutoff=0.8)
        if near and near[0] not in value:
            raise QueryError(f"{where}: unknown key {key!r}; did you mean {near[0]!r}?")
    if "relevant" not in value:
        raise QueryError(f"{where}: 'relevant' is missing; [] means that a refusal is right")
    return Question(
        id=_text(value, "id", where),
        question=_text(value, "question", where),
        relevant=_texts(value, "relevant", where),
        answers=_texts(value, "answers", where),
        type=value["type"] if isinstance(value.get("type"), str) else "",
    )


def _text(value: Mapping[str, Any], key: str, where: str) -> str:
    found = value.get(key)
    if isinstance(found, int) and key == "id":
        return str(found)
    if not isinstance(found, str) or not found.strip():
        raise QueryError(f"{where}: {key!r} must be a text that is not empty, not {found!r}")
    return found


def _texts(value: Mapping[str, Any], key: str, where: str) -> tuple[str, ...]:
    found = value.get(key, [])
    if not isinstance(found, list) or not all(isinstance(item, str) and item for item in found):
        raise QueryError(f"{where}: {key!r} must be a list of texts, not {found!r}")
    return tuple(dict.fromkeys(found))


def set_digest(questions: Sequence[Question]) -> str:
    """Twelve hexadecimal digits that change whenever a question does."""
    text = json.dumps([asdict(question) for question in questions], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def add_question(path: Path, question: Question) -> None:
    """Append a question to a set, which is created where there is none.

    Raises QueryError if the id or the same wording is in the set already, StoreError if the
    file cannot be written.
    """
    existing = load_questions(path) if path.exists() and path.stat().st_size else []
    for known in existing:
        if known.id == question.id:
            raise QueryError(f"{path} has a question {question.id!r} already: choose another id")
        if _worded(known.question) == _worded(question.question):
            raise QueryError(f"{path} asks that already, as {known.id!r}")
    value = {key: found for key, found in asdict(question).items() if found or key == "relevant"}
    line = json.dumps(value, ensure_ascii=False) + "\n"
    old = path.read_text(encoding="utf-8") if path.exists() else ""
    if old and not old.endswith("\n"):
        old += "\n"
    try:
        path.write_text(old + line, encoding="utf-8")
    except OSError as error:
        raise StoreError(f"{path} cannot be written: {error.strerror}") from error


def next_id(questions: Sequence[Question], prefix: str = "q") -> str:
    """An id that is not taken yet: the prefix and a number of three digits or more."""
    taken = {question.id for question in questions}
    number = len(taken) + 1
    while f"{prefix}-{number:03d}" in taken:
        number += 1
    return f"{prefix}-{number:03d}"


def _worded(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip("?.! ")
