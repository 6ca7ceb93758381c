"""Which sentence of the passages denies a statement."""

from __future__ import annotations

from dataclasses import replace

import pytest

from graphrag.answering.claims import claim
from graphrag.answering.denial import denial
from tests.answering_values import passage


def _under(text, *headings):
    found = passage(text)
    return replace(found, chunk=replace(found.chunk, heading_path=headings))


@pytest.mark.parametrize(
    ("statement", "text", "headings"),
    [
        ("alarms of pumps are shelved", "Alarms of pumps are never shelved.", ("Alarms",)),
        # The heading says of what the sentence speaks.
        (
            "locks are handed over at the end of a shift",
            "Locks aren't handed over.",
            ("Shift end",),
        ),
        ("a zero vector counts as direction", "The zero vector is excluded.", ("Direction",)),
        ("a cube can have two centres", "A cube with two centres does not exist.", ("Cubes",)),
        # A false belief in a list of mistakes; its sentence alone denies nothing.
        ("the residual must be zero", "- Expecting the residual to be zero.", ("Common mistakes",)),
    ],
)
def test_a_sentence_of_the_same_matter_denies_it(statement, text, headings):
    assert denial(claim(statement), [_under(text, *headings)]) == (1, text)


@pytest.mark.parametrize(
    ("statement", "text", "headings"),
    [
        ("locks are handed over at the end of a shift", "Locks aren't handed over.", ("Tools",)),
        ("the residual must be zero", "- Leaving the residual at zero.", ("Common mistakes",)),
        ("the residual is not zero", "The belt is never red.", ("Belts",)),
        ("zero", "Zero is excluded.", ("Zero",)),
    ],
)
def test_a_sentence_of_other_matter_or_of_a_careless_deed_does_not(statement, text, headings):
    assert denial(claim(statement), [_under(text, *headings)]) is None


def test_it_does_not_where_another_sentence_affirms_the_same_words():
    texts = ["Alarms of pumps are never shelved.", "Known alarms of pumps may be shelved."]
    found = [_under(text, "Alarms") for text in texts]
    assert denial(claim("alarms of pumps are shelved"), found) is None
    # One that speaks of less affirms another case.
    found[1] = _under("Known alarms may be shelved.", "Alarms")
    assert denial(claim("alarms of pumps are shelved"), found) == (1, texts[0])


def test_an_opposite_in_a_word_s_place_denies_where_nothing_holds_the_word_itself():
    statement = claim("the impeller thread of the pump is right-handed")
    against = passage("Unscrew the impeller. Its thread is left-handed.", title="Pump")
    assert denial(statement, [against]) is None  # of the impeller speaks another sentence
    against = passage("The impeller thread is left-handed.", title="Pump")
    assert denial(statement, [against]) == (1, "The impeller thread is left-handed.")
    other = passage("The impeller thread of the pump P-2 is right-handed.", document="b.md")
    assert denial(statement, [against, other]) is None


def test_what_there_is_none_of_is_denied_below_headings_of_the_same_matter():
    statement = claim("singers must pass an audition")
    none = passage("There is no audition: come and sing.", title="For new singers")
    assert denial(statement, [none]) == (1, "There is no audition: come and sing.")
    assert denial(statement, [passage("There is no audition.", title="Actors")]) is None


def test_code_denies_nothing():
    statement = claim("the pop method returns the largest item")
    code = passage("```\npop(heap)  # the pop method returns the smallest item\n```")
    assert denial(statement, [code]) is None
