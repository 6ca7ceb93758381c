"""Further names that a text gives: ``It is also called a linear map``."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from graphrag.concepts.generic import is_generic
from graphrag.concepts.names import key_tokens, name_key
from graphrag.concepts.short_forms import commonest
from graphrag.domain import Annotation, Document, Span

_ALSO = re.compile(
    r"\b(?:also|sometimes|often|otherwise|alternatively)\s+(?:called|known\s+as|termed|named"
    r"|referred\s+to\s+as)\s+(?:the\s+|an?\s+)?(?P<first>[\w'’-]+(?:[ -][\w'’-]+){0,3}?)"
    r"(?:\s+or\s+(?:the\s+|an?\s+)?(?P<second>[\w'’-]+(?:[ -][\w'’-]+){0,3}?))?"
    r"(?=\s*(?:[.,;:()]|$|\s(?:of|for|in|on|and|when|because|if|is|are|since|by|to|at|or)\b))"
)
_NAMED = ("called", "known", "termed", "named", "referred")  # one of them is in each match
_REACH = 120
# "Newton's second law, $F = ma$": what states something may go by its formula as well.
_STATING = (
    r"(?:equations?|formulas?|formulae|identit(?:y|ies)|inequalit(?:y|ies)|laws?|rules?|relations?"
    r"|theorems?|equivalences?|principles?)"
)
_STATED = r"\$(?P<formula>[^$\n]*(?:=|<|>|\\[lg]eq?\b|\\propto)[^$\n]*)\$"
_BEHIND = re.compile(rf"[*_]*,?\s+{_STATED}")
_BEFORE = re.compile(
    rf"\b{_STATING}\s+{_STATED}\s+(?:is|are)\s+(?:called|known\s+as)\s+(?:the\s+)?[*_]*$"
)
_STATES = re.compile(rf"\b{_STATING}$", re.IGNORECASE)
_LONGEST_FORMULA = 60


def also_called(document: Document, annotation: Annotation) -> list[tuple[str, str]]:
    """(name, further name) for each ``also called``; the name is the term that the same
    sentence, or the one before it, defines last; for ``It is also called``, the term that
    was defined last under the same heading."""
    if not any(word in document.text for word in _NAMED):
        return []
    terms = sorted(
        (d.term for d in annotation.definitions if d.form != "heading"), key=lambda t: t.start
    )
    headings = [block.start for block in document.blocks if block.kind == "heading"]
    found: list[tuple[str, str]] = []
    previous: Span | None = None
    for sentence in annotation.sentences:
        text = document.text[sentence.start : sentence.stop]
        match = _ALSO.search(text)
        if match is not None:
            start = previous.start if previous is not None else sentence.start
            if text.startswith("It "):
                start = max((place for place in headings if place < sentence.start), default=0)
            stop = sentence.start + match.start()
            before = [t for t in terms if start <= t.start and t.stop <= stop]
            if before:
                name = document.text[before[-1].start : before[-1].stop]
                others = [other for other in match.groups() if other]
                found += [(name, n) for n in others if not is_generic(n, defined=True)]
        previous = sentence
    return [pair for pair in found if name_key(pair[0]) != name_key(pair[1])]


def _entry_names(document: Document, annotation: Annotation) -> list[tuple[str, str]]:
    """(name, further name) for entries such as ``Flush, seal flush``, of which the longer name
    holds the shorter."""
    found = []
    for definition in annotation.definitions:
        name = document.text[definition.term.start : definition.term.stop]
        parts = sorted(name.split(", "), key=len, reverse=True)
        if definition.form == "glossary" and len(parts) == 2:
            longer, shorter = (set(key_tokens(part)) for part in parts)
            found += [(parts[0], parts[1])] if shorter < longer else []
    return found


def _formula_names(document: Document, annotation: Annotation) -> list[tuple[str, str]]:
    """(name, formula) where a name is followed by what it states, or the other way round:
    ``the relation $E = mc^2$ is called mass-energy equivalence``."""
    if "$" not in document.text:
        return []
    found = []
    for term in (definition.term for definition in annotation.definitions):
        name = document.text[term.start : term.stop]
        behind = _BEHIND.match(document.text, term.stop) if _STATES.search(name) else None
        before = _BEFORE.search(document.text[max(0, term.start - _REACH) : term.start])
        for match in (behind, before):
            if match is not None and len(match["formula"]) <= _LONGEST_FORMULA:
                found.append((name, match["formula"].strip()))
    return found


def further_names(
    documents: Sequence[Document], annotations: Mapping[str, Annotation]
) -> dict[str, str]:
    """Further name to name, over a corpus. One that was given to several names belongs to
    the most frequent, ties by name."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for document in documents:
        annotation = annotations.get(document.id, Annotation())
        for names in (also_called, _entry_names, _formula_names):
            for name, other in names(document, annotation):
                counts[other][name] += 1
    return _commonest(counts)


def _commonest(counts: Mapping[str, Counter[str]]) -> dict[str, str]:
    return {other: commonest(names) for other, names in sorted(counts.items())}
