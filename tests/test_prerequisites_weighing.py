"""From signals to probabilities and names of certainty."""

from __future__ import annotations

import numpy as np
import pytest

from graphrag.domain import Evidence, EvidenceKind, Status
from graphrag.prerequisites.weighing import probability, status_of

TITLE = Evidence("title", 0.5)
GLOSSARY = Evidence("definition", 1.0)


def features(*, before: float = 0.0, need: float = 0.0) -> dict[str, np.ndarray]:
    return {"before": np.array([before]), "need": np.array([need])}


def test_what_is_far_more_basic_is_not_needed_for_that_alone() -> None:
    assert probability(features(before=4.0, need=-1.0))[0] < 0.2


def test_what_is_near_but_no_more_basic_holds_at_most_half() -> None:
    assert probability(features(need=9.0))[0] <= 0.5


def test_a_pair_that_is_near_and_in_order_is_probable() -> None:
    assert probability(features(before=3.0, need=3.0))[0] > 0.8


def test_even_odds_of_both_are_a_quarter_and_the_slope_makes_it_less() -> None:
    # 1/4 has odds of 1/3, to the power of 1.35: .227, a probability of .185.
    assert probability(features(before=0.0, need=0.7))[0] == pytest.approx(0.185, abs=1e-3)


def test_a_pair_beyond_all_doubt_stays_a_probability() -> None:
    assert probability(features(before=900.0, need=900.0))[0] <= 1.0
    assert probability(features(before=-900.0, need=-900.0))[0] >= 0.0


@pytest.mark.parametrize(
    ("weight", "evidence", "direction", "named_back", "status"),
    [
        (0.9, [TITLE], 2.5, 1.0, "certain"),
        (0.9, [TITLE], 1.5, 1.0, "likely"),
        (0.9, [Evidence("title", 0.3)], 2.5, 1.0, "likely"),
        (0.6, [Evidence("title", 0.3), Evidence("cue", 0.3)], 0.6, 1.0, "certain"),
        (0.9, [GLOSSARY], 2.5, 0.1, "certain"),
        (0.9, [GLOSSARY], 2.5, 0.3, "likely"),
        (0.98, [], 2.5, 1.0, "certain"),
        (0.97, [Evidence("section", 1.0)], 0.0, 1.0, "certain"),
        (0.776, [Evidence("section", 0.8)], 0.0, 1.0, "likely"),
        (0.49, [TITLE, GLOSSARY], 2.5, 0.0, "possible"),
    ],
)
def test_certainty_comes_from_kinds_of_evidence(
    weight: float, evidence: list[Evidence], direction: float, named_back: float, status: Status
) -> None:
    found = status_of(weight, evidence, direction=direction, named_back=named_back)
    assert found == status


def test_containing_a_name_that_nobody_explains_makes_nothing_certain() -> None:
    cue = [TITLE, Evidence("cue", 0.3)]
    assert status_of(0.9, cue, direction=2.5, explained=True) == "certain"
    assert status_of(0.9, cue, direction=2.5, explained=False) == "likely"


@pytest.mark.parametrize("kind", ["order", "reference", "generality", "similarity", "structure"])
def test_signals_without_a_sentence_never_make_an_edge_certain(kind: EvidenceKind) -> None:
    assert status_of(0.95, [Evidence(kind, 1.0)], direction=9.0, named_back=0.0) == "likely"
