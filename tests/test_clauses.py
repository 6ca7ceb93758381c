"""Numbered clauses are chunks of their own, under the titles that they stand under."""

from __future__ import annotations

from tests.test_chunking import chunk, document

TITLE = ("4 Obligations",)


def cut(*paragraphs: str, path=TITLE):
    heads = [("heading", path, path[-1])] if path else []
    return chunk(document(*heads, *(("paragraph", path, each) for each in paragraphs)))


def texts(chunks):
    return [each.text for each in chunks]


def test_each_clause_is_one_chunk_with_what_belongs_to_it():
    chunks = cut(
        "4.1 The seller delivers.",
        "4.2 The buyer pays.",
        "(a) By card.",
        "(b) In 30 days.",
        "4.2.1 Late payment bears interest.",
        "4.3 Both keep secrets.",
    )
    assert texts(chunks) == [
        "4 Obligations\n\n4.1 The seller delivers.",
        "4.2 The buyer pays.\n\n(a) By card.\n\n(b) In 30 days.",
        "4.2.1 Late payment bears interest.",
        "4.3 Both keep secrets.",
    ]
    assert {each.heading_path for each in chunks} == {TITLE}


def test_the_title_of_clauses_joins_the_first_and_is_in_the_path_of_all():
    chunks = cut("4.1 One is.", "4.2 Levels", "4.2.1 Two is.", "4.2.2 Three is.", "4.3 Four is.")
    assert [(each.text, each.heading_path) for each in chunks[1:]] == [
        ("4.2 Levels\n\n4.2.1 Two is.", (*TITLE, "4.2 Levels")),
        ("4.2.2 Three is.", (*TITLE, "4.2 Levels")),
        ("4.3 Four is.", TITLE),
    ]
    assert chunks[2].context == "Course > 4 Obligations > 4.2 Levels"


def test_a_clause_that_was_read_below_a_heading_of_another_number_leaves_it():
    path = (*TITLE, "4.2 Levels")
    chunks = chunk(
        document(
            ("heading", TITLE, TITLE[0]),
            ("paragraph", TITLE, "4.1 One is."),
            ("heading", path, "4.2 Levels"),
            ("paragraph", path, "4.2.1 Two is."),
            ("paragraph", path, "4.3 Three is."),
        )
    )
    assert [each.heading_path for each in chunks] == [TITLE, path, TITLE]


def test_clauses_go_on_from_one_section_to_the_next():
    five = ("5 Liability",)
    chunks = chunk(
        document(
            ("paragraph", TITLE, "4.8 One is."),
            ("paragraph", TITLE, "4.9 Two is."),
            ("paragraph", five, "5.1 Three is."),
        )
    )
    assert len(chunks) == 3


def test_numbers_that_do_not_follow_each_other_begin_no_clause():
    assert len(cut("3.5 Millimetres fit.", "1.2 Kilograms hold.", "9.1 Metres reach.")) == 1
    assert len(cut("4.1 One is.", "4.2 Two is.")) == 1
    assert len(cut("2.0 litres flow.", "2.1 litres flow.", "2.2 litres flow.")) == 1


def test_a_chunk_that_leans_on_what_was_said_has_it_in_its_context():
    # 7 words and 15 of code fill the first chunk: title, 2 special tokens, a target of 28.
    parts = [
        ("paragraph", (), "The pump stops. The seal runs dry."),
        ("code", (), " ".join(["stop"] * 15)),
        ("paragraph", (), "This means that the bearing seizes."),
    ]
    chunks = chunk(document(*parts), target=28, limit=40, overlap=0.0)
    leaning = next(each for each in chunks if each.text.startswith("This means"))
    assert leaning.context == "Course\nThe seal runs dry."
    assert leaning.tokens == len(leaning.embedded_text.split()) + 2


def test_what_a_chunk_leans_on_is_left_out_where_there_is_no_room():
    body = " ".join(["Nothing", *["word"] * 38]) + ". " + " ".join(["This", *["word"] * 36]) + "."
    chunks = chunk(document(("paragraph", (), body)), target=42, limit=42, overlap=0.0)
    assert [each.context for each in chunks] == ["Course", "Course"]


def test_nothing_of_another_section_is_leaned_on():
    chunks = chunk(
        document(("paragraph", ("A",), "The seal runs dry."), ("paragraph", ("B",), "It is hot."))
    )
    assert [each.context for each in chunks] == ["Course > A", "Course > B"]


def test_clauses_of_a_list_are_parted_under_their_titles():
    items = "1. Duties\n  1.1 The seller delivers.\n  1.2 The buyer pays.\n    (a) By card.\n2. Law"
    chunks = chunk(document(("list", (), f"{items}\n  2.1 The law of the place.")))
    assert [(each.text, each.heading_path) for each in chunks] == [
        ("1. Duties\n  1.1 The seller delivers.", ("1. Duties",)),
        ("1.2 The buyer pays.\n    (a) By card.", ("1. Duties",)),
        ("2. Law\n  2.1 The law of the place.", ("2. Law",)),
    ]


def test_an_ordered_list_without_clauses_stays_together():
    assert len(chunk(document(("list", (), "1. One.\n2. Two.\n3. Three.\n4. Four.")))) == 1
    apart = [("list", (), f"{number}. Number {number}.") for number in range(1, 6)]
    assert len(chunk(document(*apart))) == 1
