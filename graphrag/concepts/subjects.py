"""Names of which sentences tell in general: ``A plagal cadence goes ...``, ``Row security is ...``.

What an author says of a kind of thing, he says of it behind *a* or with no article at all, at
the head of a sentence and in the present tense. What only happens to be there stands behind
*the*, or in the middle. Only names of two words or three are taken: of single words (*a train*,
*a farmer*) examples tell in just that way.

Source: generic sentences, Carlson, Linguistics and Philosophy 1977.
"""

from __future__ import annotations

import re

from graphrag.concepts.generic import says_nothing
from graphrag.concepts.names import token_key, word_set
from graphrag.domain import Document, Span

_WORD = r"[A-Za-z][\w'’+-]+"
_HELPING = "is|are|has|have|can|cannot|may|must"
_ADVERB = "also|usually|always|often|never|only|first|normally|typically|generally|sometimes|simply"
_SUBJECTS = "the|an?|all|every|each|both|we|you|one|it|there|no|two"
_SUBJECT = re.compile(
    rf"(?:(?:An?|Every|Each)\s+(?P<kind>{_WORD}(?:\s+{_WORD}){{1,2}}?)\s+(?:(?:{_ADVERB})\s+)?"
    rf"(?:{_HELPING}|will|does|needs|[a-z]+[^s\W_]s)"
    rf"|In\s+(?:an?\s+)?(?P<case>{_WORD}(?:\s+{_WORD}){{1,2}}?),?\s+(?:{_SUBJECTS})"
    rf"|(?P<mass>[A-Z][\w'’+-]+(?:\s+{_WORD}){{1,2}}?)\s+(?:{_HELPING}))\b(?!\s+of\b)"
)
_NO_PART = word_set(
    "of that which who whom whose on in by for from between with at to than and or nor but if "
    "when where as is are was were be been has have had do does did not no it its the this these "
    "those there here such each every any all some many several multiple numerous most more both "
    "either neither other another one two what how since now thus then also even just although "
    "though while because my your our his her their else using including like therefore however a "
    "an"
)
_REACH = 100  # letters; a subject of three words is no longer


def told_in_general(document: Document, sentence: Span) -> Span | None:
    """The subject of a sentence that tells something of a kind of thing in general."""
    text = document.text
    match = _SUBJECT.match(text, sentence.start, min(sentence.stop, sentence.start + _REACH))
    if match is None:
        return None
    group = str(match.lastgroup)
    words = match[group].split()
    keys = [token_key(word) for word in words]
    if _NO_PART & set(keys) or says_nothing(keys[0]) or any(key.endswith("ly") for key in keys):
        return None
    # Behind "a" stands one thing: of two words in -s the first is the verb.
    if group == "kind" and keys[-1] != words[-1].casefold():
        return None
    return Span(match.start(group), match.end(group))
