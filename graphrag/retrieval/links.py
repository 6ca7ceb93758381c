"""Which known names a question speaks of."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from graphrag.concepts.names import key_tokens
from graphrag.retrieval.grams import grams_of
from graphrag.retrieval.name_graph import NameGraph
from graphrag.retrieval.names import (
    is_function_word,
    name_words,
    placed_words,
    proper_names,
    tokens_of,
)

_LONGEST = 12
_ALIKE = 0.6


def link_question(graph: NameGraph, question: str) -> list[int]:
    """Names of the graph that the question mentions, ascending.

    Capitalised spans and titles; a capitalised span that is unknown stands for the title
    whose three-letter pieces are most like its own (Jaccard at least .6). A name inside a
    longer one that is a title is left out. Where there is none of these, what is asked of
    something (``the place of birth of``), if it is a title; else the concepts as they are
    spelt: beside names a word like ``film`` says what is asked, not where to look.
    """
    tokens = tokens_of(question)
    spans = sorted(proper_names(tokens))
    titles, asked = _titles(graph, tokens)
    found = graph.find(spans) | titles
    for span in spans:
        if span not in found:
            found |= _alike(graph, span)
    return sorted(set(_outermost(graph, found or asked or _concepts(graph, question)).values()))


def around_names(question: str, keys: Sequence[str]) -> list[str]:
    """The question cut where the names of those keys stand, which are left out: one piece
    more than there are such places."""
    words = placed_words(question)
    folded = [word for word, _, _ in words]
    spans: list[tuple[int, int]] = []
    for key in sorted(keys, key=lambda key: (-len(key), key)):
        name = key.split(" ")
        for place in range(len(words) - len(name) + 1):
            if folded[place] != name[0] or folded[place : place + len(name)] != name:
                continue
            start, stop = words[place][1], words[place + len(name) - 1][2]
            if not any(start < end and begin < stop for begin, end in spans):
                spans.append((start, stop))
    spans.sort()
    starts = [0, *(stop for _, stop in spans)]
    stops = [*(start for start, _ in spans), len(question)]
    return [question[start:stop] for start, stop in zip(starts, stops, strict=True)]


def with_names_replaced(pieces: Sequence[str], other: str) -> str:
    """A question, cut ``around_names``, with ``other`` where they stood."""
    return " ".join(other.join(pieces).split())


def _titles(graph: NameGraph, tokens: list[str]) -> tuple[dict[str, int], dict[str, int]]:
    """The longest titles in the question, from left to right; apart from them those that
    are asked of something: written small, and before an ``of``."""
    words, capital = name_words(tokens)
    grams = _word_grams(words)
    known = {
        key: name
        for key, name in graph.find(sorted(set(grams.values()))).items()
        if graph.titled.starts[name + 1] > graph.titled.starts[name]
    }
    found: dict[str, int] = {}
    asked: dict[str, int] = {}
    place = 0
    while place < len(words):
        step = 1
        for length in range(min(_LONGEST, len(words) - place), 0, -1):
            key = grams[place, length]
            lone = length == 1 and (not capital[place] or is_function_word(words[place]))
            if key in known and not lone:
                stop = place + length
                is_asked = not any(capital[place:stop]) and words[stop : stop + 1] == ["of"]
                (asked if is_asked else found)[key] = known[key]
                step = length
                break
        place += step
    return found, asked


def _concepts(graph: NameGraph, question: str) -> dict[str, int]:
    """The longest concepts in the question, from left to right."""
    if not len(graph.aliases):
        return {}
    words = list(key_tokens(question))
    grams = _word_grams(words)
    known = graph.find_concepts(sorted(set(grams.values())))
    found: dict[str, int] = {}
    place = 0
    while place < len(words):
        step = 1
        for length in range(min(_LONGEST, len(words) - place), 0, -1):
            if grams[place, length] in known:
                found[grams[place, length]] = known[grams[place, length]]
                step = length
                break
        place += step
    return found


def _word_grams(words: list[str]) -> dict[tuple[int, int], str]:
    """Every run of up to twelve words, by place and length."""
    return {
        (place, length): " ".join(words[place : place + length])
        for place in range(len(words))
        for length in range(1, min(_LONGEST, len(words) - place) + 1)
    }


def _alike(graph: NameGraph, span: str) -> dict[str, int]:
    """The title that is spelt most like the span, if one is like enough."""
    codes, _ = grams_of([span])
    if not len(graph.grams):
        return {}
    places = np.minimum(np.searchsorted(graph.grams, codes), len(graph.grams) - 1)
    places = places[graph.grams[places] == codes].astype(np.int32)
    names, _ = graph.gram_names.gather(places)
    candidates, shared = np.unique(names, return_counts=True)
    best: tuple[float, int] = (0.0, -1)
    for candidate in np.flatnonzero(shared >= _ALIKE * len(codes)):
        other = len(grams_of([graph.key(int(candidates[candidate]))])[0])
        common = int(shared[candidate])
        likeness = common / (len(codes) + other - common)
        best = max(best, (likeness, -int(candidates[candidate])))
    if best[0] < _ALIKE:
        return {}
    name = -best[1]
    return {graph.key(name): name}


def _outermost(graph: NameGraph, found: dict[str, int]) -> dict[str, int]:
    """Without names that stand inside a longer one which is a title."""
    titles = [
        key
        for key, name in found.items()
        if graph.titled.starts[name + 1] > graph.titled.starts[name]
    ]
    return {
        key: name
        for key, name in found.items()
        if not any(key != title and f" {key} " in f" {title} " for title in titles)
    }
