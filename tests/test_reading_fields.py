"""Words that had been lost or run together: fields, titles, sources of quotes, outputs."""

from __future__ import annotations

import json

import pytest

from graphrag.reading.formats import format_of
from graphrag.reading.names import is_quote_style
from graphrag.reading.read import read_content


def read(name: str, text: str):
    return read_content(text.encode(), format_of(name), name)


def test_lines_of_keys_and_values_in_a_plain_text_stay_lines():
    text = "The dues are to be paid by March.\n\nAnnual fee: 95 EUR\nDeposit of the key: 20 EUR\n"
    block = read("dues.txt", text).blocks[-1]
    assert read("dues.txt", text).text[block.start :] == (
        "Annual fee: 95 EUR\nDeposit of the key: 20 EUR"
    )


@pytest.mark.parametrize(
    "prose",
    [
        "He said: nothing of that sort. Then he\nleft: nobody saw him again.",
        "There is one thing to say about weaving: it\nis slow work.",
        "Note: the loom is slow and takes a long while until all of its many threads are in\n"
        "Place: the hall",
    ],
)
def test_prose_with_colons_flows_on(prose):
    assert read("loom.txt", prose).text == " ".join(prose.split())


def test_fields_at_the_top_of_rest_are_metadata_and_text_unless_they_are_about_the_file():
    text = "Policy\n======\n\n:author: A. Weaver\n:Support period: 18 months\n\nText.\n"
    draft = read("policy.rst", text)
    assert draft.metadata == {"author": "A. Weaver", "support period": "18 months"}
    assert draft.text == "Policy\n\nSupport period: 18 months\n\nText."


def test_a_list_in_a_field_at_the_top_of_rest_is_kept():
    text = "Policy\n======\n\n:Parts:\n  - warp\n  - weft\n\nText.\n"
    assert read("policy.rst", text).text == "Policy\n\n- Parts: warp\n- weft\n\nText."


@pytest.mark.parametrize(
    "name, quoted",
    [("Quotations", True), ("Block Text", True), ("Intense Quote", True), ("Text Body", False)],
)
def test_styles_for_quotations_are_known_by_name(name, quoted):
    assert is_quote_style(name) is quoted


@pytest.mark.parametrize(
    "name, written, shown",
    [
        ("a.md", "::: tip Mind the gap\nInside.\n:::\n", "Mind the gap: Inside."),
        ("a.md", "::: {.note}\nInside.\n:::\n", "Inside."),
        ("a.rst", "-v, --verbose  Says more.\n", "-v, --verbose: Says more."),
        ("a.adoc", "[quote, Ada Lind, Letters]\nWell said.\n", "Well said. — Ada Lind, Letters"),
        ("a.adoc", "[quote, Ada Lind]\n____\nWell said.\n____\n", "Well said.\n— Ada Lind"),
        ("a.adoc", "[quote]\n____\nWell said.\n____\n", "Well said."),
        ("a.adoc", "One.\nifdef::x[]\nTwo.\nendif::[]\nThree.\n", "One.\n\nTwo.\n\nThree."),
    ],
)
def test_no_word_is_lost_and_no_mark_left(name, written, shown):
    assert read(name, written).text == shown


@pytest.mark.parametrize(
    "given, shown",
    [
        ({"text/markdown": "**Sum:** 3", "text/plain": "<Markdown>"}, "Sum: 3"),
        ({"text/latex": "$\\frac{1}{2}$", "text/plain": "1/2"}, "$$\\frac{1}{2}$$"),
        ({"text/latex": "\\begin{tabular}", "text/plain": "1 2"}, "1 2"),
    ],
)
def test_a_notebooks_output_is_read_in_its_richest_form(given, shown):
    outputs = [{"output_type": "execute_result", "data": given}]
    cell = {"cell_type": "code", "source": "x", "outputs": outputs}
    assert read("a.ipynb", json.dumps({"cells": [cell]})).text == f"x\n\n{shown}"
