"""Which names stand beside the relations that a question asks for.

"Which film has the director who died later, A or B?" In the passage on A the word "directed"
stands beside one name: there the question leads, whatever other names the passage holds. Each
passage that the question names has an equal part to send on, so that of two films compared
neither is left without its director.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from graphrag.retrieval.channels import Ids, foremost
from graphrag.retrieval.links import around_names, with_names_replaced
from graphrag.retrieval.name_graph import NameGraph
from graphrag.retrieval.names import is_function_word, words_of
from graphrag.retrieval.sides import Nodes, Weights, distinct
from graphrag.sentences import split_sentences

ReadChunks = Callable[[Sequence[str]], Sequence[str]]
"""Ids of chunks to their texts."""

_SHORTEST = 4  # letters of a relation's word
_STEM = 5  # letters that "director" and "directed" have in common, at least
_COMMON = 0.6  # and which share of the longer one


@dataclass(frozen=True, slots=True)
class RelationSettings:
    """``weight``: the share of the score that relations give; ``reach``: the distance, in
    words, that halves how near a name is to a relation's word; ``sharpness``: how much more
    the nearer names get, per unit of nearness; ``passages`` of the question's names that
    are read."""

    weight: float = 0.1
    reach: float = 4.0
    sharpness: float = 6.0
    passages: int = 6


@dataclass(frozen=True, slots=True)
class Visits:
    """The share of the walkers at each row (rows,) and at each name (names,) of the graph."""

    rows: Weights
    names: Weights


def relation_words(question: str, keys: Sequence[str]) -> list[str]:
    """The folded words of a question that may name a relation: without its names (``keys``),
    function words and short ones."""
    rest = words_of(with_names_replaced(around_names(question, keys), ";"))
    words = [word for word in rest if len(word) >= _SHORTEST and not is_function_word(word)]
    return list(dict.fromkeys(words))


def related(
    graph: NameGraph,
    names: Sequence[int],
    words: Sequence[str],
    visits: Visits,
    *,
    ids: Ids,
    read: ReadChunks,
    settings: RelationSettings,
) -> Weights:
    """What each row (rows,) is sent, in all at most 1, from the passages that bear the
    question's ``names``, by way of the names that stand beside its relation ``words``.

    A name's part falls to the passages that bear it, else to those that mention it, by how
    many walkers were at each. Only what they had reached is sent anything.
    """
    sent, reached = np.zeros(len(graph.numbers)), list[Nodes]()
    borne = [graph.key(name) for name in names]
    sources = _sources(graph, names, visits, ids)[: settings.passages]
    known = ids(sources)
    for number, text in zip(sources, read([known[number] for number in sources]), strict=True):
        row = int(graph.rows_of(np.array([number]))[0])
        others = [
            name
            for name in graph.mentions[row].tolist()
            if visits.names[name] > 0 and not _within(graph.key(name), borne)
        ]
        near = nearness(text, [graph.key(name) for name in others], words, settings.reach)
        if not near:
            continue
        closeness = np.array([near.get(graph.key(name), 0.0) for name in others])
        shares = visits.names[others] * np.exp(settings.sharpness * (closeness - closeness.max()))
        for name, share in zip(others, (shares / shares.sum()).tolist(), strict=True):
            bearing = graph.titled[name]
            rows = bearing if len(bearing) else graph.mentioned_in[name]
            rows = rows[rows != row]
            total = visits.rows[rows].sum()
            if total > 0:
                sent[rows] += share * visits.rows[rows] / total
                reached.append(rows)
    if reached:  # of perhaps a million rows
        sent[distinct(np.concatenate(reached))] /= len(sources)
    return sent


def nearness(
    text: str, keys: Sequence[str], words: Sequence[str], reach: float
) -> dict[str, float]:
    """How near each name stands to the words, in the sentence where it is nearest: the sum,
    over the words that the sentence holds in some form, of ``1 / (1 + distance / reach)``,
    distances in words. Names in no such sentence are left out."""
    found: defaultdict[str, float] = defaultdict(float)
    for span in split_sentences(text):
        sentence = words_of(text[span.start : span.stop])
        places = _places(sentence, words)
        if not places:
            continue
        joined = f" {' '.join(sentence)} "
        for key in keys:
            at = joined.find(f" {key} ")
            if at >= 0:
                first = joined.count(" ", 0, at)
                last = first + key.count(" ")
                near = sum(_nearest(first, last, each, reach) for each in places)
                found[key] = max(found[key], near)
    return {key: near for key, near in found.items() if near > 0}


def _places(sentence: Sequence[str], words: Sequence[str]) -> list[list[int]]:
    """For each word that the sentence holds in some form, where it does."""
    found = [
        [
            i
            for i, other in enumerate(sentence)
            # Forms of one word begin alike, whatever else: most others are left here.
            if other.startswith(word[:_SHORTEST]) and _alike(word, other)
        ]
        for word in words
    ]
    return [places for places in found if places]


def _nearest(first: int, last: int, places: Sequence[int], reach: float) -> float:
    """How near the nearest of the places is to a name's words; 0 if all lie within it."""
    distances = [
        min(abs(place - first), abs(place - last)) for place in places if not first <= place <= last
    ]
    return 1 / (1 + min(distances) / reach) if distances else 0.0


def _alike(one: str, other: str) -> bool:
    """Whether two words are forms of one: ``director`` and ``directed``."""
    if one == other:
        return True
    common = max(_STEM, math.ceil(_COMMON * max(len(one), len(other))))
    return min(len(one), len(other)) >= common and one[:common] == other[:common]


def _sources(graph: NameGraph, names: Sequence[int], visits: Visits, ids: Ids) -> list[int]:
    """For each name that is a title, the number of the passage that most walkers were at."""
    found: dict[int, None] = {}
    for name in names:
        rows = graph.titled[name]
        rows = rows[visits.rows[rows] > 0]
        best = foremost(graph.numbers[rows], visits.rows[rows], 1, ids)
        found.update((number, None) for number, _ in best)
    return list(found)


def _within(key: str, others: Sequence[str]) -> bool:
    return any(f" {key} " in f" {other} " for other in others)
