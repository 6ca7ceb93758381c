"""What a channel finds does not depend on the order in which files came."""

import numpy as np

from graphrag.retrieval.channels import best, foremost, nearest

IDS = {1: "d", 2: "c", 3: "b", 4: "a", 5: "e"}


def ids(numbers):
    return {number: IDS[number] for number in numbers if number in IDS}


def among(*scores):
    """An index over those scores, numbered from 1, that breaks ties by number."""
    pairs = sorted(enumerate(scores, 1), key=lambda pair: (-pair[1], pair[0]))
    return lambda k: pairs[:k]


def test_equal_scores_at_the_cut_are_told_apart_by_id():
    found = best(among(0.5, 0.5, 0.5, 0.5, 0.9), 2, ids)
    assert found == [(5, 0.9), (4, 0.5)]


def test_without_ties_the_index_has_its_way():
    assert best(among(0.1, 0.2, 0.3), 2, ids) == [(3, 0.3), (2, 0.2)]


def test_fewer_than_wanted_are_all_there_are():
    assert best(among(0.1, 0.1), 5, ids) == [(2, 0.1), (1, 0.1)]
    assert best(among(), 5, ids) == []


def test_what_another_process_has_just_added_is_left_out():
    assert best(among(0.1, 0.2, 0.3, 0.4, 0.5, 0.6), 2, ids) == [(5, 0.5), (4, 0.4)]


def test_the_foremost_tie_by_id_across_the_border_and_what_has_no_id_is_left_out() -> None:
    numbers = np.array([1, 2, 3, 4, 6])
    scores = np.array([0.5, 0.9, 0.5, 0.5, 1.0])
    assert foremost(numbers, scores, 3, ids) == [(2, 0.9), (4, 0.5), (3, 0.5)]
    assert foremost(numbers[:1], scores[:1], 3, ids) == [(1, 0.5)]


def test_the_nearest_are_the_foremost_and_ids_are_looked_up_only_for_ties() -> None:
    asked: list[int] = []

    def noting(numbers):
        asked.extend(numbers)
        return ids(asked)

    numbers, apart = np.array([1, 2, 3, 4]), np.array([0.1, 0.4, 0.3, 0.2])
    assert nearest(numbers, apart, 2, noting) == [(2, 0.4), (3, 0.3)]
    assert asked == []
    tied = np.array([0.1, 0.3, 0.3, 0.3])
    assert nearest(numbers, tied, 2, noting) == [(4, 0.3), (3, 0.3)]
    assert nearest(numbers, tied, 2, ids) == foremost(numbers, tied, 2, ids)


def test_more_may_be_asked_for_at_first_and_only_what_ties_is_looked_up() -> None:
    looked_up: list[int] = []
    asked: list[int] = []
    index = among(0.5, 0.5, 0.5, 0.1, 0.9)

    def noting(numbers):
        looked_up.extend(numbers)
        return ids(looked_up)

    def search(k):
        asked.append(k)
        return index(k)

    assert best(search, 2, noting, times=4) == [(5, 0.9), (3, 0.5)]
    assert asked == [9]
    assert sorted(looked_up) == [1, 2, 3, 5]
