"""Linking questions to concepts."""

from __future__ import annotations

import pytest

from graphrag.concepts.linking import Linker
from graphrag.domain import Concept
from graphrag.errors import QueryError

CONCEPTS = [
    Concept("eigenvalue", "eigenvalue"),
    Concept("matrix", "matrix"),
    Concept("inverse-matrix", "inverse matrix", ("matrix inverse",)),
    Concept("pca", "principal component analysis (PCA)"),
    Concept("gradient-descent", "gradient descent"),
    Concept("c", "C"),
    Concept("c++", "C++"),
]


def ids(text: str) -> list[str]:
    return [linked.concept_id for linked in Linker(CONCEPTS).link(text)]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What do I need before eigenvalues?", ["eigenvalue"]),
        ("how is an INVERSE MATRIX related to a matrix", ["inverse-matrix", "matrix"]),
        ("the matrix inverse", ["inverse-matrix"]),
        ("what does pca do", ["pca"]),
        ("principal component analysis", ["pca"]),
        ("gradient-descent", ["gradient-descent"]),
        ("eigen values", ["eigenvalue"]),
        ("is C++ faster than C?", ["c++", "c"]),
        ("nothing of the kind", []),
    ],
)
def test_names_are_found_in_questions(question: str, expected: list[str]) -> None:
    assert ids(question) == expected


def test_a_typing_error_is_a_guess() -> None:
    (linked,) = Linker(CONCEPTS).link("what is an eigenvlaue?")
    assert (linked.concept_id, linked.exact) == ("eigenvalue", False)


def test_offsets_are_those_of_the_text() -> None:
    (linked,) = Linker(CONCEPTS).link("explain gradient descent!")
    assert "explain gradient descent!"[linked.start : linked.stop] == "gradient descent"


def test_a_name_resolves_by_id_name_or_alias() -> None:
    linker = Linker(CONCEPTS)
    assert linker.resolve("pca").id == "pca"
    assert linker.resolve("Matrix Inverses").id == "inverse-matrix"


def test_an_unknown_name_tells_the_nearest() -> None:
    with pytest.raises(QueryError, match=r"'gradient boosting'.*'gradient descent'"):
        Linker(CONCEPTS).resolve("gradient boosting")


def test_given_concepts_win_over_found_ones() -> None:
    linker = Linker([Concept("a", "field", weight=0.7), Concept("b", "Field", given=True)])
    assert linker.resolve("fields").id == "b"


def test_without_concepts_nothing_is_linked() -> None:
    assert Linker([]).link("anything at all") == []


def test_a_word_of_a_task_or_a_part_of_a_name_is_no_concept() -> None:
    names = ("determinant", "multiplier", "commute", "column space", "linear independence")
    linker = Linker([Concept(name, name) for name in names])
    assert linker.link("Determine, compute and multiply the columns.") == []


def test_another_form_of_a_name_is_a_guess() -> None:
    linker = Linker([Concept("d", "diagonalization"), Concept("i", "linear independence")])
    found = linker.link("are linearly independent vectors diagonalizable?")
    assert [(each.concept_id, each.exact) for each in found] == [("i", False), ("d", False)]


def test_a_part_of_a_name_that_ends_in_a_preposition_is_no_name() -> None:
    linker = Linker([Concept("except", "EXCEPT", ("difference between two queries",))])
    assert linker.link("What is the difference between VACUUM and ANALYZE?") == []


def test_a_name_with_its_words_in_another_order_is_the_concept() -> None:
    linker = Linker([Concept("i", "matrix inverse"), Concept("p", "matrix product")])
    assert linker.resolve("inverse matrix").id == "i"


@pytest.mark.parametrize(
    ("typed", "nearest"), [("rankk", "rank"), ("QR factorization", "QR decomposition")]
)
def test_short_names_and_those_that_share_a_word_are_told_as_nearest(
    typed: str, nearest: str
) -> None:
    names = ("rank", "QR decomposition", "PageRank", "diagonalization", "image")
    with pytest.raises(QueryError, match=f"nearest: '{nearest}'"):
        Linker([Concept(name, name) for name in names]).resolve(typed)


def test_where_there_is_no_concept_that_is_said() -> None:
    with pytest.raises(QueryError, match="no concepts yet"):
        Linker([]).resolve("rank")


def test_who_names_no_concept_is_told_to_search_for_it() -> None:
    linker = Linker([Concept("span", "span")])
    with pytest.raises(QueryError, match="`graphrag search 'BM25'` finds what the documents say"):
        linker.resolve("BM25")
