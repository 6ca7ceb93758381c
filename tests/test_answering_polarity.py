"""What one text denies and another affirms is told from what is only worded with a "not"."""

from __future__ import annotations

import pytest

from graphrag.answering.grounding import check
from graphrag.answering.polarity import denied, is_turned
from tests.answering_values import passage


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The cover must not be removed.", {"remov"}),
        ("It works without storing anything.", {"store"}),
        ("Not only the tree is kept.", set()),
        ("Unless it is set, it refuses to start.", {"start"}),
    ],
)
def test_a_negation_denies_the_word_behind_it(text, words):
    assert denied(text) == words


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("The save command takes a pathspec.", "Unlike push it cannot take a pathspec."),
        ("The entry is removed after a conflict.", "In this case, the entry is not removed."),
        ("It stores the entry in the list.", "It returns its name, without storing it anywhere."),
    ],
)
def test_what_the_other_denies_is_turned(text, other):
    assert is_turned(text, other)
    assert is_turned(other, text)


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("Pop keeps the entry in the list.", "Pop does not remove the entry from the list."),
        ("Save is deprecated.", "This option is deprecated; it cannot take a pathspec."),
        ("A second -f deletes it.", "It refuses to delete it unless a second -f is given."),
        ("Reload or restart the service.", "If it does not support reload, restart otherwise."),
        ("It restores tree and index.", "It restores not only the tree, but also the index."),
    ],
)
def test_another_wording_of_the_same_is_not_turned(text, other):
    assert not is_turned(text, other)
    assert not is_turned(other, text)


RULES = passage(
    "The ids from 0-99 are the same on every system. All scripts should support stop. "
    "Supporting the status option is encouraged for scripts. Some products of the build are "
    "removed by a clean run. The service unit is started by the manager.",
    document="rules.md",
)


@pytest.mark.parametrize(
    "sentence",
    [
        "The ids from 0 to 99 are the same on every system [1].",
        "All scripts should support stop [1].",
        "The service unit is always started by the manager [1].",
    ],
)
def test_a_range_and_what_is_said_of_all_stand(sentence):
    assert check(sentence, [RULES]).text == sentence


@pytest.mark.parametrize(
    ("sentence", "reason"),
    [
        ("The ids from 0 to 98 are the same on every system [1].", "number 98"),
        ("Scripts must support the status option [1].", "must be so"),
        ("A clean run always removes the products of the build [1].", "always so"),
        ("The manager starts the service unit because the ids are the same [1].", "that reason"),
    ],
)
def test_a_stronger_claim_than_the_passage_makes_is_struck(sentence, reason):
    checked = check(sentence, [RULES])
    assert checked.text == ""
    assert reason in checked.warnings[0]
