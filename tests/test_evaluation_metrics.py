"""Measures against values by hand and against an independent implementation."""

from __future__ import annotations

import ir_measures
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ir_measures import RR, Qrel, R, ScoredDoc, Success, nDCG

from graphrag.evaluation.bootstrap import interval, paired_difference
from graphrag.evaluation.metrics import (
    RETRIEVAL,
    auc,
    contains_answer,
    mean,
    precision_recall,
    token_f1,
    token_recall,
)
from graphrag.evaluation.relevance import gains


def at_rank(rank: int | None) -> list[int]:
    return [0] * 20 if rank is None else [0] * (rank - 1) + [1] + [0] * (20 - rank)


def test_ranks_1_3_1_none_2_give_the_known_numbers():
    questions = [at_rank(rank) for rank in (1, 3, 1, None, 2)]

    def over_all(name: str) -> float:
        return mean([RETRIEVAL[name](found, 1) for found in questions])

    # MRR = (1 + 1/3 + 1 + 0 + 1/2) / 5 = 0.5667; hits: 2 of 5, 4 of 5, 4 of 5
    assert over_all("mrr") == pytest.approx(0.5667, abs=1e-4)
    assert [over_all(f"hit@{k}") for k in (1, 3, 5)] == pytest.approx([0.4, 0.8, 0.8])


def test_recall_counts_the_share_of_all_that_is_relevant():
    # two of four relevant ids in the first five, three in the first ten
    found = [1, 0, 0, 1, 0, 0, 1, 0, 0, 0]
    assert RETRIEVAL["recall@5"](found, 4) == 0.5
    assert RETRIEVAL["recall@10"](found, 4) == 0.75


def test_ndcg_discounts_by_rank():
    # gain at ranks 2 and 3 of two relevant: (1/log2(3) + 1/log2(4)) / (1/log2(2) + 1/log2(3))
    # = (0.6309 + 0.5) / (1 + 0.6309) = 0.6934
    assert RETRIEVAL["ndcg@10"]([0, 1, 1], 2) == pytest.approx(0.6934, abs=1e-4)


def test_a_second_chunk_of_a_document_brings_nothing_new():
    assert gains(["a#0", "a#1", "b#4"], ["a", "b#4"]) == [1, 0, 1]


@given(
    st.lists(st.permutations(range(12)), min_size=1, max_size=4),
    st.sets(st.integers(0, 15), min_size=1, max_size=5),
)
def test_the_measures_agree_with_ir_measures(rankings, relevant):
    qrels, run, ours = [], [], []
    for number, ranking in enumerate(rankings):
        name = str(number)
        qrels += [Qrel(name, f"d{item}", 1) for item in relevant]
        run += [ScoredDoc(name, f"d{item}", -rank) for rank, item in enumerate(ranking)]
        ours.append(gains([f"d{item}#0" for item in ranking], [f"d{item}" for item in relevant]))
    pairs = {
        "mrr": RR,
        "hit@3": Success @ 3,
        "recall@5": R @ 5,
        "recall@10": R @ 10,
        "ndcg@10": nDCG @ 10,
    }
    theirs = ir_measures.calc_aggregate(list(pairs.values()), qrels, run)
    for name, measure in pairs.items():
        value = mean([RETRIEVAL[name](found, len(relevant)) for found in ours])
        assert value == pytest.approx(theirs[measure]), name


def test_a_question_without_results_counts_zero():
    assert all(measure([], 2) == 0 for measure in RETRIEVAL.values())


@pytest.mark.parametrize(
    ("text", "answers", "held"),
    [
        ("The stop is delayed by 30 s [1].", ["delayed 30 s"], False),
        ("The stop: delayed 30 s.", ["delayed 30 s"], True),
        ("It takes 1,500 hours", ["1500 hours"], True),
        ("It takes 15 hours", ["5 hours"], False),
        ("The Seal flush pressure is LOW", ["seal flush pressure"], True),
        (
            "by dividing it by its norm",
            ["dividing it by the norm", "dividing it by its norm"],
            True,
        ),
        ("anything", [], False),
        ("the operator ‘<-’ assigns", ["<-"], True),
        ("the operator = assigns", ["<-"], False),
    ],
)
def test_an_answer_is_contained_as_a_run_of_whole_words(text, answers, held):
    assert contains_answer(text, answers) is held


def test_token_f1_is_the_harmonic_mean_over_shared_words():
    # said 4 words, wanted 2, shared 2: precision .5, recall 1, F1 = 2/3
    assert token_f1("seal flush pressure low", ["pressure low"]) == pytest.approx(2 / 3)
    assert token_recall("seal flush pressure low", ["pressure low", "x y"]) == 1.0
    assert token_f1("seal", []) == 0.0


def test_precision_and_recall_by_hand():
    # predicted 3, true 2, right 1: P = 1/3, R = 1/2, F1 = 2 * 1/3 * 1/2 / (5/6) = 0.4
    precision, recall, f1 = precision_recall([True, True, True, False], [True, False, False, True])
    assert (precision, recall, f1) == (pytest.approx(1 / 3), 0.5, pytest.approx(0.4))
    assert precision_recall([False], [True]) == (0.0, 0.0, 0.0)


def test_auc_counts_pairs_in_the_right_order_and_ties_half():
    # true 3, 2; false 2, 1: pairs (3,2) 1, (3,1) 1, (2,2) 1/2, (2,1) 1 = 3.5 of 4
    assert auc([3, 2, 2, 1], [True, True, False, False]) == pytest.approx(0.875)
    assert auc([1, 2], [True, True]) == 0.5


def test_an_interval_holds_the_mean_and_is_the_same_every_time():
    values = [0.0, 1.0, 1.0, 1.0] * 10
    low, high = interval(values)
    assert low < 0.75 < high
    assert interval(values) == (low, high)
    assert interval([1.0] * 5) == (1.0, 1.0)
    assert interval([]) == (0.0, 0.0)


def test_a_difference_is_paired_by_question():
    change, (low, high) = paired_difference([0.0, 0.0, 1.0, 1.0], [1.0, 1.0, 1.0, 1.0])
    assert change == 0.5
    assert low <= 0.5 <= high
