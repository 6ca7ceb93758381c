"""Sentences that say first what a thing is and then what it is called, seen by their words.

``The energy needed to reach the transition state is the activation energy``, ``That interval is
the octave``, ``Biologists call it the plasma membrane``, ``... an awkward shape, the transition
state``: textbooks name as often so as by *is called*. The name stands last, so no tree is needed
to tell where it ends.

Source: the surface patterns of Hearst, COLING 1992, turned round.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from graphrag.concepts.generic import says_nothing
from graphrag.concepts.names import token_key, word_set
from graphrag.concepts.prose import Sentence
from graphrag.domain import Definition, Document, Span

_WORD = r"[A-Za-z][\w'’+-]*"
_TERM = rf"(?P<term>{_WORD}(?:\s+{_WORD}){{0,3}})"
_END = r"(?=\s*(?:\([^()]{1,30}\)\s*)?[.,;:])"
# What sets a thing apart from others of its kind; a name follows only on the first such word.
_WHICH = (
    r"(?:of|that|which|who|whom|whose|on|in|by|for|from|between|with|at|to|above|below"
    r"|\w{3,}ed)"
)
_MEANT = (
    rf"(?:The|An?|Two|Three)\s+(?P<kind>{_WORD}(?:\s+{_WORD}){{0,2}}?)\s+{_WHICH}\s[^.;:]{{3,}}?"
    rf"|(?:That|This)\s+(?P<thing>{_WORD}(?:\s{_WORD})?)"
    rf"|The\s+{_WORD}(?:est|st)\s+{_WORD}"
)
# Behind "a" stands mostly what kind of thing it is, not what it is called.
_MEANING_FIRST = re.compile(
    rf"(?:(?:{_MEANT})\s+is\s+(?:the|its)|Such\s+an?\s+{_WORD}\s+is\s+an?)\s+{_TERM}{_END}"
)
_CALLING = re.compile(
    rf"\b(?:calls?\s+(?:it|this|that|them|these|such\s+(?:an?\s+)?{_WORD})|we\s+speak\s+of"
    rf"|speak\s+here\s+of)\s+(?:the\s+|an?\s+)?{_TERM}{_END}"
)
_NAME_OF = re.compile(rf"{_TERM}\s+(?:is|are)\s+the\s+(?:name|term|word)\s+(?:for|given)\b")
_BESIDE = re.compile(rf"\ban?\s[^,.;:]+,\s+the\s+(?P<term>{_WORD}\s+{_WORD}(?:\s+{_WORD})?)\s*\.?$")
# "The result of this is the loss": what is told there is no name.
_TELLING = word_set(
    "result reason aim purpose example idea problem answer question advantage disadvantage case "
    "way next last other only same solution rest cause difference goal default exception "
    "alternative choice consequence effect outcome drawback benefit risk fact point trick key "
    "thing time place work job task use"
)
_NO_PART = word_set(
    "of that which who whom whose on in by for from between with at to than and or nor but if when "
    "where as is are was were be been has have had does do can may might must will should could "
    "not it its he his she her we our you your they their the a an this these those each every any "
    "no same only more less most first last other one"
)


def naming_definitions(document: Document, sentences: list[Sentence]) -> list[Definition]:
    """The names that running sentences give to what they have just told."""
    found: list[Definition] = []
    for sentence in sentences:
        if sentence.block.kind != "list":
            found += [
                Definition(term, sentence.span, "called")
                for term in _named(document.text, sentence.span)
            ]
    return found


def _named(text: str, span: Span) -> Iterator[Span]:
    for pattern in (_MEANING_FIRST, _NAME_OF):
        match = pattern.match(text, span.start, span.stop)
        if match is not None and not _tells(match):
            yield from _term(match)
    for pattern in (_CALLING, _BESIDE):
        match = pattern.search(text, span.start, span.stop)
        if match is not None:
            yield from _term(match)


def _tells(match: re.Match[str]) -> bool:
    words = (match.groupdict().get("kind") or match.groupdict().get("thing") or "").split()
    return any(token_key(word) in _TELLING for word in words)


def _term(match: re.Match[str]) -> Iterator[Span]:
    """The name in a match, unless a word of it belongs to no name."""
    words = [token_key(word) for word in match["term"].split()]
    odd = _NO_PART & set(words) or says_nothing(words[0])
    if not odd and not any(word.endswith("ly") for word in words):
        yield Span(match.start("term"), match.end("term"))
