"""What sentences and rows claim of a thing: a measure in the sentence that names it, as in
"I always do 65 Nm" behind "What torque do you put on the coupling bolts?"."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from graphrag.conflicts.naming import is_key, name_spans
from graphrag.conflicts.statements import Statement, table_rows
from graphrag.conflicts.values import Value, measure
from graphrag.domain import Block, Document
from graphrag.sentences import split_sentences
from graphrag.wording.numbers import Number, numbers
from graphrag.wording.terms import content_words

_BOUNDS = (
    ("at most", r"at most|up to|no more than|not more than|maximum|max\.?|under|below|within"
     r"|less than|fewer than|before|until|exceeds?"),
    ("at least", r"at least|no less than|not less than|minimum|min\.?|over|above|more than"
     r"|longer than|beyond"),
    ("every", r"every|each|per"),
    ("after", r"after|in|by|from|than|to within|another|further"),
    ("about", r"about|some|around|roughly|almost|nearly|approximately"),
)  # fmt: skip
_BOUND = [
    (name, re.compile(rf"(?:^|\b)(?:{words})\W*\Z", re.IGNORECASE)) for name, words in _BOUNDS
]
_EACH = re.compile(r"\s+(?:per|each|every|an?)\s+[\w ]{2,20}\Z", re.IGNORECASE)
_OF = re.compile(r" of (?:the |an? )?")
_GOES_ON = re.compile(r"\b(?:according|depending|including|starting|beginning|following)\b")
_HOLDS_VALUE = frozenset(content_words("lasts takes costs weighs measures equals totals"))
"""Verbs that say no more than ``is``."""
_CONDITION = re.compile(
    r"\b(?:if|when|whenever|unless|until|once|while|whether|where|would|could|instead|example"
    r"|suppose|let|e\.g)\b",
    re.IGNORECASE,
)


def claims(document: Document) -> Iterator[Statement]:
    """Each measure with a unit, under the name that stands nearest before it in its sentence,
    or behind it ("28 days of annual leave"), or in the question before, or in the other cells
    of its row.

    A name is two to four words that carry meaning. Where a sentence has two measures of one
    unit, a condition or an example, nothing is claimed.
    """
    for block in document.blocks:
        text = document.text[block.start : block.stop]
        if block.kind == "table":
            yield from _of_rows(document, block, text)
        elif block.kind in ("paragraph", "list", "quote"):
            for part in text.split("\n") if block.kind == "list" else [text]:
                yield from _of_sentences(document, block, part)


def _of_sentences(document: Document, block: Block, text: str) -> Iterator[Statement]:
    question = ""
    for span in split_sentences(text):
        sentence = text[span.start : span.stop]
        if sentence.rstrip('*_"” ').endswith("?"):
            question = sentence
            continue
        found = [number for number in numbers(sentence, spelled=True) if number.unit]
        counts = Counter(measure(number).units for number in found)
        for number in found:
            value = measure(number)
            before = sentence[: number.start]
            if counts[value.units] > 1 or _CONDITION.search(before):
                continue
            name = _nearest(before) or _of_what(sentence, number.stop) or _nearest(question)
            if name:
                said = sentence[number.start : number.stop].strip()
                yield _claim(document, block, name, _bound(before), said, value, sentence)
        question = ""


def _of_rows(document: Document, block: Block, text: str) -> Iterator[Statement]:
    for line, cells in table_rows(text):
        found = {
            at: measure(number)
            for at, cell in enumerate(cells)
            if (number := _sole(cell)) is not None
        }
        counts = Counter(value.units for value in found.values())
        for at, value in found.items():
            if counts[value.units] > 1:
                continue
            for cell in cells[:at]:
                names = _names(cell)
                if len(names) == 1 and names[0] == tuple(content_words(cell)):
                    yield _claim(document, block, cell, "", cells[at], value, line)


def _sole(cell: str) -> Number | None:
    """The measure that is all of a cell, but for what it is counted by: ``25 EUR per month``."""
    found = numbers(_EACH.sub("", cell))
    whole = len(found) == 1 and found[0].unit and found[0].start == 0
    return found[0] if whole and found[0].stop == len(_EACH.sub("", cell)) else None


def _claim(
    document: Document, block: Block, name: str, bound: str, said: str, value: Value, quote: str
) -> Statement:
    terms = content_words(name)
    while len(terms) > 2 and terms[-1] in _HOLDS_VALUE:
        terms = terms[:-1]
    key = (*terms, "/", bound, *value.units)
    return Statement(
        "cell" if block.kind == "table" else "claim", key, " ".join(name.split()), said, (value,),
        document.id, block.heading_path, " ".join(quote.split()), block.page,
    )  # fmt: skip


def _bound(before: str) -> str:
    """Whether the number behind the text bounds a value, and from which side."""
    return next((name for name, pattern in _BOUND if pattern.search(before[-24:])), "")


def _nearest(text: str) -> str:
    """The last name of a text, as written; empty where there is none, or where it is a key."""
    spans = name_spans(text)
    if not spans or is_key(text, spans[-1]):
        return ""
    return text[spans[-1].start : spans[-1].stop]


def _of_what(sentence: str, start: int) -> str:
    """The name of what is measured: ``annual leave`` behind "28 days" in "28 days of annual
    leave"; empty where there is none."""
    of = _OF.match(sentence, start)
    if of is None:
        return ""
    goes_on = _GOES_ON.search(sentence, of.end())
    spans = name_spans(sentence, of.end(), goes_on.start() if goes_on else None)
    starts_there = bool(spans) and spans[0].start == of.end()
    return sentence[spans[0].start : spans[0].stop] if starts_there else ""


def _names(text: str) -> list[tuple[str, ...]]:
    return [tuple(content_words(text[span.start : span.stop])) for span in name_spans(text)]
