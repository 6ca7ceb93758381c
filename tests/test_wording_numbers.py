"""Numbers are read with their units, whatever their spelling."""

from __future__ import annotations

import pytest

from graphrag.wording.numbers import numbers


def read(text: str, **options) -> list[tuple[str, str]]:
    return [(number.value, number.unit) for number in numbers(text, **options)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("87 %", [("87", "%")]),
        ("87%", [("87", "%")]),
        ("87 percent", [("87", "%")]),
        ("87 per cent", [("87", "%")]),
        ("4,000 hours", [("4000", "h")]),
        ("4 000 hours", [("4000", "h")]),
        ("1.50 kg", [("1.5", "kg")]),
        ("2,5 mm", [("2.5", "mm")]),
        ("30s", [("30", "s")]),
        ("a 5-day course", [("5", "d")]),
        ("-5 °C", [("-5", "°c")]),
        ("$5", [("5", "$")]),
        ("€ 20", [("20", "€")]),
        ("1.5 million", [("1500000", "")]),
        ("from 2.2 to 2.6 bar", [("2.2", ""), ("2.6", "bar")]),
        ("4.5 mm/s", [("4.5", "mm/s")]),
        ("86 m3/h and 5 m² or 5 m", [("86", ""), ("5", ""), ("5", "m")]),
        ("the year 1990", [("1990", "")]),
        ("007", [("7", "")]),
    ],
)
def test_a_number_is_its_value_and_its_unit(text, expected):
    assert read(text) == expected


@pytest.mark.parametrize(
    "text", ["E1042", "PN 66-0310", "10.44.0.5", "2024-05-01", "x_1", "v2.3.1"]
)
def test_codes_dates_and_versions_are_no_numbers(text):
    assert read(text) == []


def test_small_numbers_in_words_count_where_asked_for():
    assert read("three of ninety seconds") == []
    assert read("three of ninety seconds", spelled=True) == [("3", ""), ("90", "s")]


def test_a_number_knows_its_place():
    text = "It takes 90 seconds."
    (number,) = numbers(text)
    assert text[number.start : number.stop].strip() == "90 seconds"
