"""The days from which and to which a document holds."""

import pytest

from graphrag.reading.validity import comparable_day, reason_against_validity


@pytest.mark.parametrize(
    ("first", "last"),
    [
        ("2024-05-10", "2024-05-10"),
        ("2024-05-10", "2024-05"),  # to the end of the month that it begins in
        ("2024-05-10", "2024"),
        ("2024", "2024-05-10"),
        ("2023-12-31", "2024-01-01T12:00"),
    ],
)
def test_limits_that_leave_a_day_are_taken(first: str, last: str) -> None:
    assert reason_against_validity({"valid_from": first, "valid_to": last}) == ""


@pytest.mark.parametrize(
    ("first", "last"), [("2024-05-10", "2024-05-09"), ("2024-05-10", "2024-04"), ("2024", "2023")]
)
def test_a_last_day_before_the_first_is_told(first: str, last: str) -> None:
    assert "would never hold" in reason_against_validity({"valid_from": first, "valid_to": last})


def test_a_limit_that_is_no_day_is_told_with_the_mend() -> None:
    assert reason_against_validity({"valid_to": "soon"}) == (
        "valid_to is 'soon'; write a day as YYYY-MM-DD"
    )
    assert "2024; 2025" in reason_against_validity({"valid_from": ("2024", "2025")})


def test_a_day_in_words_is_compared_as_a_day() -> None:
    assert comparable_day("10 May 2024") == "2024-05-10"
    assert comparable_day(" 2024-05 ") == "2024-05"
    assert comparable_day("in spring") == ""
