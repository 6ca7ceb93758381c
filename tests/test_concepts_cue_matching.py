"""Patterns in dependency trees made by hand."""

from __future__ import annotations

from dataclasses import dataclass, field

from graphrag.concepts.cue_matching import CueMatcher
from graphrag.concepts.cue_patterns import Edge, Pattern

SUBJECT, OBJECT = Edge(("nsubj",)), Edge(("dobj",))
NEEDS = Pattern("requires", ("needs",), (SUBJECT,), (OBJECT,))


@dataclass
class Word:
    lower_: str
    dep_: str
    pos_: str = "NOUN"
    children: list[Word] = field(default_factory=list)


def found(patterns: list[Pattern], *tree: Word) -> list[tuple[str, str, str]]:
    places = CueMatcher(patterns).find(tree)
    return [(trigger.lower_, one.lower_, other.lower_) for _, trigger, one, other in places]


def sentence() -> list[Word]:
    words = [Word("rank", "nsubj"), Word("span", "dobj"), Word("basis", "dobj")]
    return [Word("needs", "ROOT", "VERB", words), *words]


def test_every_pair_of_ends_is_a_place() -> None:
    expected = [("needs", "rank", "span"), ("needs", "rank", "basis")]
    assert found([NEEDS], *sentence()) == expected


def test_a_path_goes_down_by_relation_and_word() -> None:
    deep = Pattern("requires", ("rests",), (SUBJECT,), (Edge(("prep",), ("on",)), Edge(("pobj",))))
    on = Word("on", "prep", "ADP", [Word("sets", "pobj")])
    under = Word("under", "prep", "ADP", [Word("stress", "pobj")])
    verb = Word("rests", "ROOT", "VERB", [Word("logic", "nsubj"), on, under])
    assert found([deep], verb, on, under) == [("rests", "logic", "sets")]


def test_an_empty_path_ends_at_the_trigger() -> None:
    assert found([Pattern("requires", ("needs",), (), (SUBJECT,))], *sentence()) == [
        ("needs", "needs", "rank")
    ]


def test_a_pattern_without_trigger_begins_at_every_verb_and_at_nothing_else() -> None:
    anywhere = Pattern("contrasts", (), (SUBJECT,), (OBJECT,))
    noun = Word("need", "ROOT", "NOUN", sentence()[0].children)
    assert found([anywhere], noun) == []
    assert len(found([anywhere], *sentence())) == 2


def test_a_missing_end_is_no_place() -> None:
    assert found([NEEDS], Word("needs", "ROOT", "VERB", [Word("rank", "nsubj")])) == []
