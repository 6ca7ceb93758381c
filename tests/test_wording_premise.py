"""What a "why" question takes for granted."""

from __future__ import annotations

import pytest

from graphrag.wording.premise import is_said, premise, taken_for_granted


@pytest.mark.parametrize(
    ("question", "statement"),
    [
        ("Why is every matrix invertible?", "every matrix is invertible"),
        ("Why do all pumps leak", "all pumps leak"),
        ("Why can every lock be cut?", "every lock can be cut"),
        ("Why is the pump loud?", ""),
        ("Is every matrix invertible?", ""),
        ("Why can readers never work at once?", "readers can never work at once"),
        ("Why is the unit released every month?", "the unit is released every month"),
        ("Why always?", ""),
        ("Why must the kettle be at 5 bar?", "the kettle must be at 5 bar"),
        ("Why does E1042 mean low oil?", ""),
        ("Since E7 means low oil, how do I refill it?", "E7 means low oil"),
        ("Given that every matrix has an inverse, what is it for?", "every matrix has an inverse"),
        ("Since version 4, how do I open it?", ""),
    ],
)
def test_the_premise_is_the_statement_behind_the_question(question, statement):
    assert premise(question) == statement


@pytest.mark.parametrize(
    ("question", "statement"),
    [
        ("Why may scripts modify the file?", "scripts may modify the file"),
        ("Why must the file not be mixed in?", "the file must not be mixed in"),
        ("Why doesn't the pump start?", "not the pump start"),
        ("How does the tool delete the entry?", "the tool delete the entry"),
        ("How do I delete the entry?", ""),
        ("Since clean removes the ignored files, how do I keep them?",
         "clean removes the ignored files"),
        ("Since version 4, how do I open it?", ""),
        ("What is a pump?", ""),
    ],
)  # fmt: skip
def test_any_statement_behind_a_question_is_taken_for_granted(question, statement):
    assert taken_for_granted(question) == statement


def test_a_premise_is_said_only_where_it_is_said_of_all():
    statement = "every matrix is invertible"
    assert is_said(statement, ["Every matrix of this kind is invertible."])
    assert not is_said(statement, ["A matrix may be invertible.", "Every matrix has an entry."])


def test_a_claim_of_none_does_not_speak_for_all():
    assert not is_said("every door is open", ["The door is open when no guard is there."])


def test_a_measure_is_said_with_its_number_and_unit():
    statement = "the kettle must be at 5 bar"
    assert is_said(statement, ["The kettle is held at 5 bar."])
    assert not is_said(statement, ["The kettle is held at 3 bar.", "The tank is held at 5 bar?"])
    assert not is_said(statement, ["The kettle is held at 5 °C."])


def test_a_plain_statement_is_said_nearly_word_by_word():
    assert is_said("E7 means low oil", ["Code E7 means low oil in the tank."])
    assert not is_said("E7 means low oil", ["E7 does not mean low oil.", "E7 means a lost signal."])


def test_a_path_that_is_taken_for_granted_must_be_said_to_the_letter():
    taken = premise("Why must Perl scripts start with #!/usr/local/bin/perl?")
    assert taken
    assert not is_said(taken, ["Perl scripts must start with #!/usr/bin/perl."])
    assert is_said(taken, ["Perl scripts must start with #!/usr/local/bin/perl."])
