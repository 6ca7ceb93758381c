"""Reading dependency trees: which words of a parsed sentence are the ends of a cue or a term.

Tokens and trees are those of spaCy's interface, of which only what is named here is used.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Protocol

from graphrag.concepts import cue_patterns
from graphrag.concepts.cue_patterns import Pattern

Ends = tuple[int, int]
"""First token of a phrase, and the one after its last."""

_LEADING_TAGS = frozenset({"DET", "PRON", "ADP", "PUNCT", "SPACE", "CCONJ", "SCONJ"})
_COPULAS = frozenset({"is", "are"})
_PAST_COPULAS = frozenset({"was", "were"})
_JOINING = frozenset({"of", "for"})
_DEFINING = frozenset({"means", "mean", "denotes", "denote", "describes"})
_POINTING = frozenset({"this", "that", "these", "those", "its", "their", "our", "your"})


class Token(Protocol):
    """A word of a dependency tree."""

    i: int
    lower_: str
    dep_: str
    pos_: str
    tag_: str

    @property
    def children(self) -> Iterable[Token]: ...
    @property
    def conjuncts(self) -> Iterable[Token]: ...
    @property
    def head(self) -> Token: ...
    @property
    def left_edge(self) -> Token: ...
    @property
    def doc(self) -> Tree: ...


class Phrase(Protocol):
    """A noun phrase: ``root`` is its head, ``end`` the token after its last."""

    start: int
    end: int

    @property
    def root(self) -> Token: ...


class Tree(Protocol):
    """A parsed sentence."""

    @property
    def noun_chunks(self) -> Iterator[Phrase]: ...
    def __getitem__(self, place: int, /) -> Token: ...


def noun_phrases(tree: Tree) -> dict[int, Ends]:
    """Head token to the noun phrase it heads, determiners and pronouns stripped."""
    chunks: dict[int, Ends] = {}
    for chunk in tree.noun_chunks:
        first, stop = chunk.start, chunk.end
        while first < stop and _is_leading(tree[first], last=first == stop - 1):
            first += 1
        while stop > first and tree[stop - 1].pos_ in ("PUNCT", "SPACE"):
            stop -= 1
        if first < stop:
            chunks[chunk.root.i] = (first, stop)
    return chunks


def _is_leading(token: Token, *, last: bool) -> bool:
    """Whether a word in front of a phrase is no part of a name."""
    if token.pos_ in _LEADING_TAGS:
        return True
    return not last and token.lower_ in cue_patterns.DOING


def phrase_of(token: Token, chunks: Mapping[int, Ends]) -> Ends | None:
    """The phrase that a token heads; a noun that was tagged as something else heads its own
    left part."""
    if token.i in chunks or token.pos_ not in ("NOUN", "PROPN", "ADJ"):
        return chunks.get(token.i)
    first = token.left_edge.i
    while first < token.i and _is_leading(token.doc[first], last=False):
        first += 1
    return first, token.i + 1


def about(token: Token) -> Token:
    """What a phrase is about: ``understanding of limits`` and ``computing limits`` give limits."""
    for _ in range(3):
        below = None
        if token.lower_ in cue_patterns.ABOUT_NOUNS or token.lower_ in cue_patterns.KIND_NOUNS:
            near = [*token.children, *(c for c in token.head.children if c.i > token.i)]
            links = [c for c in near if c.lower_ in ("of", "with", "to", "in")]
            below = next((o for p in links for o in p.children if o.dep_ == "pobj"), None)
        if below is None and token.tag_ == "VBG":
            below = next((c for c in token.children if c.dep_ == "dobj"), None)
        if below is None:
            return token
        token = below
    return token


def subject_of(token: Token, trigger: Token, pattern: Pattern) -> Token | None:
    """The token that the subject is about; none where the text itself or people stand there,
    who speak for the topic of the section."""
    token = about(token)
    if token.lower_ in cue_patterns.TEXT_NOUNS:
        return None
    if token.lower_ in cue_patterns.PEOPLE:
        return _purpose(trigger)
    return token


def _purpose(trigger: Token) -> Token | None:
    """The object of ``to understand X, ...`` or ``before reading X, ...`` beside a verb."""
    for child in trigger.children:
        clauses = [child] if child.dep_ == "advcl" else []
        if child.dep_ == "prep" and child.lower_ == "before":
            clauses = [c for c in child.children if c.dep_ in ("pcomp", "pobj")]
        for clause in clauses:
            if clause.dep_ == "pobj":
                return about(clause)
            found = next((c for c in clause.children if c.dep_ == "dobj"), None)
            if found is not None:
                return about(found)
    return None


def is_urged(trigger: Token) -> bool:
    """Whether a verb is advice: an imperative (``to understand X`` is none), with *should* or
    *must*, or *we recall*."""
    children = list(trigger.children)
    subjects = [c for c in children if c.dep_ in ("nsubj", "nsubjpass")]
    if not subjects:
        purpose = any(c.dep_ == "aux" and c.lower_ == "to" for c in children)
        return bool(trigger.dep_ == "ROOT") and not purpose
    if any(c.dep_ == "aux" and c.lower_ in cue_patterns.URGING for c in children):
        return True
    urging = trigger.head.lower_ in cue_patterns.URGING and trigger.dep_ == "xcomp"
    return urging or (trigger.lower_ in ("recall", "remember") and subjects[0].lower_ == "we")


def is_negated(trigger: Token, object_token: Token) -> bool:
    """Whether a cue is denied: by *not* at its verb or complement, by *no* at its object."""
    if any(child.dep_ == "neg" for child in trigger.children):
        return True
    if any(child.lower_ == "no" and child.dep_ == "det" for child in object_token.children):
        return True
    return any(
        c.dep_ == "neg"
        for child in trigger.children
        if child.dep_ in ("acomp", "attr")
        for c in child.children
    )


def given_name(token: Token, chunks: dict[int, Ends]) -> Ends | None:
    """The name in ``... is called X``, ``known as X``, ``referred to as X``."""
    for child in token.children:
        if child.dep_ in ("oprd", "attr") and child.i > token.i and child.i in chunks:
            return chunks[child.i]
        if child.dep_ == "prep" and child.lower_ == "as":
            for below in child.children:
                if below.dep_ == "pobj" and below.i in chunks:
                    return chunks[below.i]
    return None


def defined_subject(root: Token, chunks: dict[int, Ends]) -> Ends | None:
    """The subject of ``A basis is a set ...``, ``X refers to ...``, ``X is defined as ...``; what
    bears a name may have been something: ``The Treaty of Versailles was the peace ...``."""
    children = list(root.children)
    subject = next((c for c in children if c.dep_ in ("nsubj", "nsubjpass")), None)
    if subject is None or subject.pos_ not in ("NOUN", "PROPN") or subject.i not in chunks:
        return None
    ends = _whole_name(subject, chunks)
    if ends[0] > 4 or any(c.dep_ == "neg" for c in children):
        return None
    if any(c.lower_ in _POINTING for c in subject.children):
        return None
    word = root.lower_
    if word in _COPULAS or (word in _PAST_COPULAS and subject.pos_ == "PROPN"):
        attribute = next((c for c in children if c.dep_ == "attr"), None)
        defines = attribute is not None and attribute.pos_ in ("NOUN", "PROPN")
    elif word in ("refers", "refer"):
        defines = any(c.dep_ == "prep" and c.lower_ == "to" for c in children)
    elif word == "defined":
        defines = subject.dep_ == "nsubjpass" and any(
            c.lower_ in ("as", "to", "by") for c in children
        )
    else:
        defines = word in _DEFINING
    return ends if defines else None


def _whole_name(head: Token, chunks: Mapping[int, Ends]) -> Ends:
    """The phrase of a noun; of a proper name with what *of* or *for* joins to it:
    ``Treaty of Versailles``."""
    first, stop = chunks[head.i]
    if head.pos_ != "PROPN" or stop != head.i + 1:
        return first, stop
    for link in head.children:
        if link.i == stop and link.lower_ in _JOINING:
            for name in link.children:
                if name.pos_ == "PROPN" and name.i in chunks and chunks[name.i][0] == stop + 1:
                    return first, chunks[name.i][1]
    return first, stop
