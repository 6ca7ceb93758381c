"""PDF: headings, paragraphs over lines and pages, lists, tables, and what is refused."""

import pytest

from graphrag.errors import ReadingError
from graphrag.reading import pdf, pdf_characters, pdf_page
from tests.reading_samples import Placed, check_tiling, kinds, make_pdf, paths, read, terms, texts

LONG = "some words that fill the line from its left edge to the right edge of the page"


def lines(*rows: str, top: float = 700, size: float = 10, left: float = 72) -> list[Placed]:
    return [(left, top - 12 * i, size, "F", row) for i, row in enumerate(rows)]


def test_lines_become_paragraphs_and_blocks_know_their_page() -> None:
    draft = read(
        "a.pdf",
        make_pdf(
            [
                lines(f"First {LONG}", "and its end.") + lines("Second paragraph.", top=650),
                lines(f"Third {LONG}", "and its end."),
            ]
        ),
    )
    check_tiling(draft)
    assert texts(draft) == [
        f"First {LONG} and its end.",
        "Second paragraph.",
        f"Third {LONG} and its end.",
    ]
    assert [block.page for block in draft.blocks] == [1, 1, 2]


def test_a_paragraph_goes_over_the_end_of_a_page() -> None:
    draft = read("a.pdf", make_pdf([lines(f"First {LONG}"), lines("and goes on here.")]))
    assert texts(draft) == [f"First {LONG} and goes on here."]


def test_larger_lines_are_headings_the_larger_the_higher() -> None:
    draft = read(
        "a.pdf",
        make_pdf(
            [
                [
                    (72, 780, 20, "B", "The Pump"),
                    (72, 740, 14, "B", "1 Safety"),
                    *lines(LONG, LONG, top=720),
                    (72, 660, 12, "B", "1.1 Gloves"),
                    *lines(LONG, LONG, top=640),
                    (72, 580, 14, "B", "2 Use"),
                    *lines(LONG, LONG, top=560),
                ]
            ]
        ),
    )
    assert draft.title == "The Pump"
    assert paths(draft) == [("1 Safety",), ("1 Safety", "1.1 Gloves"), ("2 Use",)]


def test_the_outline_tells_the_headings_where_there_is_one() -> None:
    draft = read(
        "a.pdf",
        make_pdf(
            [lines("Scope") + lines(LONG, LONG, top=680), lines("Rules") + lines(LONG, top=680)],
            outline=[("Scope", 0), ("Rules", 1)],
            title="The Law",
        ),
    )
    assert draft.title == "The Law"
    assert draft.metadata == {"date": "2024-02-03"}
    assert paths(draft) == [("Scope",), ("Rules",)]


def test_running_heads_and_page_numbers_go() -> None:
    draft = read(
        "a.pdf",
        make_pdf(
            [
                [
                    (72, 800, 9, "F", "The Manual"),
                    *lines(f"Text {n} {LONG}."),
                    (300, 30, 9, "F", str(n)),
                ]
                for n in range(1, 6)
            ]
        ),
    )
    assert "The Manual" not in draft.text
    assert texts(draft) == [f"Text {n} {LONG}." for n in range(1, 6)]


def test_lists_and_code_are_told_by_their_marks_and_font() -> None:
    draft = read(
        "a.pdf",
        make_pdf(
            [
                [
                    *lines("Do this:", "1. open it", "2. close it", top=700),
                    (72, 640, 10, "M", "if x:"),
                    (96, 628, 10, "M", "y = 1"),
                    *lines("Done with it.", top=600),
                ]
            ]
        ),
    )
    assert kinds(draft) == ["paragraph", "list", "code", "paragraph"]
    assert texts(draft, "list") == ["1. open it\n2. close it"]
    assert texts(draft, "code") == ["if x:\n    y = 1"]


def test_bullets_may_be_drawings() -> None:
    """As browsers print them: discs and squares of 4 points before the first line of an item."""
    page = lines("Parts of the pump:", f"A seal {LONG}", "and more of it.", "A motor.", "A valve.")
    page = [(x + 18 * (n > 0), y, *rest) for n, (x, y, *rest) in enumerate(page)]
    drawn = b"".join(b"76 %d 4 4 re f\n" % (702 - 12 * n) for n in (1, 3, 4))
    content = make_pdf([page]).replace(b"BT /F", drawn + b"BT /F", 1)
    assert texts(read("a.pdf", content), "list") == [
        f"- A seal {LONG} and more of it.\n- A motor.\n- A valve."
    ]


def test_a_drawing_far_from_the_text_is_no_bullet() -> None:
    drawn = b"20 702 4 4 re f 76 740 4 4 re f\n"
    content = make_pdf([lines(f"{LONG}.", left=90)]).replace(b"BT /F", drawn + b"BT /F", 1)
    assert kinds(read("a.pdf", content)) == ["paragraph"]


def test_aligned_cells_become_a_table() -> None:
    rows = [("Part", "Size", "Price"), ("Pump", "10", "99.50"), ("Valve", "7", "12.00")]
    page: list[Placed] = [
        (72 + 150 * column, 700 - 14 * row, 10, "B" if row == 0 else "F", cell)
        for row, cells in enumerate(rows)
        for column, cell in enumerate(cells)
    ]
    draft = read("a.pdf", make_pdf([page]))
    assert texts(draft, "table") == [
        "| Part | Size | Price |\n| --- | --- | --- |\n| Pump | 10 | 99.50 |\n| Valve | 7 | 12.00 |"
    ]


def test_two_columns_are_read_one_after_the_other() -> None:
    left = [f"left column line {n} of the text" for n in range(8)]
    right = [f"right column line {n} of the text" for n in range(8)]
    page: list[Placed] = []
    for n in range(8):
        page += [(72, 700 - 12 * n, 10, "F", left[n]), (320, 700 - 12 * n, 10, "F", right[n])]
    draft = read("a.pdf", make_pdf([page]))
    assert draft.text.index("left column line 7") < draft.text.index("right column line 0")


def test_a_page_whose_content_jumps_is_read_from_top_to_bottom() -> None:
    page = [*lines(f"Second {LONG}.", top=600), *lines(f"Third {LONG}.", top=560)]
    page += lines(f"First {LONG}.", top=700)
    assert texts(read("a.pdf", make_pdf([page]))) == [
        f"{word} {LONG}." for word in ("First", "Second", "Third")
    ]


def test_columns_stay_apart_where_a_head_is_drawn_last() -> None:
    page = lines(*[f"Line {n} over the whole width of the page and to its end" for n in range(20)])
    for column, left in (("left", 72), ("right", 320)):
        page += lines(*[f"{column} line {n} of text" for n in range(4)], top=440, left=left)
    head = "A head over the whole width of the page that is drawn last of all, behind the columns"
    text = read("a.pdf", make_pdf([[*page, *lines(head, top=780)]])).text
    assert text.startswith(head)
    assert text.index("left line 3") < text.index("right line 0")


def test_words_on_one_base_line_that_the_content_jumps_to_go_from_left_to_right() -> None:
    page = lines(f"Second {LONG}.", top=600)
    page += [*lines("world", top=700, left=150), *lines("Hello", top=700)]
    assert read("a.pdf", make_pdf([page])).text.startswith("Hello world")


@pytest.mark.parametrize("turns", [1, 2, 3])
def test_a_page_set_on_its_side_is_read_as_if_it_stood_upright(turns: int) -> None:
    grid = ruled([70, 200, 330], [640, 660, 680])
    page = [*lines("Flows of the pumps, a table set sideways on a page of its own", top=720)]
    for y, row in ((666, ("Pump", "Flow")), (646, ("P-100", "120"))):
        page += [(80, y, 10, "F", row[0]), (210, y, 10, "F", row[1])]
    upright = read("a.pdf", make_pdf([page], rules=grid))
    assert texts(upright, "table") == ["| Pump | Flow |\n| --- | --- |\n| P-100 | 120 |"]
    assert read("a.pdf", make_pdf([page], rules=grid, turns=turns)).text == upright.text


def test_a_few_words_on_their_side_are_left_out() -> None:
    content = make_pdf([lines(f"{LONG}.")])
    stamp = b"BT 0 1 -1 0 30 300 Tm /F 10 Tf (stamp) Tj ET\n"
    assert texts(read("a.pdf", content.replace(b"BT /F", stamp + b"BT /F", 1))) == [f"{LONG}."]


def test_letters_of_the_mathematical_alphabets_are_letters() -> None:
    # What PDFium gives as two halves of UTF-16: U+1D6FC, mathematical italic small alpha.
    glyphs = b"/Encoding << /BaseEncoding /WinAnsiEncoding /Differences [120 /u1D6FC] >>"
    content = make_pdf([lines("the angle x is given")])
    content = content.replace(b"/Encoding /WinAnsiEncoding", glyphs, 1)
    assert texts(read("a.pdf", content)) == ["the angle α is given"]


def test_an_address_with_numbers_may_stand_at_the_foot_of_each_page() -> None:
    foot = "https://example.org/2024/05/17"
    pages = [
        [*lines(f"Text {word} {LONG}."), (72, 30, 8, "F", f"{foot} {n}/2")]
        for n, word in enumerate(("one", "two"), 1)
    ]
    assert "example.org" not in read("a.pdf", make_pdf(pages)).text


def test_columns_that_the_content_keeps_apart_stay_so() -> None:
    page = [*lines(*[f"left line {n} of text" for n in range(8)])]
    page += lines(*[f"right line {n} of text" for n in range(8)], left=320)
    page += lines("A head that was drawn last of all", top=760)
    text = read("a.pdf", make_pdf([page])).text
    assert text.index("left line 7") < text.index("right line 0")


def test_a_word_parted_at_a_lines_end_is_mended() -> None:
    draft = read("a.pdf", make_pdf([lines("a line with a para-", "graph and a paragraph in it.")]))
    assert draft.text == "a line with a paragraph and a paragraph in it."


def test_bold_and_italic_words_in_a_line_are_terms() -> None:
    page: list[Placed] = [
        (72, 700, 10, "F", "The"), (95, 700, 10, "B", "pivot"), (125, 700, 10, "F", "is here.")
    ]  # fmt: skip
    assert terms(read("a.pdf", make_pdf([page]))) == ["pivot"]


def test_a_scan_without_text_is_refused_with_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf, "has_tesseract", lambda: False)
    with pytest.raises(ReadingError, match="scan without text; install Tesseract"):
        read("a.pdf", make_pdf([[]]))


def test_a_scan_is_read_where_tesseract_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf, "has_tesseract", lambda: True)
    monkeypatch.setattr(pdf, "recognise", lambda *_: "Recognised text.\n")
    draft = read("a.pdf", make_pdf([[], []]))
    assert [(block.page, text) for block, text in zip(draft.blocks, texts(draft), strict=True)] == [
        (1, "Recognised text."),
        (2, "Recognised text."),
    ]


def test_heads_and_page_numbers_of_a_scan_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    said = iter(
        f"Works, Line 4\n\nText {name} is here.\n\nPage {n}\n" for n, name in enumerate("abc")
    )
    monkeypatch.setattr(pdf, "has_tesseract", lambda: True)
    monkeypatch.setattr(pdf, "recognise", lambda *_: next(said))
    draft = read("a.pdf", make_pdf([[], [], []]))
    assert texts(draft) == ["Text a is here.", "Text b is here.", "Text c is here."]
    assert [block.page for block in draft.blocks] == [1, 2, 3]


def test_damaged_and_encrypted_files_are_refused() -> None:
    whole = make_pdf([lines("text")])
    with pytest.raises(ReadingError, match="damaged PDF"):
        read("a.pdf", b"%PDF-1.5\nnothing")
    locked = whole.replace(b"/Info", b"/Encrypt << /Filter /Standard /V 1 /R 2 /O (" + b"o" * 32
                           + b") /U (" + b"u" * 32 + b") /P -4 >> /ID [(a) (a)] /Info")  # fmt: skip
    with pytest.raises(ReadingError, match="encrypted PDF"):
        read("a.pdf", locked)


def test_a_table_goes_on_over_a_page_with_its_header() -> None:
    rows = [("Part", "Size", "Price")] + [(f"Pump {n}", str(n), f"{n}.50") for n in range(1, 9)]

    def placed(part: list[tuple[str, str, str]], *, header: bool) -> list[Placed]:
        return [
            (72 + 150 * column, 760 - 14 * row, 10, "B" if header and row == 0 else "F", cell)
            for row, cells in enumerate(part)
            for column, cell in enumerate(cells)
        ]

    pages = [placed(rows[:5], header=True), placed(rows[5:], header=False)]
    first, second = texts(read("a.pdf", make_pdf(pages)), "table")
    assert first.startswith("| Part | Size | Price |\n| --- | --- | --- |\n| Pump 1 | 1 | 1.50 |")
    assert second.startswith("| Part | Size | Price |\n| --- | --- | --- |\n| Pump 5 | 5 | 5.50 |")


def test_a_bold_line_over_narrow_columns_is_their_header() -> None:
    rows = [(f"A{n}", f"word{n}", f"{n}0") for n in range(1, 6)]
    page: list[Placed] = [
        (x, 700, 10, "B", cell) for x, cell in ((72, "Key"), (102, "Kind"), (150, "Sum"))
    ]
    page += [
        (x, 686 - 14 * row, 10, "F", cell)
        for row, cells in enumerate(rows)
        for x, cell in zip((72, 102, 150), cells, strict=True)
    ]
    (table,) = texts(read("a.pdf", make_pdf([page])), "table")
    assert table.startswith("| Key | Kind | Sum |\n| --- | --- | --- |\n| A1 | word1 | 10 |")


def test_a_numbered_clause_in_capitals_is_a_heading() -> None:
    page = [*lines("1. INTENT"), *lines(LONG, "and so on.", top=670), *lines("2. TERM", top=620)]
    draft = read("a.pdf", make_pdf([[*page, *lines("A year.", top=590)]]))
    assert paths(draft) == [("1. INTENT",), ("2. TERM",)]


def ruled(xs: list[float], ys: list[float]) -> list[tuple[float, float, float, float]]:
    """The strokes of a grid."""
    across = [(xs[0], y, xs[-1], y) for y in ys]
    return across + [(x, ys[-1], x, ys[0]) for x in xs]


def test_rules_part_cells_that_stand_close_and_go_over_lines() -> None:
    page = [
        *lines("Part", "Pump", top=703), *lines("Where", "in the", "hall", top=703, left=106),
        *lines("Valve", top=667), *lines("outside", top=667, left=106),
    ]  # fmt: skip
    rules = ruled([70, 104, 150], [715, 701, 677, 663])
    draft = read("a.pdf", make_pdf([page], rules=rules))
    assert texts(draft, "table") == [
        "| Part | Where |\n| Pump | in the hall |\n| Valve | outside |"
    ]


def test_values_below_each_other_between_two_rules_are_rows() -> None:
    page = [
        *lines("Kind", "OT", "HT", top=703), *lines("Rate", "0.96", "0.91", top=703, left=206),
        *lines("Layers", "6", top=703, left=306),
    ]  # fmt: skip
    rules = ruled([70, 200, 300, 400], [715, 701, 677])
    draft = read("a.pdf", make_pdf([page], rules=rules))
    assert texts(draft, "table") == [
        "| Kind | Rate | Layers |\n| --- | --- | --- |\n| OT | 0.96 | 6 |\n| HT | 0.91 | 6 |"
    ]


def test_a_frame_around_prose_is_no_table() -> None:
    page = lines(f"First {LONG}", "and its end.")
    draft = read("a.pdf", make_pdf([page], rules=ruled([60, 500], [720, 640])))
    assert texts(draft) == [f"First {LONG} and its end."]


def test_a_running_head_goes_whose_other_half_names_the_section() -> None:
    sections = ["Pumps", "Seals", "Oil", "Heat", "Noise"]
    draft = read(
        "a.pdf",
        make_pdf(
            [
                [
                    (72, 800, 9, "F", "The Long Manual"),
                    (450, 800, 9, "F", section),
                    *lines(f"Text of {section} {LONG}."),
                ]
                for section in sections
            ]
        ),
    )
    assert texts(draft) == [f"Text of {section} {LONG}." for section in sections]


def test_left_and_right_pages_have_running_heads_of_their_own() -> None:
    heads = ["Left Head", "A Right Head"] * 2 + ["Left Head"]
    draft = read(
        "a.pdf",
        make_pdf(
            [
                [(72, 800, 9, "F", head), *lines(f"Text {n} {LONG}.", LONG, "the end.")]
                for n, head in enumerate(heads)
            ]
        ),
    )
    assert "Head" not in draft.text
    assert draft.text.startswith(f"Text 0 {LONG}.")


def test_pages_of_one_line_each_are_kept() -> None:
    draft = read("a.pdf", make_pdf([lines(f"Question {n}") for n in range(1, 6)]))
    assert "Question 3" in draft.text


def test_numbered_headings_at_the_top_of_pages_stay() -> None:
    draft = read(
        "a.pdf",
        make_pdf(
            [
                [(72, 790, 14, "B", f"{n} Results"), *lines(f"Text {n} {LONG}.", LONG, top=760)]
                for n in range(1, 6)
            ]
        ),
    )
    assert paths(draft) == [(f"{n} Results",) for n in range(1, 6)]


def test_a_line_with_words_of_another_size_goes_on() -> None:
    page: list[Placed] = [
        *lines(f"First {LONG}"), (72, 688, 8, "M", "the_code_name_of_it"),
        (172, 688, 10, "F", "is long"), *lines("and ends.", top=676),
    ]  # fmt: skip
    assert texts(read("a.pdf", make_pdf([page]))) == [
        f"First {LONG} the_code_name_of_it is long and ends."
    ]


def test_numbered_references_are_items_and_a_number_in_a_sentence_is_none() -> None:
    page = lines(
        f"First {LONG}", "[2] says so.", "[1] Ann Berg. Seals in", "cold pumps. Oslo, 1999.",
        "[2] Bo Lind. Oil.",
    )  # fmt: skip
    page[3] = (88, 664, 10, "F", "cold pumps. Oslo, 1999.")
    draft = read("a.pdf", make_pdf([page]))
    assert texts(draft) == [
        f"First {LONG} [2] says so.",
        "[1] Ann Berg. Seals in cold pumps. Oslo, 1999.\n[2] Bo Lind. Oil.",
    ]
    assert kinds(draft) == ["paragraph", "list"]


def test_an_item_ends_where_the_next_line_begins_left_of_its_mark() -> None:
    page = lines("- short one", left=90) + lines(f"First {LONG}", "and its end.", top=688)
    assert kinds(read("a.pdf", make_pdf([page]))) == ["list", "paragraph"]


def test_a_word_parted_at_a_lines_end_is_one_word_without_the_librarys_mark() -> None:
    lines = ["The water is under high pres-", "sure in the lower of the tanks."]
    placed = [(72, 700 - 14 * n, 11, "F", line) for n, line in enumerate(lines)]
    assert pdf.pdfium.PdfDocument(make_pdf([placed]))[0].get_textpage().get_text_range() == (
        "The water is under high pres\ufffesure in the lower of the tanks."
    )
    assert read("a.pdf", make_pdf([placed])).text == (
        "The water is under high pressure in the lower of the tanks."
    )


@pytest.mark.parametrize(
    "script, shown",
    [
        (pdf_page.Word("2", 20, 23, 704, 710), "b^2"),
        (pdf_page.Word("k", 20, 23, 704, 710), "bk"),
        (pdf_page.Word("2", 20, 23, 698, 704), "b2"),
        (pdf_page.Word("2", 20, 25, 700, 710), None),  # as large as the word
        (pdf_page.Word("2", 30, 33, 704, 710), None),  # far behind it
        (pdf_page.Word("2", 20, 23, 680, 686), None),  # below it
    ],
)
def test_a_small_line_right_behind_a_word_is_its_power_or_index(script, shown) -> None:
    line = pdf_page.Line((pdf_page.Word("b", 10, 20, 700, 710),), 1)
    below = pdf_page.Line((script,), 1)
    if shown is None:
        assert not pdf_page._is_script(line, below)
    else:
        assert pdf_page._is_script(line, below)
        assert pdf_page._with_script(line, below).text == shown


@pytest.mark.parametrize(
    "extracted, shown",
    [("na¨ıve", "naïve"), ("caf´e", "café"), ("fa¸cade", "façade"), ("naive", "naive")],
)
def test_accents_that_old_fonts_set_before_a_letter_are_part_of_it(extracted, shown) -> None:
    assert pdf_characters.mended(extracted) == shown


def test_a_row_belongs_to_its_table_where_the_widest_cell_all_but_touches_the_next() -> None:
    rows = (("ledger", "accounts are kept"), ("day", "first entry"), ("voucher", "proof"))
    widest = ("cancellation", "end")
    for order in ((*rows, widest), (widest, *rows)):
        page = [
            (x, 700 - 13 * i, 10, "F", cell)
            for i, row in enumerate(order)
            for x, cell in zip((72, 136), row, strict=True)
        ]
        draft = read("a.pdf", make_pdf([page]))
        assert texts(draft) == ["\n".join(f"| {a} | {b} |" for a, b in order)]
