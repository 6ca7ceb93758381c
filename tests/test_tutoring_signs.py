"""What the documents say of a concept, and how close it comes to an answer."""

from __future__ import annotations

from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from graphrag.domain import Concept, Mention
from graphrag.tutoring.explaining import explaining_chunks
from graphrag.tutoring.signs import (
    clauses,
    closeness,
    names_pattern,
    portray,
    reasons,
    shared_words,
    standard,
    told,
)

BASIS = Concept("basis", "basis", ("base",))


def test_defining_sentences_come_first_and_passing_ones_last() -> None:
    passages = [
        (
            "gloss#0",
            "Terms\n\n- axis: a line it is.\n- basis: a list that spans.\n- cone: round.\n"
            "- disc: also round, and flat.",
        ),
        ("basis#0", "Basis\n\nEvery space has a basis. A basis is a list of vectors. It is short."),
        ("other#0", "Ranks\n\nOne counts here. So one goes on. It is done so. Or by a basis too."),
    ]
    portrait = portray(BASIS, passages)
    assert portrait.naming[-1] == "Or by a basis too."
    assert set(portrait.naming[:2]) == {
        "- basis: a list that spans.",
        "A basis is a list of vectors.",
    }
    assert portrait.definitions == 2


def test_of_a_glossary_only_the_own_entry_speaks_of_the_concept() -> None:
    text = "- axis: a straight line.\n- basis: a list that spans.\n- cone: a round thing.\n"
    text += "- disc: flat and circular.\n- edge: a side of it."
    words = portray(BASIS, [("gloss#0", text)]).words
    assert "span" in words
    assert "straight" not in words
    assert "circular" not in words


def test_names_are_whole_words_in_singular_and_plural() -> None:
    pattern = names_pattern(Concept("m", "row vector"))
    assert pattern.search("Two row vectors, one row-vector")
    assert not pattern.search("an arrow vector")
    assert names_pattern(Concept("c", "C++")).search("in C++ one writes")


def test_clauses_are_sentences_and_their_longer_parts() -> None:
    assert clauses("It is six, because you multiply the entries and add. So.") == [
        "It is six, because you multiply the entries and add.",
        "you multiply the entries and add.",
        "So.",
    ]
    assert clauses("") == [""]


def test_shared_words_count_by_rarity_and_less_for_long_bags() -> None:
    bags = [frozenset({"rare", "common"}), frozenset({"common"})]
    first, second = shared_words(["rare", "common", "rare"], bags, bags)
    # rarity of "rare": ln(3/2), of "common": ln(3/3) = 0; length: ln(20 + 2)
    assert first == pytest.approx(log(1.5) / log(22))
    assert second == 0.0


def embed(texts: object) -> NDArray[np.float32]:
    table = {"east": [1.0, 0.0], "north": [0.0, 1.0], "between": [0.6, 0.8]}
    return np.array([table[text] for text in texts], dtype=np.float32)  # type: ignore[attr-defined]


def test_closeness_is_what_a_group_has_more_than_usual() -> None:
    probe = np.array([[1.0, 0.0]], dtype=np.float32)
    values, best = closeness(probe, [["north", "between"], ["east"], []], embed)
    # best of the first group: .6; to the other's "east" it comes .6 as usual
    assert values == pytest.approx([0.0, 0.7, 0.0])
    # "east" comes 1 to the probe, and 0 and .6 to the others, .3 on average: .7
    assert best == ["between", "east", ""]


def test_nothing_to_compare_is_close_to_nothing() -> None:
    values, best = closeness(np.zeros((1, 2), dtype=np.float32), [[], []], embed)
    assert list(values) == [0.0, 0.0]
    assert best == ["", ""]


@given(st.lists(st.floats(-1e6, 1e6), max_size=20))
def test_standard_values_have_mean_zero_and_spread_one_or_zero(values: list[float]) -> None:
    found = standard(values)
    assert len(found) == len(values)
    if len(values) and float(np.std(values)) > 1e-3:
        assert float(found.mean()) == pytest.approx(0.0, abs=1e-6)
        assert float(found.std()) == pytest.approx(1.0, abs=1e-6)


def test_chunks_that_define_or_head_a_concept_explain_it_best() -> None:
    mentions = [
        Mention("basis", "a", "a#0", 0, 5, "text"),
        *(Mention("basis", "b", "b#0", i, i + 5, "text") for i in range(30)),
        Mention("basis", "c", "c#0", 0, 5, "heading"),
        Mention("basis", "g", "g#0", 0, 5, "definition"),
        *(Mention(f"other{i}", "g", "g#0", 0, 5, "definition") for i in range(40)),
        Mention("basis", "d", "d#0", 0, 5, "definition"),
        Mention("basis", "d", "d#0", 9, 14, "heading"),
    ]
    # d: 6, c: 3, b: 2 (at most), g: 3 / 2.23 = 1.35, a: .2; each over 1 + .03 x concepts
    assert explaining_chunks(mentions)["basis"] == ["d#0", "c#0", "b#0", "g#0", "a#0"]


def test_headings_and_listed_names_are_no_part_of_a_portrait() -> None:
    text = "Worked example: a basis of a plane\n\nThe plane has a basis of two vectors."
    portrait = portray(Concept("basis", "basis"), [("d#0", text)])
    assert portrait.naming == ("The plane has a basis of two vectors.",)


@pytest.mark.parametrize(
    ("answer", "found"),
    [
        ("A copy, because it has the same letters.", ["it has the same letters."]),
        ("It is 4 since both are equal; so it is done.", ["both are equal; so it is done."]),
        (
            "The last row is all zero, so the rank is two.",
            ["the rank is two.", "The last row is all zero"],
        ),
        ("It cannot be done.", ["It cannot be done."]),
        ("Yes, as said.", ["Yes, as said."]),
    ],
)
def test_the_reason_of_an_answer_is_what_stands_behind_because(
    answer: str, found: list[str]
) -> None:
    assert reasons(answer) == found


def test_each_row_of_a_table_is_told_by_itself() -> None:
    table = "Codes:\n| Code | Meaning |\n| --- | :-: |\n| E1 | Belt slips. |\n| E2 | Too  hot |"
    assert told(f"First. Then this.\n\n{table}") == [
        "First.",
        "Then this.",
        "Codes:",
        "| Code | Meaning |",
        "| E1 | Belt slips. |",
        "| E2 | Too hot |",
    ]
