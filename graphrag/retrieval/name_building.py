"""Building the name graph from chunks, titles and the concept graph."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graphrag.concepts.names import name_key as concept_key
from graphrag.domain import Concept, ConceptGraph
from graphrag.ports import NumberedChunk
from graphrag.retrieval.name_arrays import (
    Ragged,
    Spelt,
    distinct,
    finished,
    grams_of_names,
    hashed_lists,
    lists_of,
    ragged_together,
    spelt_together,
)
from graphrag.retrieval.name_graph import NameGraph
from graphrag.retrieval.name_texts import read_text
from graphrag.retrieval.names import NameMatcher, names_in_title, title_keys

# A heading of more documents than this ("Summary", "Exercises") names none of them.
MOST_OWNERS = 3


@dataclass(frozen=True, slots=True)
class NamedPassage:
    """A passage as the graph sees it.

    ``titles`` are what names the passage (document title, headings), ``concepts`` keys of the
    concepts that it mentions. A term that it defines is only mentioned: what is defined in
    passing is not what the passage is about.
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
) -> NameGraph:
    """The name graph of a catalog's chunks: ``titles`` maps document ids to titles."""
    passages = name_passages(chunks, titles, graph, naming_headings(chunks))
    return build_name_graph(passages, concept_spellings(graph.concepts), revision=revision)


def naming_headings(chunks: Iterable[NumberedChunk]) -> set[str]:
    """The (casefolded) headings that few enough documents have for them to name a passage."""
    owners: defaultdict[str, set[str]] = defaultdict(set)
    for numbered in chunks:
        for heading in numbered.chunk.heading_path:
            owners[heading.casefold()].add(numbered.chunk.document_id)
    return {heading for heading, ids in owners.items() if len(ids) <= MOST_OWNERS}


def name_passages(
    chunks: Sequence[NumberedChunk],
    titles: Mapping[str, str],
    graph: ConceptGraph,
    naming: Collection[str],
) -> list[NamedPassage]:
    """What the graph sees of chunks: ``titles`` maps document ids to titles, ``naming``
    holds the casefolded headings that name their passages."""
    keys = {concept.id: concept_key(concept.name) for concept in graph.concepts}
    mentioned: defaultdict[str, set[str]] = defaultdict(set)
    for mention in graph.mentions:
        if mention.concept_id in keys:
            mentioned[mention.chunk_id].add(keys[mention.concept_id])
    passages = []
    for numbered in chunks:
        chunk = numbered.chunk
        own = [titles.get(chunk.document_id, "")]
        own += [heading for heading in chunk.heading_path if heading.casefold() in naming]
        concepts = tuple(sorted(mentioned[chunk.id]))
        passages.append(NamedPassage(numbered.number, chunk.text, tuple(own), concepts))
    return passages


def concept_spellings(concepts: Sequence[Concept]) -> dict[str, str]:
    """Keys of the names and aliases of concepts, each with its concept's key."""
    spellings = {
        concept_key(alias): concept_key(concept.name)
        for concept in concepts
        for alias in concept.aliases
    }
    return spellings | {key: key for key in (concept_key(c.name) for c in concepts)}


def build_name_graph(
    passages: Iterable[NamedPassage],
    spellings: Mapping[str, str] | None = None,
    *,
    revision: int = 0,
) -> NameGraph:
    """The graph of these passages: a pure function, some 30 seconds for 100,000 of them.

    ``spellings`` maps what concepts may be called to their keys.
    """
    spellings = spellings or {}
    ordered = sorted(passages, key=lambda passage: passage.number)
    matcher = NameMatcher(key for each in ordered for key in own_keys(each, spellings))
    return assembled(read_names(ordered, spellings, matcher), spellings, revision)


@dataclass(frozen=True, slots=True)
class ReadNames:
    """By passage: its number, hashes of the keys of the names that it mentions (in any order)
    and of its own keys, and the hashes of its words; ``spelt`` has all the keys."""

    numbers: NDArray[np.int64]
    named: Ragged
    own: Ragged
    words: Ragged
    spelt: Spelt


def read_names(
    passages: Sequence[NamedPassage], spellings: Mapping[str, str], matcher: NameMatcher
) -> ReadNames:
    """The names in passages: capitalised spans, also of their titles, concepts, and what the
    matcher knows, which is to hold the own keys of all passages of the graph."""
    own = [own_keys(passage, spellings) for passage in passages]
    named, words = [], []
    for passage, keys in zip(passages, own, strict=True):
        text = read_text(passage.text)
        found = matcher.find_in(text.words, text.capital)
        parts = map(names_in_title, passage.titles)
        named.append(found.union(text.proper, passage.concepts, *parts).difference(keys))
        words.append(np.array(text.hashes, dtype=np.uint32))
    spelt, (named_hashes, own_hashes) = hashed_lists(named, own)
    return ReadNames(
        np.array([passage.number for passage in passages], dtype=np.int64),
        named_hashes,
        own_hashes,
        Ragged(
            np.cumsum([0, *map(len, words)], dtype=np.int64),
            np.concatenate([np.zeros(0, dtype=np.uint32), *words]),
        ),
        spelt,
    )


def read_together(parts: Sequence[ReadNames]) -> ReadNames:
    """What was read in passages of ascending numbers, one part after the other."""
    return ReadNames(
        np.concatenate([part.numbers for part in parts]),
        ragged_together([part.named for part in parts]),
        ragged_together([part.own for part in parts]),
        ragged_together([part.words for part in parts]),
        spelt_together([part.spelt for part in parts]),
    )


def assembled(read: ReadNames, spellings: Mapping[str, str], revision: int) -> NameGraph:
    """The graph of what was read in all passages."""
    titles = lists_of(read.own, read.spelt)
    return finished(
        revision=revision,
        numbers=read.numbers,
        mentions=lists_of(read.named, read.spelt, ascending=True),
        titles=titles,
        spelt=read.spelt,
        spellings=spellings,
        grams=grams_of_names(read.spelt, distinct(titles.items)),
    )


def own_keys(passage: NamedPassage, spellings: Mapping[str, str]) -> list[str]:
    """Keys of a passage's titles, with the concepts that they name."""
    keys: dict[str, None] = {}
    for title in passage.titles:
        keys.update(dict.fromkeys(title_keys(title)))
        concept = spellings.get(concept_key(title))
        if concept is not None:
            keys[concept] = None
    return list(keys)
