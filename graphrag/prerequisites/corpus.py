"""What the evidence modules look at: documents, concepts and mentions, indexed once."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from graphrag.concepts.candidates import heading_name, shared_tail, title_name
from graphrag.concepts.linking import keys_of
from graphrag.concepts.mentions import NameTrie
from graphrag.concepts.names import key_tokens, name_key, split_bracket
from graphrag.domain import Annotation, Chunk, Concept, Document, EvidenceKind, Mention, Span
from graphrag.prerequisites.occurrences import Occurrences, count_occurrences


@dataclass(frozen=True, slots=True)
class Witness:
    """A place that speaks for ``prerequisite`` coming before ``concept`` (both by number)."""

    kind: EvidenceKind
    concept: int
    prerequisite: int
    score: float
    sentence: str
    document_id: str
    chunk_id: str = ""


class Corpus:
    """An index over one corpus; concepts are numbered in the order given."""

    def __init__(
        self,
        documents: Sequence[Document],
        chunks: Sequence[Chunk],
        annotations: Mapping[str, Annotation],
        concepts: Sequence[Concept],
        mentions: Sequence[Mention],
    ) -> None:
        self.documents = tuple(documents)
        self.concepts = tuple(concepts)
        self.mentions = tuple(mentions)
        self.annotations = tuple(annotations.get(d.id, Annotation()) for d in documents)
        self.occurrences: Occurrences = count_occurrences(documents, concepts, mentions)
        self.number = {concept.id: i for i, concept in enumerate(concepts)}
        self._given = {concept.id: i for i, concept in enumerate(concepts) if concept.given}
        self._by_key: dict[str, int] = {}
        for i, concept in enumerate(concepts):
            self._by_key.setdefault(name_key(concept.name), i)
        for i, concept in enumerate(concepts):
            for words in sorted(keys_of(concept)):
                self._by_key.setdefault(" ".join(words), i)
        self._homonyms = _homonyms(concepts)
        self._speaking = {
            (mention.document_id, self.number[mention.concept_id])
            for mention in (mentions if self._homonyms else ())
        }
        self._trie = NameTrie(concepts)
        self._named: dict[str, dict[int, float]] = {}
        self._ranges: dict[str, tuple[int, list[int]]] = {}
        for position, mention in enumerate(mentions):
            self._ranges.setdefault(mention.document_id, (position, []))[1].append(mention.start)
        self._chunks: dict[str, tuple[list[int], list[str]]] = {}
        for chunk in sorted(chunks, key=lambda c: (c.document_id, c.stop, c.start)):
            stops, ids = self._chunks.setdefault(chunk.document_id, ([], []))
            stops.append(chunk.stop)
            ids.append(chunk.id)
        self._tail = shared_tail([document.title for document in documents])
        self.topics = [self._topics(document) for document in documents]
        self.usual_names = self._usual_names()

    def _usual_names(self) -> list[str]:
        """What the texts call each concept most often, of its name (without bracket) and its
        aliases; its name where none is used more."""
        counts: dict[int, Counter[str]] = {
            i: Counter() for i, concept in enumerate(self.concepts) if concept.aliases
        }
        texts = {document.id: document.text for document in self.documents}
        for mention in self.mentions if counts else ():
            i = self.number[mention.concept_id]
            if i in counts:
                counts[i][texts[mention.document_id][mention.start : mention.stop]] += 1
        usual = [split_bracket(concept.name)[0] for concept in self.concepts]
        for i, written in counts.items():
            used: Counter[str] = Counter()
            for spelling, count in written.items():
                used[name_key(spelling)] += count
            forms = [usual[i], *self.concepts[i].aliases]
            usual[i] = max(forms, key=lambda form: used[name_key(form)])
        return usual

    def concept_named(self, name: str, document_id: str = "") -> int | None:
        """The concept of exactly that name or alias, by number; of homonyms that share it the
        one that the document speaks of."""
        key = name_key(name)
        i = self._by_key.get(key)
        if i is None or name_key(self.concepts[i].name) == key:
            return i
        return self._meant(i, document_id)

    def _meant(self, number: int, document_id: str) -> int:
        """Of a concept and its homonyms the one that a document speaks of."""
        alike = self._homonyms.get(number, ())
        spoken = [i for i in alike if (document_id, i) in self._speaking]
        return number if number in spoken or not spoken else spoken[0]

    def apart(self, one: int, other: int) -> bool:
        """Whether two concepts have nothing to do with each other: one is a homonym that is told
        apart by the documents that speak of it, and none of these speaks of the other."""
        told = [i for i in (one, other) if i in self._homonyms and not self.concepts[i].given]
        return bool(told) and self._speakers(one).isdisjoint(self._speakers(other))

    def _speakers(self, number: int) -> set[str]:
        """The documents that speak of a concept, where there are homonyms."""
        return {document for document, i in self._speaking if i == number}

    def mentions_in(self, document: Document, span: Span) -> list[tuple[int, Mention]]:
        """Concept number and mention of all that is named within a span."""
        first, starts = self._ranges.get(document.id, (0, []))
        found = []
        for i in range(bisect_left(starts, span.start), bisect_right(starts, span.stop)):
            mention = self.mentions[first + i]
            if mention.stop <= span.stop:
                found.append((self.number[mention.concept_id], mention))
        return found

    def named_in(self, heading: str, document_id: str = "") -> dict[int, float]:
        """Concepts that a heading of a document names, with the share of its words that they
        take; nested ones count half."""
        named = self._named_in(heading)
        if self._homonyms.keys().isdisjoint(named):
            return named
        return {i: share for i, share in named.items() if self._meant(i, document_id) == i}

    def _named_in(self, heading: str) -> dict[int, float]:
        known = self._named.get(heading)
        if known is None:
            known = {}
            size = max(1, sum(not word.isdigit() for word in key_tokens(heading)))
            for found in self._trie.find(heading):
                words = len(key_tokens(heading[found.start : found.stop]))
                share = min(1.0, words / size) * (0.5 if found.nested else 1.0)
                for concept_id in found.concept_ids:
                    i = self.number[concept_id]
                    known[i] = max(share, known.get(i, 0.0))
            self._named[heading] = known
        return known

    def chunk_at(self, document_id: str, offset: int) -> str:
        """The id of the first chunk that reaches beyond an offset; empty without chunks."""
        stops, ids = self._chunks.get(document_id, ([], []))
        place = bisect_right(stops, offset)
        return ids[min(place, len(ids) - 1)] if ids else ""

    def _topics(self, document: Document) -> tuple[int, ...]:
        """The concepts that a document is about: by its id, its file's name, or its title,
        which may join two (``Eigenvalues and eigenvectors``)."""
        for identifier in (document.id, PurePosixPath(document.id).stem) if self._given else ():
            i = self._given.get(identifier)
            if i is not None:
                return (i,)
        return self.topics_of(document.title, document.id) or self.topics_of(
            title_name(document.title, self._tail), document.id
        )

    def topics_of(self, heading: str, document_id: str) -> tuple[int, ...]:
        """The concepts that a heading of a document is the name of, or joins the names of; the
        names that take at least half of it where it is no name."""
        title = heading_name(heading)
        for parts in ([heading], [title], re.split(r" and | & |, ", title)):
            found = [self.concept_named(part, document_id) for part in parts]
            exact = tuple(i for i in found if i is not None)
            if len(exact) == len(parts):
                return tuple(dict.fromkeys(exact))
        named = self.named_in(title, document_id)
        return tuple(sorted(i for i, share in named.items() if share >= 0.5))


def _homonyms(concepts: Sequence[Concept]) -> dict[int, tuple[int, ...]]:
    """Each concept whose name without its bracket is another's too, with all of these."""
    groups: dict[str, list[int]] = {}
    for i, concept in enumerate(concepts):
        groups.setdefault(name_key(split_bracket(concept.name)[0]), []).append(i)
    return {i: tuple(group) for group in groups.values() if len(group) > 1 for i in group}


def sentence_text(document: Document, span: Span) -> str:
    """A sentence on one line."""
    return " ".join(document.text[span.start : span.stop].split())
