"""Linking the words of a question to concepts, forgiving about spelling."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rapidfuzz.distance import OSA

from graphrag.concepts.names import (
    acronym_of,
    compact,
    family_key,
    key_tokens,
    name_key,
    spellings,
    split_bracket,
    token_spans,
    word_set,
)
from graphrag.domain import Concept
from graphrag.errors import QueryError

_SIMILAR = 0.55  # trigram Jaccard from which several words count as a name
_SHORTEST_FUZZY = 5
_SHORTEST_FAMILY = 9  # "relative" is no "relativity"
_LONGEST = 8
_NAMED_NEAREST = 3
_COMPARED = 12
_MISTYPED = 0.8
_DERIVED = 2  # the rank of a form that is made from a name: without its bracket, turned round
_ALIKE = 0.55  # makes a name worth naming, never the one that was meant


@dataclass(frozen=True, slots=True)
class Linked:
    """A stretch of a text that names a concept; ``exact`` is false for a guessed spelling."""

    concept_id: str
    start: int
    stop: int
    exact: bool


class Linker:
    """Finds concepts in questions: plural, case, hyphens, acronyms, and typing errors.

    Names found exactly win over guesses, longer over shorter ones, and a concept's own
    name over an alias, then given and weightier concepts, then the smaller id.
    """

    def __init__(self, concepts: Sequence[Concept]) -> None:
        self._concepts = {concept.id: concept for concept in concepts}
        claims: dict[str, list[tuple[tuple[int, int, float, str], str]]] = defaultdict(list)
        for concept in concepts:
            for form, rank in _forms(concept):
                key = name_key(form)
                order = (rank, -int(concept.given), -concept.weight, concept.id)
                for variant in {key, compact(key)} if len(key) > 6 else {key}:
                    claims[variant].append((order, concept.id))
        self._by_key = {key: min(entries)[1] for key, entries in claims.items()}
        self._homonyms = {key: ids for key, ids in map(_homonyms, claims.items()) if len(ids) > 1}
        for concept in sorted(concepts, key=lambda c: c.id):
            initials = acronym_of(concept.name).casefold()
            if len(initials) >= 3:
                self._by_key.setdefault(initials, concept.id)
        self._grams: dict[str, list[str]] = defaultdict(list)
        self._sizes: dict[str, int] = {}
        for key in sorted(self._by_key):
            if len(key) >= _SHORTEST_FUZZY:
                grams = _trigrams(key)
                self._sizes[key] = len(grams)
                for gram in grams:
                    self._grams[gram].append(key)

    def link(self, text: str) -> list[Linked]:
        """The concepts that the text names, in the order of the text, none overlapping.

        What no exact name covers is compared with all names: one word may be mistyped or
        another form of the name's word (``injective``, ``injectivity``); several words may
        also share most of their character trigrams with it. A part of a name, or a word of
        another family (``determine``), is no name.
        """
        words = token_spans(text)
        found = self._exact(words)
        covered = [False] * len(words)
        for _, first, stop in found:
            covered[first:stop] = [True] * (stop - first)
        fuzzy = self._fuzzy(words, covered)
        linked = [
            Linked(concept_id, words[first][0], words[stop - 1][1], exact)
            for exact, group in ((True, found), (False, fuzzy))
            for concept_id, first, stop in group
        ]
        return sorted(linked, key=lambda each: each.start)

    def _exact(self, words: Sequence[tuple[int, int, str]]) -> list[tuple[str, int, int]]:
        found: list[tuple[str, int, int]] = []
        i = 0
        while i < len(words):
            for stop in range(min(len(words), i + _LONGEST), i, -1):
                key = " ".join(word for _, _, word in words[i:stop])
                concept_id = self._by_key.get(key) or self._by_key.get(
                    compact(key) if len(key) > 6 else key
                )
                if concept_id is not None and key not in _FUNCTION_WORDS:
                    found.append((self._meant(key, concept_id, words), i, stop))
                    i = stop
                    break
            else:
                i += 1
        return found

    def _meant(self, key: str, concept_id: str, words: Sequence[tuple[int, int, str]]) -> str:
        """Of homonyms the one whose field the text names most: ``key (scale)`` where it speaks
        of scales; the given one where it names none."""
        said = [word for _, _, word in words]

        def named(homonym: str) -> int:
            field = key_tokens(split_bracket(self._concepts[homonym].name)[1])
            return sum(said.count(word) for word in field)

        return max([concept_id, *self._homonyms.get(key, [])], key=named)

    def _fuzzy(
        self, words: Sequence[tuple[int, int, str]], covered: Sequence[bool]
    ) -> list[tuple[str, int, int]]:
        guesses: list[tuple[float, int, int, int, str]] = []
        for i in range(len(words)):
            for stop in range(i + 1, min(len(words), i + 4) + 1):
                if any(covered[i:stop]):
                    break
                window = [word for _, _, word in words[i:stop]]
                if window[0] in _FUNCTION_WORDS or window[-1] in _FUNCTION_WORDS:
                    continue
                for score, key in self._nearest(" ".join(window), 1):
                    if score >= (_MISTYPED if stop == i + 1 else _SIMILAR):
                        guesses.append((-score, i - stop, i, stop, self._by_key[key]))
        taken = list(covered)
        found: list[tuple[str, int, int]] = []
        for _, _, i, stop, concept_id in sorted(guesses):
            if not any(taken[i:stop]):
                taken[i:stop] = [True] * (stop - i)
                found.append((concept_id, i, stop))
        return found

    def _nearest(self, key: str, k: int) -> list[tuple[float, str]]:
        if len(key) < _SHORTEST_FUZZY:
            return []
        grams = _trigrams(key)
        shared: dict[str, int] = defaultdict(int)
        for gram in grams:
            for name in self._grams.get(gram, ()):
                shared[name] += 1
        scored = [
            (count / (len(grams) + self._sizes[name] - count), name)
            for name, count in shared.items()
        ]
        best = sorted(scored, key=lambda pair: (-pair[0], pair[1]))[:_COMPARED]
        judged = [
            (max(score, _MISTYPED) if _is_a_form(key, name) else score, name)
            for score, name in best
        ]
        return sorted(judged, key=lambda pair: (-pair[0], pair[1]))[:k]

    def resolve(self, name: str) -> Concept:
        """The concept of that id or name.

        Raises QueryError that names the nearest ones where nothing fits, and the homonyms where
        several do.
        """
        if name in self._concepts:
            return self._concepts[name]
        if not self._concepts:
            raise QueryError(f"the index holds no concepts yet, so none is called '{name}'")
        key = name_key(name)
        if key in self._homonyms:
            alike = [f"'{self._concepts[each].name}'" for each in self._homonyms[key]]
            raise QueryError(f"'{name}' names several concepts; say which: {', '.join(alike)}")
        concept_id = self._by_key.get(key) or self._by_key.get(compact(key)) or self._reordered(key)
        if concept_id is not None:
            return self._concepts[concept_id]
        nearest = self._near(key, 2 * _NAMED_NEAREST)
        if (
            nearest
            and nearest[0][0] >= 0.6
            and (len(nearest) == 1 or nearest[0][0] - nearest[1][0] > 0.1)
        ):
            return self._concepts[self._by_key[nearest[0][1]]]
        names = dict.fromkeys(self._concepts[self._by_key[k]].name for _, k in nearest)
        shown = ", ".join(f"'{each}'" for each in list(names)[:_NAMED_NEAREST])
        hint = f"; nearest: {shown}" if shown else ""
        raise QueryError(
            f"no concept is called '{name}'{hint}; `graphrag search '{name}'` finds what the "
            "documents say of it, `graphrag cypher 'MATCH (c:Concept) RETURN c.name'` lists all"
        )

    def _reordered(self, key: str) -> str | None:
        """The concept whose name has the same words in another order, if one alone has."""
        words = sorted(key.split())
        if len(words) < 2:
            return None
        same = {self._by_key[name] for name in self._by_key if sorted(name.split()) == words}
        return same.pop() if len(same) == 1 else None

    def _near(self, key: str, k: int) -> list[tuple[float, str]]:
        """The names nearest to one that was typed, short ones and those that share a word
        with it included, best first."""
        scores = {name: score for score, name in self._nearest(key, _COMPARED)}
        words = frozenset(key.split())
        for name in self._by_key:
            if len(name) < _SHORTEST_FUZZY and _is_a_form(key, name):
                scores[name] = _ALIKE  # "spin" is one letter from "span", and another thing
            shared = words & frozenset(name.split())
            if shared:
                share = len(shared) / max(len(words), len(name.split()))
                scores[name] = max(scores.get(name, 0.0), min(share, _ALIKE))
        return sorted(((score, name) for name, score in scores.items()), key=_best_first)[:k]


def _best_first(scored: tuple[float, str]) -> tuple[float, str]:
    return -scored[0], scored[1]


# Words that tasks are put with are no mistyped names: "compute" is no "commute".
_ASKING = word_set(
    "compute computed computes count counts decide derive describe determine determined define "
    "discuss evaluate explain express find form give given name prove proof show sketch solve "
    "solved state test verify write wrote divide divided multiply multiplied rotate scale scaled"
)
_FUNCTION_WORDS = word_set(
    "a an the of in on at to for from by with between among than is are was do does did i you we "
    "it be and or not what how why when which who need know before after learn can should must my "
    "me about"
)


def _forms(concept: Concept) -> Iterable[tuple[str, int]]:
    yield concept.name, 0
    for alias in concept.aliases:
        yield alias, 1
    for name in (concept.name, *concept.aliases):
        for form in spellings(name)[1:]:
            yield form, _DERIVED


def _homonyms(
    claimed: tuple[str, Sequence[tuple[tuple[int, int, float, str], str]]],
) -> tuple[str, list[str]]:
    """A key with the ids of all that it is the name of but for their brackets; with none where
    one has it for its own name."""
    key, claims = claimed
    derived = sorted({concept_id for order, concept_id in claims})
    return key, derived if min(claims)[0][0] == _DERIVED else []


def _trigrams(key: str) -> frozenset[str]:
    padded = f"  {key} "
    return frozenset(padded[i : i + 3] for i in range(len(padded) - 2))


def _is_a_form(written: str, name: str) -> bool:
    """Whether a name is mistyped (one letter in six is wrong, missing, too many or swapped)
    or stands in another form.

    Source: Damerau, Communications of the ACM 7(3), 1964 (optimal string alignment).
    """
    if len(written) >= _SHORTEST_FAMILY and family_key(written) == family_key(name):
        return True
    if written in _ASKING:
        return False
    allowed = max(1, len(name) // 6)
    return written[:1] == name[:1] and OSA.distance(written, name) <= allowed


def keys_of(concept: Concept) -> set[tuple[str, ...]]:
    """The normalised words of every spelling of a concept."""
    return {key_tokens(form) for form, _ in _forms(concept)}
