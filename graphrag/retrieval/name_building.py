"""Building the name graph from chunks, titles and the concept graph."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graphrag.concepts.names import name_key as concept_key
from graphrag.domain import ConceptGraph
from graphrag.ports import NumberedChunk
from graphrag.retrieval.grams import grams_of
from graphrag.retrieval.name_graph import Lists, NameGraph, hash_of
from graphrag.retrieval.name_texts import ReadText, read_text
from graphrag.retrieval.names import NameMatcher, title_keys

# A heading of more documents than this ("Summary", "Exercises") names none of them.
_OWNERS = 3


@dataclass(frozen=True, slots=True)
class NamedPassage:
    """A passage as the graph sees it.

    ``titles`` are what names the passage (document title, headings, the terms it defines),
    ``concepts`` keys of the concepts that it mentions.
    """

    number: int
    text: str
    titles: tuple[str, ...] = ()
    concepts: tuple[str, ...] = ()


def name_graph_of(
    chunks: Sequence[NumberedChunk],
    titles: Mapping[str, str],
    graph: ConceptGraph,
    revision: int,
    read: ReadText = read_text,
) -> NameGraph:
    """The name graph of a catalog's chunks: ``titles`` maps document ids to titles."""
    passages = name_passages(chunks, titles, graph)
    return build_name_graph(passages, concept_spellings(graph), revision=revision, read=read)


def name_passages(
    chunks: Sequence[NumberedChunk], titles: Mapping[str, str], graph: ConceptGraph
) -> list[NamedPassage]:
    """What the graph sees of chunks: ``titles`` maps document ids to titles."""
    owners: defaultdict[str, set[str]] = defaultdict(set)
    for numbered in chunks:
        for heading in numbered.chunk.heading_path:
            owners[heading.casefold()].add(numbered.chunk.document_id)
    keys = {concept.id: concept_key(concept.name) for concept in graph.concepts}
    mentioned: defaultdict[str, set[str]] = defaultdict(set)
    for mention in graph.mentions:
        if mention.concept_id in keys:
            mentioned[mention.chunk_id].add(keys[mention.concept_id])
    defined: defaultdict[str, list[str]] = defaultdict(list)
    for concept in graph.concepts:
        if concept.definition is not None:
            defined[concept.definition].append(concept.name)
    passages = []
    for numbered in chunks:
        chunk = numbered.chunk
        own = [titles.get(chunk.document_id, "")]
        own += [h for h in chunk.heading_path if len(owners[h.casefold()]) <= _OWNERS]
        own += sorted(defined[chunk.id])
        concepts = tuple(sorted(mentioned[chunk.id]))
        passages.append(NamedPassage(numbered.number, chunk.text, tuple(own), concepts))
    return passages


def concept_spellings(graph: ConceptGraph) -> dict[str, str]:
    """Keys of the names and aliases of concepts, each with its concept's key."""
    spellings = {
        concept_key(alias): concept_key(concept.name)
        for concept in graph.concepts
        for alias in concept.aliases
    }
    return spellings | {key: key for key in (concept_key(c.name) for c in graph.concepts)}


def build_name_graph(
    passages: Iterable[NamedPassage],
    spellings: Mapping[str, str] | None = None,
    *,
    revision: int = 0,
    read: ReadText = read_text,
) -> NameGraph:
    """The graph of these passages: a pure function, some seconds for 100,000 of them.

    ``spellings`` maps what concepts may be called to their keys; ``read`` may remember.
    """
    spellings = spellings or {}
    ordered = sorted(passages, key=lambda passage: passage.number)
    own = [_own_keys(passage, spellings) for passage in ordered]
    matcher = NameMatcher(key for keys in own for key in keys)
    named: list[set[str]] = []
    for passage, keys in zip(ordered, own, strict=True):
        text = read(passage.text)
        words = text.words.split(" ") if text.words else []
        found = matcher.find_in(words, [mark == "1" for mark in text.capital])
        named.append(found.union(text.proper, passage.concepts).difference(keys))
    return _assemble([passage.number for passage in ordered], named, own, spellings, revision)


def _own_keys(passage: NamedPassage, spellings: Mapping[str, str]) -> list[str]:
    """Keys of a passage's titles, with the concepts that they name."""
    keys: dict[str, None] = {}
    for title in passage.titles:
        keys.update(dict.fromkeys(title_keys(title)))
        concept = spellings.get(concept_key(title))
        if concept is not None:
            keys[concept] = None
    return list(keys)


def _assemble(
    numbers: list[int],
    named: list[set[str]],
    own: list[list[str]],
    spellings: Mapping[str, str],
    revision: int,
) -> NameGraph:
    hashed = {key: hash_of(key) for keys in (*named, *own) for key in keys}
    keys = sorted(hashed, key=hashed.__getitem__)
    name_of = {key: name for name, key in enumerate(keys)}
    mentions = _lists([sorted(name_of[key] for key in names) for names in named])
    titles = _lists([[name_of[key] for key in names] for names in own])
    mentioned_in = _transposed(mentions, len(keys))
    titled = _transposed(titles, len(keys))
    spelt = [key.encode() for key in keys]
    aliases = sorted(
        (hash_of(alias), name_of[key]) for alias, key in spellings.items() if key in name_of
    )
    grams, gram_names = _gram_index(keys, np.flatnonzero(np.diff(titled.starts)))
    # A text never mentions its own titles here, so no passage is counted twice.
    frequency = np.diff(mentioned_in.starts) + np.diff(titled.starts)
    return NameGraph(
        revision=revision,
        numbers=np.array(numbers, dtype=np.int64),
        mentions=mentions,
        mentioned_in=mentioned_in,
        titles=titles,
        titled=titled,
        hashes=np.array([hashed[key] for key in keys], dtype=np.uint64),
        spelling_starts=np.cumsum([0, *map(len, spelt)], dtype=np.int64),
        spelling=np.frombuffer(b"".join(spelt), dtype=np.uint8),
        frequency=frequency.astype(np.int32),
        aliases=np.array([alias for alias, _ in aliases], dtype=np.uint64),
        alias_names=np.array([name for _, name in aliases], dtype=np.int32),
        grams=grams,
        gram_names=gram_names,
        linkage=_linkage(titles, mentioned_in),
    )


def _lists(lists: Sequence[Sequence[int]]) -> Lists:
    starts = np.cumsum([0, *map(len, lists)], dtype=np.int64)
    items = np.fromiter((item for one in lists for item in one), dtype=np.int32, count=starts[-1])
    return Lists(starts, items)


def _transposed(lists: Lists, width: int) -> Lists:
    """List ``j`` of the transpose holds, ascending, the lists that ``j`` is in."""
    owner = np.repeat(np.arange(len(lists.starts) - 1, dtype=np.int32), np.diff(lists.starts))
    starts = np.zeros(width + 1, dtype=np.int64)
    np.cumsum(np.bincount(lists.items, minlength=width), out=starts[1:])
    return Lists(starts, owner[np.argsort(lists.items, kind="stable")])


def _gram_index(keys: Sequence[str], names: NDArray[np.intp]) -> tuple[NDArray[np.uint64], Lists]:
    """The three-letter pieces of those names' keys, each with the names that hold it."""
    codes, places = grams_of([keys[name] for name in names])
    pieces, inverse = np.unique(codes, return_inverse=True)
    order = np.argsort(inverse, kind="stable")
    starts = np.zeros(len(pieces) + 1, dtype=np.int64)
    np.cumsum(np.bincount(inverse, minlength=len(pieces)), out=starts[1:])
    return pieces, Lists(starts, names[places[order]].astype(np.int32))


def _linkage(titles: Lists, mentioned_in: Lists) -> float:
    passages = len(titles.starts) - 1
    if not passages:
        return 0.0
    is_mentioned = np.diff(mentioned_in.starts)[titles.items] > 0
    owner = np.repeat(np.arange(passages), np.diff(titles.starts))
    return float(len(np.unique(owner[is_mentioned])) / passages)
