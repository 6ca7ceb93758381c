"""The walk over passages and names."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from graphrag.retrieval.name_building import NamedPassage, build_name_graph
from graphrag.retrieval.name_graph import NameGraph
from graphrag.retrieval.sides import Nodes
from graphrag.retrieval.steps import WalkSettings
from graphrag.retrieval.walk import Start, Walked, walk

NONE = np.zeros(0, dtype=np.int32)
CHAIN = build_name_graph(
    [
        NamedPassage(0, "leads to Beta", ("Alpha",)),
        NamedPassage(1, "leads to Gamma", ("Beta",)),
        NamedPassage(2, "the end", ("Gamma",)),
        NamedPassage(3, "apart, near Omega", ("Delta",)),
    ]
)


def go(
    graph: NameGraph,
    *names: str,
    rows: list[int] | None = None,
    similarities: list[float] | None = None,
    without: set[int] | None = None,
    **settings: float,
) -> Walked:
    known = np.array(similarities or [0.5] * len(graph.numbers), dtype=np.float32)
    near = np.array(rows or [], dtype=np.int32)

    def allowed(asked: Nodes) -> NDArray[np.bool_]:
        return ~np.isin(asked, list(without or ()))

    return walk(
        graph,
        Start(np.array(list(graph.find(names).values()), dtype=np.int32), near, known[near]),
        lambda asked: known[asked],
        allowed=allowed if without else None,
        settings=WalkSettings(**settings),  # type: ignore[arg-type]
    )


def test_the_whole_chain_is_found_and_what_is_apart_never() -> None:
    walked = go(CHAIN, "alpha")
    assert sorted(walked.rows.tolist()) == [0, 1, 2]
    assert walked.rows[0] == 0


def test_names_may_be_allowed_to_stand_in_any_number_of_passages() -> None:
    open_to_all = go(CHAIN, "alpha", hub=1 << 40)
    np.testing.assert_array_equal(open_to_all.rows, go(CHAIN, "alpha").rows)


def test_the_path_names_each_step_from_the_question() -> None:
    walked = go(CHAIN, "alpha")
    assert walked.path(0) == ("alpha",)
    assert walked.path(2) == ("alpha", "beta", "gamma")


def test_a_walk_without_names_starts_at_the_nearest_passages() -> None:
    assert go(CHAIN, rows=[1]).rows.tolist()[:2] == [1, 2]


def test_the_shares_of_one_step_are_as_computed_by_hand() -> None:
    # No going on: 60 % stay on the name; the two rows share 40 % as exp(10 * similarity).
    walked = go(
        CHAIN, "gamma", rows=[0, 1], similarities=[0.5, 0.6, 0, 0], damping=0.0, iterations=1
    )
    shares = dict(zip(walked.rows.tolist(), walked.scores.tolist(), strict=True))
    assert shares[1] == pytest.approx(0.4 * np.e / (1 + np.e))
    assert shares[0] == pytest.approx(0.4 / (1 + np.e))


def test_a_passage_that_bears_the_name_gets_more_than_one_that_mentions_it() -> None:
    graph = build_name_graph(
        [NamedPassage(0, "of Beta and Beta", ("Alpha",)), NamedPassage(1, "is one", ("Beta",))]
    )
    assert go(graph, "beta").rows.tolist() == [1, 0]


def test_among_passages_that_mention_a_name_the_nearer_to_the_question_wins() -> None:
    graph = build_name_graph(
        [NamedPassage(i, "says Beta", (f"Number {i}",)) for i in range(3)]
        + [NamedPassage(3, "other", ("Other",))]
    )
    walked = go(graph, "beta", similarities=[0.1, 0.5, 0.3, 0.0])
    assert walked.rows.tolist() == [1, 2, 0]


def test_a_name_that_everyone_mentions_leads_nowhere() -> None:
    passages = [NamedPassage(i, "says Everywhere", (f"Number {i}",)) for i in range(60)]
    assert go(build_name_graph(passages), "everywhere").rows.tolist() == []


def test_a_name_from_which_few_would_come_to_each_of_its_passages_is_not_followed() -> None:
    # Of .6 at alpha .9 * .6 = .54 go to row 0, which sends .9 * .54 / 3 = .162 to beta (its
    # own title draws twice as much); row 1 gets .9 * .162 * 30 / 31 = .141 and sends
    # .9 * .141 / 3 = .0423 to gamma. From each name two steps lead: .081 and .021 for each.
    assert sorted(go(CHAIN, "alpha", scatter=0.02).rows.tolist()) == [0, 1, 2]
    assert sorted(go(CHAIN, "alpha", scatter=0.03).rows.tolist()) == [0, 1]
    assert sorted(go(CHAIN, "alpha", scatter=0.09).rows.tolist()) == [0]


def test_no_walker_enters_what_is_not_allowed() -> None:
    assert go(CHAIN, "alpha", without={1}).rows.tolist() == [0]


def test_nothing_to_start_from_reaches_nothing() -> None:
    assert go(CHAIN).rows.tolist() == []


def test_equal_shares_are_in_the_order_of_rows() -> None:
    graph = build_name_graph(
        [NamedPassage(i, "says Beta", ()) for i in range(4)] + [NamedPassage(9, "x", ("Beta",))]
    )
    assert go(graph, "beta").rows.tolist() == [4, 0, 1, 2, 3]


WORDS = st.sampled_from(["Alpha", "Beta", "Gamma", "Delta", "Omega", "thing"])


@given(
    st.lists(st.tuples(WORDS, st.lists(WORDS, max_size=4)), min_size=1, max_size=8),
    st.sets(st.sampled_from(["alpha", "beta", "gamma"])),
)
def test_there_are_never_more_walkers_than_set_out(
    texts: list[tuple[str, list[str]]], names: set[str]
) -> None:
    graph = build_name_graph(
        [NamedPassage(i, " x ".join(words), (title,)) for i, (title, words) in enumerate(texts)]
    )
    walked = go(graph, *names, rows=[0])
    assert 0 <= walked.scores.sum() <= 1 + 1e-9
    assert (np.diff(walked.scores) <= 1e-12).all()
