"""Plain text and encodings: headings guessed, bytes understood."""

import pytest

from graphrag.errors import ReadingError
from graphrag.reading.encoding import decode
from tests.reading_samples import check_tiling, kinds, paths, read, texts


def test_underlined_headings_take_levels_in_their_order() -> None:
    draft = read("a.txt", "The Book\n========\n\nOne\n---\n\ntext\n\nTwo\n---\nmore\n")
    assert draft.title == "The Book"
    assert paths(draft) == [("One",), ("Two",)]
    assert texts(draft, "paragraph") == ["text", "more"]


def test_numbered_headings_take_levels_from_their_numbers() -> None:
    draft = read("a.txt", "1. Scope\n\ntext here\n\n1.1. Terms\n\nmore text\n\n2. Rules\n\nend\n")
    assert paths(draft) == [("1. Scope",), ("1. Scope", "1.1. Terms"), ("2. Rules",)]


def test_a_numbered_list_is_no_row_of_headings() -> None:
    draft = read("a.txt", "Do this:\n\n1. open the valve\n2. close the valve\n")
    assert texts(draft, "list") == ["1. open the valve\n2. close the valve"]


def test_tables_of_pipes_and_of_spaces_keep_their_rows() -> None:
    text = "Sizes\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nName     Size\npump     10\nvalve    7\n"
    draft = read("a.txt", text)
    assert texts(draft, "table") == ["| a | b |\n| --- | --- |\n| 1 | 2 |"]
    assert texts(draft, "code") == ["Name     Size\npump     10\nvalve    7"]


def test_tables_of_contents_are_left_out() -> None:
    text = (
        "The Law\n\n   Table of Contents\n\n   1. Scope\n\n      1.1. Persons\n\n   2. Rules\n\n"
        "1. Scope\n\n   It is about all of the people who live here and about no others.\n\n"
        "1.1. Persons\n\n   Persons are those who can read this, as far as anybody knows.\n\n"
        "2. Rules\n\n   There are none that would have to be written down in this place.\n"
    )
    draft = read("a.txt", text)
    assert draft.title == "The Law"
    assert paths(draft) == [("1. Scope",), ("1. Scope", "1.1. Persons"), ("2. Rules",)]
    assert draft.text.count("Persons") == 2


def test_contents_end_where_their_numbers_begin_again() -> None:
    text = "Contents\n\n1. Scope\n\n2. Rules\n\n1. Scope\n\nAll of it.\n\n2. Rules\n\nNone.\n"
    draft = read("a.txt", text)
    assert texts(draft) == ["1. Scope", "All of it.", "2. Rules", "None."]


def test_headings_behind_marks_are_headings_in_text_too() -> None:
    draft = read("a.txt", "# Guide\n\n## One\n\ntext\n\n## Two\n\nmore\n")
    assert draft.title == "Guide"
    assert paths(draft) == [("One",), ("Two",)]


def test_what_stands_out_of_an_indented_text_is_a_heading() -> None:
    body = "   The text of this memo is indented by three spaces in all of its lines.\n\n"
    draft = read("a.txt", f"A Memo\n\nAbstract\n\n{body}1.  Intro\n\n{body}Thanks\n\n{body}")
    assert paths(draft) == [("Abstract",), ("1.  Intro".replace("  ", " "),), ("Thanks",)]


def test_lines_of_a_paragraph_are_joined_and_split_words_mended() -> None:
    draft = read("a.txt", "A long para-\ngraph over\nlines.\n\n\n\nNext.\n")
    assert texts(draft) == ["A long paragraph over lines.", "Next."]


def test_indented_code_keeps_its_columns() -> None:
    draft = read("a.txt", "Call it:\n\n    if (x) {\n        y = f(x);\n    }\n\nDone now.\n")
    assert kinds(draft) == ["paragraph", "code", "paragraph"]
    assert texts(draft, "code") == ["    if (x) {\n        y = f(x);\n    }"]


def test_heads_and_feet_of_pages_go() -> None:
    page = "RFC 1\n\n   Some text {n}.\n\nDoe                [Page {n}]\n\f"
    draft = read("a.txt", "".join(page.replace("{n}", str(n)) for n in range(1, 6)))
    assert draft.text == "\n\n".join(f"Some text {n}." for n in range(1, 6))


@pytest.mark.parametrize(
    "encoding",
    ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "latin-1", "cp1252"],
)
def test_western_text_is_decoded_whatever_its_encoding(encoding: str) -> None:
    text = "Die Größe eines Körpers wird über die Fläche gemessen, naïve Café."
    assert read("a.txt", text.encode(encoding)).text == text


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("「国際標準化」は国際的な標準を作ることである。" * 4, "shift_jis"),
        ("「国際標準化」は国際的な標準を作ることである。" * 4, "utf-8"),
        ("Матрица имеет обратную, когда её определитель не равен нулю. " * 4, "cp1251"),
        ("المصفوفة هي جدول من الأعداد", "utf-8"),
        ("행렬은 수를 직사각형으로 배열한 것이다", "utf-8"),
    ],
)
def test_other_scripts_are_decoded(text: str, encoding: str) -> None:
    assert read("a.txt", text.encode(encoding)).text == text.strip()


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("cp437", "Für die Größe der Räume gilt: möglichst groß."),
        ("cp850", "Le café est très bon, ça été."),
        ("mac_roman", "Für die Größe der Räume gilt: möglichst groß."),
        ("cp437", "║ Readme ║ first ║ 1 ║\n" + "═" * 12 + " and more to come"),
        ("cp1252", "Für die Größe der Räume gilt: „möglichst groß“ …"),
        ("cp866", "Размер помещения должен быть большим."),
    ],
)
def test_text_of_older_machines_is_decoded(encoding: str, text: str) -> None:
    assert decode(text.encode(encoding)) == text


def test_a_broken_byte_in_utf8_costs_one_character() -> None:
    assert read("a.txt", "größer größer größer größer größer".encode() + b" \xff").text.endswith(
        "größer \ufffd"
    )


def test_carriage_returns_end_lines() -> None:
    assert texts(read("a.txt", "a\r\n\r\nb\rc")) == ["a", "b c"]


@pytest.mark.parametrize("content", ["", " \n\t\n", "\ufeff", "\ufeff\r\n"])
def test_a_blank_file_is_refused_as_empty(content: str) -> None:
    with pytest.raises(ReadingError, match="empty: nothing to read"):
        read("a.txt", content)


def test_binary_content_is_refused() -> None:
    with pytest.raises(ReadingError, match="binary"):
        read("a.txt", bytes(range(256)) * 20)


def test_content_of_another_kind_is_refused_with_its_name() -> None:
    with pytest.raises(ReadingError, match="its content is a PDF"):
        read("a.txt", b"%PDF-1.4 ...")


@pytest.mark.parametrize(
    "content", ["a" * 5000, "x" * 1_000_000, "- " * 50_000, "1.1 " * 50_000, "a\n" * 50_000,
                "(" * 100_000, "A" * 90 + "\n" + "=" * 90_000, " " * 100_000 + "x"]
)  # fmt: skip
def test_hostile_texts_are_read_in_short_time(content: str) -> None:
    check_tiling(read("a.txt", content))


MEMO = """
Network Working Group                                          A. Writer
Request for Comments: 9999                                  B. van Other
Category: Informational                                        June 2020


               A Framing Protocol for Small Devices Over
                              Serial Lines

Status of This Memo

   This memo says how small devices talk over serial lines, and why they do.

Table of Contents

   1.  Introduction
     1.1.  Words
   2.  Frames
   Author's Address

1.  Introduction

   Frames are short, since small devices have little room to keep them in.

1.1.  Words

   A frame is what begins with a length and ends with a sum of two octets.

2.  Frames

   The length is one octet, which is never zero but in the frame that ends.

Author's Address

   A. Writer, Somewhere
"""


def test_a_memo_has_its_centred_title_its_head_and_no_contents() -> None:
    draft = read("a.txt", MEMO)
    assert draft.title == "A Framing Protocol for Small Devices Over Serial Lines"
    assert dict(draft.metadata) == {
        "number": "9999", "author": ("A. Writer", "B. van Other"), "date": "2020-06",
    }  # fmt: skip
    assert paths(draft) == [
        ("Status of This Memo",), ("1. Introduction",), ("1. Introduction", "1.1. Words"),
        ("2. Frames",), ("Author's Address",),
    ]  # fmt: skip
    assert draft.text.count("Author's Address") == 1


def test_a_centred_line_that_ends_a_sentence_is_no_title() -> None:
    body = "This is the text of a page that is as wide as pages of plain text used to be."
    draft = read("a.txt", f"{body}\n\n                    It was centred, that is all.\n\n{body}")
    assert draft.title == "a"


def test_the_next_number_behind_a_list_is_its_next_item() -> None:
    draft = read(
        "a.txt", "Do this:\n\n1.  open it\n2.  turn it:\n\n    twice\n\n3.  Write it down.\n"
    )
    assert texts(draft, "list") == ["1. open it\n2. turn it:\n  twice\n3. Write it down."]


@pytest.mark.parametrize(
    "text", ["Namn;Ålder;Ort\nÅsa;34;Malmö\nÖrjan;51;Västerås\n", "Naïve — it’s 5 € a café\n"]
)
def test_a_short_text_with_many_western_letters_is_western(text: str) -> None:
    assert decode(text.encode("cp1252")) == text


def test_lines_of_japanese_are_joined_without_a_space() -> None:
    content = "会議は木曜日に\n移されました。\n".encode("iso2022_jp")
    assert texts(read("a.txt", content)) == ["会議は木曜日に移されました。"]


def test_two_numbered_lines_without_a_blank_one_between_are_a_list() -> None:
    draft = read("a.txt", "Next\n====\n\n1. Order seals\n2. Fit seals\n\nBye.\n")
    assert texts(draft, "list") == ["1. Order seals\n2. Fit seals"]
