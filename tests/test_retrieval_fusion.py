"""Ranked lists become one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphrag.domain import Hit
from graphrag.retrieval.fusion import (
    ahead,
    blend,
    fuse,
    lacking_authority,
    led_by,
    on_log_scale,
    ranked,
    spread,
    weighed,
)

LISTS = st.dictionaries(
    st.sampled_from(["bm25", "vector", "graph"]),
    st.lists(st.sampled_from("abcdef"), unique=True).map(
        lambda ids: [Hit(chunk_id, rank, 1 / rank) for rank, chunk_id in enumerate(ids, 1)]
    ),
)


def test_a_chunk_scores_the_sum_of_its_reciprocal_ranks() -> None:
    fused = fuse({"bm25": [Hit("a", 1, 9.0), Hit("b", 2, 8.0)], "vector": [Hit("b", 1, 0.9)]})
    # b has 1/62 + 1/61 = 0.032522, a has 1/61 = 0.016393.
    assert [(hit.chunk_id, hit.rank) for hit in fused] == [("b", 1), ("a", 2)]
    assert fused[0].score == pytest.approx(0.032522, abs=1e-6)


def test_equal_scores_are_in_the_order_of_ids() -> None:
    fused = fuse({"bm25": [Hit("b", 1, 1.0)], "vector": [Hit("a", 1, 1.0)]})
    assert [hit.chunk_id for hit in fused] == ["a", "b"]


@given(LISTS)
def test_the_order_of_channels_changes_nothing(channels: dict[str, list[Hit]]) -> None:
    assert fuse(channels) == fuse(dict(reversed(channels.items())))


@given(LISTS)
def test_every_chunk_that_was_found_is_fused_once(channels: dict[str, list[Hit]]) -> None:
    found = {hit.chunk_id for hits in channels.values() for hit in hits}
    fused = fuse(channels)
    assert sorted(hit.chunk_id for hit in fused) == sorted(found)
    assert [hit.rank for hit in fused] == list(range(1, len(found) + 1))


def test_a_blend_adds_the_share_of_the_best_keyword_score() -> None:
    hits = blend({"a": 0.80, "b": 0.78, "c": 0.5}, {"b": 5.0, "a": 2.0}, weight=0.1)
    # a gets .80 + .1 * 2/5 = .84, b gets .78 + .1 = .88, c keeps .5.
    assert [(hit.chunk_id, round(hit.score, 6)) for hit in hits] == [
        ("b", 0.88),
        ("a", 0.84),
        ("c", 0.5),
    ]


def test_without_keyword_hits_similarity_alone_decides() -> None:
    assert [hit.chunk_id for hit in blend({"a": 0.1, "b": 0.2}, {})] == ["b", "a"]


def test_ranks_count_from_one_and_ties_go_by_id() -> None:
    assert ranked({"b": 1.0, "a": 1.0, "c": 2.0}) == [
        Hit("c", 1, 2.0),
        Hit("a", 2, 1.0),
        Hit("b", 3, 1.0),
    ]


def test_a_walk_leads_on_a_logarithmic_scale() -> None:
    hits = on_log_scale([Hit("a#0", 1, 0.5), Hit("b#0", 2, 0.1)])
    # The logarithms of .5 and .1.
    assert [round(hit.score, 4) for hit in hits] == [-0.6931, -2.3026]


def test_what_only_plain_search_found_comes_behind_the_walk() -> None:
    hits = led_by([Hit("a#0", 1, 0.5)], [Hit("c#0", 1, 0.9), Hit("b#0", 2, 0.8)])
    assert [(hit.chunk_id, hit.rank) for hit in hits] == [("a#0", 1), ("c#0", 2), ("b#0", 3)]
    assert hits[1].score > hits[2].score


def test_a_neighbour_of_a_better_chunk_loses_the_penalty() -> None:
    hits = [Hit("a#3", 1, 0.9), Hit("a#4", 2, 0.89), Hit("a#6", 3, 0.88), Hit("b#4", 4, 0.87)]
    assert [hit.chunk_id for hit in spread(hits, 0.05)] == ["a#3", "a#6", "b#4", "a#4"]


def test_of_two_equal_hits_the_one_of_more_authority_comes_first() -> None:
    equal = [Hit("a#0", 1, 0.5, ("x",)), Hit("b#0", 2, 0.5, ("y",))]
    # .5 - .1 x .6 = .44 for the one that lacks .6.
    assert weighed(equal, {"a#0": 0.6, "b#0": 0.0}, 0.1) == [
        Hit("b#0", 1, 0.5, ("y",)),
        Hit("a#0", 2, pytest.approx(0.44), ("x",)),
    ]


def test_a_list_with_more_votes_counts_as_often() -> None:
    lists = {"one": [Hit("a", 1, 9)], "two": [Hit("b", 1, 9)]}
    # 3 / 61 against 1 / 61.
    assert [hit.chunk_id for hit in fuse(lists, votes={"two": 3})] == ["b", "a"]


def test_spreading_keeps_paths() -> None:
    assert spread([Hit("a#0", 1, 0.9, ("x",))], 0.05)[0].path == ("x",)


@pytest.mark.parametrize(
    "authority, lacking",
    [("0.2", 0.8), ("1", 0.0), ("7", 0.0), ("-1", 1.0), (None, 0.0), ("high", 0.0)],
)
def test_only_an_authority_below_one_lacks_something(authority: object, lacking: float) -> None:
    assert lacking_authority(authority) == pytest.approx(lacking)


def test_what_holds_more_comes_first_and_equals_keep_their_order() -> None:
    hits = [Hit("c", 1, 3.0, ("name",)), Hit("b", 2, 2.0), Hit("a", 3, 1.0)]
    moved = ahead(hits, {"a": 1.0, "b": 0.0, "c": 0.0})
    assert moved == [Hit("a", 1, 1.0), Hit("c", 2, 3.0, ("name",)), Hit("b", 3, 2.0)]
