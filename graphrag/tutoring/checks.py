"""A question from the documents themselves to check one's understanding of a concept."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import islice

from graphrag.domain import Chunk
from graphrag.sentences import split_sentences
from graphrag.wording.terms import any_name

_EXERCISES = re.compile(
    r"\b(exercises?|problems?|questions?|quiz|check your|self-?test|practice|review)\b",
    re.IGNORECASE,
)
_SOLUTIONS = re.compile(r"\b(answers?|solutions?|hints?)\b", re.IGNORECASE)
_MARK = re.compile(r"^\s*(?:[-*]|\(?\w{1,3}[.)])\s+")
# What can only be understood beside another text ("the matrix in exercise 1"), or leads on to it
# ("The more interesting question is whether").
_LEANS = re.compile(
    r"\b(?:exercises?|problems?|questions?|examples?|parts?|rules?|figures?|tables?|theorems?)"
    r" \(?\d|\b(?:above|previous|preceding|the same way)\b|^the (?:\w+ ){0,3}question\b"
    r"|\b(?:of|in|for|from|to) that \w",
    re.IGNORECASE,
)
_SHORTEST, _LONGEST = 20, 400
_COMPARED = 8


def check_question(
    names: Sequence[str],
    chunks: Iterable[Chunk],
    *,
    later: Collection[str] = (),
    beyond: Callable[[str], int] = lambda exercise: 0,
) -> str:
    """The exercise that names the concept (by any of its ``names``), as it stands, and
    nothing that is learnt ``later``: of the first eight such the one that names least
    ``beyond`` what the concept rests on, the first of equals. To stand in another document
    than the first of them counts as one such name: it may ask for what that one teaches.

    Exercises stand under a heading that says so, as list items or paragraphs; solutions
    are none, nor is what leans on another text. Empty where the documents have none.
    """
    found = list(islice(_fitting(names, chunks, later), _COMPARED))
    if not found:
        return ""
    home, _ = found[0]
    return min(found, key=lambda each: beyond(each[1]) + (each[0] != home))[1]


def _fitting(
    names: Sequence[str], chunks: Iterable[Chunk], later: Collection[str]
) -> Iterator[tuple[str, str]]:
    """The exercises that come into question, each behind the id of its document."""
    named = re.compile(any_name(names), re.IGNORECASE)
    beyond = [name for name in later if not named.search(name)]
    unlearnt = re.compile(any_name(beyond) if beyond else r"(?!)", re.IGNORECASE)
    for chunk in chunks:
        heading = " ".join(chunk.heading_path)
        if not _EXERCISES.search(heading) or _SOLUTIONS.search(heading):
            continue
        for exercise in _exercises(chunk.text):
            fits = _SHORTEST <= len(exercise) <= _LONGEST and named.search(exercise)
            if fits and not unlearnt.search(exercise) and not _LEANS.search(exercise):
                yield chunk.document_id, exercise


def _exercises(text: str) -> Iterable[str]:
    """List items whole; other text by its questions."""
    items: list[str] = []
    for line in text.splitlines():
        if _MARK.match(line):
            items.append(_MARK.sub("", line).strip())
        elif line.strip() and items and line[:1].isspace():
            items[-1] += " " + line.strip()
        else:
            yield from items
            items = []
            for span in split_sentences(line):
                if line[span.start : span.stop].endswith("?"):
                    yield line[span.start : span.stop]
    yield from items
