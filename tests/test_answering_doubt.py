"""What an answer says beforehand where its passages may not be what was asked for."""

from __future__ import annotations

from graphrag.answering.doubt import near_miss
from graphrag.answering.signals import Signals


def _measured(**signals):
    return Signals(
        relevance=4.0, missing=0.1, topic=0.0, attribute=0.0, **{"quantity": 0.0} | signals
    )


def _said(**signals):
    doubt = near_miss(_measured(**signals))
    return doubt.text if doubt else ""


def test_words_that_no_passage_holds_are_named_where_they_keep_the_question_away():
    told = _said(estranged=1.0, absent=("licence",), nowhere=("licence",))
    assert "do not mention “licence”" in told
    assert not _said(estranged=0.7, absent=("licence",), nowhere=("licence",))


def test_what_relates_two_things_must_have_the_words_of_both():
    apart = _measured(absent=("playbook",), nowhere=("playbook",))
    assert near_miss(apart) is None
    told = near_miss(apart, relating=True)
    assert told is not None
    assert "do not mention “playbook”" in told.text


def test_words_that_only_the_closest_excerpts_lack_must_keep_it_further_away():
    told = _said(estranged=3.0, absent=("straight", "measured"))
    assert "“straight” or “measured”" in told
    assert not _said(estranged=2.0, absent=("straight", "measured"))


def test_the_kind_of_thing_that_is_asked_for_must_be_there():
    assert "a number or a measure" in _said(quantity=1.0)
    assert "the person" in _said(quantity=3.0)


def test_an_answer_that_lacks_nothing_needs_no_word():
    assert near_miss(_measured(estranged=5.0)) is None
