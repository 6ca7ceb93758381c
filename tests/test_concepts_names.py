"""Names: what folds into one key, and what never does."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from graphrag.concepts.names import (
    acronym_of,
    family_key,
    is_acronym_pair,
    name_key,
    spellings,
    token_spans,
    tokens,
    without_formulas,
)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Electrons", "electron"),
        ("eigen-values", "Eigen values"),
        ("matrices", "Matrix"),
        ("The kernel", "kernel"),
        ("Newton's laws", "Newton law"),
        ("PCAs", "PCA"),
        ("Poincaré map", unicodedata.normalize("NFD", "Poincaré map")),
        ("axes", "axis"),
        ("batteries", "battery"),
        ("TCP/IP", "TCP IP"),
    ],
)
def test_spellings_of_one_name_have_one_key(one: str, other: str) -> None:
    assert name_key(one) == name_key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("C", "C++"),
        ("C", "C#"),
        ("HTTP", "HTTPS"),
        (".NET", "Net"),
        ("statistic", "statistics"),
        ("mass", "mas"),
        ("basis", "basi"),
    ],
)
def test_different_names_have_different_keys(one: str, other: str) -> None:
    assert name_key(one) != name_key(other)


@pytest.mark.parametrize(
    "name",
    [
        "λ",
        "Ω-notation",
        "国際標準化",
        "한국어",
        "سلام",
        "$$",
        "`x`",
        "x') DETACH DELETE n //",
        "team's",
    ],
)
def test_no_name_becomes_empty(name: str) -> None:
    assert name_key(name)


@given(st.text(min_size=1).filter(str.strip))
def test_a_key_is_never_empty_and_tokens_lie_in_the_text(name: str) -> None:
    assert name_key(name)
    for token in tokens(name):
        assert 0 <= token.start < token.stop <= len(name)


@example(".Ù")
@given(st.text(max_size=60))
def test_a_key_does_not_depend_on_unicode_composition(name: str) -> None:
    composed = unicodedata.normalize("NFC", name)
    decomposed = unicodedata.normalize("NFD", name)
    assert name_key(composed) == name_key(decomposed)


def test_a_name_with_its_acronym_answers_to_both() -> None:
    assert spellings("principal component analysis (PCA)") == [
        "principal component analysis (PCA)",
        "principal component analysis",
        "PCA",
    ]
    assert spellings("PCA (principal component analysis)")[1:] == [
        "PCA",
        "principal component analysis",
    ]


def test_a_bracketed_field_is_no_spelling() -> None:
    assert spellings("Field (physics)") == ["Field (physics)", "Field"]


def test_of_phrases_answer_to_their_inversion() -> None:
    assert "energy conservation" in spellings("conservation of energy")


def test_acronyms_leave_small_words_out() -> None:
    assert acronym_of("theory of computation") == "TC"
    assert is_acronym_pair("singular value decomposition", "SVDs")
    assert not is_acronym_pair("singular value decomposition", "PCA")


def test_formulas_are_blanked_and_offsets_kept() -> None:
    text = "the $\\frac{a}{b}$ ratio"
    blanked = without_formulas(text)
    assert len(blanked) == len(text)
    assert "frac" not in blanked
    assert text[token_spans(blanked)[1][0] :] == "ratio"


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("linearly independent", "linear independence", True),
        ("diagonalizable", "diagonalization", True),
        ("injective", "injectivity", True),
        ("orthogonal", "orthogonality", True),
        ("determine", "determinant", False),
        ("multiply", "multiplier", False),
        ("linear dependence", "linear independence", False),
        ("density", "dense", False),
    ],
)
def test_forms_of_one_word_are_of_one_family(one: str, other: str, alike: bool) -> None:
    assert (family_key(one) == family_key(other)) is alike


@given(st.text(st.sampled_from("aB1_'’.#+-() \n\r\x0b\x85é́字İß"), max_size=40))
def test_texts_are_cut_into_the_same_words_line_by_line(text):
    assert token_spans(text) == [(t.start, t.stop, t.key) for t in tokens(text)]
