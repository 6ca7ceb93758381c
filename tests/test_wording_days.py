"""Days in many spellings are one."""

import pytest

from graphrag.wording.days import iso_day


@pytest.mark.parametrize(
    "text, day",
    [
        ("2024-03-02", "2024-03-02"),
        ("2024/3/2", "2024-03-02"),
        ("2024-03-02T10:00:00Z", "2024-03-02"),
        ("2 March 2024", "2024-03-02"),
        ("2nd  Mar. 2024", "2024-03-02"),
        ("March 2, 2024", "2024-03-02"),
        ("Sept 2024", "2024-09"),
        ("2.3.2024", "2024-03-02"),
        ("31.12.2027", "2027-12-31"),
        ("02/03/2024", ""),
        ("12.31.2027", ""),
        ("2024-13-01", ""),
        ("32 May 2024", ""),
        ("yesterday", ""),
        ("", ""),
    ],
)
def test_a_day_is_written_year_first(text, day):
    assert iso_day(text) == day
