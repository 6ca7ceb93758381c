"""British and American spellings of one name are one."""

from __future__ import annotations

import pytest

from graphrag.adapters.spacy_spotter import SpacySpotter
from graphrag.concepts.american import american
from graphrag.concepts.names import name_key
from graphrag.concepts.select import find_concepts
from tests.concept_values import document


@pytest.mark.parametrize(
    ("british", "usual"),
    [
        ("colour space", "color space"),
        ("neighbourhoods", "neighborhood"),
        ("normalised vector", "normalized vector"),
        ("Linearisation", "linearization"),
        ("centre of mass", "center of mass"),
        ("crystallisation", "crystallization"),
        ("analysing", "analyzing"),
        ("behavioural modelling", "behavioral modeling"),
    ],
)
def test_both_spellings_have_one_key(british: str, usual: str) -> None:
    assert name_key(british) == name_key(usual)


@pytest.mark.parametrize(
    "word",
    ["precise", "exercise", "premise", "promise", "pairwise", "expertise", "basis", "analysis",
     "noise", "advertise", "supervised", "revise", "our", "hour", "acre", "genre", "four"],
)  # fmt: skip
def test_words_that_only_look_british_stay(word: str) -> None:
    assert american(word) == word


def test_a_name_is_shown_as_its_author_spells_it_in_the_singular() -> None:
    doc = document(
        "# Space\n\nNeighbourhoods are open. A **neighbourhood** is a set around a point. Each "
        "point has neighbourhoods. Neighbourhoods overlap. Two neighbourhoods meet."
    )
    annotation = next(iter(SpacySpotter.load().annotate([doc])))
    names = {c.name for c in find_concepts([doc], {doc.id: annotation})}
    assert "neighbourhood" in names
