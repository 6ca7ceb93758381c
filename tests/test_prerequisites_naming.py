"""What names say by their form."""

from __future__ import annotations

import numpy as np

from graphrag.domain import Concept
from graphrag.prerequisites.naming import name_ranks


def fields(*names: str) -> list[float]:
    concepts = [Concept(name, name) for name in names]
    found = name_ranks(concepts, names, np.zeros((len(names), 1), np.float32))
    return [float(value) for value in found["field"]]


def test_a_name_in_the_form_of_a_field_is_one() -> None:
    assert fields("Trigonometry", "Angle", "Computer science") == [1.0, 0.0, 1.0]


def test_a_name_that_two_brackets_set_their_concepts_in_is_a_field() -> None:
    names = ("Geometry", "Point (geometry)", "Line (geometry)", "Set", "Union (set)")
    assert fields(*names) == [2.0, 0.0, 0.0, 0.0, 0.0]
