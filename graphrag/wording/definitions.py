"""Questions that ask what something is, and sentences that say it."""

from __future__ import annotations

import re

from graphrag.tokens import fold

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
# Between the name and its verb may stand "(REF)", ", also called a pivot," or "of a matrix $A$".
_AFTER_NAME = (
    r"(?:\s*\([^)]{1,40}\))?(?:,[^,]{2,60},)?(?:\s+(?:of|for|from|in|on)\s+[^,.:;]{1,40}?)?"
)
# "Heaps are large" and "the rank is not ..." say nothing of what the thing is; of several
# things a plural noun or an article has to follow.
_NO_ADVERB = r"(?!(?:not|no|never|always|often|only|also|then|sometimes|as|less|thus|given|said)\b)"
_SAYS = (
    rf"\s+(?:(?:is|means|denotes?|refers? to|describes?|consists? of)\s+{_NO_ADVERB}"
    rf"|(?:are|mean)\s+{_NO_ADVERB}(?:(?:the|an?|those|all|any|what|how)\b|(?:\S+\s+)?\S+s\b))"
)
_CALLED = r"\b(?:called|named|known as|termed)\s+(?:an?\s+|the\s+)?"
# "Two matrices are row equivalent when ..."
_WHEN = r"\s+(?:when|if|whenever|exactly when|provided)\b"
_MARKS = re.compile(r"[*_`]+")


def asked_name(question: str) -> str:
    """The thing of which a question asks what it is ("What is a pivot column?"), without its
    article; empty where it asks something else."""
    for pattern in _ASKING:
        found = pattern.match(question)
        if found is not None:
            return found.group("name").strip()
    return ""


def defines(name: str, text: str) -> bool:
    """Whether a sentence or entry says what ``name`` itself is: no longer name that ends with
    it ("a dominant eigenvalue is ..." for "eigenvalue"), and no other use of the word."""
    spelled = _spelled(name)
    if not spelled:
        return False
    plain = fold(_MARKS.sub("", text))
    opening = rf"^\W*(?:\d+[.)]\s+)?(?:(?:an?|the|each|every|any)\s+)?{spelled}"
    return (
        re.match(rf"{opening}{_AFTER_NAME}{_SAYS}", plain) is not None
        or re.match(rf"{opening}(?:\s*\([^)]{{1,40}}\))?\s*(?::\s|[–—]|\s-\s)", plain) is not None
        or re.search(rf"{_CALLED}{spelled}(?!-|\s+\w)", plain) is not None
        or re.match(rf"[^,;:]{{2,60}}\b(?:is|are) (?:said to be )?{spelled}{_WHEN}", plain)
        is not None
    )


def defines_what_forms(question: str, text: str) -> bool:
    """Whether a text defines the thing of which the question asks when something is one:
    "A basis is a list of vectors that ..." to "When do vectors form a basis?"."""
    asked = _FORMING.match(question)
    return asked is not None and defines(asked.group(1), text)


def _spelled(name: str) -> str:
    """A pattern for a folded name with any space, in the singular and the plural."""
    words = fold(_MARKS.sub("", name)).split()
    if not words:
        return ""
    *first, last = (re.escape(word) for word in words)
    stem = last.removesuffix("s") if len(last) > 3 and not last.endswith("ss") else last
    return r"[\s-]+".join([*first, rf"{stem}(?:s|es)?(?![\w-])"])
