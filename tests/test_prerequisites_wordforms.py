"""Words that speak of a concept without its name."""

from __future__ import annotations

import pytest

from graphrag.concepts.mentions import find_mentions
from graphrag.domain import Concept
from graphrag.prerequisites.wordforms import by_name, forms_of, widened, word_forms
from tests.concept_values import document, one_chunk_each

MULTIPLICATION = Concept("multiplication", "Multiplication")
EQUALITY = Concept("equality", "Equality (mathematics)")


@pytest.mark.parametrize(
    ("noun", "form"),
    [
        ("multiplication", "multiplied"),
        ("addition", "adding"),
        ("rotation", "rotating"),
        ("reflection", "reflected"),
        ("collision", "collide"),
        ("compression", "compressed"),
        ("measurement", "measured"),
        ("equality", "equal"),
        ("stability", "stable"),
        ("hardness", "hard"),
    ],
)
def test_a_noun_is_spoken_of_by_the_word_that_it_is_made_from(noun: str, form: str) -> None:
    assert form in word_forms(noun)


@pytest.mark.parametrize("noun", ["vector", "moment", "city", "basis", "spring"])
def test_other_nouns_and_very_short_remainders_have_no_forms(noun: str) -> None:
    assert word_forms(noun) == []


def test_a_form_that_names_another_concept_is_left_to_it() -> None:
    forms = forms_of([MULTIPLICATION, Concept("multiply", "multiply")])
    assert "multiply" not in forms["multiplication"]
    assert "multiplied" in forms["multiplication"]


def test_only_names_of_one_word_have_forms_the_bracket_left_out() -> None:
    matrices = Concept("matrix multiplication", "matrix multiplication")
    assert set(forms_of([matrices, EQUALITY])) == {"equality"}


def test_forms_are_found_but_are_no_mentions_by_name() -> None:
    concepts = [MULTIPLICATION, EQUALITY]
    documents = [document("Multiplication is easy. We multiplied equal numbers.", "a.md")]
    forms = forms_of(concepts)
    found = find_mentions(documents, one_chunk_each(documents), {}, widened(concepts, forms))
    text = documents[0].text
    assert [text[m.start : m.stop] for m in found] == ["Multiplication", "multiplied", "equal"]
    named = by_name(found, documents, forms)
    assert [text[m.start : m.stop] for m in named] == ["Multiplication"]
    assert named == find_mentions(documents, one_chunk_each(documents), {}, concepts)
