"""Where the patterns of cues lie in a dependency tree.

Patterns are looked up by their trigger word and walked down from there: most words trigger
none, so a tree costs a tenth of what it costs to try every pattern at every word.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from graphrag.concepts.cue_patterns import Edge, Pattern
from graphrag.concepts.dependency_trees import Token

_VERBS = frozenset({"VERB", "AUX"})
_SUBJECTS = frozenset({"nsubj", "nsubjpass"})


class CueMatcher:
    """Finds patterns in trees; one without trigger words begins at every verb."""

    def __init__(self, patterns: Sequence[Pattern]) -> None:
        self._by_trigger: dict[str, list[Pattern]] = defaultdict(list)
        self._anywhere = [pattern for pattern in patterns if not pattern.trigger]
        for pattern in patterns:
            for word in dict.fromkeys(pattern.trigger):
                self._by_trigger[word].append(pattern)

    def find(self, tree: Sequence[Token]) -> Iterator[tuple[Pattern, Token, Token, Token]]:
        """Each place of a pattern: its trigger, and the words at the ends of its subject and
        object paths; an empty path ends where it begins."""
        for trigger in tree:
            patterns = self._by_trigger.get(trigger.lower_, [])
            if self._anywhere and trigger.pos_ in _VERBS:
                patterns = [*patterns, *self._anywhere]
            for pattern in patterns:
                shared = pattern.subject and _SUBJECTS.issuperset(pattern.subject[0].relations)
                first = _with_subject(trigger) if shared else trigger
                for subject in _ends(first, pattern.subject):
                    for object_ in _ends(trigger, pattern.object):
                        yield pattern, trigger, subject, object_


def _with_subject(verb: Token) -> Token:
    """The verb that the subject of a verb stands at: both of ``acts on X and depends on Y``
    have that of the first."""
    while (
        verb.dep_ == "conj"
        and verb.head.pos_ in _VERBS
        and not any(child.dep_ in _SUBJECTS for child in verb.children)
    ):
        verb = verb.head
    return verb


def _ends(token: Token, path: Sequence[Edge]) -> list[Token]:
    """The words that a path leads to."""
    ends = [token]
    for edge in path:
        ends = [
            child
            for parent in ends
            for child in parent.children
            if child.dep_ in edge.relations and (not edge.words or child.lower_ in edge.words)
        ]
        if not ends:
            break
    return ends
