"""What a plain text shows by its look: clauses, nested lists, tables, grammars, pages."""

from __future__ import annotations

import pytest

from graphrag.reading.numbering import numbered_level
from tests.reading_samples import check_tiling, kinds, paths, read, texts


@pytest.mark.parametrize(
    ("line", "level"),
    [
        ("§ 4 Fees", 2),
        ("§ 12a Notice", 2),
        ("§ 7", 2),
        ("§ 4 does not hold here", None),
        ("§ 3 Members and guests pay what the board decides upon.", None),
        ("Section 5. Duties of the keepers of records.", 2),
        ("Section 4 applies to all guests", None),
        ("Article 9", 2),
        ("Section 4.2 Names", 3),
    ],
)
def test_a_line_is_the_heading_of_a_clause_unless_it_tells_something(line, level) -> None:
    assert numbered_level(line) == level


def test_paragraphs_of_a_statute_are_sections() -> None:
    draft = read("a.txt", "§ 1 Name\n\nThe club is called Oak.\n\n§ 2 Seat\n\n§ 1 holds for it.\n")
    assert paths(draft) == [("§ 1 Name",), ("§ 2 Seat",)]
    assert texts(draft, "paragraph") == ["The club is called Oak.", "§ 1 holds for it."]


def test_items_stand_under_those_that_begin_further_left() -> None:
    text = (
        "(1) A keeper tells\n\n    (a) what is kept;\n\n    (b) for whom:\n"
        "      (i) of the house;\n      (ii) of the town.\n\n(2) It is free.\n\n    Always.\n"
    )
    assert texts(read("a.txt", text)) == [
        "(1) A keeper tells\n  (a) what is kept;\n  (b) for whom:\n    (i) of the house;\n"
        "    (ii) of the town.\n(2) It is free.\n  Always."
    ]


def test_grids_of_lines_are_tables() -> None:
    console = "+----+-----+\n| id | sum |\n+----+-----+\n| 1  | 4   |\n| 2  | 9   |\n+----+-----+\n"
    grid = (
        "+---+----+\n| a | b  |\n+===+====+\n| x | on |\n|   | it |\n+---+----+\n"
        "| y | z  |\n+---+----+\n"
    )
    drawn = "┌───┬───┐\n│ a │ b │\n├───┼───┤\n│ 1 │ 2 │\n└───┴───┘\n"
    queried = " name | age\n------+-----\n Ann  |  31\n Bo   |  40\n"
    draft = read("a.txt", f"Four tables.\n\n{console}\n{grid}\n{drawn}\n{queried}")
    check_tiling(draft)
    assert texts(draft, "table") == [
        "| id | sum |\n| --- | --- |\n| 1 | 4 |\n| 2 | 9 |",
        "| a | b |\n| --- | --- |\n| x | on it |\n| y | z |",
        "| a | b |\n| --- | --- |\n| 1 | 2 |",
        "| name | age |\n| --- | --- |\n| Ann | 31 |\n| Bo | 40 |",
    ]


def test_a_grammar_keeps_its_lines() -> None:
    grammar = '   lease = "LEASE" SP name\n           [ SP seconds ]\n   name  = 1*64ALPHA\n'
    draft = read(
        "a.txt", f"   All of this text is indented by three spaces, as memos are.\n\n{grammar}"
    )
    assert kinds(draft) == ["paragraph", "code"]
    assert texts(draft, "code") == [
        'lease = "LEASE" SP name\n        [ SP seconds ]\nname  = 1*64ALPHA'
    ]


@pytest.mark.parametrize("end", ["\f", "\n\n"], ids=["form feed", "blank lines"])
def test_the_foot_and_the_head_of_two_pages_go_and_a_paragraph_goes_on(end) -> None:
    foot, head = "Doe        Experimental        [Page 1]\n", "RFC 1      Leases      May 2020\n"
    text = f"   A lease is held\n\n{foot}{end}{head}\n   until it ends.\n\nDoe         [Page 2]\n"
    assert read("a.txt", text).text == "A lease is held until it ends."


@pytest.mark.parametrize(
    ("number", "title"), [("CHAPTER I", "THE SEA"), ("Chapter 2.", "The Way Home")]
)
def test_the_title_below_a_chapters_number_is_one_heading_with_it(number, title) -> None:
    text = (
        f"A LONG VOYAGE\n\n{number}\n\n{title}\n\nThe ship lay still.\n\n   *   *   *\n\nIt went.\n"
    )
    draft = read("a.txt", text)
    assert paths(draft) == [(f"{number} {title}",)]
    assert texts(draft, "paragraph") == ["The ship lay still.", "It went."]


def test_a_list_right_below_the_line_that_leads_it_in_is_a_list() -> None:
    draft = read("a.txt", "Here we mean by this:\n(1) a mill, where grain is ground;\n(2) a dam.\n")
    assert kinds(draft) == ["paragraph", "list"]
    assert texts(draft, "list") == ["(1) a mill, where grain is ground;\n(2) a dam."]


def test_two_bullets_below_a_line_are_a_list_and_a_dash_in_a_sentence_is_none() -> None:
    listed = read("a.txt", "For the week we have to buy\n- flour\n- bread\n")
    assert texts(listed, "list") == ["- flour\n- bread"]
    dashed = read(
        "a.txt", "In the morning he came to the mill,\n- as always - and\nate his bread.\n"
    )
    assert kinds(dashed) == ["paragraph"]
