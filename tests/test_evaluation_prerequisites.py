"""The prerequisite relation against gold pairs, by hand."""

from __future__ import annotations

import itertools
import json

import jsonschema
import pytest

from graphrag.domain import Concept, ConceptGraph, Prerequisite
from graphrag.errors import QueryError
from graphrag.evaluation.prerequisites import GoldPair, evaluate_prerequisites, load_pairs
from graphrag.resources import schema

GRAPH = ConceptGraph(
    concepts=tuple(Concept(id=n, name=n.title()) for n in ("vector", "matrix", "rank", "basis")),
    prerequisites=(
        Prerequisite("matrix", "vector", 0.9, "certain"),
        Prerequisite("rank", "matrix", 0.7, "likely"),
        Prerequisite("basis", "rank", 0.3, "suppressed"),
    ),
)
GOLD = [
    GoldPair("matrix", "vector"),
    GoldPair("rank", "vector"),
    GoldPair("basis", "vector"),
    GoldPair("vector", "matrix", False),
    GoldPair("rank", "matrix", False),
]


def test_pairs_hold_directly_or_by_way_of_others():
    numbers = evaluate_prerequisites(GOLD, GRAPH)
    # predicted: matrix-vector (true), rank-vector through matrix (true), rank-matrix (false);
    # P = 2/3, R = 2/3, F1 = 2/3
    assert (numbers.pairs, numbers.precision, numbers.recall) == (
        5,
        pytest.approx(2 / 3),
        pytest.approx(2 / 3),
    )
    assert numbers.f1 == pytest.approx(2 / 3)


def test_a_path_is_as_strong_as_its_weakest_edge():
    # scores: true .9, .7, 0; false 0, .7. Pairs of true and false: (.9,0) 1, (.9,.7) 1,
    # (.7,0) 1, (.7,.7) 1/2, (0,0) 1/2, (0,.7) 0 = 4 of 6
    assert evaluate_prerequisites(GOLD, GRAPH).auc == pytest.approx(4 / 6)


def test_only_edges_shown_as_certain_count_for_certain_precision():
    assert evaluate_prerequisites(GOLD, GRAPH).certain_precision == 1.0


def test_a_scorer_decides_by_its_threshold():
    numbers = evaluate_prerequisites(
        GOLD, GRAPH, score=lambda concept, needed: 0.6 if concept == "basis" else 0.1
    )
    assert (numbers.precision, numbers.recall) == (1.0, pytest.approx(1 / 3))


def test_gold_without_negatives_is_the_complete_set_of_direct_edges():
    # shown: matrix-vector, rank-matrix; gold: matrix-vector, rank-vector; shared 1
    numbers = evaluate_prerequisites([GOLD[0], GOLD[1], GoldPair("rank", "vector")], GRAPH)
    assert (numbers.precision, numbers.recall) == (0.5, 0.5)


def test_a_pair_that_the_graph_turns_round_violates_the_order():
    turned = [GoldPair("vector", "matrix"), GoldPair("matrix", "vector")]
    assert evaluate_prerequisites(turned, GRAPH).order_violations == 1


def test_paths_may_be_given_to_judge_their_order():
    paths = {"rank": ["matrix", "vector", "rank"], "matrix": ["matrix"], "vector": ["vector"]}
    numbers = evaluate_prerequisites(
        [GoldPair("rank", "matrix"), GoldPair("matrix", "vector")],
        GRAPH,
        paths=lambda goal: paths[goal],
    )
    assert numbers.order_violations == 0
    paths["vector"] = ["matrix", "vector"]
    numbers = evaluate_prerequisites(
        [GoldPair("matrix", "vector")], GRAPH, paths=lambda goal: paths[goal]
    )
    assert numbers.order_violations == 1


def test_names_are_found_in_any_spelling_and_unknown_ones_are_listed():
    numbers = evaluate_prerequisites(
        [GoldPair("Matrices", "vectors"), GoldPair("chess", "vector", False)], GRAPH
    )
    assert numbers.recall == 1.0
    assert numbers.unknown == ("chess",)


def test_gold_of_another_subject_is_an_error():
    with pytest.raises(QueryError, match="chess"):
        evaluate_prerequisites([GoldPair("chess", "draughts")], GRAPH)


def test_the_numbers_hold_to_their_schema():
    value = json.loads(json.dumps(evaluate_prerequisites(GOLD, GRAPH).as_json()))
    jsonschema.validate(value, json.loads(schema("evaluate_prerequisites.schema.json")))


def test_a_long_chain_is_followed_to_its_end():
    names = [f"c{n:05d}" for n in range(5000)]
    chain = ConceptGraph(
        concepts=tuple(Concept(n, n) for n in names),
        prerequisites=tuple(
            Prerequisite(b, a, 0.9, "likely") for a, b in itertools.pairwise(names)
        ),
    )
    gold = [GoldPair(names[-1], names[0]), GoldPair(names[0], names[-1], False)]
    assert evaluate_prerequisites(gold, chain).f1 == 1.0


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "no JSON"),
        ("[]", "an object"),
        ('{"concept": "a"}', "'prerequisite'"),
        ('{"concept": "a", "prerequisite": "b", "label": 2}', "'label'"),
    ],
)
def test_what_is_no_pair_is_named_with_its_line(tmp_path, line, message):
    path = tmp_path / "pairs.jsonl"
    path.write_text('{"concept": "a", "prerequisite": "b", "label": 1}\n' + line + "\n")
    with pytest.raises(QueryError, match=message) as raised:
        load_pairs(path)
    assert "pairs.jsonl:2" in str(raised.value)


def test_a_label_left_out_means_that_the_pair_holds(tmp_path):
    path = tmp_path / "pairs.jsonl"
    path.write_text('{"concept": "a", "prerequisite": "b"}\n')
    assert load_pairs(path) == [GoldPair("a", "b", True)]
