"""Homonyms told apart: one name for two things, in documents that share nothing else.

*Key* is a set of notes in one course and an entry of a dictionary in another. Two senses are
taken for proven only where documents of both say what the name means, and where these documents,
even together with those that are like them, speak of no common concepts besides.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from graphrag.concepts.linking import keys_of
from graphrag.concepts.names import name_key
from graphrag.domain import Annotation, Concept, Decision, Document, Mention
from graphrag.prerequisites.occurrences import Table

Numbers = NDArray[np.int64]
Scores = NDArray[np.float64]

# Groups of documents less alike than this on average have two subjects: across the subjects of
# several courses they are at most .09 alike, within one course at least .34.
_APART = 0.15
_ALIKE = 0.1  # from which likeness a document lends its concepts to another
_FEWEST = 3  # concepts that the documents of a sense must speak of besides
_MOST = 1_000  # documents; a name in more of them is left whole
_NOTHING = 1e-6  # a length that is as good as none
_ROUNDING = 9


@dataclass(frozen=True, slots=True)
class Senses:
    """Concepts with their homonyms told apart; ``places`` maps (id before, document id) to the
    id of the sense, empty where a person ignores that one."""

    concepts: tuple[Concept, ...]
    places: Mapping[tuple[str, str], str]

    def of(self, mentions: Iterable[Mention]) -> list[Mention]:
        """The mentions, each of the sense that its document speaks of."""
        found = []
        for mention in mentions:
            before = mention.concept_id
            sense = self.places.get((before, mention.document_id), before)
            if sense:
                found.append(mention if sense == before else replace(mention, concept_id=sense))
        return found


def tell_apart(
    concepts: Sequence[Concept],
    mentions: Sequence[Mention],
    documents: Sequence[Document],
    annotations: Mapping[str, Annotation],
    decisions: Sequence[Decision] = (),
) -> Senses:
    """One concept for each proven sense of a name, called by the concept that it goes with most:
    ``key (scale)``, ``key (dictionary)``.

    Given concepts stay as they stand. Senses that a person merges are one again; one that a
    person ignores is left out.
    """
    context = _context(concepts, mentions, _defined(documents, annotations))
    ignored = {name_key(d.concept) for d in decisions if d.kind == "ignore"}
    kept = {concept.id: concept for concept in concepts}
    places: dict[tuple[str, str], str] = {}
    for number, concept in enumerate(concepts):
        senses = {} if concept.given else context.senses(number)
        for name in senses:  # a decision that speaks of the sense has put it forward by itself
            ghost = _sense_id(name)
            if ghost in kept and not kept[ghost].given:
                del kept[ghost]
        if len(_merged(senses, decisions)) < 2 or any(_sense_id(name) in kept for name in senses):
            continue
        del kept[concept.id]
        for name, speaking in senses.items():
            sense_id = "" if name_key(name) in ignored else _sense_id(name)
            if sense_id:
                kept[sense_id] = replace(concept, id=sense_id, name=name)
            places |= {(concept.id, document): sense_id for document in speaking}
    return Senses(tuple(sorted(kept.values(), key=lambda concept: concept.id)), places)


def _sense_id(name: str) -> str:
    return name_key(name).replace(" ", "-")


def _merged(senses: Collection[str], decisions: Sequence[Decision]) -> set[str]:
    """The keys of the senses that are left when those that a person merges are one."""
    keys = {name_key(name) for name in senses}
    for decision in decisions:
        one, other = name_key(decision.concept), name_key(decision.other)
        if decision.kind in ("merge", "alias") and one in keys and other in keys:
            keys.discard(other)
    return keys


@dataclass(frozen=True, slots=True)
class _Context:
    """Which document speaks how much of which concept, shape (documents, concepts), with the
    squared lengths of its rows, and by concept the rows of the documents that say what it is."""

    concepts: Sequence[Concept]
    documents: Sequence[str]
    spoken: Table
    squares: Scores
    defining: Mapping[int, Sequence[int]]

    def senses(self, number: int) -> dict[str, list[str]]:
        """The documents of each sense by its name; empty for a concept of one sense."""
        defining = np.array(self.defining.get(number, ()), dtype=np.int64)
        if len(defining) < 2 or self._likeness(defining, number).min() >= _APART:
            return {}
        rows: Numbers = np.flatnonzero(_column(self.spoken, number))
        if len(rows) > _MOST:
            return {}
        alike = self._likeness(rows, number)
        groups = self._proven(_clusters(alike), alike, rows, number)
        if len(groups) < 2:
            return {}
        return self._named(number, groups)

    def _likeness(self, rows: Numbers, without: int) -> Scores:
        """How alike documents are, each taken with those that are like it, leaving out one
        concept; cosines, shape (rows, rows)."""
        left_out = _column(self.spoken, without)
        lengths = np.sqrt(np.maximum(self.squares - left_out**2, 0.0))
        scale = np.divide(1.0, lengths, out=np.zeros_like(lengths), where=lengths > _NOTHING)
        products = (self.spoken[rows] @ self.spoken.T).toarray()
        near = (products - np.outer(left_out[rows], left_out)) * scale[rows, None] * scale
        near[near < _ALIKE] = 0.0
        lent = (sparse.csr_matrix(near * scale) @ self.spoken).toarray()
        lent[:, without] = 0.0
        lent /= np.maximum(np.linalg.norm(lent, axis=1, keepdims=True), _NOTHING)
        alike: Scores = np.round(np.clip(lent @ lent.T, 0.0, 1.0), _ROUNDING)
        return alike

    def _proven(
        self, groups: list[Numbers], alike: Scores, rows: Numbers, number: int
    ) -> list[Numbers]:
        """Rows of documents by sense: groups that say what the name means and speak of other
        concepts too, and the rest with that of these which it is most like."""
        defining = set(self.defining[number])
        proven: list[Numbers] = []
        rest: list[Numbers] = []
        for group in groups:
            besides = np.diff(self.spoken[rows[group]].tocsc().indptr).astype(bool).sum() - 1
            told = not defining.isdisjoint(rows[group].tolist())
            (proven if told and besides >= _FEWEST else rest).append(group)
        if len(proven) < 2:
            return []
        whole = [list(group) for group in proven]
        for group in rest:
            near = [float(alike[np.ix_(group, other)].mean()) for other in proven]
            whole[int(np.argmax(near))] += list(group)
        return [rows[np.sort(group)] for group in whole]

    def _named(self, number: int, groups: Sequence[Numbers]) -> dict[str, list[str]]:
        """Each group called by the concept that it speaks of most and the others least."""
        concept = self.concepts[number]
        shares = np.array([np.asarray(self.spoken[rows].mean(axis=0)).ravel() for rows in groups])
        words = set(name_key(concept.name).split())
        for i, other in enumerate(self.concepts):
            if not words.isdisjoint(name_key(other.name).split()):
                shares[:, i] = 0.0
        named: dict[str, list[str]] = {}
        for place, rows in enumerate(groups):
            own = np.round(shares[place] - np.delete(shares, place, axis=0).max(axis=0), _ROUNDING)
            field = self.concepts[int(np.argmax(own))].name
            named[f"{concept.name} ({field})"] = [self.documents[row] for row in rows]
        return named if len(named) == len(groups) else {}


def _defined(
    documents: Sequence[Document], annotations: Mapping[str, Annotation]
) -> set[tuple[str, int, str]]:
    """Document id, end and key of each defined term: *asset*, where it is no *fixed asset*."""
    return {
        (document.id, definition.term.stop, name_key(document.text[term.start : term.stop]))
        for document in documents
        for definition in annotations.get(document.id, Annotation()).definitions
        if definition.form != "heading" and (term := definition.term)
    }


def _context(
    concepts: Sequence[Concept],
    mentions: Sequence[Mention],
    defined: Collection[tuple[str, int, str]],
) -> _Context:
    keys = [{" ".join(words) for words in keys_of(concept)} for concept in concepts]
    number = {concept.id: i for i, concept in enumerate(concepts)}
    documents = sorted({mention.document_id for mention in mentions})
    place = {document: i for i, document in enumerate(documents)}
    defining: dict[int, set[int]] = defaultdict(set)
    for mention in mentions:
        i = number[mention.concept_id]
        if any((mention.document_id, mention.stop, key) in defined for key in keys[i]):
            defining[i].add(place[mention.document_id])
    cells = (
        [place[mention.document_id] for mention in mentions],
        [number[mention.concept_id] for mention in mentions],
    )
    spoken = sparse.csr_matrix(
        (np.ones(len(mentions)), cells), shape=(len(documents), len(concepts))
    )
    spoken.data = 1.0 + np.log(spoken.data)
    spread = np.diff(spoken.tocsc().indptr)
    rarity = np.log1p(len(documents) / np.maximum(spread, 1))
    spoken = (spoken @ sparse.diags_array(rarity)).tocsr()
    return _Context(
        concepts,
        documents,
        spoken,
        np.asarray(spoken.multiply(spoken).sum(axis=1)).ravel(),
        {i: sorted(rows) for i, rows in defining.items()},
    )


def _column(table: Table, number: int) -> Scores:
    return np.asarray(table[:, [number]].toarray()).ravel()


def _clusters(alike: Scores) -> list[Numbers]:
    """Groups of numbers that are less than ``_APART`` alike on average (average linkage)."""
    # An eighth of a second to import: few corpora have a name of several senses.
    from scipy.cluster.hierarchy import fcluster, linkage
    from scipy.spatial.distance import squareform

    distances = 1.0 - alike
    np.fill_diagonal(distances, 0.0)
    tree = linkage(squareform(distances, checks=False), "average")
    labels = fcluster(tree, 1.0 - _APART, "distance")
    return [np.flatnonzero(labels == label) for label in np.unique(labels)]
