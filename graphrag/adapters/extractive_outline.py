"""Which excerpts the extractive writer puts below each line of an outline."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Literal

from graphrag.adapters.extractive_candidates import Candidate
from graphrag.adapters.extractive_whole import hollow, opened
from graphrag.wording.terms import content_words

# Sentences quoted on two concepts together, and excerpts that a sentence may open.
_TOGETHER, _OPENED = 4, 6
# How far below the best of them, on the scale of logits, a sentence on two concepts may be.
_BEHIND = 8.0

LineKind = Literal["topic", "relation", "together"]


def line_kind(line: str) -> LineKind:
    """What a line of an outline tells of: one topic, how two are related ("- **a** requires
    **b**."), or what is said of those before it together ("Of a and b together:")."""
    named = re.findall(r"\*\*(.+?)\*\*", line)
    if not named and line.rstrip().endswith(":"):
        return "together"
    numbered = re.match(r"\s*\d+[.)]\s", line)
    return "relation" if len(named) > 1 and not numbered else "topic"


def line_topic(line: str) -> str:
    """The topic of a line: its first name in bold, else what stands before its colon."""
    bold = re.search(r"\*\*(.+?)\*\*", line)
    return bold.group(1) if bold else re.sub(r"^\s*(?:[-*]|\d+[.)])\s*", "", line).split(":")[0]


def outline_topics(lines: Sequence[str]) -> list[str]:
    """The topics that an outline explains, in its order."""
    return [line_topic(line) for line in lines if "**" in line and line_kind(line) == "topic"]


def under(
    line: str, topics: Sequence[str], found: Sequence[Candidate], contexts: Mapping[int, str]
) -> list[Candidate]:
    """What explains a line, of the excerpts of its passages, in their order: its topic, the
    relation of its topics, or what is said of all ``topics`` of the outline together.
    ``contexts`` has the whole text of each numbered passage, with its headings."""
    kind = line_kind(line)
    if kind == "together":
        return _of_all(topics, found, contexts)
    if kind == "relation":
        return _relating(re.findall(r"\*\*(.+?)\*\*", line), found)
    return _explaining(line_topic(line), topics, found)


def _relating(named: Sequence[str], found: Sequence[Candidate]) -> list[Candidate]:
    """The first excerpt that names all, each apart from the others ("matrix" is not named by
    "stochastic matrix"): one that opens with a name before others, entries of a glossary for
    other terms last."""

    def rank(candidate: Candidate) -> tuple[bool, bool, int]:
        entry = all(_defines_other(candidate, set(content_words(name))) for name in named)
        return entry, not _opens_with(candidate.text, named), candidate.order

    return sorted((c for c in found if _names_apart(c.text, named)), key=rank)[:1]


def _names_apart(text: str, names: Sequence[str]) -> bool:
    for name in sorted(names, key=len, reverse=True):
        if not _names(text, name):
            return False
        text = re.sub(rf"\b{re.escape(name)}(?:s|es)?\b", " ", text, flags=re.IGNORECASE)
    return True


def _of_all(
    topics: Sequence[str], found: Sequence[Candidate], contexts: Mapping[int, str]
) -> list[Candidate]:
    """The best sentences that name every topic, then those that name one beside such a
    sentence, or in a passage that touches all and answer as well as the best."""
    told = [c for c in found if c.unit.kind in ("sentence", "item")]
    one = [c for c in told if any(_names(c.text, topic) for topic in topics)]
    naming = [c for c in one if all(_names(c.text, topic) for topic in topics)]
    best = max((c.score for c in naming), default=float("-inf"))
    places = {(c.number, c.unit.block) for c in naming}
    beside = [
        c
        for c in one
        if c not in naming
        and (
            (c.number, c.unit.block) in places
            or (c.score >= best and _touches_all(contexts[c.number], topics))
        )
    ]
    least = max((c.score for c in [*naming, *beside]), default=0.0) - _BEHIND
    ranked = [*sorted(naming, key=_by_score), *sorted(beside, key=_by_score)]
    chosen = [c for c in ranked if c.score >= least][:_TOGETHER]
    formulas = [c for c in opened(chosen, found) if c.unit.kind == "formula"]
    return sorted([*chosen, *formulas], key=lambda c: c.order)


def _touches_all(text: str, topics: Sequence[str]) -> bool:
    """Whether the text has of each topic a word that no other topic has."""
    held = set(content_words(text))
    words = [set(content_words(topic)) for topic in topics]
    own = [each - set().union(*(other for other in words if other is not each)) for each in words]
    return all(held & each for each in own)


def _by_score(candidate: Candidate) -> tuple[float, int]:
    return (-candidate.score, candidate.order)


def _names(text: str, name: str) -> bool:
    return set(content_words(name)) <= set(content_words(text))


def _explaining(
    topic: str, topics: Sequence[str], candidates: Sequence[Candidate]
) -> list[Candidate]:
    """The sentence that explains a topic, the one behind it where that goes on, and the
    formula or list that they open.

    A definition of the topic itself comes before all else; entries of a glossary for other
    terms are never taken, nor sentences that open with another of the outline's ``topics``:
    they are told there.
    """
    names = set(content_words(topic))
    fitting = [
        candidate
        for candidate in candidates
        if candidate.unit.kind in ("sentence", "item")
        and not _defines_other(candidate, names)
        and _opens_with(candidate.text, [topic, *topics]) in ("", topic)
    ]
    if not fitting:
        return []

    empty = hollow(candidates)

    def rank(candidate: Candidate) -> tuple[bool, bool, bool, float, int]:
        opens = _opens_with(candidate.text, [topic]) == topic
        named = bool(names & set(content_words(candidate.text)))
        idle = candidate.order in empty
        return (idle, not opens, not named, -candidate.score, candidate.order)

    best = min(fitting, key=rank)
    goes_on = [
        c
        for c in fitting
        if c.order == best.order + 1
        and c.number == best.number
        and c.unit.kind == "sentence"
        and c.unit.block == best.unit.block
        and c.logit > best.logit - 6
    ]
    chosen = [best, *goes_on]
    behind = [c for c in opened(chosen, candidates) if c.order > best.order]
    return sorted([*chosen, *behind[:_OPENED]], key=lambda c: c.order)


def _opens_with(text: str, topics: Sequence[str]) -> str:
    """The longest of the topics that a text opens with; empty for none."""
    opening = [
        topic
        for topic in topics
        if re.match(rf"^\W*(?:(?:an?|the)\s+)?{re.escape(topic)}s?\b", text, re.IGNORECASE)
    ]
    return max(opening, key=len, default="")


def _defines_other(candidate: Candidate, names: set[str]) -> bool:
    """A glossary's entry ("unit vector: A vector of ...") for another term than those."""
    entry = re.match(r"^\W*([^:.|]{2,50}):\s", candidate.text)
    return (
        candidate.unit.kind == "item"
        and entry is not None
        and set(content_words(entry.group(1))) != names
    )
