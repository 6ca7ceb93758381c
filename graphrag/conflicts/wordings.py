"""Sentences that two documents have in the same words, but for a number, a day or a "not"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from operator import attrgetter

from graphrag.conflicts.statements import CHANGE_NOTE, Statement, states_line
from graphrag.conflicts.values import CLOCK, OPPOSITES, Value, measure, times_of_day
from graphrag.domain import Block, Document
from graphrag.sentences import split_sentences
from graphrag.wording.days import DAY_IN_YEAR
from graphrag.wording.numbers import ORDINALS, numbers
from graphrag.wording.terms import content_words, words

_LEAST_WORDS = 3
_MOST_WORDS = 40
_NOT = re.compile(
    r"(?<![\w-])(?:not|never|no|cannot|without|neither|nor)(?![\w-])|n['’]t\b", re.IGNORECASE
)
_FORBIDS = frozenset(words("false off disabled forbidden prohibited optional"))
_TAKES_SIDES = frozenset(word for pair in OPPOSITES for word in pair) - {"yes", "no"}
_MARK = re.compile(r"\W*(?:\d+(?:\.\d+)*[.:)\]]|\d+(?:\.\d+)+|[-*•])\s+")
_PLACE = re.compile(
    rf"\b({'|'.join(ORDINALS)})(?= (?:day|week|month|year|hour|working day)\b)", re.IGNORECASE
)
_TIME = re.compile(rf"(?<![\d:.]){CLOCK.pattern}(?![\d:])")
_MOST_NUMBERS = 2
_LONGEST = 600
_OPEN = ("?", ":")
_LEANS = re.compile(
    rf"\W*(?:this|that|these|those|it|they|he|she|such|here|there)\b|{CHANGE_NOTE.pattern}",
    re.IGNORECASE,
)
_REFERENCE = re.compile(
    r"\b(?:section|chapter|table|figure|fig\.|part|appendix|page|equation|example)s?\s\d",
    re.IGNORECASE,
)
_SHOWN = 80


def worded_alike(document: Document) -> Iterator[Statement]:
    """Each sentence of three to forty different words that carry meaning, twice: what numbers
    it gives, under its words and its sense, and its sense, under its words and its numbers.

    The sense is whether it denies: ``not`` and its like, and one word of a pair such as
    ``allowed`` and ``forbidden``, turn it over.
    """
    for block in document.blocks:
        if block.kind not in ("paragraph", "list", "quote"):
            continue
        text = document.text[block.start : block.stop]
        for part in text.split("\n") if block.kind == "list" else [text]:
            if states_line(part):  # which is compared by its key
                continue
            for span in split_sentences(part):
                yield from _of_sentence(document, block, part[span.start : span.stop])


def _of_sentence(document: Document, block: Block, sentence: str) -> Iterator[Statement]:
    """Formulas and rows of numbers are examples as a rule, and questions state nothing; what
    begins with ``this`` or ``changed in version``, or refers to ``Section 3``, speaks of its
    own document."""
    if mark := _MARK.match(sentence):
        sentence = sentence[mark.end() :]
    if (
        len(sentence) > _LONGEST
        or "$" in sentence
        or sentence.rstrip('*_"” ').endswith(_OPEN)
        or _LEANS.match(sentence)
        or _REFERENCE.search(sentence)
    ):
        return
    found = _amounts(sentence)
    if len(found) > _MOST_NUMBERS:
        return
    plain = sentence
    for each in reversed(found):
        plain = f"{plain[: each.start]} {plain[each.stop :]}"
    terms, sense, sides = _terms_and_sense(plain)
    if not _LEAST_WORDS <= len(terms) <= _MOST_WORDS:
        return
    measures = sorted((each.unit, each.value) for each in found)
    quantity = Value(
        "quantity", tuple(value for _, value in measures), tuple(unit for unit, _ in measures)
    )
    quote = " ".join(sentence.split())
    name = quote if len(quote) <= _SHOWN else f"{quote[: _SHOWN - 1]}…"
    amounts = ", ".join(sentence[each.start : each.stop].strip() for each in found)
    both = ((sense.parts, quantity, amounts), (quantity.parts, sense, sense.parts[0]))
    for rest, value, said in both:
        if value.parts:
            yield Statement(
                "wording", (*terms, "/", *sides, *rest), name, said, (value,),
                document.id, block.heading_path, quote, block.page,
            )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Amount:
    """A number, a day, a time or a place in order, with where it stands in its sentence."""

    start: int
    stop: int
    unit: str
    value: str


def _amounts(sentence: str) -> list[_Amount]:
    """What a sentence says in numbers, in its order; those of a day or a time are a part of it."""
    found = [
        _Amount(*each.span(), "day", " ".join(sorted(each[0].lower().split())))
        for each in DAY_IN_YEAR.finditer(sentence)
    ]
    found += [
        _Amount(*each.span(), "clock", "-".join(times_of_day(each[0])))
        for each in _TIME.finditer(sentence)
    ]
    for number in numbers(sentence, spelled=True):
        if not any(each.start <= number.start < each.stop for each in found):
            value = measure(number)
            found.append(_Amount(number.start, number.stop, value.units[0], value.parts[0]))
    found += [
        _Amount(*each.span(1), "place", each[1].lower()) for each in _PLACE.finditer(sentence)
    ]
    return sorted(found, key=attrgetter("start", "stop"))


def _terms_and_sense(sentence: str) -> tuple[tuple[str, ...], Value, tuple[str, ...]]:
    """The words that carry meaning, but for one that takes sides, and yes or no; a mark where
    there was such a word: it is denied by its opposite, not by its absence."""
    said = words(sentence)
    turns = [word for word in said if word in _TAKES_SIDES]
    terms = set(content_words(" ".join(word for word in said if word not in turns)))
    denials = len(_NOT.findall(sentence)) + sum(word in _FORBIDS for word in turns)
    sides = ("sides",) if turns else ()
    return tuple(sorted(terms)), Value("flag", ("no" if denials % 2 else "yes",)), sides
