"""The wording of a question says what kind of answer fits."""

from __future__ import annotations

import pytest

from graphrag.wording.expects import (
    compared,
    counted_apart,
    expects_list,
    expects_steps,
    fits,
    is_about_the_text,
    quantity_given,
    thing_given,
)


@pytest.mark.parametrize(
    ("question", "text", "value"),
    [
        ("How long must it cool?", "It cools for 20 minutes.", 1.0),
        ("How long must it cool?", "It weighs 20 kg.", 0.5),
        ("How long must it cool?", "It cools slowly.", 0.0),
        ("How heavy is the pump?", "| Mass | 214 kg |", 1.0),
        ("At what pressure does it open?", "It opens at 9.0 bar.", 1.0),
        ("How many bolts are there?", "There are eight bolts.", 0.5),
        ("What is the part number of the seal?", "The seal is PN 88-4310.", 0.5),
        ("What is the part number of VX-1?", "The VX-1 is a pump.", 0.0),
        ("What is a basis?", "A basis has 3 vectors.", 0.0),
    ],
)
def test_a_text_fits_that_has_the_kind_of_answer(question, text, value):
    assert fits(question, text) == value


@pytest.mark.parametrize(
    ("question", "steps"),
    [
        ("How do I change the seal?", True),
        ("How is a matrix inverted?", True),
        ("Steps to track a belt", True),
        ("The pump died, what do I do first?", True),
        ("How are rank and basis related?", False),
        ("How long does it take?", False),
        ("What is a basis?", False),
    ],
)
def test_steps_are_expected_of_a_how_to(question, steps):
    assert expects_steps(question) is steps


@pytest.mark.parametrize(
    ("sentence", "announces"),
    [
        ("This chapter describes the pump and its seal.", True),
        ("In this lesson we explain what a basis is.", True),
        ("The next section shows how.", True),
        ("This pump is heavy.", False),
        ("The manual valve opens first.", False),
    ],
)
def test_announcements_are_told_from_statements(sentence, announces):
    assert is_about_the_text(sentence) is announces


@pytest.mark.parametrize(
    ("question", "text", "given"),
    [
        ("Who may cut a lock?", "The shift supervisor cuts it.", True),
        ("Who may cut a lock?", "A lock is cut with care.", False),
        ("Who found it first?", "It was found by Anna Weber.", True),
        ("What is the name of the safety manager?", "The safety manager signs it.", False),
        ("What is the name of the safety manager?", "| Safety manager | Anna Weber |", True),
        ("How many times may it be started?", "At most two starts are allowed.", None),
        ("In which year was it built?", "It was built in 1987.", True),
        ("In which year was it built?", "It was built at 19 places.", False),
        ("When was the pump bought?", "It was bought in March.", True),
        ("When was the pump bought?", "It was bought cheaply.", False),
        ("How much does a seal cost?", "A seal costs 12 euros.", True),
        ("How much does a seal cost?", "A seal weighs 12 kg.", False),
        ("How many rules are there?", "These eight rules hold.", True),
        ("How many pupils failed?", "These eight rules hold.", False),
        ("What is a rule?", "A rule holds.", None),
    ],
)
def test_a_person_a_year_and_a_count_are_looked_for_where_they_are_asked_for(question, text, given):
    assert thing_given(question, [text]) is given


@pytest.mark.parametrize(
    ("question", "text", "apart"),
    [
        ("How many restarts are allowed?", "At most two cold restarts are allowed.", False),
        ("How many restarts are allowed?", "| Restarts a shift | 2 |", False),
        ("How many restarts are allowed?", "Restarts are allowed by the lead of crew 2.", True),
        ("How many restarts are allowed?", "6. Restarts and other trips are allowed", True),
        ("How long may a restart take?", "Restarts are allowed by the lead of crew 2.", False),
        ("How many days does it last?", "It lasts 3 days.", False),  # a measure, no thing
    ],
)
def test_a_number_that_counts_a_thing_stands_beside_it(question, text, apart):
    assert counted_apart(question, [text]) is apart


def test_how_large_asks_for_a_number_of_whatever_kind():
    assert quantity_given("How large is the index?", ["The index takes 25 GB."]) is None
    assert fits("How large is the index?", "The index takes 25 GB.") == 0.5


def test_the_two_things_that_are_compared_are_told():
    assert compared("What is the difference between a ring and a field?") == ("ring", "field")
    assert compared("difference between git reset --soft and --hard?") == ("--soft", "--hard")
    assert compared("How does a ring differ from a field?") == ("ring", "field")
    assert compared("What is a ring?") == ()


def test_which_of_something_there_are_asks_for_a_list():
    assert expects_list("Which isolation levels are there?")
    assert expects_list("What modes can open be called with?")
    assert not expects_list("Which valve closes first?")
    assert not expects_list("What does the valve do?")
