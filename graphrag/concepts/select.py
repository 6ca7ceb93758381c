"""From candidates to concepts: which names are worth a node, and what they are called."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from graphrag.concepts.aliases import further_names
from graphrag.concepts.american import american
from graphrag.concepts.candidates import FEWEST_KINDS, Candidate, Sign, collect_candidates
from graphrag.concepts.merging import Groups, merge_spellings
from graphrag.concepts.names import name_key, spellings
from graphrag.concepts.short_forms import short_forms
from graphrag.concepts.spoken import by_count, count_in_texts
from graphrag.concepts.texts import Texts
from graphrag.domain import Annotation, Concept, Decision, Document, GivenConcept

# How surely a sign by itself shows a concept. Glossaries, stated prerequisites and titles
# speak for the author; a noun phrase only says that something is talked about.
_SIGN_WEIGHTS: Mapping[Sign, float] = {
    "glossary": 0.85,
    "prerequisite": 0.85,
    "title": 0.75,
    "heading": 0.5,
    "called": 0.55,
    "genus": 0.55,
    "term": 0.55,
    "bold": 0.45,
    "entry": 0.45,
    "copula": 0.4,
    "extracted": 0.5,
    "recurring": 0.5,
    "subject": 0.5,
    "phrase": 0.25,
}
_FURTHER_SIGN = 0.08
# Signs that also fall on adjectives, on words of the day, and on heads of other names.
_FAINT: frozenset[Sign] = frozenset({"heading", "bold", "copula", "entry", "extracted"})
_SET_OFF: frozenset[Sign] = frozenset({"bold", "entry", "copula", "phrase"})
_TOLD: frozenset[Sign] = frozenset({"subject", "phrase"})
# Letters of a course; a longer corpus sets off more that it hardly speaks of.
_USUAL_LETTERS = 250_000
_HARDLY_SPOKEN_FOR: frozenset[Sign] = _FAINT | {"recurring", "phrase"}
_TELLING_USES, _USED_AS_NOUN = 20, 0.05
_OF_USE: frozenset[Sign] = frozenset({"recurring", "phrase"})
_HEADS: frozenset[Sign] = frozenset({"title", "heading", "phrase"})
# "Notes for new starters", "Adding columns", "Table basics": what a chapter tells, and no name.
_TELLING = re.compile(
    r"\b(?:and|or|for|by|with|from|without|your|its|vs)\b|\w (?:of|to|in|on) (?:the|an?)\b"
    r"|^\w+ing [a-z]|&|/"
    r"| (?:basics?|internal|fundamental|feature|topic|guide|support|concept|tutorial|opinion|tour)$"
)
_SPOKEN_FOR: frozenset[Sign] = frozenset({"glossary", "prerequisite", "title", "heading"})
_RECURRING: frozenset[Sign] = _SPOKEN_FOR | {"recurring"}
_PARTS = re.compile(r"\w(?:\.|::)\w")
_FAINT_COPULA = 0.3
_GENUS = 0.5
_LONG = 4
# A name must be said so often, unless it is a title or an author introduces it.
_FEWEST_SAID, _FEWEST_SAID_TELLING = 2, 3
_FEWEST_RECURRING, _FEWEST_IN_NOTES = 5, 2
_SUGGESTED = 0.6  # suggestions beside a syllabus must be this sure


def find_concepts(
    documents: Sequence[Document],
    annotations: Mapping[str, Annotation],
    given: Sequence[GivenConcept] = (),
    decisions: Sequence[Decision] = (),
    *,
    threshold: float = 0.5,
    texts: Texts | None = None,
) -> list[Concept]:
    """The concepts of a corpus, sorted by id, each with its spellings.

    Given concepts keep their id and title and weigh 1. Beside a syllabus only those names
    are added that the documents or people state as prerequisites, or people include. What
    people decided (merge, split, alias, ignore) holds before all.
    """
    named = {name_key(form) for g in given for n in (g.title, *g.aliases) for form in spellings(n)}
    candidates = collect_candidates(documents, annotations, named)
    for decision in decisions:
        if decision.kind in ("add", "accept", "merge", "alias", "include"):
            for name in (decision.concept, decision.other):
                if name and name_key(name) not in named:
                    _stated(candidates, name)
    ignored = {name_key(d.concept) for d in decisions if d.kind == "ignore"}
    spelt_out = short_forms(documents)
    short = {**further_names(documents, annotations), **spelt_out}
    for name in (*short, *short.values()):
        if name_key(name) in candidates:
            candidates[name_key(name)].written.setdefault(name, 1)
    if not given:
        _spell_out(candidates, spelt_out)
    if given:
        candidates = {
            key: candidate
            for key, candidate in candidates.items()
            if candidate.signs["prerequisite"] and key not in named
        }
    count_in_texts(documents, candidates, texts or Texts())
    for short_name, long_name in short.items():
        if name_key(long_name) in candidates and name_key(short_name) not in candidates:
            key = name_key(short_name)
            candidates[key] = Candidate(key, written=Counter({short_name: 1}))
    for concept in given:
        _put_given(candidates, concept)
    written = {key: by_count(candidate) for key, candidate in candidates.items()}
    titles = {name_key(concept.title) for concept in given}
    groups = merge_spellings(written, short, decisions, separate=titles)
    for concept in given:
        for alias in concept.aliases:
            groups.join(name_key(concept.title), name_key(alias))
    letters = sum(len(document.text) for document in documents)
    fewest = _fewest(letters)
    return _concepts(candidates, groups, given, ignored, _SUGGESTED if given else threshold, fewest)


@dataclass(frozen=True, slots=True)
class Fewest:
    """How often a name must be said that is but ``set_off``, ``told`` of in general, or
    ``recurring``."""

    set_off: float = 0.0
    told: float = 0.0
    recurring: float = _FEWEST_RECURRING


_USUAL_FEWEST = Fewest()


def _fewest(letters: int) -> Fewest:
    """For a corpus of so many letters: what chance repeats grows with the root of them."""
    size = math.sqrt(letters / _USUAL_LETTERS)
    return Fewest(
        _FEWEST_SAID * max(1.0, size),
        _FEWEST_SAID * size,
        max(_FEWEST_IN_NOTES, _FEWEST_RECURRING * min(1.0, size)),
    )


def _spell_out(candidates: dict[str, Candidate], short: Mapping[str, str]) -> None:
    """Make the long name of each acronym that is a candidate one as well."""
    for short_name, long_name in short.items():
        key = name_key(long_name)
        if name_key(short_name) in candidates and key not in candidates:
            candidates[key] = Candidate(key, written=Counter({long_name: 1}))


def _stated(candidates: dict[str, Candidate], name: str) -> None:
    key = name_key(name)
    if key:
        candidate = candidates.setdefault(key, Candidate(key))
        candidate.signs["prerequisite"] += 2
        candidate.written[name] += 1


def _put_given(candidates: dict[str, Candidate], concept: GivenConcept) -> None:
    for name in (concept.title, *concept.aliases):
        key = name_key(name)
        candidates.setdefault(key, Candidate(key)).written.setdefault(name, 1)


def _weight(members: Sequence[Candidate], least: Fewest = _USUAL_FEWEST) -> float:
    """How surely a group of spellings is a concept, 0 to 1."""
    signs: Counter[Sign] = sum((m.signs for m in members), Counter())
    count, said = sum(sum(m.written.values()) for m in members), sum(m.said for m in members)
    present = [sign for sign in _SIGN_WEIGHTS if signs[sign]]
    if not present:
        return 0.0
    faint = len(present) == 1 and present[0] in _FAINT
    if faint and not any(_is_noun_by_itself(member) for member in members):
        return 0.0
    best = max(_SIGN_WEIGHTS[sign] for sign in present)
    if present == ["copula"] and all(" " not in m.key for m in members):
        best = _FAINT_COPULA
    further = sum(1 for sign in present if sign != "phrase") - 1
    often = min(0.2, 0.04 * math.log2(max(1, count)))
    long = present == ["glossary"] and all(len(m.key.split()) >= _LONG for m in members)
    # Set in bold once and never named again, or a line of a list rather than a glossary.
    introduced = any(
        m.introduced or (m.signs["bold"] and (m.signs["copula"] or m.signs["called"]))
        for m in members
    )
    if _HARDLY_SPOKEN_FOR.issuperset(present) and not any(map(_is_used_as_noun, members)):
        return 0.0
    if _OF_USE.issuperset(present) and said < least.recurring:
        return 0.0
    if _SET_OFF.issuperset(present) and not introduced and said < least.set_off:
        return 0.0
    told = signs["subject"] > 0
    if told and _TOLD.issuperset(present) and said < max(least.told, _fewest_told(members)):
        return 0.0
    telling = _HEADS.issuperset(present) and _TELLING.search(members[0].key) is not None
    fewest = _FEWEST_SAID_TELLING if telling else _FEWEST_SAID
    if telling and not said:
        return 0.0
    if not _SPOKEN_FOR.intersection(present) and all(map(_stands_for_others, members)):
        return 0.0
    if not _RECURRING.intersection(present) and all(map(_is_of_code, members)):
        return 0.0
    if said < fewest and not (introduced or told) and (best < _SIGN_WEIGHTS["title"] or long):
        return 0.3 * best
    return min(1.0, best + _FURTHER_SIGN * max(0, further) + often)


def _genus_weight(members: Sequence[Candidate], kinds: int) -> float:
    """How surely a word that nothing else puts forward is a concept because concepts are kinds
    of it: *inhibitor*, where there is a *competitive inhibitor* and a *non-competitive* one."""
    unsigned = not any(member.signs.total() for member in members)
    named = unsigned and kinds >= FEWEST_KINDS and all(map(_is_used_as_noun, members))
    return _GENUS if named else 0.0


def _fewest_told(members: Sequence[Candidate]) -> int:
    """Two words name by themselves; of three (*human body cell*) one may only describe."""
    longest = max(len(name.split()) for member in members for name in member.written)
    return _FEWEST_SAID if longest > 2 else 1


def _stands_for_others(candidate: Candidate) -> bool:
    """Whether a name is one that examples give to what they need: *table_name*, *my_table*."""
    return all("_" in name for name in candidate.written)


def _is_of_code(candidate: Candidate) -> bool:
    """Whether it is a name of code in several parts, of which a manual sets off hundreds."""
    return all(_PARTS.search(name) for name in candidate.written)


def _is_used_as_noun(candidate: Candidate) -> bool:
    """Whether a name of one word, where it is said often enough to tell, also stands as a noun:
    what manuals set off as an option or a choice (*want*, *normal*) hardly does."""
    often = candidate.said >= _TELLING_USES
    nouns = candidate.alone + candidate.within
    return " " in candidate.key or not often or nouns >= _USED_AS_NOUN * candidate.said


def _is_noun_by_itself(candidate: Candidate) -> bool:
    """Whether a name of one word is used as a noun, and not mostly as the head of longer names:
    not *parallel*, *delayed*, nor *operation* where all speak of row operations."""
    if " " in candidate.key:
        return True
    return candidate.alone > 0 and (candidate.within < 2 or candidate.alone >= candidate.within)


def _concepts(
    candidates: Mapping[str, Candidate],
    groups: Groups,
    given: Sequence[GivenConcept],
    ignored: set[str],
    threshold: float,
    fewest: Fewest,
) -> list[Concept]:
    owners = {groups.head(name_key(concept.title)): concept for concept in reversed(given)}
    taken = {concept.id for concept in given}
    concepts: list[Concept] = []
    extra: dict[str, list[str]] = defaultdict(list)
    weighed: list[tuple[str, list[Candidate], float]] = []
    for head, keys in groups.members().items():
        if ignored & set(keys):
            continue
        members = [candidates[key] for key in keys if key in candidates]
        if head in owners:
            extra[owners[head].id] += [n for m in members for n in by_count(m)[:1]]
            continue
        weighed.append((head, members, _weight(members, fewest)))
    kinds = Counter(head.rpartition(" ")[2] for head, _, weight in weighed if weight >= threshold)
    for head, members, found in weighed:
        weight = max(found, _genus_weight(members, kinds[head]))
        if weight < threshold:
            continue
        main = candidates.get(head, members[0])
        name, aliases = _naming(main, members)
        concepts.append(Concept(_free_id(head, taken), name, tuple(aliases), round(weight, 4)))
    for syllabus in given:
        if name_key(syllabus.title) not in ignored:
            aliases = _further(syllabus.title, [*syllabus.aliases, *extra[syllabus.id]])
            concepts.append(Concept(syllabus.id, syllabus.title, tuple(aliases), given=True))
    return sorted(concepts, key=lambda concept: concept.id)


def _free_id(key: str, taken: set[str]) -> str:
    """An id made from a key; given ids are never used twice."""
    identifier = key.replace(" ", "-")
    while identifier in taken:
        identifier += "~"
    taken.add(identifier)
    return identifier


def _naming(main: Candidate, members: Sequence[Candidate]) -> tuple[str, list[str]]:
    """The name to show, and the other spellings.

    The name is the commonest spelling in the singular, small letters before capitals that
    only begin a sentence or a heading.
    """
    names = by_count(main)
    singular = [
        name
        for name in names
        if " ".join(map(american, name.casefold().replace("-", " ").split())) == main.key
    ]
    small = {name.casefold() for name in names if name[:1].islower()}
    pool = singular or names
    usual = [name for name in pool if not (name[:1].isupper() and name.casefold() in small)]
    if not usual:
        usual = [pool[0][:1].lower() + pool[0][1:]]
    name = usual[0]
    others = [by_count(m)[0] for m in members if m is not main]
    return name, _further(name, others)


def _further(name: str, aliases: Iterable[str]) -> list[str]:
    """Aliases whose keys differ from the name's and each other's, in order."""
    seen = {name_key(name)}
    kept: list[str] = []
    for alias in aliases:
        if name_key(alias) not in seen:
            seen.add(name_key(alias))
            kept.append(alias)
    return kept
