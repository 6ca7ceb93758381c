"""Beliefs under today's concepts, whatever becomes of these."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from graphrag.domain import Belief, Concept, Learner
from graphrag.tutoring.homes import at_home, stored_after
from graphrag.tutoring.learner import record

SENSES = [Concept("key-scale", "key (scale)"), Concept("key-entry", "key (entry)")]
KEY = [Concept("key", "key", ("keys",))]
BASIS = [Concept("L2", "basis", ("bases",))]


def knowing(*beliefs: Belief) -> Learner:
    return Learner("ada", {belief.concept: belief for belief in beliefs})


def after(stored: Learner, concepts: list[Concept], concept_id: str, what: str) -> Learner:
    """What is stored after one more piece of evidence."""
    changed = record(at_home(stored, concepts), concept_id, what, now=3.0)  # type: ignore[arg-type]
    return stored_after(stored, changed, concepts)


def test_a_belief_follows_its_concept_to_another_id() -> None:
    learner = knowing(Belief("span", 0.9, 1.0), Belief("gone", 0.9, 1.0))
    moved = at_home(learner, [Concept("L1", "Span"), *BASIS])
    assert moved == knowing(Belief("L1", 0.9, 1.0), Belief("gone", 0.9, 1.0))


def test_of_two_beliefs_on_one_concept_the_later_stays_with_the_reasons_of_both() -> None:
    learner = knowing(Belief("L2", 0.2, 2.0, ("wrong",)), Belief("bases", 0.9, 1.0, ("said",)))
    assert at_home(learner, BASIS) == knowing(Belief("L2", 0.2, 2.0, ("said", "wrong")))


def test_what_was_said_of_a_name_counts_for_each_of_its_homonyms() -> None:
    moved = at_home(knowing(Belief("key", 0.9, 1.0, ("said",))), SENSES)
    assert moved == knowing(
        Belief("key-entry", 0.9, 1.0, ("said",)), Belief("key-scale", 0.9, 1.0, ("said",))
    )


def test_what_is_said_of_one_homonym_leaves_what_was_said_of_the_name() -> None:
    stored = after(knowing(Belief("key", 0.9, 1.0, ("said",))), SENSES, "key-scale", "shaky")
    assert stored.beliefs["key"] == Belief("key", 0.9, 1.0, ("said",))
    now = at_home(stored, SENSES).beliefs
    assert now["key-scale"].probability == 0.4
    assert now["key-entry"].probability == 0.9


def test_what_was_said_comes_back_with_the_concept() -> None:
    first = knowing(Belief("key", 0.9, 1.0, ("said",)))
    assert at_home(after(first, SENSES, "key-scale", "wrong"), KEY).beliefs["key"] == Belief(
        "key", 0.9, 1.0, ("said",)
    )
    two = knowing(Belief("pivot", 0.9, 1.0), Belief("leading-entry", 0.2, 2.0))
    merged = after(two, [Concept("pivot", "pivot", ("leading entry",))], "pivot", "right")
    apart = [Concept("pivot", "pivot"), Concept("leading-entry", "leading entry")]
    assert at_home(merged, apart).beliefs["leading-entry"] == Belief("leading-entry", 0.2, 2.0)


def test_what_is_forgotten_is_forgotten_under_all_names_and_of_no_other_homonym() -> None:
    two = knowing(Belief("L2", 0.9, 1.0), Belief("bases", 0.2, 2.0))
    assert after(two, BASIS, "L2", "forget") == Learner("ada")
    stored = after(knowing(Belief("key", 0.9, 1.0)), SENSES, "key-scale", "forget")
    assert at_home(stored, SENSES) == knowing(Belief("key-entry", 0.9, 1.0))


@given(
    st.dictionaries(
        st.sampled_from(["key", "keys", "key-scale", "basis", "bases"]), st.floats(0, 1)
    ),
    st.sampled_from([[*SENSES], [*KEY], [*KEY, *BASIS], [*SENSES, *BASIS]]),
    st.sampled_from(["right", "wrong", "said", "shaky", "forget"]),
)
def test_what_is_stored_reads_as_it_was_left(
    stored: dict[str, float], concepts: list[Concept], what: str
) -> None:
    learner = knowing(*(Belief(key, value, 1.0) for key, value in stored.items()))
    target = concepts[0].id
    changed = record(at_home(learner, concepts), target, what, now=3.0)  # type: ignore[arg-type]
    kept = at_home(stored_after(learner, changed, concepts), concepts)
    assert kept == changed
