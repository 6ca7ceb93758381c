"""Which passages explain a concept best, by where and how they name it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping

from graphrag.domain import Mention, MentionKind

_KINDS: Mapping[MentionKind, float] = {
    "definition": 3.0,
    "heading": 3.0,
    "title": 2.0,
    "emphasis": 1.0,
    "text": 0.2,
}
_MOST_FROM_TEXT = 2.0
# A page that names thirty concepts, as a glossary or an overview does, halves its worth.
_CROWDING = 0.03


def explaining_chunks(mentions: Iterable[Mention]) -> dict[str, list[str]]:
    """Concept id to the ids of the chunks that name it, the most explaining first.

    A chunk counts by the definitions, headings and titles in it that name the concept, a
    little by further mentions, and less the more other concepts it names; ties by id.
    """
    worth: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    counted: Counter[tuple[str, str]] = Counter()
    named: dict[str, set[str]] = defaultdict(set)
    for mention in mentions:
        place = (mention.concept_id, mention.chunk_id)
        named[mention.chunk_id].add(mention.concept_id)
        if mention.kind == "text":
            counted[place] += 1
        else:
            worth[mention.concept_id][mention.chunk_id] += _KINDS[mention.kind]
    for (concept_id, chunk_id), count in counted.items():
        worth[concept_id][chunk_id] += min(_MOST_FROM_TEXT, _KINDS["text"] * count)
    explaining = {}
    for concept_id, chunks in sorted(worth.items()):
        shared = {key: value / (1 + _CROWDING * len(named[key])) for key, value in chunks.items()}
        explaining[concept_id] = sorted(shared, key=lambda key: (-shared[key], key))
    return explaining
