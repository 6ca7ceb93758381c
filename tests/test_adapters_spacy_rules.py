"""The rules of tags, looked up by kind, against spaCy's own matcher."""

from __future__ import annotations

from typing import Any

import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st
from spacy.tokens import Doc

from graphrag.adapters import spacy_rules
from graphrag.adapters.spacy_rules import rules_of

_PIPELINE = spacy.blank("en")
_WORDS = ("there", "is", "That", "matrix", " ")
_TAGS = ("NN", "VBZ", "IN", "_SP")
_DEPS = ("expl", "ROOT", "dep", "nsubj")

_names = {"LOWER": ("there", "is", "that"), "TAG": _TAGS, "DEP": (*_DEPS, "")}


def _values(name: str) -> st.SearchStrategy[Any]:
    if name == "IS_SPACE":
        return st.booleans()
    one = st.sampled_from(_names[name])
    several = st.lists(one, min_size=1, max_size=3)
    return (
        one.filter(bool)
        | st.fixed_dictionaries({"IN": several})
        | st.fixed_dictionaries({"NOT_IN": several})
    )


_conditions = st.sets(st.sampled_from([*_names, "IS_SPACE"]), min_size=1).flatmap(
    lambda names: st.fixed_dictionaries({name: _values(name) for name in sorted(names)})
)
_attributes = st.fixed_dictionaries(
    {},
    optional={
        "POS": st.sampled_from(["NOUN", "AUX", "X"]),
        "TAG": st.sampled_from(_TAGS),
        "DEP": st.sampled_from(_DEPS),
    },
).filter(bool)
_rules = st.tuples(st.lists(_conditions, min_size=1, max_size=2), _attributes)
_tokens = st.tuples(st.sampled_from(_WORDS), st.sampled_from(_TAGS), st.sampled_from(_DEPS))


def _ruler(rules: list[tuple[list[dict[str, Any]], dict[str, str]]]) -> Any:
    ruler = spacy.blank("en").add_pipe("attribute_ruler")
    for pattern, attributes in rules:
        ruler.add([pattern], attributes, index=len(pattern) - 1)
    return ruler


def _parsed(vocabulary: Any, tokens: list[tuple[str, str, str]]) -> Doc:
    words, tags, deps = zip(*tokens, strict=True)
    return Doc(vocabulary, list(words), tags=list(tags), deps=list(deps), heads=[0] * len(words))


def _read(tree: Doc) -> list[tuple[str, str, str]]:
    return [(token.pos_, token.tag_, token.dep_) for token in tree]


@given(st.lists(_rules, min_size=1, max_size=5), st.lists(_tokens, min_size=1, max_size=8))
def test_the_rules_set_what_the_ruler_sets(
    rules: list[tuple[list[dict[str, Any]], dict[str, str]]], tokens: list[tuple[str, str, str]]
) -> None:
    ruler = _ruler(rules)
    found = rules_of(ruler)
    assert found is not None
    for _ in range(2):  # kinds not met before, and kinds known
        tree = _parsed(ruler.vocab, tokens)
        found.apply(tree)
        assert _read(tree) == _read(ruler(_parsed(ruler.vocab, tokens)))


def test_a_verb_behind_there_takes_the_tag_of_the_rule_of_two() -> None:
    rules = rules_of(_ruler([([{"DEP": "expl"}, {"LOWER": {"IN": ["is"]}}], {"POS": "VERB"})]))
    assert rules is not None
    tree = _parsed(
        _PIPELINE.vocab, [("there", "EX", "expl"), ("is", "VBZ", "ROOT"), ("is", "VBZ", "ROOT")]
    )
    rules.apply(tree)
    assert [token.pos_ for token in tree] == ["", "VERB", ""]


@pytest.mark.parametrize(
    ("pattern", "attributes", "index"),
    [
        ([{"TEXT": "is"}], {"POS": "AUX"}, 0),
        ([{"LOWER": {"REGEX": "^i"}}], {"POS": "AUX"}, 0),
        ([{"TAG": "NN"}, {"TAG": "NN"}, {"TAG": "NN"}], {"POS": "AUX"}, 2),
        ([{"TAG": "NN"}, {"TAG": "NN"}], {"POS": "AUX"}, 0),
        ([{"TAG": "NN", "OP": "+"}], {"POS": "AUX"}, 0),
        ([{"TAG": "NN"}], {"LEMMA": "be"}, 0),
    ],
)
def test_rules_of_another_form_are_left_to_the_ruler(
    pattern: list[dict[str, Any]], attributes: dict[str, str], index: int
) -> None:
    ruler = spacy.blank("en").add_pipe("attribute_ruler")
    ruler.add([pattern], attributes, index=index)  # type: ignore[attr-defined]
    assert rules_of(ruler) is None


def test_kinds_are_let_go_of_when_there_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spacy_rules, "_MOST_KINDS", 1)
    rules = rules_of(_ruler([([{"TAG": "NN"}], {"POS": "NOUN"})]))
    assert rules is not None
    tree = _parsed(_PIPELINE.vocab, [("a", "NN", "dep"), ("b", "IN", "dep"), ("c", "NN", "dep")])
    rules.apply(tree)
    assert [token.pos_ for token in tree] == ["NOUN", "", "NOUN"]
