"""The rules of spaCy's attribute ruler, looked up by what tells tokens apart.

Its matcher tries every rule at every token, which took a fifth of the time of parsing. The
rules of the English pipelines look at one token, or at two, and at few words; so tokens are
of few kinds, and what the rules say of a kind is worked out once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

_SEEN = ("TAG", "DEP", "LOWER", "IS_SPACE")  # attributes that conditions may be on
_SET = {"POS": "pos_", "TAG": "tag_", "DEP": "dep_"}  # attributes that rules may set
_MOST_KINDS = 100_000
_OTHER = -1  # any word that no rule names

_Kind = tuple[int, ...]
_Condition = tuple[tuple[int, frozenset[int], bool], ...]
_Changes = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class _Rule:
    """Sets attributes of a token that meets ``own``, right behind one that meets ``before``.

    A condition is met where the attribute at each place is, or is not, among some numbers.
    """

    before: _Condition | None
    own: _Condition
    changes: _Changes


class Rules:
    """Does to a parsed sentence what the attribute ruler would do."""

    def __init__(self, rules: Sequence[_Rule], words: frozenset[int]) -> None:
        self._rules = rules
        self._words = words
        self._of_tag: dict[int, list[_Rule]] = {}
        self._pairs = [rule for rule in rules if rule.before is not None]
        self._said: dict[tuple[_Kind, frozenset[int]], tuple[_Changes, frozenset[int]]] = {}

    def apply(self, tree: Any) -> None:
        """Set what the rules say; where several say something, the last one's word counts."""
        before: frozenset[int] = frozenset()
        for token, row in zip(tree, tree.to_array(list(_SEEN)).tolist(), strict=True):
            tag, dep, lower, space = row
            kind = tag, dep, lower if lower in self._words else _OTHER, space
            said = self._said.get((kind, before))
            if said is None:
                said = self._work_out(kind, before)
            changes, before = said
            for name, value in changes:
                setattr(token, name, value)

    def _work_out(self, kind: _Kind, before: frozenset[int]) -> tuple[_Changes, frozenset[int]]:
        """What the rules set for a token of the kind, and the rules that ask for one like it in
        front of theirs; ``before`` are those that found one there."""
        if kind[0] not in self._of_tag:
            self._of_tag[kind[0]] = [r for r in self._rules if _may_meet(kind[0], r.own)]
        changes: dict[str, str] = {}
        for rule in self._of_tag[kind[0]]:
            if (rule.before is None or id(rule) in before) and _meets(kind, rule.own):
                changes |= rule.changes
        led = [id(r) for r in self._pairs if r.before is not None and _meets(kind, r.before)]
        if len(self._said) >= _MOST_KINDS:
            self._said.clear()
        said = tuple(changes.items()), frozenset(led)
        self._said[kind, before] = said
        return said


def _meets(kind: _Kind, condition: _Condition) -> bool:
    return all((kind[place] in numbers) == among for place, numbers, among in condition)


def _may_meet(tag: int, condition: _Condition) -> bool:
    """Whether a token of that tag may, whatever else it is."""
    return all((tag in numbers) == among for place, numbers, among in condition if place == 0)


def rules_of(ruler: Any) -> Rules | None:
    """The rules of an attribute ruler, or None where one of them is of another form."""
    number = ruler.vocab.strings.add
    rules = []
    words: set[int] = set()
    for pattern in ruler.patterns:
        if not pattern["attrs"].keys() <= _SET.keys():
            return None
        changes = tuple((_SET[name], value) for name, value in pattern["attrs"].items())
        for tokens in pattern["patterns"]:
            conditions = [_condition(token, number) for token in tokens]
            if len(conditions) > 2 or pattern["index"] != len(conditions) - 1:
                return None
            own = conditions[-1]
            before = conditions[0] if len(conditions) == 2 else None
            if own is None or (before is None and len(conditions) == 2):
                return None
            rules.append(_Rule(before, own, changes))
            words.update(number(word) for token in tokens for word in _words(token.get("LOWER")))
    return Rules(rules, frozenset(words))


def _condition(token: Mapping[str, Any], number: Callable[[str], int]) -> _Condition | None:
    """Whether a token is of a kind that a pattern asks for; None for a form that is not known.

    No words are told apart but those that patterns name, so that "not one of these" holds of
    every other word.
    """
    wanted = []
    for name, value in token.items():
        if name not in _SEEN:
            return None
        among = not (isinstance(value, dict) and value.keys() == {"NOT_IN"})
        if name == "IS_SPACE" and isinstance(value, bool):
            numbers = frozenset({int(value)})
        elif name != "IS_SPACE" and (values := _words(value)):
            numbers = frozenset(number(each) if each else 0 for each in values)
        else:
            return None
        wanted.append((_SEEN.index(name), numbers, among))
    return tuple(wanted)


def _words(value: Any) -> list[str]:
    """The strings that a condition names, of itself or in a list."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict) and len(value) == 1:
        found = value.get("IN", value.get("NOT_IN"))
        return list(found) if isinstance(found, list) else []
    return []
