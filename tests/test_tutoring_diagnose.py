"""Which upstream idea a wrong answer misuses."""

from __future__ import annotations

from collections.abc import Sequence
from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from graphrag.domain import Concept, Implicated, Mention, Prerequisite
from graphrag.prerequisites.order import PrerequisiteOrder
from graphrag.tutoring.bearing import Bearing, about
from graphrag.tutoring.diagnose import Accused, accused, apart, ranked, unanswered
from graphrag.tutoring.sightings import sightings
from graphrag.tutoring.signs import Texts, names_pattern, standard
from graphrag.tutoring.suspects import (
    Searched,
    WrongAnswer,
    asked_about,
    suspected,
    suspects,
    topic,
)
from graphrag.tutoring.suspicion import need_signs, said_in, search_signs

#  coordinates -> basis -> (span, independence) -> combination ; rank -> basis
ORDER = PrerequisiteOrder(
    [
        Prerequisite("coordinates", "basis", 0.9, "certain"),
        Prerequisite("basis", "span", 0.9, "certain"),
        Prerequisite("basis", "independence", 0.9, "certain"),
        Prerequisite("span", "combination", 0.9, "certain"),
        Prerequisite("independence", "combination", 0.9, "certain"),
        Prerequisite("rank", "basis", 0.9, "certain"),
    ],
    concepts=["dot product"],
)
CONCEPTS = {name: Concept(name, name) for name in ORDER.concepts}
TEXTS = {
    "span": [("span#0", "The span holds every vector that can be reached. It is a subspace.")],
    "independence": [
        ("ind#0", "# Independence\n\nBy independence no vector is redundant: none is a multiple.")
    ],
    "combination": [("com#0", "A combination adds scaled vectors with weights.")],
    "basis": [("bas#0", "A basis is a list of vectors.")],
}
WORDS = ["reach", "redundant", "multiple", "weight", "list", "vector"]


def embed(texts: Sequence[str]) -> NDArray[np.float32]:
    """One axis a word of WORDS, and one that keeps vectors from being zero."""
    rows = [[float(text.casefold().count(word)) for word in WORDS] + [0.1] for text in texts]
    vectors = np.array(rows, dtype=np.float32).reshape(len(texts), len(WORDS) + 1)
    unit: NDArray[np.float32] = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return unit


def diagnose(
    wrong: WrongAnswer,
    texts: Texts = TEXTS,
    *,
    searched: Searched | None = None,
    k: int = 5,
) -> list[Implicated]:
    return ranked(accused(wrong, ORDER, CONCEPTS, texts, embed, searched=searched), k=k)


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "  ",
        "?",
        "I don't know",
        "i dont know.",
        "idk",
        "No idea!",
        "not sure, sorry",
        "n/a",
        "I don't remember",
        "—",
    ],
)
def test_saying_nothing_is_no_answer(answer: str) -> None:
    assert unanswered(answer)
    assert diagnose(WrongAnswer("q", answer, ("basis",))) == []


@pytest.mark.parametrize(
    "answer",
    ["No", "Yes.", "42", "It is not a basis", "I know that it spans", "the", "no, it is not"],
)
def test_short_and_hesitant_answers_are_answers(answer: str) -> None:
    assert not unanswered(answer)


def test_suspects_are_what_the_question_rests_on_by_distance() -> None:
    assert suspects(WrongAnswer("q", "a", ("basis",)), ORDER) == {
        "span": 1,
        "independence": 1,
        "combination": 2,
    }


def test_what_the_answer_names_is_suspected_too() -> None:
    wrong = WrongAnswer("q", "a", ("basis",), ("dot product", "basis", "span"))
    assert suspects(wrong, ORDER)["dot product"] == 3
    assert "basis" not in suspects(wrong, ORDER)


def test_what_surely_builds_on_the_question_is_suspected_only_when_named() -> None:
    assert "rank" not in suspects(WrongAnswer("q", "a", ("basis",)), ORDER)
    assert "rank" in suspects(WrongAnswer("q", "a", ("basis",), ("rank",)), ORDER)


def test_neighbours_by_doubtful_edges_are_suspected_too() -> None:
    order = PrerequisiteOrder([Prerequisite("rank", "basis", 0.6, "likely")])
    assert suspects(WrongAnswer("q", "a", ("basis",)), order) == {"rank": 1}


def test_of_two_things_asked_the_upper_one_is_the_target() -> None:
    wrong = WrongAnswer("q", "a", ("span", "basis"))
    assert suspects(wrong, ORDER)["span"] == 1
    assert "basis" not in suspects(wrong, ORDER)


def test_no_more_suspects_than_asked_for_and_the_named_first() -> None:
    wrong = WrongAnswer("q", "a", ("basis",), ("dot product",))
    assert list(suspects(wrong, ORDER, most=2)) == ["dot product", "independence"]


def test_the_idea_that_the_answer_misuses_is_implicated_with_its_sentence() -> None:
    wrong = WrongAnswer(
        "Is (1,2), (2,4) a basis of the plane?",
        "Yes; that one is a multiple of the other does not make it redundant.",
        ("basis",),
    )
    found = diagnose(wrong)
    assert [item.concept.id for item in found][:1] == ["independence"]
    assert found[0].quotes == ("By independence no vector is redundant: none is a multiple.",)


def test_a_quote_comes_without_the_mark_of_its_list() -> None:
    texts = {"span": [("span#0", "- The span holds every vector that can be reached.")]}
    wrong = WrongAnswer("q", "Every vector can be reached.", ("basis",))
    found = {item.concept.id: item.quotes for item in diagnose(wrong, texts)}
    assert found["span"] == ("The span holds every vector that can be reached.",)


def test_the_concept_asked_about_is_never_implicated() -> None:
    wrong = WrongAnswer("What is a basis?", "A basis is a list of vectors.", ("basis",), ("basis",))
    found = diagnose(wrong)
    assert "basis" not in {item.concept.id for item in found}


def test_what_a_search_for_the_answer_speaks_of_is_more_suspect() -> None:
    seen = sightings([Mention(name, "d", f"{name}#0", 0, 1) for name in ("span", "independence")])
    wrong = WrongAnswer("q", "a b c", ("basis",))
    for name in ("span", "independence"):
        searched = Searched((f"{name}#0",), (f"{name}#0",), seen)
        found = diagnose(wrong, {}, searched=searched)
        assert found[0].concept.id == name


def test_what_every_page_names_is_less_suspect() -> None:
    pages = [Mention("span", "d", f"d#{number}", 0, 1) for number in range(9)]
    seen = sightings([*pages, Mention("independence", "d", "d#0", 0, 1)])
    wrong = WrongAnswer("q", "a b c", ("basis",))
    found = diagnose(wrong, {}, searched=Searched(seen=seen))
    places = [item.concept.id for item in found]
    assert places.index("independence") < places.index("span")


def test_where_the_question_names_no_concept_the_search_finds_the_suspects() -> None:
    seen = sightings([Mention("span", "d", "d#1", 0, 1), Mention("rank", "d", "d#2", 0, 1)])
    searched = Searched(("d#1",), (), seen)
    wrong = WrongAnswer("What is (AB)^{-1}?", "a b c")
    assert suspected(wrong, ORDER, CONCEPTS, searched) == {"span": 1}


def test_what_a_search_finds_is_suspected_besides_farther_off_than_the_graph() -> None:
    mentions = [Mention(name, "d", f"d#{name}", 0, 1) for name in ("dot product", "basis", "span")]
    searched = Searched(("d#basis", "d#span"), ("d#dot product",), sightings(mentions))
    wrong = WrongAnswer("What is a basis?", "a b c", ("basis",))
    place = suspected(wrong, ORDER, CONCEPTS, searched)
    assert place == {"span": 1, "independence": 1, "combination": 2, "dot product": 3}


def test_what_was_only_guessed_to_be_asked_about_may_be_misused() -> None:
    seen = sightings([Mention("basis", "d", "d#0", 0, 1)])
    wrong = WrongAnswer("q", "a b c", ("basis",), (), ("basis",))
    assert "basis" in suspected(wrong, ORDER, CONCEPTS, Searched(("d#0",), (), seen))


def test_what_was_asked_needs_a_suspect_by_its_edge_its_chain_or_its_definition() -> None:
    found = [CONCEPTS[name] for name in ("span", "combination", "dot product")]
    signs = need_signs(
        WrongAnswer("q", "a", ("basis",)), found, ORDER, ["A basis has no dot products."]
    )
    assert signs["needed"].tolist() == [0.9, 0.0, 0.0]
    # chains of one edge (.9), of two (.81) and none, each with .02 added
    assert signs["rests"].tolist() == pytest.approx([log(0.92), log(0.83), log(0.02)])
    assert signs["defines"].tolist() == [0.0, 0.0, 1.0]


def test_a_ranking_votes_for_what_its_chunks_speak_of() -> None:
    seen = sightings(
        [
            Mention("span", "d", "d#0", 0, 1, "heading"),
            Mention("span", "d", "d#0", 5, 6),
            Mention("span", "d", "d#0", 9, 10),
            Mention("rank", "d", "d#1", 0, 1),
        ]
    )
    assert seen.spread == {"span": 1, "rank": 1}
    # 3 + 1 + 1 is capped at 4, at rank 1; both less by the square root of 1 + their weight
    assert seen.votes(["d#0", "d#1", "elsewhere"]) == pytest.approx(
        {"span": 4 / 5 / 5**0.5, "rank": 1 / 6 / 2**0.5}
    )


def test_a_question_on_nothing_known_implicates_nothing() -> None:
    assert diagnose(WrongAnswer("q", "a b c")) == []


def test_suspects_without_passages_can_be_implicated() -> None:
    found = diagnose(WrongAnswer("q", "a b c", ("basis",)), {})
    assert {item.concept.id for item in found} == {"span", "independence", "combination"}
    assert all(item.quotes == () for item in found)


@given(
    st.text(max_size=40),
    st.lists(st.sampled_from(ORDER.concepts), max_size=4),
    st.lists(st.sampled_from(ORDER.concepts), max_size=4),
)
def test_scores_are_shares_in_falling_order(
    answer: str, asked: list[str], named: list[str]
) -> None:
    wrong = WrongAnswer("Why?", answer, tuple(asked), tuple(named))
    found = diagnose(wrong, k=3)
    scores = [item.score for item in found]
    assert scores == sorted(scores, reverse=True)
    assert sum(scores) <= 1 + 1e-5
    assert len(found) <= 3
    assert found == diagnose(wrong, k=3)


def test_a_question_that_names_only_what_every_page_names_asks_about_what_it_finds() -> None:
    mentions = [Mention("matrix", "a", f"a#{n}", 0, 6) for n in range(10)]
    seen = sightings([*mentions, Mention("rank", "a", "a#3", 8, 12, "heading")])
    found = ["a#3", "a#4"]
    assert asked_about(["matrix"], seen, found) == ("matrix", "rank")
    assert asked_about([], seen, found) == ("rank",)
    assert asked_about(["rank", "matrix"], seen, []) == ("rank", "matrix")


def test_the_first_suspects_are_different_ideas() -> None:
    names = [("pivot",), ("pivot", "column"), ("column", "space"), ("span",)]
    #  .4 ; .3 * .35 = .105 ; .2, then .15 : column space before span, pivot column last
    assert apart([0, 1, 2, 3], [0.4, 0.3, 0.2, 0.15], names, k=4) == [0, 2, 3, 1]
    assert apart([0, 1, 2, 3], [0.4, 0.3, 0.2, 0.15], names, k=2) == [0, 2]


@given(st.permutations(range(5)))
def test_names_without_common_words_keep_their_order(order: list[int]) -> None:
    shares = [0.0] * 5
    for place, j in enumerate(order):
        shares[j] = 1.0 - place / 10
    assert apart(order, shares, [(f"n{j}",) for j in range(5)], k=5) == order


def test_what_the_sentences_that_bear_on_the_answer_speak_of_is_more_suspect() -> None:
    sentences = (("p#0", 0, "The span is a subspace."), ("p#0", 3, "Independence is a property."))
    wrong = WrongAnswer("q", "a b c", ("basis",))
    for name, shares in (("span", (0.9, 0.1)), ("independence", (0.1, 0.9))):
        searched = Searched(bearing=Bearing(sentences, shares, ((), ())))
        found = diagnose(wrong, {}, searched=searched)
        assert found[0].concept.id == name


def test_a_sentence_about_what_was_asked_is_about_no_suspect() -> None:
    sentences = (("p#0", 0, "A basis has span."), ("p#0", 1, "The span has weights."))
    searched = Searched(bearing=Bearing(sentences, (0.9, 0.1), ((), ())))
    found = [CONCEPTS["span"], CONCEPTS["combination"]]
    #  alone, both sentences are about the span; beside the basis, one of them
    alone = about(searched.bearing, [names_pattern(each) for each in found])
    beside = about(searched.bearing, [names_pattern(each) for each in (*found, CONCEPTS["basis"])])
    assert alone[0] == pytest.approx(log(1.02 / 1.05))
    assert beside[0] == pytest.approx(log(0.12 / 0.55))
    signs = search_signs(found, [CONCEPTS["basis"]], searched)
    assert signs["about"].tolist() == standard(beside[:2]).tolist()


def test_of_a_name_counts_the_share_of_its_words_that_the_question_says() -> None:
    found = [Concept("1", "linear combination"), Concept("2", "vectors"), Concept("3", "span")]
    question = "Is each vector a combination of the others?"
    assert said_in(WrongAnswer(question, "a"), found).tolist() == [0.5, 1.0, 0.0]


def test_what_was_asked_about_counts_as_said_also_where_it_was_guessed() -> None:
    found = [Concept("1", "linear combination"), Concept("3", "span")]
    wrong = WrongAnswer("Is it a combination?", "a", ("3",), (), ("3",))
    assert said_in(wrong, found).tolist() == [0.5, 1.0]


def test_what_the_question_names_is_less_suspect_than_what_it_does_not() -> None:
    for said, other in (("span", "independence"), ("independence", "span")):
        wrong = WrongAnswer(f"Is it a basis, by its {said}?", "a b c", ("basis",))
        found = [item.concept.id for item in diagnose(wrong, {})]
        assert found.index(other) < found.index(said)


def test_a_question_is_about_what_rests_on_all_else_that_it_names() -> None:
    assert topic(["combination", "basis", "span"], ORDER) == "basis"
    assert topic(["span", "coordinates", "dot product"], ORDER) == "coordinates"
    assert topic(["span", "independence"], ORDER) == "span"  # neither rests on the other
    assert topic([], ORDER) is None


def test_a_row_is_quoted_without_its_outer_bars() -> None:
    found = Accused(
        (CONCEPTS["span"],), {"needed": np.array([1.0])}, ("| span | what is reached |",)
    )
    assert ranked(found)[0].quotes == ("span | what is reached",)
