"""Terms of texts and questions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphrag.tokens import fold, question_terms, symbols, text_terms, tokenize


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("The Eigenvalues of matrices", ["the", "eigenvalu", "of", "matric"]),
        ("E1042-B", ["e1042-b", "e1042", "b"]),
        ("VX-2207-B.", ["vx-2207-b", "vx", "2207", "b"]),
        ("v2.3.1", ["v2.3.1", "v2", "3", "1"]),
        ("10.0.0.1:8080", ["10.0.0.1:8080", "10", "0", "0", "1", "8080"]),
        ("config.keys", ["config.keys", "config", "key"]),
        ("max_db_size", ["max_db_size", "max", "db", "size"]),
        ("__init__", ["init"]),
        ("getUserName", ["getusernam", "get", "user", "name"]),
        ("(XMLHttpRequest)", ["xmlhttprequest", "xml", "http", "request"]),
        ("HTTP iPhone mRNA PCRs", ["http", "iphon", "mrna", "pcrs"]),
        ("C++ and C# and C", ["c++", "c", "and", "c#", "c", "and", "c"]),
        (".NET", [".net", "net"]),
        ("wait ...and see", ["wait", "and", "see"]),
        ("team's", ["team"]),
        ("don't", ["don", "t"]),
        ("well-known", ["well", "known"]),
        ("TCP/IP", ["tcp", "ip"]),
        ("HTTP HTTPS", ["http", "https"]),
        ("1,000,000 of 12,5", ["1000000", "of", "12", "5"]),
        ("3.14", ["3.14", "3", "14"]),
        ("café CAFE\u0301", ["cafe", "cafe"]),
        ("Straße", ["strass"]),
        ("国際標準化", ["国際", "際標", "標準", "準化"]),
        ("国", ["国"]),
        ("が", ["が"]),
        ("한국어", ["한국", "국어"]),
        ("Ωμέγα Привет مرحبا", ["ωμεγα", "привет", "مرحبا"]),
        ("हिन्दी", ["हिन्दी"]),
        ("", []),
        ("!? -- ...", []),
    ],
)
def test_terms_of_a_text(text: str, terms: list[str]) -> None:
    assert tokenize(text) == terms


@pytest.mark.parametrize(
    ("question", "terms"),
    [
        ("What is the determinant of a matrix?", ["determin", "matrix"]),
        ("WHO guidelines", ["who", "guidelin"]),
        ("WHAT IS THE DETERMINANT", ["determin"]),
        ("To be or not to be?", ["to", "be", "or", "not", "to", "be"]),
        ("what does error E1042-B mean", ["error", "e1042-b", "e1042", "b", "mean"]),
    ],
)
def test_terms_of_a_question(question: str, terms: list[str]) -> None:
    assert question_terms(question) == terms


def test_things_that_differ_stay_apart() -> None:
    for one, other in [("C", "C++"), (".NET", "net"), ("HTTP", "HTTPS"), ("v2.3.1", "v2.3.10")]:
        assert tokenize(one) != tokenize(other)


@given(st.text(st.characters(exclude_categories=[]), max_size=60))
def test_any_text_has_terms_without_blanks_and_in_one_spelling(text: str) -> None:
    for term in tokenize(text):
        assert term
        assert not any(character.isspace() for character in term)
    assert tokenize(text) == tokenize(text)
    assert fold(fold(text)) == fold(text)


@given(st.lists(st.sampled_from(["matrix", "E-1", "国際", "café", "a.b"]), max_size=8))
def test_terms_of_words_are_the_words_terms_in_order(words: list[str]) -> None:
    joined = [term for word in words for term in tokenize(word)]
    assert tokenize(" ".join(words)) == joined


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("git clean -fdx; [-U]", ["-fdx", "-U"]),
        ("`\\d+` and \\copy.", ["\\d+", "\\copy"]),
        ("%h or %aN, 50% of 5", ["%h", "%aN"]),
        ("a -> b ->> c @> d != e := f", ["->", "->>", "@>", "!=", ":="]),
        ("HEAD@{1} of a@b.c", ["HEAD@{1}"]),
        ("well-known a-b, a - b -- c --- d ... ### *** |---|", []),
        ("$\\frac{a}{b}$, x->y, what?? -1", []),
    ],
)
def test_what_stands_alone_and_is_told_by_its_signs_is_a_symbol(
    text: str, expected: list[str]
) -> None:
    assert symbols(text) == expected
    assert text_terms(text) == [*tokenize(text), *expected]


def test_a_question_is_looked_up_by_its_symbols_too() -> None:
    assert question_terms("What does -u do?") == ["u", "-u"]
    assert question_terms("->>") == ["->>"]


@pytest.mark.parametrize(
    ("written", "typed"),
    [
        ("l'Œillet", "l'oeillet"),
        ("Łożysko", "lozysko"),
        ("Isıtıcı", "isitici"),
        ("Smørrebrød", "smorrebrod"),
        ("İstanbul", "istanbul"),
        ("Straße", "strasse"),
    ],
)
def test_letters_with_a_stroke_and_joined_letters_meet_plain_ones(written: str, typed: str) -> None:
    assert fold(written) == fold(typed) == typed
