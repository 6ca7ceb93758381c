"""Words that mean the same, whatever their form."""

from __future__ import annotations

import pytest

from graphrag.wording.synonyms import mean_the_same


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Swapping", "interchanged", True),
        ("stops", "halt", True),
        ("found", "computing", True),
        ("pump", "valve", False),
        ("open", "close", False),
        ("swap", "", False),
    ],
)
def test_synonyms_are_known_in_every_form(one, other, same):
    assert mean_the_same(one, other) is mean_the_same(other, one) is same
