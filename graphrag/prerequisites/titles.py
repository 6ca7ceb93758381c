"""A name that contains another: ``eigenvalue decomposition`` needs ``eigenvalue``."""

from __future__ import annotations

from collections import defaultdict

from graphrag.concepts.names import key_tokens, split_bracket
from graphrag.domain import Concept
from graphrag.prerequisites.corpus import Witness

_BRACKET = 0.5
_JOINED = 0.5


def title_witnesses(concepts: tuple[Concept, ...]) -> list[Witness]:
    """For every concept whose name holds the whole name of another one, or is set in its field
    by a bracket (``point (geometry)``): one that tells homonyms of the documents apart names what
    they speak of besides, and no field.

    The score is the contained share of the words, a bracket's words counted alone: 0.5. It is
    halved for a part of a joined word: those of ``info/exclude`` or ``post-update`` need not mean
    what they mean alone.
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
                others = by_name.get(name[start:stop], ())
                share = (stop - start) / len(name)
                if others and not _stands_apart(concepts[i].name, concepts[others[0]].name):
                    share *= _JOINED
                for other in others:
                    sentence = f"“{concepts[i].name}” contains “{concepts[other].name}”"
                    found.append(Witness("title", i, other, share, sentence, ""))
        told_apart = len(by_name[name]) > 1 and not concepts[i].given
        field = () if told_apart else key_tokens(split_bracket(concepts[i].name)[1])
        for other in by_name.get(field, ()):
            if other != i:
                sentence = f"“{concepts[i].name}” is set in “{concepts[other].name}”"
                found.append(Witness("title", i, other, _BRACKET, sentence, ""))
    return found


def _stands_apart(name: str, part: str) -> bool:
    """Whether blanks alone stand around the part somewhere in the name."""
    words = [key_tokens(word) for word in split_bracket(name)[0].split()]
    wanted = key_tokens(split_bracket(part)[0])
    return any(
        sum(words[start:stop], ()) == wanted
        for start in range(len(words))
        for stop in range(start + 1, len(words) + 1)
    )
