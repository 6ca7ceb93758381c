"""What a "why" question takes for granted, where it claims it of all."""

from __future__ import annotations

import re
from collections.abc import Iterable

from graphrag.wording.terms import content_words

_WHY = re.compile(
    r"^\W*why (is|are|was|were|do|does|did|can|could|must|should|will|has|have) (.+?)\s*\?*\s*$",
    re.IGNORECASE | re.DOTALL,
)
_OF_ALL = re.compile(r"\b(?:all|every|each|always|never|any|no|none|only)\b", re.IGNORECASE)
_BARE = frozenset({"do", "does", "did"})


def premise(question: str) -> str:
    """The statement that a question such as "Why is every matrix invertible?" rests on;
    empty for one that claims nothing of all, every or none."""
    match = _WHY.match(question)
    if match is None or not _OF_ALL.search(match.group(2)):
        return ""
    verb, rest = match.group(1).lower(), match.group(2).split()
    if verb in _BARE or len(rest) < 2:
        return " ".join(rest)
    place = next((i for i, word in enumerate(rest) if word == "be"), len(rest) - 1)
    return " ".join([*rest[:place], verb, *rest[place:]])


def is_said(statement: str, texts: Iterable[str]) -> bool:
    """Whether one of the texts claims of all what the statement claims of all, in its words."""
    wanted = set(content_words(statement))
    return any(_OF_ALL.search(text) and wanted <= set(content_words(text)) for text in texts)
