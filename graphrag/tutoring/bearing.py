"""Which sentences bear on a wrong answer, and which concepts these speak of and are about.

A page speaks of a dozen concepts, the sentence that the answer contradicts of one or two, and
it is about one. So the sentences of the pages found are judged one by one by a cross-encoder,
those that come closest in meaning first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from re import Pattern

import numpy as np

from graphrag.tutoring.signs import Embed, Floats, told

Score = Callable[[str, Sequence[str]], Sequence[float]]
Sentence = tuple[str, int, str]
"""Chunk id, place in the chunk counted from 0, and text."""

MOST_JUDGED = 40
_FEWEST_WORDS = 4
# A difference of so much in the judge's logit makes a sentence e times as weighty.
_SOFT = 2.0
# What a sentence's neighbours name it speaks of by half.
_BESIDE = 0.5
# Added to both shares, so that a concept of a single sentence is no sure one.
_SPOKEN, _USUAL = 0.02, 0.05


@dataclass(frozen=True, slots=True)
class Bearing:
    """Sentences, and how much each bears on what was said: shares that sum to 1; ``before``
    holds what stands before each in its chunk, the nearest first."""

    sentences: tuple[Sentence, ...] = ()
    shares: tuple[float, ...] = ()
    before: tuple[tuple[str, ...], ...] = ()


def bearing(
    said: Sequence[str],
    passages: Sequence[tuple[str, str]],
    embed: Embed,
    score: Score,
    *,
    most: int = MOST_JUDGED,
) -> Bearing:
    """How the sentences of the (chunk id, text) ``passages`` bear on the first of the texts
    ``said``: of at most ``most`` that come closest to any of these in meaning, the softmax
    of the cross-encoder's logits."""
    chunks = {chunk_id: told(text) for chunk_id, text in passages}
    sentences = _sentences(chunks)
    if not sentences:
        return Bearing()
    vectors = embed([text for _, _, text in sentences])
    close = (vectors @ embed(said).T).max(axis=1)
    nearest = np.argsort(-close, kind="stable")[:most]
    kept = tuple(sentences[i] for i in nearest)
    logits = np.asarray(score(said[0], [text for _, _, text in kept]), dtype=np.float64)
    weights = np.exp((logits - logits.max()) / _SOFT)
    before = tuple(tuple(chunks[chunk_id][:place][::-1]) for chunk_id, place, _ in kept)
    return Bearing(kept, tuple((weights / weights.sum()).tolist()), before)


def spoken_of(found: Bearing, patterns: Sequence[Pattern[str]]) -> Floats:
    """For each concept, given by its names' pattern, ln of how much of what bears on the
    answer names it, against how much of all the sentences does; a sentence beside one that
    names it counts by half. Zeros without sentences."""
    if not found.sentences:
        return np.zeros(len(patterns))
    places = {(chunk, place): i for i, (chunk, place, _) in enumerate(found.sentences)}
    beside = [
        [places[at] for at in ((chunk, place - 1), (chunk, place + 1)) if at in places]
        for chunk, place, _ in found.sentences
    ]
    speaks = np.zeros((len(patterns), len(found.sentences)))
    for index, pattern in enumerate(patterns):
        named = np.array([bool(pattern.search(text)) for _, _, text in found.sentences])
        near = np.array([named[others].any() for others in beside])
        speaks[index] = np.where(named, 1.0, np.where(near, _BESIDE, 0.0))
    return _against_usual(speaks, found.shares)


def about(found: Bearing, patterns: Sequence[Pattern[str]]) -> Floats:
    """For each concept, given by its names' pattern, ln of how much of what bears on the
    answer is about it, against how much of all the sentences is. Zeros without sentences.

    A sentence is about what it names first, the longest of names that begin there; one that
    names nothing is about what the sentence before it in its chunk is.
    """
    if not found.sentences:
        return np.zeros(len(patterns))
    pairs = zip(found.sentences, found.before, strict=True)
    texts = [(text, *before) for (_, _, text), before in pairs]
    first = {text: _named_first(text, patterns) for text in {each for t in texts for each in t}}
    topical = np.zeros((len(patterns), len(texts)))
    for column, leading in enumerate(texts):
        topic = next((first[text] for text in leading if first[text] is not None), None)
        if topic is not None:
            topical[topic, column] = 1.0
    return _against_usual(topical, found.shares)


def _named_first(text: str, patterns: Sequence[Pattern[str]]) -> int | None:
    """The index of the pattern that matches earliest in a text; there, of the longest match."""
    places = [
        (match.start(), -match.end(), index)
        for index, pattern in enumerate(patterns)
        if (match := pattern.search(text))
    ]
    return min(places)[2] if places else None


def _against_usual(held: Floats, shares: Sequence[float]) -> Floats:
    """For each row of ``held``, of shape (concepts, sentences), ln of its sum weighted by the
    ``shares``, against its mean."""
    values: Floats = np.log((held @ np.array(shares) + _SPOKEN) / (held.mean(axis=1) + _USUAL))
    return values


def _sentences(chunks: Mapping[str, Sequence[str]]) -> list[Sentence]:
    """The sentences of at least four words, each text once."""
    found: dict[str, Sentence] = {}
    for chunk_id, texts in chunks.items():
        for place, sentence in enumerate(texts):
            if len(sentence.split()) >= _FEWEST_WORDS:
                found.setdefault(sentence, (chunk_id, place, sentence))
    return list(found.values())
