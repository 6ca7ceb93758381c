"""Which of a concept's candidates are kept."""

from __future__ import annotations

from graphrag.prerequisites.listable import MOST_LISTED
from graphrag.prerequisites.listing import Listed, _first


def test_open_pairs_are_kept_as_far_as_they_are_among_the_ten_nearest() -> None:
    # Odd numbers are open; the nearest comes last, so 29, 28, ..., 20 are the ten nearest.
    ranked = [(-float(i), Listed(99, i, 0.5, open=bool(i % 2))) for i in range(30)]
    kept = _first(ranked)
    settled = [each.prerequisite for each in kept if not each.open]
    assert settled == [28, 26, 24, 22, 20, 18, 16, 14, 12, 10]
    assert len(settled) == MOST_LISTED
    assert [each.prerequisite for each in kept if each.open] == [29, 27, 25, 23, 21]


def test_of_equally_near_ones_the_smaller_number_comes_first() -> None:
    kept = _first([(-0.5, Listed(0, 3, 0.5)), (-0.5, Listed(0, 2, 0.5)), (-0.7, Listed(0, 9, 0.5))])
    assert [each.prerequisite for each in kept] == [9, 2, 3]
