"""A name that contains another: ``eigenvalue decomposition`` needs ``eigenvalue``."""

from __future__ import annotations

from collections import defaultdict

from graphrag.concepts.names import key_tokens, split_bracket
from graphrag.domain import Concept
from graphrag.prerequisites.corpus import Witness


def title_witnesses(concepts: tuple[Concept, ...]) -> list[Witness]:
    """For every concept whose name holds the whole name of another one, brackets left out.

    The score is the contained share of the words.
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
    return found
