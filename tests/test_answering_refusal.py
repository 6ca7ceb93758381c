"""What has no answer in the passages is refused before a writer is asked."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from graphrag.answering.refusal import (
    Floor,
    covered_parts,
    explain,
    judge,
    opens_answered,
    probability,
    regressors,
)
from graphrag.answering.signals import Signals, logit, signals
from tests.answering_values import passage

PUMP = passage(
    "The pump P-401 weighs 214 kg with its motor. Its rated flow is 86 m3/h at 1450 rpm.",
    title="Slurry pump",
    document="pump.md",
    score=0.99,
)
BELT = passage("The conveyor CV-410 has a lagged drive pulley.", document="belt.md", score=0.97)
FAR = passage("The belt runs at 2 m/s.", score=0.001)


def test_nothing_found_is_a_reason_of_its_own():
    assert judge("What does the pump weigh?", []) == "no passages"


@pytest.mark.parametrize(
    "question",
    ["How heavy is the pump P-401?", "What is the rated flow of P-401?", "What does P-401 weigh?"],
)
def test_what_the_passages_say_may_be_answered(question):
    assert judge(question, [PUMP, BELT]) is None


@pytest.mark.parametrize(
    "question",
    [
        "What does error E1999 mean?",
        "How heavy is the pump P-402?",
        "What does the PlantDeck 5.0 weigh?",
        "What is the diameter of the drive pulley of CV-410?",
        "What is the serial number of P-401?",
    ],
)
def test_what_they_do_not_say_is_below_the_floor(question):
    assert judge(question, [PUMP, BELT]) == "below the floor"


def test_far_passages_are_below_the_floor():
    assert judge("How do I bake bread?", [FAR]) == "below the floor"


def test_the_best_excerpt_counts_where_the_passage_is_in_doubt():
    unsure = passage("Much about other things. It holds 5 litres of oil.", score=0.5)
    found = signals(
        "How much oil?", [unsure], score=lambda _, ts: [7.0 if "5" in t else -5.0 for t in ts]
    )
    assert found.relevance == 7.0
    assert signals("How much oil?", [unsure]).relevance == pytest.approx(0.0)


def test_passages_that_were_not_reranked_are_read():
    unread = replace(PUMP, score=0.03, channels={})
    found = signals("How heavy is P-401?", [unread], score=lambda _, texts: [5.0] * len(texts))
    assert found.relevance == 5.0


def test_a_word_that_is_elsewhere_in_the_corpus_counts_less():
    question = "Which colour has the pump?"
    assert signals(question, [PUMP]).missing == pytest.approx(0.5)
    assert signals(question, [PUMP], occurs=lambda word: True).missing == pytest.approx(0.15)


def test_a_subject_must_stand_together():
    maths = passage("A space of vectors. Its dual is another matter, not a space here.")
    assert signals("What is a dual space?", [maths]).topic == 1.0
    assert signals("What is a dual space?", [passage("The dual space is a space.")]).topic == 0.0


def test_an_attribute_must_be_near_and_a_quantity_of_its_kind():
    assert signals("What is the serial number of P-401?", [PUMP]).attribute == 2.0
    assert signals("What is the rated flow of P-401?", [PUMP]).attribute == 0.0
    assert signals("How wide is P-401?", [PUMP]).quantity == 1.0
    assert signals("How heavy is P-401?", [PUMP]).quantity == 0.0


def test_a_code_that_is_elsewhere_in_the_corpus_only_weighs():
    question = "Is P-402 heavy like P-401?"
    assert signals(question, [PUMP]).unknown == ("P-402",)
    found = signals(question, [PUMP], occurs=lambda term: term == "p-402")
    assert (found.unknown, found.missing) == ((), pytest.approx(1 / 2))


def test_unknown_identifiers_settle_it():
    found = signals("Is P-402 or Line 7 like P-401?", [PUMP])
    assert found.unknown == ("P-402", "Line 7")
    assert probability(found, Floor()) == 0.0


def test_a_code_in_a_table_is_known_below_the_heading_that_has_its_name():
    table = passage("SQLSTATE codes\n| 23502 | not null |\n| 23505 | unique |")
    assert signals("What is SQLSTATE 23505?", [table]).unknown == ()
    assert signals("What is SQLSTATE 23506?", [table]).unknown == ("SQLSTATE 23506",)
    assert signals("What is Oracle 23505?", [table]).unknown == ("Oracle 23505",)


def test_more_relevance_never_lowers_the_probability():
    values = [probability(Signals(r, 0.2, 0.0, 0.0, 0.0), Floor()) for r in range(-10, 10)]
    assert values == sorted(values)


def test_log_odds_stay_finite():
    assert logit(0.5) == 0.0
    assert logit(0.0) == pytest.approx(-logit(1.0))


def test_a_refusal_names_what_is_unknown_and_the_nearest_miss():
    text = explain("What does E1999 mean?", [BELT, PUMP], "below the floor")
    assert text == (
        "Nothing in the indexed documents mentions E1999. The closest is “Slurry pump” (pump.md)."
    )
    assert "ingest" in explain("What?", [], "no passages")
    assert "do not answer" in explain("What?", [PUMP], "the model declined")


def test_parts_are_told_apart_only_where_they_can_be_read():
    question = "What does the pump weigh and who won the cup in Spain?"
    assert covered_parts(question, [PUMP]) == ([question], [])

    def score(asked, texts):
        return [7.0 if "weigh" in asked and "kg" in text else -9.0 for text in texts]

    covered, missing = covered_parts(question, [PUMP], score=score)
    assert (covered, missing) == (["What does the pump weigh?"], ["who won the cup in Spain?"])


def test_a_part_that_leans_on_another_goes_with_it():
    question = "Who won the cup in Spain and how is it played?"

    def score(asked, texts):
        return [-9.0] * len(texts)

    assert covered_parts(question, [PUMP], score=score) == ([question], [])
    both = "What does the pump weigh, and why is it heavy?"
    found = covered_parts(both, [PUMP], score=lambda _, texts: [7.0] * len(texts))
    assert found == (["What does the pump weigh?", "why is it heavy?"], [])


def test_a_leaning_part_is_judged_with_what_it_leans_on():
    # The pump's passage names no person, so who invented "it" stays open.
    question = "What is the pump and who invented it?"
    found = covered_parts(question, [PUMP], score=lambda _, texts: [3.0] * len(texts))
    assert found == (["What is the pump?"], ["who invented it?"])


def test_what_leans_on_a_part_that_is_not_covered_is_not_covered():
    question = "What is the turbine and how is it greased?"

    def score(asked, texts):
        return [-9.0 if asked.startswith("What") else 7.0] * len(texts)

    assert covered_parts(question, [PUMP], score=score) == ([question], [])


def test_the_first_of_two_parts_may_be_answered_by_itself():
    def score(asked, texts):
        return [7.0 if "weigh" in asked else -9.0] * len(texts)

    assert opens_answered("What does the pump weigh and how do I undo it?", [PUMP], score=score)
    assert not opens_answered("Who won the cup and what does it weigh?", [PUMP], score=score)
    assert not opens_answered("What does the pump weigh?", [PUMP], score=score)


def test_the_best_passage_is_prominent_by_its_lead_over_the_mean_of_the_others():
    # Probabilities of 1/2, 1/4 and 1/10 are logits of 0, -ln 3 and -ln 9; their lead is ln 27 / 2.
    found = [replace(PUMP, score=value) for value in (0.25, 0.5, 0.1)]
    lead = math.log(27) / 2
    assert signals("What is it?", found).prominent == pytest.approx(lead)
    close = Signals(-2.0, 0.3, 0.0, 0.0, 0.0, prominent=0.0)
    assert probability(replace(close, prominent=lead), Floor()) > probability(close, Floor())


def test_words_that_no_passage_holds_make_an_answer_less_probable():
    held = Signals(0.0, 0.3, 0.0, 0.0, 0.0)
    values = [probability(replace(held, nowhere=("a",) * n), Floor()) for n in range(5)]
    assert values == sorted(values, reverse=True)
    assert values[3] == values[4]  # more than three say no more


def test_low_relevance_weighs_more_where_no_other_wording_explains_it():
    cold = regressors(Signals(-4.0, 0.0, 0.0, 0.0, 0.0))["cold"]
    reworded = regressors(Signals(-4.0, 0.5, 0.0, 0.0, 0.0))["cold"]
    assert (cold, reworded) == (4.0, 0.0)


@pytest.mark.parametrize(
    ("question", "identified"),
    [
        ("What is SQLSTATE 23505?", True),
        ("What does SQLSTATE 23505 mean?", True),
        ("What does SQLSTATE 23505 cost?", False),  # a word that the passage lacks
        ("Who named SQLSTATE 23505?", False),
        ("What is SQLSTATE?", False),  # no code
        ("What is SQLSTATE 23506?", False),
    ],
)
def test_a_code_that_is_found_is_evidence_where_nothing_else_is_asked(question, identified):
    table = passage("SQLSTATE codes\n| 23502 | not null |\n| 23505 | unique |", score=0.001)
    measured = signals(question, [table])
    assert measured.identified is identified
    assert (probability(measured, Floor()) == 1.0) is identified


def test_a_question_in_another_language_is_told_so():
    question = "Wie schwer ist die Pumpe und was kostet sie?"
    told = explain(question, [PUMP], "below the floor")
    assert told.endswith(
        "The question is in German, the passages are in English: ask it in their language."
    )
    assert "language" not in explain("What is a dog?", [PUMP], "below the floor")


def test_how_a_thing_is_done_may_be_told_with_another_verb_and_without_a_quantity():
    dividing = passage("Dividing a vector by its norm gives a unit vector.", score=0.5)
    found = signals("How do I turn a vector into one of length 1?", [dividing])
    assert (found.topic, found.quantity) == (0.0, 0.0)
    # The thing that it is done to must be there all the same.
    assert signals("How do I turn a quaternion into a vector?", [dividing]).topic == 1.0


STASH = passage("Use stash to put the changes aside for a while.", document="stash.md", score=0.9)


def _reading(question, texts):
    """A cross-encoder to which encryption is foreign, and nothing else."""
    return [-3.0 if "encrypt" in question else 1.0 for _ in texts]


def test_what_is_near_only_without_the_words_that_it_lacks_is_below_the_floor():
    unsure = replace(STASH, score=0.01)
    measured = signals("How do I encrypt the stash changes?", [unsure], score=_reading)
    assert measured.estranged == 4.0  # 1 without "encrypt", -3 with it
    assert (measured.absent, measured.nowhere) == (("encrypt",), ("encrypt",))
    assert judge("How do I encrypt the stash changes?", [unsure], score=_reading) is not None
    nearer = replace(measured, estranged=0.0)
    assert probability(measured, Floor()) < probability(nearer, Floor())


def test_what_is_near_with_them_as_well_may_be_answered():
    """The words may only be the asker's own: the answer says what it lacks (``near_miss``)."""
    measured = signals("How do I encrypt the stash changes?", [STASH], score=_reading)
    assert measured.estranged == 4.0
    assert probability(measured, Floor()) > 0.0


@pytest.mark.parametrize(
    "question",
    ["How do I put the changes aside?", "Where does $encrypt = 1$ put changes aside?"],
)
def test_a_question_in_words_of_the_passages_is_read_once(question):
    assert signals(question, [STASH], score=_reading).estranged == 0.0


def test_a_compound_of_which_a_part_is_held_stays():
    asked = "How do I put encrypt-changes aside?"
    assert signals(asked, [STASH], score=_reading).estranged == 0.0


def test_passages_that_are_nothing_but_their_heading_are_measured_as_a_whole():
    heading = passage("PUMPS\n\nPart of the suite\n\nLast updated 2024-05-31", score=0.5)
    found = signals("When was it last repaired?", [heading], score=lambda _, texts: [])
    assert found.relevance == pytest.approx(0.0)
    assert found.absent == ("repaired",)
