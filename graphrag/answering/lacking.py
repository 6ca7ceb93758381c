"""What a question asks in words that the texts found for it do not have."""

from __future__ import annotations

from collections.abc import Sequence, Set

from graphrag.wording.formulas import segments
from graphrag.wording.general import general
from graphrag.wording.synonyms import is_told, mean_the_same
from graphrag.wording.terms import content_words, identifiers, words


def lacking(question: str, texts: Sequence[str]) -> tuple[str, ...]:
    """The words of content, as the question writes them, that none of the texts holds, nor
    another of their family or one that is known to mean the same; words that only ask or belong
    to every subject, formulas and codes aside.
    """
    whole = "\n".join(texts)
    held, said = set(content_words(whole)), frozenset(words(whole))
    found = (
        _bare(word)
        for _, _, is_formula, inside in segments(question)
        if not is_formula
        for word in inside.split()
        if not _is_held(word, held, said)
    )
    return tuple(dict.fromkeys(found))


def without(question: str, absent: Sequence[str]) -> str:
    """The question with the words left out; formulas stay as they are."""
    kept = [
        inside
        if is_formula
        else " ".join(word for word in inside.split() if _bare(word) not in absent)
        for _, _, is_formula, inside in segments(question)
    ]
    return " ".join(part for part in kept if part)


def _bare(word: str) -> str:
    return word.strip(".,;:!?()[]\"'“”‘’")


def _is_held(word: str, held: Set[str], said: Set[str]) -> bool:
    terms = set(content_words(word))
    if not terms or identifiers(word) or any(t in general() or is_told(t, held) for t in terms):
        return True
    return any(mean_the_same(one, other) for one in words(word) for other in said)
