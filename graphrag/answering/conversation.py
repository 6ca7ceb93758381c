"""Follow-up questions completed from the thread, so that each can be answered by itself."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from graphrag.answering.follow_ups import (
    ADDED,
    ADDED_CLAUSE,
    ALONE,
    ASIDE,
    DIFFERENCE,
    DIFFERENCE_TO,
    DOING,
    EMPTY_IT,
    EXAMPLE,
    EXPLAIN,
    FILLER,
    FORMER,
    LEADING,
    ONE,
    PLURAL,
    POINTING,
    POSSESSIVE,
    PRONOUN,
    RELATIONAL,
    RELATIONAL_NOUN,
    STRUGGLING,
    WAY,
    WHOLE,
)
from graphrag.wording.entries import code_names
from graphrag.wording.terms import content_words, identifiers

_STAND_INS = (PRONOUN, POSSESSIVE, ONE, FORMER)
_BY_ITSELF = (ALONE, EXPLAIN, EXAMPLE, DIFFERENCE)
# Words of a fragment that takes a topic's place, and of one that is added to a question.
_FEW, _ADDED = 3, 7
_CAPITALS = re.compile(r"\b[A-Z][A-Z0-9]+\b")
_PREPOSITION = re.compile(r"^(?:for|with|of|in|at|on)\s+", re.IGNORECASE)
# "lock modes" of "What lock modes are there?", where nothing in a question is known by name.
_ASKED_FOR = re.compile(
    r"^\W*(?:what|which) (?:kinds? of |types? of )?(?P<noun>[a-z][\w-]*(?: [\w-]+)?) "
    r"(?:are|is|does|do|can|exist|has|have)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Turn:
    """One question of a conversation as it was answered, and what it was about: codes and
    names of concepts as they stand in it, most telling first."""

    question: str
    topics: tuple[str, ...]


def topics(question: str, names: Sequence[str] = ()) -> tuple[str, ...]:
    """What a question is about: its codes, options and names of code, then the names of concepts
    found in it, as they stand in it; the longest first, those inside longer ones left out."""
    options = [name for name in code_names(question) if len(name) > _FEW or name.startswith("-")]
    capitals = [] if question.isupper() else _CAPITALS.findall(question)
    known = [*sorted(names, key=lambda n: (-len(n), n)), *capitals]
    known.sort(key=lambda name: RELATIONAL_NOUN.fullmatch(name) is not None)
    found: list[str] = []
    for name in [*identifiers(question), *options, *known]:
        if not any(name.lower() in other.lower() for other in found):
            found.append(name)
    if not found and (asked := _ASKED_FOR.match(question)):
        found = [asked.group("noun")]
    return tuple(found)


def is_follow_up(question: str) -> bool:
    """Whether the question leans on what was asked before; a lone code does."""
    if question.strip(" ?.!") in identifiers(question):
        return True
    if any(form.match(question) for form in (*_BY_ITSELF, DIFFERENCE_TO, LEADING, RELATIONAL)):
        return True
    if _is_added(question.strip()) or POINTING.search(question):
        return True
    bare = EMPTY_IT.sub(" ", question)
    return any(form.search(bare) for form in _STAND_INS)


def complete(question: str, turns: Sequence[Turn], names: Sequence[str] = ()) -> str:
    """The question with what it leaves out, taken from the last turn that has a topic.

    "What about E1043?" after "What does E1042 mean?" asks what E1043 means; "Why does it
    trip?" puts the topic in the pronoun's place; "with a header" is added to the question
    before; "Why?" asks why of it. A question that stands by itself is given back as it is, but
    for thanks before it. ``names`` are the concepts found in the question itself.
    """
    asked = _asking(question)
    told = [turn for turn in turns if turn.topics]
    if not told or not is_follow_up(asked):
        bare = FILLER.sub("", asked, count=1)
        return _capital(bare) if told and bare != asked and WHOLE.match(bare) else asked
    own = topics(asked, names)
    return (
        _by_itself(asked, told)
        or _as_fragment(asked, told[-1], own)
        or _with_stand_ins(asked, told[-1], own)
    )


def _asking(question: str) -> str:
    """The question without thanks before it, and as one where it says what is not understood."""
    asked = ASIDE.sub("", question, count=1)
    unclear = STRUGGLING.match(asked)
    if unclear is not None:
        rest = asked[unclear.end() :].rstrip(" .!?")
        asks = re.match(r"(?:what|which|how|why|when|where|who|if|whether)\b", rest, re.IGNORECASE)
        return f"{_capital(rest)}?" if asks else f"Explain {rest}."
    return asked if asked == question else _capital(asked)


def _by_itself(question: str, told: Sequence[Turn]) -> str:
    """A follow-up that names nothing ("Why?", "What is the difference?"), completed."""
    before = told[-1]
    topic, bare = _named(before), question.rstrip(" ?.!")
    if EXPLAIN.match(question):
        return f"Explain {topic}."
    if ALONE.match(question):
        return f"{bare}: {before.question}"
    if EXAMPLE.match(question):
        return f"Give an example of {topic}."
    if DIFFERENCE.match(question) and (both := _two(told)):
        return f"What is the difference between {both[0]} and {both[1]}?"
    to = DIFFERENCE_TO.match(question)
    if to is not None:
        return f"What is the difference between {before.topics[0]} and {to.group('other')}?"
    relational = RELATIONAL.match(question)
    if relational is not None:
        joint = f" ({before.topics[0]})?" if relational.group("verb") else f" of {topic}?"
        return FILLER.sub("", bare, count=1) + joint
    return ""


def _as_fragment(question: str, before: Turn, own: Sequence[str]) -> str:
    """A piece of a question, put in the place of a topic or added to the question before."""
    led, rest = LEADING.match(question) is not None, LEADING.sub("", question, count=1)
    piece = rest.rstrip(" ?.!")
    doing, way = DOING.fullmatch(piece), WAY.match(before.question)
    if led and doing is not None and way is not None:
        return f"{_capital(way.group(1))} {doing.group(1)} {_named(before)}?"
    if WHOLE.match(piece) or _leans(piece):
        return _capital(rest) if led and own and not _leans(piece) else ""
    noun = _PREPOSITION.sub("", piece)
    if _is_only(noun, own) or (_is_brief(noun) and noun == piece):
        return _exchanged(before, noun)
    if _is_added(piece) or (led and ADDED_CLAUSE.match(piece)):
        return f"{before.question.rstrip(' ?.!')} {piece[:1].lower()}{piece[1:]}?"
    return ""


def _with_stand_ins(question: str, before: Turn, own: Sequence[str]) -> str:
    """The question with the topic in the place of what stands for it, else behind it."""
    topic, bare = _named(before), FILLER.sub("", question, count=1)
    former = FORMER.search(bare)
    if former is not None and len(before.topics) > 1:
        first, last = sorted(before.topics[:2], key=before.question.find)
        place = former.group(1).lower()
        return _capital(FORMER.sub(first if place.startswith("f") else last, bare, count=1))
    possessive = POSSESSIVE.sub(lambda _: f"{topic}'s", bare, count=1)
    if possessive != bare:
        return _capital(possessive)
    for stands_for_it in (PRONOUN, ONE):
        replaced = stands_for_it.sub(lambda found: _agreeing(found.group(), before), bare, count=1)
        if replaced != bare:
            return _capital(replaced)
    if own and not POINTING.search(bare) and not LEADING.match(question):
        return _capital(bare)
    fragment = LEADING.sub("", question, count=1) if LEADING.match(question) else bare
    return f"{_capital(fragment.rstrip(' ?.!'))} ({before.topics[0]})?"


def _is_brief(piece: str) -> bool:
    """Whether a piece is but a thing: "the QR factorization", and neither "the remedy" nor
    something that is done."""
    bare = re.sub(r"^(?:an?|the)\s+", "", piece, flags=re.IGNORECASE)
    other = RELATIONAL_NOUN.fullmatch(bare) or ADDED.match(piece) or ADDED_CLAUSE.match(piece)
    return len(bare.split()) <= _FEW and other is None


def _is_added(fragment: str) -> bool:
    return ADDED.match(fragment) is not None and len(fragment.split()) <= _ADDED


def _leans(text: str) -> bool:
    return any(form.search(text) for form in _STAND_INS)


def _is_only(text: str, own: Sequence[str]) -> bool:
    """Whether a text says nothing but a topic, with an article at most."""
    rest = text
    for topic in own:
        rest = re.sub(re.escape(topic), " ", rest, flags=re.IGNORECASE)
    return bool(own) and not content_words(rest)


def _two(told: Sequence[Turn]) -> tuple[str, str] | None:
    """The two things that were talked of last, in their order."""
    last = told[-1]
    if len(last.topics) > 1:
        first, second = sorted(last.topics[:2], key=last.question.find)
        return first, second
    others = (turn.topics[0] for turn in reversed(told))
    other = next((each for each in others if each.lower() != last.topics[0].lower()), "")
    return (other, last.topics[0]) if other else None


def _named(turn: Turn) -> str:
    """The topic of a turn with the article that it has there."""
    found = re.search(rf"\b(?:an?|the)\s+{re.escape(turn.topics[0])}", turn.question, re.IGNORECASE)
    if found is None:
        return turn.topics[0]
    return found.group()[0].lower() + found.group()[1:]


def _agreeing(pronoun: str, turn: Turn) -> str:
    """The topic in a pronoun's place: "them" for "an eigenvalue" are eigenvalues."""
    named = _named(turn)
    singular = re.match(r"an?\s+(?=[\w -]*[a-z]$)", named)
    if singular is None or not PLURAL.fullmatch(pronoun):
        return named
    bare = named[singular.end() :]
    if bare.endswith("s"):
        return bare
    if re.search(r"(?:x|ch|sh)$", bare):
        return f"{bare}es"
    return f"{bare[:-1]}ies" if re.search(r"[^aeiou]y$", bare) else f"{bare}s"


def _exchanged(before: Turn, instead: str) -> str:
    topic = before.topics[0]
    pattern = re.compile(rf"(?:\b(?:an?|the)\s+)?{re.escape(topic)}", re.IGNORECASE)
    if not pattern.search(before.question):
        return f"{before.question.rstrip(' ?.!')}: {instead}?"
    return pattern.sub(lambda _: instead, before.question, count=1)


def _capital(text: str) -> str:
    text = text.strip()
    return text[:1].upper() + text[1:]
