"""What wants a human eye."""

from __future__ import annotations

import pytest

from graphrag.domain import Concept, ConceptGraph, Decision, Evidence, Prerequisite
from graphrag.tutoring.alike import near_equal_names
from graphrag.tutoring.decisions import read_decisions
from graphrag.tutoring.review import propose, review


def concepts(*names: str) -> tuple[Concept, ...]:
    return tuple(Concept(f"c{i}", name) for i, name in enumerate(names))


def names_alike(*names: str) -> list[tuple[str, str]]:
    return [(one.name, other.name) for one, other, _ in near_equal_names(concepts(*names))]


def test_an_abbreviation_is_like_the_words_whose_initials_it_has() -> None:
    long = (
        "principal component analysis",
        "mean absolute deviation",
        "matrix addition determinant",
    )
    # Two long names are no abbreviation of each other.
    assert names_alike("PCA", *long) == [("PCA", "principal component analysis")]


def test_doubtful_edges_with_much_above_them_come_first() -> None:
    graph = ConceptGraph(
        concepts("basis", "vector", "span", "top"),
        prerequisites=(
            Prerequisite("c0", "c1", 0.5, "possible"),  # two concepts above: log2 4 = 2
            Prerequisite("c2", "c0", 0.9, "likely"),  # doubt .2 x log2 3
            Prerequisite("c3", "c2", 0.99, "certain"),
        ),
    )
    items = review(graph)
    assert [item.question for item in items] == [
        "must 'vector' be understood before 'basis'? (50% sure)",
        "must 'basis' be understood before 'span'? (90% sure)",
    ]
    assert items[0].importance == 2.0
    assert items[0].choices == (
        Decision("accept", "basis", "vector"),
        Decision("reject", "basis", "vector"),
    )


def test_an_edge_that_follows_from_others_matters_less() -> None:
    graph = ConceptGraph(
        concepts("basis", "span", "vector"),
        prerequisites=(
            Prerequisite("c0", "c1", 0.9, "certain"),
            Prerequisite("c1", "c2", 0.9, "certain"),
            Prerequisite("c0", "c2", 0.5, "possible"),
        ),
    )
    (item,) = review(graph)
    assert item.importance == 0.3  # doubt 1 x .3 x log2(2 + 0 above)


def test_what_is_decided_is_not_asked_again() -> None:
    graph = ConceptGraph(
        concepts("basis", "vector"), prerequisites=(Prerequisite("c0", "c1", 0.5, "possible"),)
    )
    assert review(graph, [Decision("accept", "basis", "vector")]) == []


def test_edges_left_out_of_a_circle_are_shown_with_the_reason() -> None:
    edge = Prerequisite("c0", "c1", 0.5, "suppressed", reason="weaker than vector needs basis")
    (item,) = review(ConceptGraph(concepts("basis", "vector"), prerequisites=(edge,)))
    assert item.kind == "circle"
    assert "weaker than vector needs basis" in item.question


def test_documents_that_contradict_a_person_are_shown_and_decide_nothing() -> None:
    spoken = Evidence("cue", 0.9, "A basis requires vectors.", "notes", "notes#0")
    edge = Prerequisite("c0", "c1", 0.9, "rejected", (spoken,))
    denied = Decision("reject", "basis", "vector")
    (item,) = review(ConceptGraph(concepts("basis", "vector"), prerequisites=(edge,)), [denied])
    assert item.kind == "contradiction"
    assert item.evidence == (spoken,)
    assert item.choices == (denied,)


def test_documents_that_say_the_reverse_are_shown() -> None:
    spoken = Evidence("cue", 0.9, "Vectors require a basis.", "notes", "notes#0")
    edge = Prerequisite("c1", "c0", 0.9, "suppressed", (spoken,))
    added = Decision("add", "basis", "vector")
    items = review(ConceptGraph(concepts("basis", "vector"), prerequisites=(edge,)), [added])
    assert "contradiction" in [item.kind for item in items]


def test_near_equal_names_are_found() -> None:
    assert names_alike("Eigenvalues", "eigenvalue") == [("Eigenvalues", "eigenvalue")]
    assert names_alike("rank of a matrix", "matrix rank") == [("rank of a matrix", "matrix rank")]
    assert names_alike("PCA", "principal component analysis") == [
        ("PCA", "principal component analysis")
    ]
    assert names_alike("orthonormal basis", "orthonomal basis") == [
        ("orthonormal basis", "orthonomal basis")
    ]
    assert names_alike("row-echelon form", "row echelon form") != []


def test_names_that_differ_in_what_matters_stay_apart() -> None:
    assert names_alike("C", "C++", "C#") == []
    assert names_alike("HTTP", "HTTPS") == []
    assert names_alike("type 1 error", "type 2 error") == []
    assert names_alike("basis", "bases of power", "base") == []
    assert names_alike("covariance", "variance") == []
    assert names_alike(".NET", "Net") == []


def test_proposals_are_comments_until_a_person_takes_the_mark_away() -> None:
    graph = ConceptGraph(concepts("PCA", "principal component analysis"))
    text = propose(review(graph))
    assert read_decisions(text) == []
    chosen = text.replace("# merge", "merge")
    assert read_decisions(chosen) == [Decision("merge", "PCA", "principal component analysis")]


def test_what_may_be_no_concept_is_asked_once_for_all_its_doubtful_edges() -> None:
    edges = tuple(Prerequisite(f"c{n}", "size", 0.5, "likely") for n in range(3))
    graph = ConceptGraph((*concepts("a", "b", "c"), Concept("size", "size", weight=0.6)), (), edges)
    weak = next(item for item in review(graph) if item.kind == "weak concept")
    assert weak.question == "is 'size' a concept? (60% sure; 3 doubtful edges hang on it)"
    assert weak.choices == (Decision("include", "size"), Decision("ignore", "size"))
    # half of 0.4 times log2(1 + 3 edges) times log2(2 + 3 above)
    assert weak.importance == pytest.approx(0.4 * 2.321928, abs=1e-5)


def test_two_names_of_one_thing_weigh_as_much_as_what_rests_on_them() -> None:
    graph = ConceptGraph(
        concepts("matrix inverse", "inverse of a matrix", "basis", "rank"),
        prerequisites=tuple(Prerequisite(f"c{n}", "c0", 0.99, "certain") for n in (2, 3)),
    )
    (item,) = [item for item in review(graph) if item.kind == "same name"]
    assert item.importance == 1.8  # 0.9 times log2(2 + 2 above)


def test_the_file_says_how_to_decide_and_what_speaks_for_each_edge() -> None:
    evidence = (Evidence("order", 0.4), Evidence("similarity", 0.6))
    edge = Prerequisite("c0", "c1", 0.5, "possible", evidence)
    text = propose(review(ConceptGraph(concepts("basis", "vector"), prerequisites=(edge,))))
    assert "graphrag review --apply" in text
    assert (
        "#   no sentence says so; inferred by likeness in meaning and "
        "the order in which they are introduced\n" in text
    )
    assert read_decisions(text) == []


def test_a_decision_on_a_name_that_is_no_concept_is_told() -> None:
    graph = ConceptGraph((Concept("b", "basis", ("bases",)), Concept("s", "span")))
    decisions = [
        Decision("reject", "Bases", "span"),  # an alias is a name
        Decision("reject", "basis", "spam"),
        Decision("ignore", "example"),  # is none, and stays none
    ]
    (item,) = review(graph, decisions)
    assert item.kind == "unknown name"
    assert "`reject basis needs spam`" in item.question
    assert "no concept is called 'spam'" in item.question
