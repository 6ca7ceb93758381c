"""What the commands of the tutor print."""

from __future__ import annotations

import pytest

from graphrag.cli.tutoring import _following, _show_implicated, _show_step, _why_now
from graphrag.domain import Belief, Concept, Evidence, Implicated, Learner, Prerequisite, Step
from graphrag.tutoring.next import Ready


def needs(prerequisite: str, weight: float, sentence: str) -> Prerequisite:
    said = Evidence("cue", 0.9, sentence, "notes.md", "notes.md#0")
    return Prerequisite("goal", prerequisite, weight, "likely", (said,))


def test_a_sentence_that_gives_two_reasons_is_printed_once(
    capsys: pytest.CaptureFixture[str],
) -> None:
    both = "A goal is made of one part and of another part."
    edges = (
        needs("one", 0.9, both),
        needs("third", 0.8, "Third first."),
        needs("other", 0.7, both),
    )
    _show_step(2, Step(Concept("goal", "Goal"), edges), {"one": "One", "other": "Other"})
    assert capsys.readouterr().out.splitlines() == [
        "2. Goal",
        f'     after One (likely 0.90), Other (likely 0.70): "{both}"',
        '     after third (likely 0.80): "Third first."',
    ]


def test_suspects_of_no_weight_are_not_printed(capsys: pytest.CaptureFixture[str]) -> None:
    weak = Implicated(Concept("dropout", "dropout"), 0.004, ("Dropout switches off.",))
    _show_implicated([Implicated(Concept("span", "span"), 0.95, ("A span is a set.",)), weak])
    assert capsys.readouterr().out.splitlines() == ["span  0.95", '     "A span is a set."']
    _show_implicated([weak])
    assert capsys.readouterr().out.startswith("dropout  0.00")


def test_what_is_ready_says_what_it_rests_on_unlocks_and_serves() -> None:
    span, basis = Concept("span", "span"), Concept("basis", "basis")
    edges = (Prerequisite("span", "vector", 0.9, "certain"),)
    assert _why_now(Ready(span, (basis,), edges, 7), {"vector": "Vector"}) == (
        "rests on Vector; unlocks basis; needed by 7 concepts"
    )
    assert _why_now(Ready(span, serves=1), {}) == "needed by 1 concept"
    assert _why_now(Ready(span), {}) == ""


def test_what_follows_from_what_was_shown_is_told_the_surest_first() -> None:
    span = Belief("span", 0.9, 0.0)
    vector, scalar, rank = (
        Belief(name, sure, 0.0) for name, sure in (("vector", 0.8), ("scalar", 0.9), ("rank", 0.6))
    )
    state = Learner("ada", {"span": span})
    believed = Learner("ada", {each.concept: each for each in (span, vector, scalar, rank)})
    assert _following(state, believed, {"vector": "Vector"}) == "scalar and Vector"
    assert _following(state, state, {}) == ""
