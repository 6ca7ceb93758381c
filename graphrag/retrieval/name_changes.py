"""A name graph brought up to a later state of the catalog, at the price of the change.

Arrays over all passages are copied as a whole, which takes a fraction of a second for
100,000 of them; texts are read again only where a change reaches. The result equals, array
by array, the graph of a fresh build.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from graphrag.concepts.names import name_key as concept_key
from graphrag.domain import Concept, ConceptGraph
from graphrag.ports import NumberedChunk, Touched
from graphrag.retrieval.grams import grams_of
from graphrag.retrieval.name_arrays import (
    Pieces,
    Ragged,
    Spelt,
    distinct,
    finished,
    hashes_of,
    lists_of,
    spelt_together,
)
from graphrag.retrieval.name_building import (
    NamedPassage,
    ReadNames,
    concept_spellings,
    name_passages,
    own_keys,
    read_names,
)
from graphrag.retrieval.name_graph import Lists, NameGraph
from graphrag.retrieval.name_sources import (
    NameSources,
    Owners,
    owners_of,
    owners_together,
    raw_hashes,
    sources_of,
)
from graphrag.retrieval.names import LONGEST, NameMatcher, runs_of, words_of

_Places = NDArray[np.int64]


class ChangedSource(Protocol):
    """What the changed passages are read from; the catalog is one."""

    def numbered(
        self, *, documents: Sequence[str] = (), numbers: Sequence[int] = ()
    ) -> list[NumberedChunk]: ...

    def metadata(self, ids: Sequence[str] | None = None) -> dict[str, Mapping[str, object]]: ...

    def concept_graph(self, mentions_of: Collection[str] | None = None) -> ConceptGraph: ...


@dataclass(frozen=True, slots=True)
class _Change:
    """``staying`` marks the passages of untouched documents, ``new`` are the chunks of
    touched ones, ``owners`` and ``concepts`` are those after the change."""

    graph: NameGraph
    sources: NameSources
    catalog: ChangedSource
    staying: NDArray[np.bool_]
    new: Sequence[NumberedChunk]
    owners: Owners
    concepts: Sequence[Concept]

    def chunks_at(self, rows: _Places) -> list[NumberedChunk]:
        """The chunks of passages that stay."""
        return self.catalog.numbered(numbers=self.graph.numbers[rows].tolist())

    def passages(self, chunks: Sequence[NumberedChunk]) -> list[NamedPassage]:
        """What the graph sees of those chunks now."""
        return passages_in(self.catalog, chunks, self.owners.naming)


def passages_in(
    catalog: ChangedSource,
    chunks: Sequence[NumberedChunk],
    naming: Callable[[Collection[str]], Collection[str]],
) -> list[NamedPassage]:
    """What the graph sees of some of a catalog's chunks; ``naming`` gives those of (casefolded)
    headings that name their passages."""
    ids = list(dict.fromkeys(each.chunk.document_id for each in chunks))
    headings = {h.casefold() for each in chunks for h in each.chunk.heading_path}
    titles = {key: str(about.get("title", "")) for key, about in catalog.metadata(ids).items()}
    return name_passages(chunks, titles, catalog.concept_graph(ids), naming(sorted(headings)))


def changed_names(
    graph: NameGraph, sources: NameSources, touched: Touched, catalog: ChangedSource, revision: int
) -> tuple[NameGraph, NameSources]:
    """The graph and its sources after the change that the catalog tells of."""
    ids = raw_hashes((*touched.documents, *touched.removed))
    staying = ~np.isin(sources.owners.documents, ids)
    new = catalog.numbered(documents=touched.documents)
    owners = owners_together((sources.owners.of(np.flatnonzero(staying)), owners_of(new)))
    concepts = catalog.concept_graph(()).concepts
    change = _Change(graph, sources, catalog, staying, new, owners, concepts)
    spellings = concept_spellings(concepts)

    kept = staying.copy()
    renamed = _renamed(change)
    kept[renamed] = False
    retitled = [*new, *change.chunks_at(renamed)]
    own = {key for each in change.passages(retitled) for key in own_keys(each, spellings)}
    bearers = _bearers(graph, kept)
    saying = sources.rows_that_say(_found_otherwise(graph, bearers, own))
    saying = saying[kept[saying]]
    kept[saying] = False

    chunks = sorted((*retitled, *change.chunks_at(saying)), key=lambda each: each.number)
    passages = change.passages(chunks)
    known = _known_in(graph, bearers, [each.text for each in passages])
    own_now = (key for each in passages for key in own_keys(each, spellings))
    read = read_names(passages, spellings, NameMatcher(chain(known, own_now)))
    rows = _in_order(graph.numbers, np.flatnonzero(kept), read.numbers)
    return (
        _joined(graph, read, rows, spellings, revision),
        sources.replaced_by(sources_of(chunks, passages, read.words, concepts), rows),
    )


def _known_in(graph: NameGraph, bearers: _Places, texts: Sequence[str]) -> Iterable[str]:
    """Keys of the names that passages bear: all, or where the texts are few those that may be
    found in them."""
    words = [words_of(text) for text in texts]
    if sum(map(len, words)) * LONGEST < len(bearers):
        found = graph.find(sorted(set().union(*map(runs_of, words))))
        return [key for key, name in found.items() if bearers[name]]
    return (graph.key(name) for name in np.flatnonzero(bearers).tolist())


def _renamed(change: _Change) -> _Places:
    """Passages of untouched documents that a heading or a concept names otherwise now."""
    sources, graph = change.sources, change.graph
    gone = np.flatnonzero(~change.staying)
    headings = np.union1d(
        sources.owners.headings.of(gone).items, owners_of(change.new).headings.items
    )
    shared = np.setxor1d(sources.owners.few(headings), change.owners.few(headings))
    before, after = sources.known_concepts(), change.concepts
    known, now = concept_spellings(before), concept_spellings(after)
    spelt = [key for key in known | now if known.get(key) != now.get(key)]
    names = {concept.id: concept.name for concept in after}
    other = [concept_key(c.name) for c in before if names.get(c.id, c.name) != c.name]
    rows = np.concatenate(
        (
            sources.owners.headings.rows_with(shared),
            sources.titles.rows_with(hashes_of(spelt)),
            *(
                lists[name].astype(np.int64)
                for name in graph.find(other).values()
                for lists in (graph.mentioned_in, graph.titled)
            ),
        )
    )
    staying: _Places = np.unique(rows[change.staying[rows]])
    return staying


def _bearers(graph: NameGraph, kept: NDArray[np.bool_]) -> _Places:
    """How many of the kept passages bear each name as a title, shape (names,)."""
    titles = Ragged(graph.titles.starts, graph.titles.items).of(np.flatnonzero(kept))
    counts: _Places = np.bincount(titles.items, minlength=len(graph.hashes))
    return counts


def _found_otherwise(graph: NameGraph, bearers: _Places, own: Iterable[str]) -> list[str]:
    """Keys that texts are now searched for and were not before, or the other way round."""
    titled = np.diff(graph.titled.starts)
    own = set(own)
    lost = [graph.key(name) for name in np.flatnonzero((titled > 0) & (bearers == 0)).tolist()]
    known = {key for key, name in graph.find(sorted(own)).items() if titled[name]}
    return [key for key in lost if key not in own] + sorted(own - known)


def _in_order(numbers: _Places, kept: _Places, others: _Places) -> _Places:
    """Rows of the kept passages and (counted on from all) of the others, by number."""
    rows = np.concatenate((kept, len(numbers) + np.arange(len(others))))
    ordered = np.concatenate((numbers[kept], others))
    return rows[np.argsort(ordered)]


def _joined(
    graph: NameGraph,
    read: ReadNames,
    rows: _Places,
    spellings: Mapping[str, str],
    revision: int,
) -> NameGraph:
    """The graph of the passages in ``rows``: first those of the graph, then those read."""
    mentions = Ragged(graph.mentions.starts, graph.mentions.items)
    titles = Ragged(graph.titles.starts, graph.titles.items)
    kept = rows[rows < len(graph.numbers)]
    used = distinct(np.concatenate((mentions.of(kept).items, titles.of(kept).items)))
    letters = Ragged(graph.spelling_starts, graph.spelling).of(used.astype(np.int64))
    spelt = spelt_together((Spelt(graph.hashes[used], letters.starts, letters.items), read.spelt))
    # Names that are used no more get -1, which no kept passage has.
    name_of = spelt.places(graph.hashes).astype(np.int32)
    mentions = _renumbered(mentions, name_of, lists_of(read.named, spelt, ascending=True), rows)
    titles = _renumbered(titles, name_of, lists_of(read.own, spelt), rows)
    numbers = np.concatenate((graph.numbers, read.numbers))[rows]
    return finished(
        revision=revision,
        numbers=numbers,
        mentions=Lists(mentions.starts, mentions.items),
        titles=Lists(titles.starts, titles.items),
        spelt=spelt,
        spellings=spellings,
        grams=_changed_pieces(graph, name_of, spelt, distinct(titles.items)),
    )


def _renumbered(old: Ragged, name_of: NDArray[np.int32], new: Lists, rows: _Places) -> Ragged:
    named = Ragged(old.starts, name_of[old.items])
    return named.followed_by(Ragged(new.starts, new.items), rows)


def _changed_pieces(
    graph: NameGraph, name_of: NDArray[np.int32], spelt: Spelt, titled: NDArray[np.int32]
) -> Pieces:
    """The pieces of the ``titled`` names: those that the graph knows, and those of new ones."""
    is_titled = np.zeros(len(spelt.hashes) + 1, dtype=bool)  # the last for -1
    is_titled[titled] = True
    names = name_of[graph.gram_names.items]
    codes = np.repeat(graph.grams, np.diff(graph.gram_names.starts))
    codes, names = codes[is_titled[names]], names[is_titled[names]]
    is_titled[names] = False
    fresh = np.flatnonzero(is_titled[:-1])
    more, places = grams_of([spelt.key(name) for name in fresh.tolist()])
    codes = np.concatenate((codes, more))
    names = np.concatenate((names, fresh[places].astype(np.int32)))
    if len(more):
        order = np.lexsort((names, codes))
        codes, names = codes[order], names[order]
    pieces, first = np.unique(codes, return_index=True)
    return Pieces(pieces, Lists(np.append(first, len(codes)).astype(np.int64), names))
