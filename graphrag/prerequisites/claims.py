"""Whether a cue sentence says of two concepts what its form seems to say.

``The first argument is a string`` makes no argument a kind of string, ``the name should be
the package's name`` no name a package. A cue is taken at its word only where it speaks of
the two concepts themselves and states what is.
"""

from __future__ import annotations

import re

from graphrag.concepts.cue_patterns import KIND_NOUNS
from graphrag.concepts.names import key_tokens
from graphrag.domain import Cue, Document, Span
from graphrag.prerequisites.corpus import Corpus

_MODAL = re.compile(
    r"\b(?:can|could|may|might|must|shall|should|will|would|ought|need)\b",
    re.IGNORECASE,
)
_PART = re.compile(r"\b(?:parts?|components?|elements?|constituents?|piece)\b", re.IGNORECASE)
_USED_FOR = re.compile(r"\bused\b(?:(?!\b(?:if|unless|when|while|because|as)\b).)*$", re.S)
# What stands in front of a phrase that points at one thing, not at a concept.
_POINTING = re.compile(
    r"\b(?:this|that|these|those|its|their|his|her|our|your|same|such|other|another|some)\s*$",
    re.IGNORECASE,
)
# Words inside a phrase by which it is one of those just spoken of, or those that are left.
_ONE_OF_THEM = re.compile(
    r"\b(?:other|same|such|following|preceding|above|resulting|given|specified|configured)\b",
    re.IGNORECASE,
)
# What a condition, a question or a circumstance supposes is not said to be so.
_SUPPOSED = re.compile(
    r"\b(?:if|unless|whether|suppose|supposing|when|whenever|where)\b(?![^,;:]*[,;:])",
    re.IGNORECASE,
)
# What might be is not said to be.
_UNREAL = re.compile(r"\b(?:could|might|would)\b", re.IGNORECASE)
# Roles that anything can fill: what fills one in a place says nothing of what it is.
_ROLE = re.compile(
    r"(?:(?:default|return|input|output)\s)?(?:argument|value|result)s?|defaults?", re.IGNORECASE
)
# "The arguments are an object and a string" lists them; "segments are output" is a verb's form.
_MANY_ARE_ONE = re.compile(r"\b(?:are|were)\s+(?:(?:a|an)\s+(?:[\w-]+\s+)*)?$", re.IGNORECASE)
# A clause behind the subject narrows it to some of its kind.
_NARROWED = re.compile(r"\b(?:that|which|who|whose|where|i|you|we|they)\b", re.IGNORECASE)
# "The string printed as the type is ...": not every string is.
_NARROWER = re.compile(r"^\W*(?:\w+(?:ed|ing)|given|taken|shown|made|written)\b", re.IGNORECASE)
_JOINED_BEFORE = re.compile(r"\b(?:and|or)\s*$", re.IGNORECASE)
_JOINED_BEHIND = re.compile(r"^\W*(?:and|or)\b", re.IGNORECASE)
# "The default is the directory" says which one; "the rank is the dimension of" what it is.
_WHICH_ONE = re.compile(r"\b(?:is|are|was|were)\s+the\s+(?:[\w-]+\s+){0,3}$", re.IGNORECASE)
_GOES_ON = re.compile(r"[\s,]+(?:[a-z]|\$)|:")
_DOING = re.compile(r"\b(?:to|for|by)\s+(?:\w+ly\s+)?([a-z]+)\b(?!\s+of\b)[^.]*$")
# What is done to bring something about or to know it; else the action's object is no purpose.
_PURPOSES = re.compile(
    "(?:achiev|analy|approximat|build|calculat|caus|chang|characteri|classif|comput|construct|"
    "control|creat|defin|deriv|describ|determin|do|enforc|establish|estimat|evaluat|explain|express|"
    "find|form|generat|get|guarantee|identif|implement|mak|maximi|measur|minimi|model|obtain|"
    "perform|predict|produc|prov|represent|simplif|solv|specif|stud|support|understand)"
)
_OF = re.compile(r"(\w*)\s+of(?:\s+(?:an?|the))?\s*$", re.IGNORECASE)
_SAME = re.compile(r"(?:same|such|other|another)\b", re.IGNORECASE)
_AROUND = 32


def says(corpus: Corpus, document: Document, cue: Cue, ends: tuple[int, int]) -> bool:
    """Whether the cue's sentence relates its subject and object, by number, as its kind says.

    Nothing is said by a condition, nor of a subject that is pointed at (``this index``).
    *Kind of*: the subject is the concept as it stands, nothing narrower and nothing of it, the
    object's last word is the concept's, of nothing but a kind or case and not ``these`` or
    ``the same``, and neither *may* nor what narrows the subject stands between; nor does the
    sentence only say which one it is (``the default is the directory``).
    *Used for* and *requires*: what it is for follows, not when or as what, and not what
    something is merely done to. *Part of*: no clause narrows the whole.
    In all but *requires* the last words of both ends are the concepts', neither is a role that
    anything fills (``the default``) or pointed at, and what might be is not enough.
    """
    if _supposed(document, cue) or _points(document, cue.subject):
        return False
    between = _between(document.text, cue.subject, cue.object)
    if cue.kind == "requires":
        return _is_purpose(between)
    if _UNREAL.search(between) or not _speaks_of_both(corpus, document, cue, ends):
        return False
    if cue.kind == "part_of":
        return not _NARROWED.search(between)
    if cue.kind == "kind_of":
        return (
            not _MODAL.search(between)
            and not _PART.search(between)
            and not _NARROWED.search(between)
            and not _NARROWER.search(between)
            and not _JOINED_BEHIND.search(between)
            and not _JOINED_BEFORE.search(_before(document, cue.subject))
            and not _says_which(document, cue)
            and not _counts_otherwise(document, cue)
            and not _is_narrower(corpus, ends)
            and not _of(document, cue.subject)
            and _of(document, cue.object) in KIND_NOUNS | {""}
            and _named_at(corpus, document, cue.subject, ends[0], whole=True)
        )
    if cue.kind == "used_for":
        told = cue.subject.start > cue.object.start or bool(_USED_FOR.search(between))
        return told and _of(document, cue.object) in ("", "study") and _is_purpose(between)
    return True


def _speaks_of_both(corpus: Corpus, document: Document, cue: Cue, ends: tuple[int, int]) -> bool:
    """Whether both ends of the cue are the concepts themselves: not what only has one in its
    name, a role that anything fills, or one of several just spoken of."""
    if _points(document, cue.object):
        return False
    for span, concept in zip((cue.subject, cue.object), ends, strict=True):
        said = document.text[span.start : span.stop]
        if _ONE_OF_THEM.search(said) or _ROLE.fullmatch(corpus.concepts[concept].name):
            return False
        if not _named_at(corpus, document, span, concept, whole=False):
            return False
    return True


def _counts_otherwise(document: Document, cue: Cue) -> bool:
    """Whether several are said to be one: ``the arguments are a string``."""
    between = document.text[cue.subject.stop : cue.object.start]
    said = document.text[cue.object.start : cue.object.stop]
    return bool(_MANY_ARE_ONE.search(between)) and not said.rstrip("$").endswith("s")


def _is_narrower(corpus: Corpus, ends: tuple[int, int]) -> bool:
    """Whether the object's name is the subject's with more in front: a pivot column is a
    column, so no column is a kind of it."""
    subject, other = (key_tokens(corpus.concepts[end].name) for end in ends)
    return len(other) > len(subject) and tuple(other[-len(subject) :]) == tuple(subject)


def _says_which(document: Document, cue: Cue) -> bool:
    """Whether a sentence says which thing the subject is, and not what kind of thing."""
    between = document.text[cue.subject.stop : cue.object.start]
    said = document.text[cue.object.start : cue.object.stop]
    goes_on = said.endswith("$") or _GOES_ON.match(document.text, cue.object.stop)
    return not goes_on and bool(_WHICH_ONE.search(between))


def _supposed(document: Document, cue: Cue) -> bool:
    start = min(cue.subject.start, cue.object.start)
    return bool(_SUPPOSED.search(document.text[cue.sentence.start : start]))


def _is_purpose(between: str) -> bool:
    """Whether what stands between two ends names no action, or one that brings about or
    explains what it is done to."""
    doing = _DOING.search(between)
    return doing is None or bool(_PURPOSES.match(doing[1]))


def _between(text: str, one: Span, other: Span) -> str:
    first, second = sorted((one, other), key=lambda span: span.start)
    return text[first.stop : second.start]


def _points(document: Document, span: Span) -> bool:
    return bool(_POINTING.search(_before(document, span)) or _SAME.match(document.text, span.start))


def _of(document: Document, span: Span) -> str:
    """The word that the span belongs to by an *of*, in small letters; empty for none."""
    found = _OF.search(_before(document, span))
    return found[1].lower() if found else ""


def _before(document: Document, span: Span) -> str:
    return document.text[max(0, span.start - _AROUND) : span.start]


def _named_at(corpus: Corpus, document: Document, span: Span, concept: int, *, whole: bool) -> bool:
    """Whether the concept's name ends where the span ends, and, if ``whole``, begins where
    it begins; signs around are no part of either."""
    for number, mention in corpus.mentions_in(document, span):
        if number == concept:
            after = document.text[mention.stop : span.stop]
            before = document.text[span.start : mention.start]
            if not re.search(r"\w", after) and not (whole and before.strip()):
                return True
    return False
