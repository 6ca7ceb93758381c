"""A name that contains another: ``eigenvalue decomposition`` needs ``eigenvalue``."""

from __future__ import annotations

from collections import defaultdict

from graphrag.concepts.names import key_tokens, split_bracket
from graphrag.domain import Concept
from graphrag.prerequisites.corpus import Witness

_BRACKET = 0.5


def title_witnesses(concepts: tuple[Concept, ...]) -> list[Witness]:
    """For every concept whose name holds the whole name of another one, or is set in its field
    by a bracket (``point (geometry)``).

    The score is the contained share of the words, a bracket's words counted alone: 0.5.
    """
    words = [key_tokens(split_bracket(concept.name)[0]) for concept in concepts]
    by_name: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for i, name in enumerate(words):
        if name:
            by_name[name].append(i)
    found: list[Witness] = []
    for i, name in enumerate(words):
        for start in range(len(name)):
            for stop in range(start + 1, len(name) + 1):
                if stop - start == len(name):
                    continue
                for other in by_name.get(name[start:stop], ()):
                    share = (stop - start) / len(name)
                    sentence = f"“{concepts[i].name}” contains “{concepts[other].name}”"
                    found.append(Witness("title", i, other, share, sentence, ""))
        field = key_tokens(split_bracket(concepts[i].name)[1])
        for other in by_name.get(field, ()):
            if other != i:
                sentence = f"“{concepts[i].name}” is set in “{concepts[other].name}”"
                found.append(Witness("title", i, other, _BRACKET, sentence, ""))
    return found
