"""What a learner is believed to know."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphrag.domain import Belief, Learner, Prerequisite
from graphrag.prerequisites.order import PrerequisiteOrder
from graphrag.tutoring.learner import (
    LearnerEvidence,
    Tracing,
    beliefs_at,
    fade,
    knows,
    record,
    shown_at,
)

DAY = 86_400.0
NOBODY = Learner("ana")
CHAIN = PrerequisiteOrder(
    [
        Prerequisite("eigenvalue", "matrix", 0.9, "certain"),
        Prerequisite("matrix", "vector", 0.9, "certain"),
    ]
)


def test_a_right_answer_follows_bayes_rule_and_teaches_a_little() -> None:
    learner = record(NOBODY, "matrix", "right", now=0.0)
    # .15 x .9 / (.15 x .9 + .85 x .2) = .135 / .305 = .442623; + .1 x .557377
    assert learner.beliefs["matrix"].probability == pytest.approx(0.498361, abs=1e-6)


def test_a_wrong_answer_lowers_what_was_believed() -> None:
    said = record(NOBODY, "matrix", "said", now=0.0)
    wrong = record(said, "matrix", "wrong", now=0.0)
    # .95 x .1 / (.95 x .1 + .05 x .8) = .095 / .135 = .703704; + .1 x .296296
    assert wrong.beliefs["matrix"].probability == pytest.approx(0.733333, abs=1e-6)


def test_two_right_answers_are_enough_to_know() -> None:
    learner = NOBODY
    for _ in range(2):
        learner = record(learner, "matrix", "right", now=0.0)
    assert "matrix" in knows(learner, CHAIN, now=0.0)


def test_forgetting_takes_the_belief_away() -> None:
    learner = record(record(NOBODY, "matrix", "said", now=0.0), "matrix", "forget", now=1.0)
    assert learner.beliefs == {}
    assert record(NOBODY, "matrix", "forget", now=0.0) == NOBODY


def test_shaky_is_not_known_and_not_raised_by_saying_so() -> None:
    said = record(NOBODY, "matrix", "said", now=0.0)
    assert record(said, "matrix", "shaky", now=0.0).beliefs["matrix"].probability == 0.4
    assert "matrix" not in knows(record(said, "matrix", "shaky", now=0.0), CHAIN, now=0.0)


def test_the_belief_says_why_in_words() -> None:
    learner = record(NOBODY, "matrix", "wrong", now=0.0, detail="What is a pivot?")
    assert learner.beliefs["matrix"].because == ("answered wrong on 1970-01-01: What is a pivot?",)


def test_a_belief_fades_by_half_of_what_does_not_last() -> None:
    belief = Belief("matrix", 1.0, 0.0, ("answered right on 1970-01-01",))
    # lasting .6, half of the other .4 gone after one half-life of 180 days
    assert fade(belief, now=180 * DAY).probability == pytest.approx(0.8)
    assert fade(belief, now=0.0).probability == 1.0
    assert fade(belief, now=-DAY).probability == 1.0


def test_confirmed_beliefs_fade_more_slowly() -> None:
    twice = Belief("matrix", 1.0, 0.0, ("answered right on 1970-01-01",) * 2)
    assert fade(twice, now=360 * DAY).probability == pytest.approx(0.8)


def test_what_was_said_long_ago_wants_a_review() -> None:
    learner = record(NOBODY, "matrix", "said", now=0.0)
    assert "matrix" in knows(learner, CHAIN, now=200 * DAY)
    assert "matrix" not in knows(learner, CHAIN, now=600 * DAY)
    assert shown_at(learner, now=600 * DAY)["matrix"].probability < 0.7


def test_knowing_a_concept_speaks_for_its_prerequisites() -> None:
    learner = record(NOBODY, "matrix", "said", now=0.0)
    belief = beliefs_at(learner, CHAIN, now=0.0)["vector"]
    # a = .15 / (.15 + .1 x .85) = .638298; b = (.95 / .05) / (.15 / .85) = 107.6667
    # ratio = (a b + 1 - a) / (.1 a b + 1 - .1 a) = 69.0851 / 7.8085 = 8.8474
    # odds .15 / .85 x 8.8474 = 1.56131, so .60958
    assert belief.probability == pytest.approx(0.60958, abs=1e-4)
    assert belief.because == ("knowing matrix, which rests on it (strength 0.90)",)


def test_failing_a_concept_speaks_softly_against_its_prerequisites() -> None:
    learner = record(NOBODY, "vector", "said", now=0.0)
    failed = record(learner, "matrix", "wrong", now=0.0)
    before = beliefs_at(learner, CHAIN, now=0.0)["vector"].probability
    after = beliefs_at(failed, CHAIN, now=0.0)["vector"].probability
    assert before == pytest.approx(0.95)
    assert 0.8 < after < before


def test_evidence_does_not_flow_to_what_rests_on_the_concept() -> None:
    learner = record(NOBODY, "vector", "said", now=0.0)
    assert set(beliefs_at(learner, CHAIN, now=0.0)) == {"vector"}


def test_nothing_is_known_of_nobody() -> None:
    assert knows(NOBODY, CHAIN, now=0.0) == frozenset()


def test_recording_leaves_the_learner_before_as_it_was() -> None:
    before = record(NOBODY, "matrix", "said", now=0.0)
    record(before, "matrix", "wrong", now=0.0)
    assert before.beliefs["matrix"].probability == 0.95


EVENTS = st.lists(
    st.tuples(
        st.sampled_from(["vector", "matrix", "eigenvalue", "elsewhere"]),
        st.sampled_from(["right", "wrong", "said", "shaky", "forget"]),
        st.floats(-1e9, 1e11),
    ),
    max_size=30,
)


@given(EVENTS, st.floats(-1e9, 1e11))
def test_beliefs_stay_probabilities(
    events: list[tuple[str, LearnerEvidence, float]], now: float
) -> None:
    learner = NOBODY
    for concept, evidence, moment in events:
        learner = record(learner, concept, evidence, now=moment)
    for belief in beliefs_at(learner, CHAIN, now=now).values():
        assert 0.0 <= belief.probability <= 1.0


@given(st.floats(0.0, 1.0), st.floats(0, 3e8), st.floats(0, 3e8))
def test_beliefs_only_fall_with_time(probability: float, one: float, other: float) -> None:
    belief = Belief("matrix", probability, 0.0)
    sooner, later = sorted((one, other))
    assert fade(belief, now=later).probability <= fade(belief, now=sooner).probability
    assert fade(belief, now=later).probability >= Tracing().lasting * probability - 1e-12
