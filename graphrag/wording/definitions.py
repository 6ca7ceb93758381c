"""Questions that ask what something is, and sentences that say it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal

from graphrag.tokens import fold
from graphrag.wording.terms import any_name

_NAME = r"(?:an? |the |our )?(?P<name>[^?!.,;:]{2,60}?)"
_ASKING = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"^\W*what(?:\s+is|\s+are|['’]s)\s+meant\s+by\s+{_NAME}\W*$",
        rf"^\W*what\s+(?:is|are)\s+the\s+(?:meaning|definition)\s+of\s+{_NAME}\W*$",
        rf"^\W*what(?:\s+is|\s+are|['’]s)\s+{_NAME}\W*$",
        rf"^\W*what\s+(?:does|do|is)\s+{_NAME}\s+(?:mean|stand for)\W*$",
        rf"^\W*(?:please\s+)?(?:define|explain)\s+(?:the\s+(?:term|concept|idea|notion)\s+(?:of\s+)?)?"
        rf"{_NAME}(?:\s+(?:to|for)\s+(?:me|us|a beginner)\b.*)?\W*$",
    )
)
_FORMING = re.compile(
    r"^\W*when (?:do|does|is|are|can|may|will)\b[^?]*\b(?:form|become|make|called|count as) "
    r"(?:an? |the )?([\w\s-]{2,40}?)\W*$",
    re.IGNORECASE,
)
# Between the name and its verb may stand "$A$", "(REF)", ", also called a pivot," or "of a matrix";
# what is said "of the last page" or of $(AB)^T$ is said of one such thing only.
_SYMBOL = r"\$[^$^()]{1,20}\$"
_AFTER_NAME = (
    rf"(?:\s*{_SYMBOL})?(?:\s*\([^)]{{1,40}}\))?(?:,[^,]{{2,60}},)?"
    r"(?:\s+(?:of|for|from|in|on|between)\s+(?!(?:the|this|that|these|its)\b)"
    rf"(?:[^$,.:;]|{_SYMBOL}){{1,60}}?)?"
)
# "Heaps are large", "a splice is inspected" and "the rank is not ..." say nothing of what the thing
# is; of several things a plural noun or an article has to follow.
_SOMETHING = (
    r"(?!(?:not|no|never|always|often|only|also|then|sometimes|as|less|thus|given|about|by|in|at|on"
    r"|from|to|where|still|different|equivalent|taken|meant|set|kept|shown|\w{3,}ly)\b)"
    r"(?!(?!defined|used (?:to|for)|made|said|called)\w+(?:ed|ing)\b)"
)
_SAYS = (
    rf"\s+(?:(?:is|means|denotes?|refers? to|describes?|consists? of|states?)\s+{_SOMETHING}"
    rf"|(?:are|mean)\s+{_SOMETHING}(?:(?:the|an?|those|all|any|what|how)\b"
    r"|(?:\S+\s+)?(?!\w+ous\b)\S+s\b))"
)
# Behind a dash, a condition or a further dash tells that it is none.
_ENTRY = (
    r"(?:\s*\([^)]{0,200}\))?"
    r"(?:\s*:|(?:\s*[–—]|\s+-)(?=\s)(?!\s+(?:if|when)\b|.*\s[-–—]\s))(?:\s+[^\s:]+){3}"
)
_OPENING = r"^\W*(?:\d+[.)]\s+)?(?:(?:an?|the|each|every|any)\s+)?"
# An entry of code, as in "class collections.Counter(iterable): A Counter is ...".
_IN_CODE = r"^\W*(?:(?:class|exception|function|method|classmethod)\s+)?(?:\w+\.)*"
_CALLED = (
    r"\b(?:called|named|known as|termed|referred to as)\s+(?:an?\s+|the\s+)?"
    r"(?:(?:[\w-]+\s+){1,4}?(?:or\s+|\())?"
)
# "Two matrices are row equivalent when ..."
_WHEN = r"\s+(?:when|if|whenever|exactly when|provided)\b"
_MARKS = re.compile(r"[*_`]+")

Manner = Literal["", "sentence", "entry", "aside"]


def asked_name(question: str) -> str:
    """The thing of which a question asks what it is ("What is a pivot column?"), without its
    article; empty where it asks something else."""
    for pattern in _ASKING:
        found = pattern.match(question)
        if found is not None:
            return found.group("name").strip()
    return ""


def defines(name: str, text: str) -> bool:
    """Whether a sentence or entry says what ``name`` itself is, in whatever manner."""
    return saying((_singular(name),), text) != ""


def saying(names: Iterable[str], text: str) -> Manner:
    """In which manner a sentence or entry says what the thing of these names is: a ``sentence``
    that opens with it ("A basis of a subspace is a list"), an ``entry`` ("basis: a list"), an
    ``aside`` ("... is called a basis", "two matrices are row equivalent when"), or not at all.

    No longer name that ends or goes on with it counts ("a dominant eigenvalue is ...").
    """
    spelled = [each for each in (fold(_MARKS.sub("", name)).strip() for name in names) if each]
    if not spelled:
        return ""
    name = any_name(spelled) + "(?!-)"
    plain = fold(_MARKS.sub("", text))
    if re.match(f"{_OPENING}{name}{_AFTER_NAME}{_SAYS}", plain):
        return "sentence"
    if re.match(f"(?:{_OPENING}|{_IN_CODE}){name}{_ENTRY}", plain):
        return "entry"
    called = re.search(rf"{_CALLED}{name}(?!\s+\w)", plain)
    when = rf"[^,;:]{{2,60}}\b(?:is|are) (?:said to be )?{name}{_WHEN}"
    return "aside" if called or re.match(when, plain) else ""


def defines_what_forms(question: str, text: str) -> bool:
    """Whether a text defines the thing of which the question asks when something is one:
    "A basis is a list of vectors that ..." to "When do vectors form a basis?"."""
    asked = _FORMING.match(question)
    return asked is not None and defines(asked.group(1), text)


def _singular(name: str) -> str:
    """The name with its last word in the singular, as far as its letters tell."""
    name = name.strip()
    plural = name.endswith("s") and not name.endswith("ss") and len(name.split()[-1]) > 3
    return name[:-1] if plural else name
