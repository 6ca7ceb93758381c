"""Numbered clauses are chunks of their own, under the titles that they stand under."""

from __future__ import annotations

from dataclasses import replace

import pytest

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


@pytest.mark.parametrize("limit", range(24, 40))
def test_what_a_chunk_leans_on_never_makes_it_longer_than_the_limit(limit):
    parts = [("paragraph", (), "The pump stops. The kinds are these:")]
    parts += [("list", (), "\n".join(f"- This is the item {n} of them" for n in range(20)))]
    chunks = chunk(document(*parts), target=limit, limit=limit, overlap=0.0)
    assert all(len(each.embedded_text.split()) + 2 == each.tokens <= limit for each in chunks)


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


def test_articles_sections_and_paragraphs_of_statutes_are_clauses():
    chunks = cut("Article 1", "It is open.", "Article 2", "Each pays.", "Article 3", "It meets.")
    assert [(each.text, each.heading_path[1:]) for each in chunks] == [
        ("4 Obligations\n\nArticle 1\n\nIt is open.", ("Article 1",)),
        ("Article 2\n\nEach pays.", ("Article 2",)),
        ("Article 3\n\nIt meets.", ("Article 3",)),
    ]
    assert len(cut("§ 11 Hours are kept.", "§ 11a Notice is given.", "§ 12 Fees are due.")) == 3
    assert len(cut("Section I. Names.", "Section II. Seats.", "Section III. Votes.")) == 3
    assert len(cut("Article 4 Holds.", "Article 9 Holds.", "Article 2 Holds.")) == 1


def test_a_list_of_numbers_inside_of_an_article_does_not_end_it():
    parts = [("paragraph", (), "Article 1"), ("list", (), "1. It is open.\n2. It is free.")]
    parts += [("paragraph", (), f"Article {number} It is so.") for number in (2, 3, 4)]
    first = chunk(document(*parts))[0]
    assert first.text == "Article 1\n\n1. It is open.\n2. It is free."
    assert first.heading_path == ("Article 1",)


def test_articles_that_count_on_stay_under_the_headings_of_their_chapters():
    path = ("Chapter 2",)
    parts = [("paragraph", path, f"Article {number} It is so.") for number in (7, 8, 9)]
    assert {each.heading_path for each in chunk(document(*parts))} == {path}


def test_a_later_part_of_a_clause_has_its_first_sentence_in_the_context():
    long = "4.2 The buyer pays what is due. " + " ".join(f"Word{n} is due." for n in range(20))
    chunks = chunk(
        document(*(("paragraph", (), each) for each in ("4.1 One is.", long, "4.3 Two is."))),
        target=40, limit=60, overlap=0.0,
    )  # fmt: skip
    assert len(chunks) > 3
    assert {each.context for each in chunks[2:-1]} == {"Course\n4.2 The buyer pays what is due."}


def test_what_leads_in_a_list_or_code_is_in_the_context_of_each_part_that_lacks_it():
    # 6 words lead in, 12 items have 4 each, the code has 25; the title costs 3 of 30.
    items = "\n".join(f"- item {number} holds" for number in range(12))
    chunks = chunk(
        document(
            ("paragraph", (), "First of all. The kinds are these:"),
            ("list", (), items),
            ("paragraph", (), "It is called like this:"),
            ("code", (), " ".join(["call"] * 25)),
        ),
        target=30, limit=50, overlap=0.0,
    )  # fmt: skip
    assert [each.context for each in chunks] == [
        "Course", "Course\nThe kinds are these:", "Course\nThe kinds are these:",
        "Course\nIt is called like this:",
    ]  # fmt: skip


def test_an_item_below_another_has_that_in_its_context():
    items = "- The keeper tells\n" + "\n".join(f"  - what is kept in room {n}" for n in range(12))
    chunks = chunk(document(("list", (), items)), target=30, limit=50, overlap=0.0)
    assert {each.context for each in chunks[1:]} == {"Course\n- The keeper tells"}


def test_what_is_told_of_a_term_has_it_in_its_context():
    doc = document(
        ("paragraph", (), "open(path): Opens it."),
        ("paragraph", (), " ".join(["It", *["fails"] * 19]) + "."),
        ("paragraph", (), " ".join(["After"] * 20) + "."),
    )
    blocks = (*(replace(block, entry="open(path)") for block in doc.blocks[:2]), doc.blocks[2])
    chunks = chunk(replace(doc, blocks=blocks), target=24, limit=40, overlap=0.0)
    assert [each.context for each in chunks] == [
        "Course", "Course\nopen(path)\nopen(path): Opens it.", "Course"
    ]  # fmt: skip


def test_the_sentence_that_an_item_leans_on_is_one_of_the_list_before_it():
    doc = document(("list", (), "- One " + "word " * 20 + "ends\n- Two stops. This means a lot."))
    chunks = chunk(doc, target=30, limit=30, overlap=0.0)
    assert [each.text[:9] for each in chunks] == ["- One wor", "This mean"]
    assert chunks[-1].context == "Course\n- Two stops."


def test_a_title_with_a_number_alone_begins_the_clauses_below_it():
    texts = ("1. Scope", "1.1 These hold.", "1.2 Others do not.", "2. Price", "2.1 All is net.")
    chunks = cut(*texts, path=())
    assert [(each.text.splitlines()[0], each.heading_path) for each in chunks[1:]] == [
        ("1.2 Others do not.", ("1. Scope",)), ("2. Price", ("2. Price",))
    ]  # fmt: skip


def test_a_clause_has_the_sentence_that_leads_it_in_and_its_neighbours_do_not():
    chunks = cut(
        "4.1 The seller delivers.",
        "4.2 Duties. The buyer shall not:",
        "4.2.1 sell the goods on;",
        "4.2.2 store them in the open.",
        "4.3 Both keep secrets.",
    )
    lead = "The buyer shall not:"
    assert [lead in each.context for each in chunks] == [False, False, True, True, False]
