"""Under which concepts of today's graph a learner's beliefs count.

What was said stays stored under the concept that it was said of. A syllabus, a new spelling or
a merge gives that concept another id, homonyms told apart give it several, and any of this may
be taken back: so homes are looked up when beliefs are read, and the stored ones are not moved.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from graphrag.concepts.names import name_key, split_bracket
from graphrag.domain import Belief, Concept, Learner


@dataclass(frozen=True, slots=True)
class _Homes:
    """Ids by name, and the ids of homonyms by the name that they share."""

    ids: frozenset[str]
    named: Mapping[str, str]
    senses: Mapping[str, tuple[str, ...]]

    def of(self, key: str) -> tuple[str, ...]:
        """The concepts that an id of once stands for; itself where none does."""
        if key in self.ids:
            return (key,)
        name = name_key(key)
        return (self.named[name],) if name in self.named else self.senses.get(name, (key,))


def at_home(learner: Learner, concepts: Iterable[Concept]) -> Learner:
    """The learner with each belief under the concept that bears its name today.

    What was said of a name before its homonyms were told apart counts for each of them. Of
    beliefs that meet the latest stays, with the reasons of all; what no concept is called now
    is kept as it is.
    """
    homes = _homes(concepts)
    meeting: dict[str, list[Belief]] = {}
    for belief in sorted(learner.beliefs.values(), key=lambda each: (each.updated, each.concept)):
        for home in homes.of(belief.concept):
            meeting.setdefault(home, []).append(belief)
    joined = {home: _joined(home, beliefs) for home, beliefs in sorted(meeting.items())}
    return replace(learner, beliefs=joined)


def stored_after(stored: Learner, changed: Learner, concepts: Iterable[Concept]) -> Learner:
    """What to store of a learner: ``stored``, with the beliefs by which ``changed`` differs
    from ``stored`` as it stands ``at_home``.

    What is said of one of several names of a concept, or of one of several homonyms, leaves
    stored what was said of the others; what is forgotten is forgotten under all names.
    """
    concepts = tuple(concepts)
    homes, seen = _homes(concepts), at_home(stored, concepts).beliefs
    beliefs = dict(stored.beliefs)
    forgotten = seen.keys() - changed.beliefs.keys()
    for key in [key for key in beliefs if not forgotten.isdisjoint(homes.of(key))]:
        del beliefs[key]
        beliefs |= {home: seen[home] for home in homes.of(key) if home not in forgotten}
    beliefs |= {k: belief for k, belief in changed.beliefs.items() if belief != seen.get(k)}
    return replace(changed, beliefs=dict(sorted(beliefs.items())))


def _homes(concepts: Iterable[Concept]) -> _Homes:
    ids: set[str] = set()
    named: dict[str, str] = {}
    senses: dict[str, tuple[str, ...]] = {}
    for concept in concepts:
        ids.add(concept.id)
        for name in (concept.name, *concept.aliases):
            named.setdefault(name_key(name), concept.id)
        base, sense = split_bracket(concept.name)
        if sense:
            key = name_key(base)
            senses[key] = (*senses.get(key, ()), concept.id)
    return _Homes(frozenset(ids), named, senses)


def _joined(home: str, beliefs: list[Belief]) -> Belief:
    """The latest of beliefs, earliest first, under the concept ``home``."""
    reasons = dict.fromkeys(words for belief in beliefs for words in belief.because)
    return replace(beliefs[-1], concept=home, because=tuple(reasons))
