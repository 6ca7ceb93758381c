"""A question from the documents themselves to check one's understanding of a concept."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence

from graphrag.domain import Chunk
from graphrag.sentences import split_sentences
from graphrag.wording.terms import any_name

_EXERCISES = re.compile(
    r"\b(exercises?|problems?|questions?|quiz|check your|self-?test|practice|review)\b",
    re.IGNORECASE,
)
_SOLUTIONS = re.compile(r"\b(answers?|solutions?|hints?)\b", re.IGNORECASE)
_MARK = re.compile(r"^\s*(?:[-*]|\(?\w{1,3}[.)])\s+")
_SHORTEST, _LONGEST = 20, 400


def check_question(
    names: Sequence[str], chunks: Iterable[Chunk], *, later: Collection[str] = ()
) -> str:
    """The first exercise that names the concept (by any of its ``names``), as it stands, and
    nothing that is learnt ``later``.

    Exercises stand under a heading that says so, as list items or paragraphs; solutions
    are none. Empty where the documents have none.
    """
    named = re.compile(any_name(names), re.IGNORECASE)
    beyond = [name for name in later if not named.search(name)]
    unlearnt = re.compile(any_name(beyond) if beyond else r"(?!)", re.IGNORECASE)
    for chunk in chunks:
        heading = " ".join(chunk.heading_path)
        if not _EXERCISES.search(heading) or _SOLUTIONS.search(heading):
            continue
        for exercise in _exercises(chunk.text):
            fits = _SHORTEST <= len(exercise) <= _LONGEST and named.search(exercise)
            if fits and not unlearnt.search(exercise):
                return exercise
    return ""


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
