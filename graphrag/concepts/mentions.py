"""Where a corpus names its concepts: longest matches of all their spellings."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from graphrag.concepts.names import (
    key_tokens,
    name_key,
    spellings,
    split_bracket,
    token_spans,
    without_formulas,
)
from graphrag.concepts.texts import Texts, Words
from graphrag.domain import Annotation, Chunk, Concept, Document, Mention, MentionKind

_END = ""
_USUAL_GAPS = frozenset({" ", "-", "\n", "/", ".", "::"})
_PARTING = re.compile(r"[.,;:!?()\[\]|]|\n.*\n", re.DOTALL)
_NEVER_BY_THEMSELVES = frozenset({"a", "i"})
# How surely a spelling means its concept: its name, an alias, a form that was derived.
_NAME, _ALIAS, _DERIVED = 0, 1, 2


@dataclass(frozen=True, slots=True)
class Found:
    """A place where concepts are named: offsets, their ids (several for homonyms), and
    whether it lies within a longer name."""

    start: int
    stop: int
    concept_ids: tuple[str, ...]
    nested: bool = False


class NameTrie:
    """All spellings of a set of concepts, for finding them in texts.

    Of overlapping names the leftmost longest wins; names inside it are found as nested.
    A one-letter name, and one all in capitals, is matched only as written.
    """

    def __init__(self, concepts: Iterable[Concept]) -> None:
        claims: dict[tuple[str, ...], dict[str, int]] = defaultdict(dict)
        self._as_written: set[tuple[tuple[str, ...], str]] = set()
        strict: dict[tuple[str, ...], set[str]] = defaultdict(set)
        free: set[tuple[str, ...]] = set()
        for concept in concepts:
            for form, rank in _forms(concept):
                key = key_tokens(form)
                if not key or (len(key) == 1 and key[0] in _NEVER_BY_THEMSELVES):
                    continue
                claims[key][concept.id] = min(rank, claims[key].get(concept.id, _DERIVED))
                written = form.strip()
                if len(key) == 1 and (len(key[0]) == 1 or written.isupper()):
                    strict[key].add(written)
                else:
                    free.add(key)
        self._strict = {key: forms for key, forms in strict.items() if key not in free}
        # All that a name adds to what ``find`` gives: ids, and how it must be written.
        self.names: dict[tuple[str, ...], tuple[tuple[str, ...], frozenset[str]]] = {}
        self._root: dict[str, object] = {}
        for key, claimants in sorted(claims.items()):
            best = min(claimants.values())
            node = self._root
            for word in key:
                node = node.setdefault(word, {})  # type: ignore[assignment]
            ids = tuple(sorted(i for i, rank in claimants.items() if rank == best))
            node[_END] = ids
            self.names[key] = (ids, frozenset(self._strict.get(key, ())))

    def find(self, text: str, words: Words | None = None) -> list[Found]:
        """The names in a text, in order of start, longer before nested ones; ``words`` are
        those of the text where they are known."""
        spans = token_spans(without_formulas(text)) if words is None else words
        root, found, covered = self._root, [], 0
        following = [word for _, _, word in spans[1:]]
        following.append(_END)  # no word, and what a node has where a name may end
        for i, (start, _, word) in enumerate(spans):
            node: Any = root.get(word)
            # Most words that begin a name do not go on like it.
            if node is None or (_END not in node and following[i] not in node):
                continue
            matches: list[tuple[int, int, tuple[str, ...]]] = []
            j = i
            while isinstance(node, dict):
                ids = node.get(_END)
                if ids is not None and self._is_allowed(text, spans, i, j):
                    matches.append((start, spans[j][1], ids))
                j += 1
                if j >= len(spans):
                    break
                node = node.get(spans[j][2])
            for begin, stop, ids in reversed(matches):
                if begin >= covered:
                    covered = stop
                    found.append(Found(begin, stop, ids))
                elif stop <= covered:
                    found.append(Found(begin, stop, ids, nested=True))
        return found

    def _is_allowed(self, text: str, spans: list[tuple[int, int, str]], i: int, j: int) -> bool:
        """Whether the words stand close together, and a strict name is as written."""
        for place in range(i, j):
            gap = text[spans[place][1] : spans[place + 1][0]]
            if gap not in _USUAL_GAPS and (len(gap) > 3 or _PARTING.search(gap)):
                return False
        if i == j:
            forms = self._strict.get((spans[i][2],))
            if forms is not None:
                written = text[spans[i][0] : spans[i][1]]
                return written in forms or written.removesuffix("s") in forms
        return True


def _forms(concept: Concept) -> list[tuple[str, int]]:
    forms = [(concept.name, _NAME)]
    forms += [(form, _DERIVED) for form in spellings(concept.name)[1:]]
    for alias in concept.aliases:
        forms.append((alias, _ALIAS))
        forms += [(form, _DERIVED) for form in spellings(alias)[1:]]
    return forms


def find_mentions(
    documents: Sequence[Document],
    chunks: Sequence[Chunk],
    annotations: Mapping[str, Annotation],
    concepts: Sequence[Concept],
    texts: Texts | None = None,
) -> list[Mention]:
    """Every mention of the concepts, by document in the order given, then by place.

    A homonym goes to the concept whose bracketed field the document speaks of most, ties
    to the smaller id. A mention that lies in no chunk is left out.
    """
    trie = NameTrie(concepts)
    names_in = (texts or Texts()).by_names("mentions", trie.names, trie.find)
    fields = {c.id: key_tokens(split_bracket(c.name)[1]) for c in concepts}
    by_document: dict[str, list[Chunk]] = defaultdict(list)
    for chunk in chunks:
        by_document[chunk.document_id].append(chunk)
    mentions: list[Mention] = []
    for document in documents:
        own = sorted(by_document[document.id], key=lambda chunk: (chunk.stop, chunk.start))
        found = names_in(document)
        choose = _Chooser(document, fields)
        kinds = _Kinds(document, annotations.get(document.id, Annotation()))
        stops = [chunk.stop for chunk in own]
        for name in found:
            place = bisect_right(stops, name.stop - 1)
            if place >= len(own) or own[place].start > name.start:
                continue
            mentions.append(
                Mention(
                    choose(name.concept_ids),
                    document.id,
                    own[place].id,
                    name.start,
                    name.stop,
                    kinds(name.start, name.stop),
                )
            )
    return mentions


class _Chooser:
    """Tells homonyms apart by how often the document uses the words of their fields."""

    def __init__(self, document: Document, fields: Mapping[str, tuple[str, ...]]) -> None:
        self._document = document
        self._fields = fields
        self._counts: dict[str, int] | None = None

    def __call__(self, ids: tuple[str, ...]) -> str:
        if len(ids) == 1:
            return ids[0]
        if self._counts is None:
            self._counts = defaultdict(int)
            for _, _, word in token_spans(self._document.text):
                self._counts[word] += 1
        counts = self._counts
        return min(ids, key=lambda i: (-sum(counts.get(w, 0) for w in self._fields[i]), i))


class _Kinds:
    """The kind of place that offsets lie in; asked in order of start."""

    def __init__(self, document: Document, annotation: Annotation) -> None:
        title = name_key(document.title)
        self._places: list[tuple[int, int, MentionKind]] = []
        for block in document.blocks:
            if block.kind == "heading":
                is_title = name_key(document.text[block.start : block.stop]) == title
                kind: MentionKind = "title" if is_title else "heading"
                self._places.append((block.start, block.stop, kind))
            else:
                self._places += [(t.start, t.stop, "emphasis") for t in block.terms]
        for definition in annotation.definitions:
            if definition.form != "heading":
                self._places.append((definition.term.start, definition.term.stop, "definition"))
        self._places.sort(key=lambda place: place[0])
        self._next = 0
        self._open: list[tuple[int, int, MentionKind]] = []

    def __call__(self, start: int, stop: int) -> MentionKind:
        while self._next < len(self._places) and self._places[self._next][0] <= start:
            self._open.append(self._places[self._next])
            self._next += 1
        self._open = [place for place in self._open if place[1] >= stop]
        kinds = {place[2] for place in self._open}
        for kind in ("title", "heading", "definition", "emphasis"):
            if kind in kinds:
                return kind
        return "text"
