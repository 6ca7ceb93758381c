"""The signs that tie a wrong answer to a concept, by what the documents say of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import log
from string import ascii_letters

import numpy as np
from numpy.typing import NDArray

from graphrag.domain import Concept
from graphrag.sentences import split_sentences
from graphrag.wording.terms import any_name, content_words

Embed = Callable[[Sequence[str]], NDArray[np.float32]]
Texts = Mapping[str, Sequence[tuple[str, str]]]
Floats = NDArray[np.float64]

_CLAUSE = re.compile(
    r"[,;:]|\b(?:because|since|so|as|therefore|which|but|hence|thus|when|whenever)\b",
    re.IGNORECASE,
)
_REASON = re.compile(
    r"\b(?:(?P<behind>because|since|as|for)|so|thus|hence|therefore)\b", re.IGNORECASE
)
_FEWEST_WORDS = 4
_FEWEST_OF_A_REASON = 3
_RULE = re.compile(r"[\s|:-]*")
_LEAD = re.compile(r"^\W*(?:(?:an?|the|every|each)\s+)?", re.IGNORECASE)
# Long passages hold more words by chance alone.
_LENGTH = 20
# A passage is about a concept if its first line names it, or this share of its sentences;
# of a glossary's page only the own entry speaks of a concept.
_ABOUT = 0.25


@dataclass(frozen=True, slots=True)
class Portrait:
    """What the documents say of a concept: the sentences that name it, those that open
    with its name (and so define it) first, then those of passages about it; how many are
    defining ones; and the words of these sentences and of the passages about it."""

    naming: tuple[str, ...] = ()
    definitions: int = 0
    words: frozenset[str] = frozenset()
    defining_words: frozenset[str] = frozenset()


def portray(concept: Concept, passages: Sequence[tuple[str, str]]) -> Portrait:
    """The portrait of a concept from the (chunk id, text) of its passages, best first.

    What ends in a letter is a heading or a name in a list and says nothing."""
    pattern = names_pattern(concept)
    defining: list[str] = []
    central: list[str] = []
    aside: list[str] = []
    words: set[str] = set()
    for _, text in passages:
        sentences = told(text)
        named = [bool(pattern.search(sentence)) for sentence in sentences]
        head = pattern.search(text.split("\n", 1)[0])
        about = bool(head) or sum(named) >= max(1.0, _ABOUT * len(sentences))
        for sentence, naming in zip(sentences, named, strict=True):
            whole = len(sentence.split()) >= _FEWEST_WORDS and sentence[-1] not in ascii_letters
            if (naming or about) and whole:
                words.update(content_words(sentence))
                if naming:
                    opens = opens_with(pattern, sentence)
                    (defining if opens else central if about else aside).append(sentence)
    return Portrait(
        tuple(dict.fromkeys([*defining, *central, *aside])),
        len(set(defining)),
        frozenset(words),
        frozenset(word for sentence in defining for word in content_words(sentence)),
    )


def told(text: str) -> list[str]:
    """The sentences of a text, each on one line; of a table each row, but for its rule."""
    found: list[str] = []
    for is_row, lines in groupby(text.splitlines(keepends=True), _is_row):
        rows = list(lines)
        if is_row and len(rows) > 1:
            found += [" ".join(row.split()) for row in rows if not _RULE.fullmatch(row)]
        else:
            piece = "".join(rows)
            spans = split_sentences(piece)
            found += [" ".join(piece[span.start : span.stop].split()) for span in spans]
    return found


def _is_row(line: str) -> bool:
    return line.lstrip().startswith("|")


def names_pattern(concept: Concept) -> re.Pattern[str]:
    """Matches the concept's names as whole words, in the plural too."""
    return re.compile(any_name((concept.name, *concept.aliases)), re.IGNORECASE)


def opens_with(pattern: re.Pattern[str], sentence: str) -> bool:
    """Whether the sentence begins with a name, an article or list mark aside."""
    lead = _LEAD.match(sentence)
    return bool(pattern.match(sentence, lead.end() if lead else 0))


def clauses(text: str) -> list[str]:
    """The sentences of a text and their longer clauses: each may carry a claim."""
    found: list[str] = []
    for span in split_sentences(text):
        sentence = text[span.start : span.stop]
        parts = [part.strip() for part in _CLAUSE.split(sentence)]
        found.append(sentence)
        found.extend(part for part in parts if len(part.split()) >= _FEWEST_WORDS)
    return list(dict.fromkeys(found)) or [text]


def reasons(answer: str) -> list[str]:
    """What an answer gives as a reason, where the rule stands that it goes by: what follows
    "because", "since", "as" or "for", and both sides of "so", "thus", "hence" and
    "therefore", by the first of these in a sentence; its clauses where it gives none."""
    found: list[str] = []
    for span in split_sentences(answer):
        sentence = answer[span.start : span.stop]
        mark = _REASON.search(sentence)
        if mark:
            sides = [sentence[mark.end() :]]
            sides += [] if mark["behind"] else [sentence[: mark.start()]]
            found += [side.strip(" ,") for side in sides]
    return [side for side in found if len(side.split()) >= _FEWEST_OF_A_REASON] or clauses(answer)


def shared_words(
    said: Sequence[str], bags: Sequence[frozenset[str]], crowd: Sequence[frozenset[str]]
) -> list[float]:
    """For each bag the summed rarity of the said words in it, less for long bags; rarity
    is -ln of the share of the ``crowd`` that holds a word."""
    rarity = {
        word: log((1 + len(crowd)) / (1 + sum(word in bag for bag in crowd)))
        for word in sorted(set(said))
    }
    return [
        sum(rarity[word] for word in rarity if word in bag) / log(_LENGTH + len(bag))
        for bag in bags
    ]


def closeness(
    probes: NDArray[np.float32], groups: Sequence[Sequence[str]], embed: Embed
) -> tuple[Floats, list[str]]:
    """How much closer each group's best text comes to a probe than to a text of the other
    groups on average, and that text; 0 and "" for an empty group.

    ``probes`` are unit vectors of shape (probes, dimension). Taking off the average keeps
    concepts that are talked of everywhere from being close to everything.
    """
    flat = [text for group in groups for text in group]
    if not flat:
        return np.zeros(len(groups)), [""] * len(groups)
    vectors = embed(flat)
    crowd = vectors @ vectors.T
    to_probe = (vectors @ probes.T).max(axis=1)
    values, best, start = np.zeros(len(groups)), [], 0
    for index, group in enumerate(groups):
        mine = slice(start, start + len(group))
        start += len(group)
        if not group:
            best.append("")
            continue
        others = np.delete(crowd[mine], mine, axis=1)
        usual = float(others.max(axis=0).mean()) if others.size else 0.0
        place = int(to_probe[mine].argmax())
        values[index] = float(to_probe[mine][place]) - usual
        best.append(group[place])
    return values, best


def standard(values: Sequence[float] | Floats) -> Floats:
    """The values less their mean, by their standard deviation; zeros where all are alike."""
    array = np.asarray(values, dtype=np.float64)
    spread = float(array.std()) if array.size else 0.0
    return (array - array.mean()) / spread if spread > 1e-9 else np.zeros_like(array)
