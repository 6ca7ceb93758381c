"""Follow-up questions completed from the thread, so that each can be answered by itself."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from graphrag.wording.terms import content_words, identifiers


@dataclass(frozen=True, slots=True)
class Turn:
    """One question of a conversation as it was answered, and what it was about: codes and
    names of concepts as they stand in it, most telling first."""

    question: str
    topics: tuple[str, ...]


_LEADING = re.compile(
    r"^\s*(?:and|but|so|then|also|ok(?:ay)?|well|or)?[\s,]*"
    r"(?:what|how) about\s+|^\s*(?:and|or|but)[\s,]+(?:for|with|of|in|at|on)?\s*",
    re.IGNORECASE,
)
_FILLER = re.compile(r"^\s*(?:and|but|so|then|also|ok(?:ay)?|well)[\s,]+", re.IGNORECASE)
_POSSESSIVE = re.compile(r"\b(?:its|their|his|her)\b(?= \w)", re.IGNORECASE)
_PRONOUN = re.compile(
    r"\b(?:it|they|them|he|she|him|these|those|this one|that one|the same|"
    r"(?:this|that)(?=\s*(?:[?.!,]|$|is|are|was|do|does|did|can|mean|come|work|happen|help|matter|"
    r"good for|used for|needed|called)))"
    r"\b(?!')",
    re.IGNORECASE,
)
_ONE = re.compile(r"(?<!\bthis )(?<!\bthat )(?<!\bwhich )\bone(?=\s*(?:[?.!,]|$))", re.IGNORECASE)
_STAND_INS = (_PRONOUN, _POSSESSIVE, _ONE)
# A question with its verb: "and what is a basis" asks nothing of what was before.
_WHOLE = re.compile(
    r"\s*(?:what|who|when|where|why|how|which(?: \w+)?)\s+"
    r"(?:is|are|was|were|do|does|did|can|could|should|must|will|would|has|have)\b"
    r"|\s*(?:define|explain|describe|compare)\s",
    re.IGNORECASE,
)
_EMPTY_IT = re.compile(
    r"\bit (?:is|was) (?:possible|necessary|true|important|better|best)|is it (?:possible|true|"
    r"necessary|better|allowed|safe|ok)|\bhow (?:long|far|much) (?:does|will) it take\b",
    re.IGNORECASE,
)
_ALONE = re.compile(
    r"^\s*(?:why(?: not)?|how(?: so| come)?|when|where|who|for example|an? example|examples?|"
    r"(?:tell me |show me |say )?more(?: about (?:it|that|this))?|go on|explain|"
    r"in which order|prove it|show me|really|is that so|what else|what then)"
    r"\s*[?.!]*\s*$",
    re.IGNORECASE,
)
_ASKS_EXAMPLE = re.compile(
    r"^\s*(?:please |(?:can|could) you )?(?:give|show|tell)(?: me| us)? (?:please )?"
    r"(?:an(?:other)?|some|more|one|the) (?:simple |concrete |worked |numeric(?:al)? )?examples?"
    r"(?: please)?\s*[?.!]*\s*$",
    re.IGNORECASE,
)


def topics(question: str, names: Sequence[str] = ()) -> tuple[str, ...]:
    """What a question is about: its codes, then the names of concepts found in it, as
    they stand in it; the longest first, those inside longer ones left out."""
    found = list(identifiers(question))
    for name in sorted(names, key=lambda n: (-len(n), n)):
        if not any(name.lower() in other.lower() for other in found):
            found.append(name)
    return tuple(found)


def is_follow_up(question: str) -> bool:
    """Whether the question leans on what was asked before."""
    if any(form.match(question) for form in (_ALONE, _LEADING, _ASKS_EXAMPLE)):
        return True
    bare = _EMPTY_IT.sub(" ", question)
    return any(form.search(bare) for form in (_PRONOUN, _POSSESSIVE, _ONE))


def complete(question: str, turns: Sequence[Turn], names: Sequence[str] = ()) -> str:
    """The question with what it leaves out, taken from the last turn that has a topic.

    "What about E1043?" after "What does E1042 mean?" asks what E1043 means; "Why does it
    trip?" puts the topic in the pronoun's place; "Why?" asks why of the question before.
    A question that stands by itself is given back as it is. ``names`` are the concepts
    found in the question itself.
    """
    before = next((turn for turn in reversed(turns) if turn.topics), None)
    if before is None or not is_follow_up(question):
        return question
    topic = before.topics[0]
    if _ALONE.match(question):
        return f"{question.rstrip(' ?.!')}: {before.question}"
    if _ASKS_EXAMPLE.match(question):
        return f"{question.rstrip(' ?.!')} of {topic}{'?' if '?' in question else '.'}"
    own = topics(question, names)
    bare = _FILLER.sub("", question, count=1)
    if own and _WHOLE.match(bare) and not any(form.search(bare) for form in _STAND_INS):
        return _capital(bare)
    if _LEADING.match(question):
        instead = _LEADING.sub("", question, count=1).rstrip(" ?.!")
        if own and _is_only(instead, own):
            return _exchanged(before, topic, instead)
    possessive = _POSSESSIVE.sub(f"{topic}'s", bare, count=1)
    if possessive != bare:
        return _capital(possessive)
    for stands_for_it in (_PRONOUN, _ONE):
        replaced = stands_for_it.sub(lambda _: topic, bare, count=1)
        if replaced != bare:
            return _capital(replaced)
    return f"{_capital(bare.rstrip(' ?.!'))} ({topic})?"


def _is_only(text: str, own: Sequence[str]) -> bool:
    """Whether a text says nothing but a topic, with an article at most."""
    rest = text
    for topic in own:
        rest = re.sub(re.escape(topic), " ", rest, flags=re.IGNORECASE)
    return not content_words(rest)


def _exchanged(before: Turn, topic: str, instead: str) -> str:
    pattern = re.compile(rf"(?:\b(?:an?|the)\s+)?{re.escape(topic)}", re.IGNORECASE)
    if not pattern.search(before.question):
        return f"{before.question.rstrip(' ?.!')}: {instead}?"
    return pattern.sub(lambda _: instead, before.question, count=1)


def _capital(text: str) -> str:
    text = text.strip()
    return text[:1].upper() + text[1:]
