"""Words that speak of a concept without its name: ``multiplied`` of multiplication.

A name that is one noun made from a verb or an adjective is looked for in the forms of that
word too. They count where a corpus is measured (where a concept is spoken of first, how
widely, beside what), but nobody is shown them as its mentions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from graphrag.concepts.linking import keys_of
from graphrag.concepts.names import key_tokens, split_bracket
from graphrag.domain import Concept, Document, Mention

# The ending of a noun, and what stands in its place in the word that it is made from.
_FROM_VERBS: Sequence[tuple[str, tuple[str, ...]]] = (
    ("ication", ("y", "icate")),
    ("ation", ("", "e", "ate")),
    ("ition", ("", "ite")),
    ("tion", ("t", "te")),
    ("ision", ("ide",)),
    ("ssion", ("ss",)),
    ("ment", ("",)),
)
_FROM_ADJECTIVES: Sequence[tuple[str, tuple[str, ...]]] = (
    ("ability", ("able",)),
    ("ity", ("", "e")),
    ("ness", ("",)),
)
_SHORTEST = 3


def word_forms(noun: str) -> list[str]:
    """The verb with its forms, or the adjective, that a noun in lower case is made from.

    Some are no words; such are never met in a text.
    """
    verbs, adjectives = _stripped(noun, _FROM_VERBS), _stripped(noun, _FROM_ADJECTIVES)
    return [*(form for verb in verbs for form in _inflected(verb)), *adjectives]


def _stripped(noun: str, endings: Sequence[tuple[str, tuple[str, ...]]]) -> list[str]:
    for ending, others in endings:
        if noun.endswith(ending):
            words = [noun.removesuffix(ending) + other for other in others]
            return [word for word in words if len(word) >= _SHORTEST]
    return []


def _inflected(verb: str) -> list[str]:
    """Present, past and participle; the s of the present is folded where names are matched."""
    if verb.endswith("e"):
        return [verb, verb + "d", verb[:-1] + "ing"]
    if verb.endswith("y"):
        return [verb, verb[:-1] + "ied", verb + "ing"]
    return [verb, verb + "ed", verb + "ing"]


def forms_of(concepts: Sequence[Concept]) -> dict[str, tuple[str, ...]]:
    """Concept id to the forms of its name, where that is one word; a form that names another
    concept is left to that one."""
    taken = {key for concept in concepts for key in keys_of(concept)}
    found: dict[str, tuple[str, ...]] = {}
    for concept in concepts:
        words = key_tokens(split_bracket(concept.name)[0])
        if len(words) == 1:
            found[concept.id] = tuple(f for f in word_forms(words[0]) if (f,) not in taken)
    return {concept_id: forms for concept_id, forms in found.items() if forms}


def widened(concepts: Iterable[Concept], forms: Mapping[str, tuple[str, ...]]) -> list[Concept]:
    """The concepts with the forms of their names among the aliases."""
    return [
        replace(concept, aliases=(*concept.aliases, *forms[concept.id]))
        if concept.id in forms
        else concept
        for concept in concepts
    ]


def by_name(
    mentions: Iterable[Mention],
    documents: Iterable[Document],
    forms: Mapping[str, tuple[str, ...]],
) -> list[Mention]:
    """The mentions that call a concept by its name, not by a form of it."""
    texts = {document.id: document.text for document in documents}
    return [
        mention
        for mention in mentions
        if mention.concept_id not in forms
        or key_tokens(texts[mention.document_id][mention.start : mention.stop])
        not in {(form,) for form in forms[mention.concept_id]}
    ]
