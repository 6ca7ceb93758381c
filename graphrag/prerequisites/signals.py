"""All signals of one corpus, computed once, and what they say of any pair of concepts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from graphrag.concepts.names import key_tokens, split_bracket
from graphrag.concepts.texts import Texts
from graphrag.domain import Chunk, Concept, EvidenceKind
from graphrag.prerequisites.citations import citation_witnesses
from graphrag.prerequisites.corpus import Corpus, Witness
from graphrag.prerequisites.cues import cue_witnesses
from graphrag.prerequisites.definitions import definition_witnesses
from graphrag.prerequisites.direction import Direction, averaged_direction
from graphrag.prerequisites.explicit import explicit_witnesses
from graphrag.prerequisites.generality import (
    Scores,
    document_spread,
    imputed,
    ranks,
    section_spread,
    spring_rank,
)
from graphrag.prerequisites.latent import latent_vectors
from graphrag.prerequisites.lexical import Words, count_words, row_products
from graphrag.prerequisites.links import link_witnesses
from graphrag.prerequisites.naming import name_ranks
from graphrag.prerequisites.need import BASIC, FIELD, Need, averaged_need, drawn_pairs
from graphrag.prerequisites.neighbours import leaning, neighbours
from graphrag.prerequisites.occurrences import Table, at
from graphrag.prerequisites.reading_order import (
    defined_before,
    definition_places,
    introduction_ranks,
    order_trust,
)
from graphrag.prerequisites.similarity import Vectors, dots, smoothing, text_vectors, unit
from graphrag.prerequisites.structure import main_sections, section_weights, topic_shares
from graphrag.prerequisites.titles import title_witnesses

Embed = Callable[[Sequence[str]], NDArray[np.float32]]
Numbers = NDArray[np.int64]

_FEWEST_MENTIONS = 2.0
_CLEARLY = 0.5
# Ranks of generality that speak, a little, for need.
_BASIC = ("documents", "topic_rank", "held", "named_by", "introduced")
_OF_TEXTS: tuple[EvidenceKind, ...] = ("definition", "cue", "link")
_STATED_IN: tuple[EvidenceKind, ...] = ("section", "front_matter")
_ORDER_FROM_NEIGHBOURS, _NEED_FROM_NEIGHBOURS = 0.3, 0.5
_SMOOTH = 1e-3  # a topic share below this says nothing


@dataclass(frozen=True, slots=True)
class Signals:
    """What one corpus says: ranks of concepts, and tables of (concept, prerequisite).

    ``ranks`` has columns of shape (n,) from the texts, ``names`` from the names alone, high
    for what is basic; the tables are sparse of shape (n, n). ``stand_in`` maps each concept
    to the one whose places in the texts speak for it: itself, or its homonym where the texts
    never set the two apart. ``spoken`` says whether there is text enough to go by: two
    mentions, or a document of its own. ``places`` and ``trust`` are those of
    ``reading_order``. ``log_shares`` are the logarithms of smoothed topic shares, ``lengths``
    the words of the names, both to be averaged, or averaged, over the neighbours in ``near``.
    """

    concepts: tuple[Concept, ...]
    witnesses: tuple[Witness, ...]
    tables: Mapping[EvidenceKind, Table]
    shares: Table
    smoothed: Table
    log_shares: Table
    near: Table
    lengths: Scores
    titles: Vectors
    texts: Vectors
    words: Words
    latent: Vectors
    ranks: Mapping[str, Scores]
    spoken: NDArray[np.bool_]
    stand_in: Numbers
    places: Scores
    trust: float
    need: Need
    direction: Direction

    def features(self, concept: Numbers, prerequisite: Numbers) -> dict[str, Scores]:
        """Each signal for pairs of concept numbers, shape (pairs,); positive speaks for the
        pair, and differences change sign with its direction."""
        a, b = self.stand_in[concept], self.stand_in[prerequisite]
        found: dict[str, Scores] = {kind: at(table, a, b) for kind, table in self.tables.items()}
        found |= {name: values[b] - values[a] for name, values in self.ranks.items()}
        found["defined"] = defined_before(self.places, self.trust, a, b)
        found["share"] = _log_share(at(self.shares, a, b))
        found |= self.needed(concept, prerequisite)
        back = self._near_share(prerequisite, concept)
        found["reference"] = np.tanh(0.5 * (found["smoothed"] - back))
        found["text_similarity"] = dots(self.texts, a, self.texts, b)
        found["name_in_text"] = self.words.coverage(a, b)
        found["named_back"] = self.words.coverage(b, a)
        found["common_words"] = self.words.similarity(a, b)
        found["latent"] = dots(self.latent, a, self.latent, b)
        # What is stated or named is meant of the concept itself, not of what stands in for it.
        for kind in ("title", *_STATED_IN):
            found[kind] = at(self.tables[kind], concept, prerequisite)
        found["named"] = (found["title"] > 0).astype(np.float64)
        found["stated"] = np.max([found[kind] for kind in _STATED_IN], axis=0)
        found["title_similarity"] = dots(self.titles, concept, self.titles, prerequisite)
        found["before"] = self.direction.of(concept, prerequisite, found)
        return found

    def needed(self, concept: Numbers, prerequisite: Numbers) -> dict[str, Scores]:
        """The need of pairs with the signals that only it takes, shape (pairs,)."""
        found = {
            "smoothed": self._near_share(concept, prerequisite),
            "length": np.tanh(0.5 * (self.lengths[concept] - self.lengths[prerequisite])),
        }
        return found | {"need": self.need.of(concept, prerequisite, found)}

    def _near_share(self, concept: Numbers, other: Numbers) -> Scores:
        return row_products(self.log_shares, concept, self.near, other)


def _log_share(share: Scores) -> Scores:
    logs: Scores = np.log(share + _SMOOTH) - np.log(_SMOOTH)
    return logs


def _log_shares(shares: Table) -> Table:
    logs = shares.copy()
    logs.data = _log_share(logs.data)
    return logs


def _picked(table: Table, numbers: Numbers) -> Table:
    """The rows and columns of those concepts."""
    picked: Table = table[numbers][:, numbers].tocsr()
    return picked


def measure(
    corpus: Corpus,
    chunks: Sequence[Chunk],
    chunk_vectors: Mapping[str, Vectors],
    embed: Embed,
    texts: Texts,
) -> Signals:
    """All signals of a corpus."""
    concepts = corpus.concepts
    n = len(concepts)
    witnesses = [
        *explicit_witnesses(corpus),
        *definition_witnesses(corpus),
        *cue_witnesses(corpus),
        *title_witnesses(concepts),
        *link_witnesses(corpus),
        *citation_witnesses(corpus, texts),
    ]
    tables = {kind: _table([w for w in witnesses if w.kind == kind], n) for kind in _KINDS}
    weights = section_weights(corpus)
    shares = topic_shares(corpus, weights)
    main = main_sections(weights)
    titles = (
        unit(embed([concept.name for concept in concepts])) if n else np.zeros((0, 1), np.float32)
    )
    alike = smoothing(titles)
    smoothed = (alike @ shares).tocsr()
    words = count_words(corpus, main, texts)
    latent, latent_names = latent_vectors(words)
    places = definition_places(corpus)
    needs = _strong([tables[kind] for kind in (*_STATED_IN, "definition", "cue")])
    ranked = _ranks(corpus, tables, shares, words, alike)
    names = name_ranks(concepts, corpus.usual_names, titles)
    stand_in = stand_ins(corpus)
    # Each concept by what the texts say of the one that stands in for it.
    meant = {k: _picked(t, stand_in) if k in _OF_TEXTS else t for k, t in tables.items()}
    columns = {name: values[stand_in] for name, values in ranked.items()} | dict(names)
    around = neighbours(latent[stand_in])
    near = leaning(around, _NEED_FROM_NEIGHBOURS)
    basic = BASIC * np.sum([columns[name] for name in (*_BASIC, "central")], axis=0)
    signals = Signals(
        concepts=concepts,
        witnesses=tuple(witnesses),
        tables=tables,
        shares=shares,
        smoothed=smoothed,
        log_shares=_log_shares(_picked(smoothed, stand_in)),
        near=near,
        lengths=near @ names["words"],
        titles=titles,
        words=words,
        latent=latent,
        ranks=ranked,
        spoken=_spoken(corpus),
        stand_in=stand_in,
        places=places,
        trust=order_trust(places, needs),
        need=averaged_need(
            near,
            titles,
            latent[stand_in],
            latent_names[stand_in],
            meant,
            basic + FIELD * names["field"],
            words.of(stand_in),
        ),
        direction=averaged_direction(
            leaning(around, _ORDER_FROM_NEIGHBOURS),
            latent[stand_in],
            latent_names[stand_in],
            meant,
            columns,
            words.of(stand_in),
        ),
        # Last, for it may have to wait for the vectors.
        texts=text_vectors(corpus, main, tuple(chunks), chunk_vectors, titles),
    )
    need = signals.needed(*drawn_pairs(n))["need"]
    return replace(signals, need=signals.need.scaled(need))


def _ranks(
    corpus: Corpus,
    tables: Mapping[EvidenceKind, Table],
    shares: Table,
    words: Words,
    near: Table,
) -> dict[str, Scores]:
    occurrences = corpus.occurrences
    named: Table = (tables["definition"] + tables["title"] + tables["cue"]).tocsr()
    mentions = occurrences.totals()
    return {
        "documents": imputed(document_spread(occurrences), mentions, near),
        "sections": imputed(section_spread(occurrences), mentions, near),
        "introduced": imputed(introduction_ranks(corpus), mentions, near),
        "named_by": ranks(spring_rank(named)),
        "topic_rank": ranks(spring_rank(shares, 0.1)),
        "held": ranks(words.holders()),
    }


def _spoken(corpus: Corpus) -> NDArray[np.bool_]:
    spoken: NDArray[np.bool_] = corpus.occurrences.totals() >= _FEWEST_MENTIONS
    spoken[[topic for topics in corpus.topics for topic in topics]] = True
    return spoken


def stand_ins(corpus: Corpus) -> Numbers:
    """For each concept itself; for one that is never named, its most named homonym (the same
    name but for the bracket), where there is one."""
    mentions = corpus.occurrences.totals()
    base = [key_tokens(split_bracket(concept.name)[0]) for concept in corpus.concepts]
    best: dict[tuple[str, ...], int] = {}
    for i, name in enumerate(base):
        if name not in best or mentions[i] > mentions[best[name]]:
            best[name] = i
    numbers = [i if mentions[i] or not name else best[name] for i, name in enumerate(base)]
    return np.array(numbers, dtype=np.int64)


_KINDS: tuple[EvidenceKind, ...] = (
    "section",
    "front_matter",
    "definition",
    "title",
    "cue",
    "link",
)


def _strong(tables: Sequence[Table]) -> Table:
    """Of the sum of tables the entries that speak clearly."""
    total: Table = sum(tables[1:], tables[0]).tocsr()
    total.data[total.data < _CLEARLY] = 0.0
    total.eliminate_zeros()
    return total


def _table(witnesses: Sequence[Witness], n: int) -> Table:
    """The strongest witness of each pair."""
    best: dict[tuple[int, int], float] = {}
    for w in witnesses:
        pair = (w.concept, w.prerequisite)
        best[pair] = max(w.score, best.get(pair, 0.0))
    pairs = np.array(list(best), dtype=np.int64).reshape(-1, 2)
    values = np.array(list(best.values()), dtype=np.float64)
    return sparse.csr_matrix((values, (pairs[:, 0], pairs[:, 1])), shape=(n, n))
