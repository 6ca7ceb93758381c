"""PDF: formulas, which a page holds as signs and strokes, are read as TeX."""

from dataclasses import replace

import pytest

from graphrag.reading.pdf_characters import mended
from graphrag.reading.pdf_fonts import Font, sign_of
from graphrag.reading.pdf_formula import _tagged
from graphrag.reading.pdf_page import Word
from graphrag.reading.pdf_signs import Sign
from graphrag.reading.pdf_tex import Bar, tex_of
from tests.reading_samples import Placed, check_tiling, kinds, make_pdf, read, texts

LONG = "some words that fill the line from its left edge to the right edge of the page"


def sign(text: str, left: float, base: float = 100, size: float = 10) -> Sign:
    """A sign half as wide as it is high."""
    return Sign(text, left, left + size / 2, base, base + 0.7 * size, base, size)


def large(text: str, left: float, *, bottom: float, top: float, size: float = 10) -> Sign:
    middle = (bottom + top) / 2 - 0.25 * size
    return Sign(text, left, left + size, bottom, top, middle, size, built=True)


def row(text: str, left: float, base: float = 100, size: float = 10) -> list[Sign]:
    return [sign(each, left + i * size / 2, base, size) for i, each in enumerate(text)]


def test_small_signs_above_and_below_are_powers_and_indexes() -> None:
    signs = [*row("x", 0), sign("2", 5, 104, 7), *row("+y", 9), sign("i", 19, 98, 7)]
    assert tex_of(signs, []) == "x^2+y_i"


def test_a_power_of_several_signs_is_in_braces_and_may_have_a_power() -> None:
    signs = [*row("e", 0), *row("−x", 5, 104, 7), sign("2", 12, 107, 5)]
    assert tex_of(signs, []) == "e^{−x^2}"


def test_a_prime_stays_a_prime() -> None:
    assert tex_of([*row("f", 0), sign("′", 5, 104, 7)], []) == "f′"


def test_a_bar_between_signs_is_a_fraction() -> None:
    signs = [*row("y=", 0), *row("a", 14, 107), *row("2b", 12, 92)]
    assert tex_of(signs, [Bar(102.5, 11, 23)]) == "y=\\frac{a}{2b}"


def test_fractions_stand_within_fractions() -> None:
    signs = [*row("a", 2, 112), *row("b", 2, 100), *row("c", 2, 86)]
    bars = [Bar(97, 0, 10), Bar(109.5, 1, 8)]
    assert tex_of(signs, bars) == "\\frac{\\frac{a}{b}}{c}"


def test_a_bar_at_the_end_of_a_root_is_the_roots() -> None:
    root = replace(large("√", 0, bottom=97, top=110), right=8)
    assert tex_of([root, *row("x+1", 9)], [Bar(110, 8, 25)]) == "\\sqrt{x+1}"


def test_a_bar_with_nothing_above_it_is_an_overline() -> None:
    assert tex_of(row("ab", 0), [Bar(108.5, 0, 10)]) == "\\overline{ab}"


def test_limits_stand_with_their_sum_and_not_with_what_follows() -> None:
    total = large("∑", 10, bottom=95, top=110)
    signs = [*row("s=", 0), total, sign("n", 13, 112, 7), *row("i=1", 10, 87, 7), *row("x", 22)]
    assert tex_of(signs, []) == "s=∑_{i=1}^n x"


def test_rows_between_tall_brackets_are_a_matrix() -> None:
    signs = [
        large("(", 0, bottom=88, top=116),
        *row("a", 11, 106), *row("b", 26, 106), *row("c", 11, 91), *row("d", 26, 91),
        large(")", 32, bottom=88, top=116),
    ]  # fmt: skip
    assert tex_of(signs, []) == "\\begin{pmatrix} a & b \\\\ c & d \\end{pmatrix}"


def test_rows_behind_a_brace_that_nothing_closes_are_cases() -> None:
    signs = [large("{", 0, bottom=88, top=116), *row("x", 11, 106), *row("y", 11, 91)]
    assert tex_of(signs, []) == "\\begin{cases} x \\\\ y \\end{cases}"


def test_an_accent_stands_over_its_letter() -> None:
    accent = replace(sign("ˆ", 0), bottom=106, top=108)
    assert tex_of([accent, *row("x=y", 0)], []) == "\\hat{x}=y"


@pytest.mark.parametrize(
    ("font", "code", "shown"),
    [
        ("cmex10", 0x58, "∑"),
        ("cmex10", 0x12, "("),
        ("cmsy10", 0x30, "′"),
        ("cmsy10", ord("A"), "A"),
        ("cmr10", ord("0"), "0"),
        ("cambriamath", 0x1D465, "x"),
    ],
)
def test_the_codes_of_tex_fonts_are_read_as_signs(font: str, code: int, shown: str) -> None:
    assert sign_of(code, Font(font)) == shown


def prose(*rows: str, top: float) -> list[Placed]:
    return [(72, top - 12 * i, 10, "F", each) for i, each in enumerate(rows)]


FRACTION: list[Placed] = [
    (200, 640, 10, "V", "y"),
    (210, 640, 10, "F", "="),
    (230, 647, 10, "V", "a"),
    (230, 632, 10, "V", "b"),
]
BAR = (228, 642.5, 238, 642.5)


def test_a_displayed_formula_is_a_block_of_its_own_between_paragraphs() -> None:
    page = [*prose(f"First {LONG}", top=680), *FRACTION, *prose("where b is known.", top=610)]
    draft = read("a.pdf", make_pdf([page], rules=[BAR]))
    check_tiling(draft)
    assert kinds(draft) == ["paragraph", "formula", "paragraph"]
    assert texts(draft)[1] == "$$y = \\frac{a}{b}$$"


def test_the_number_of_a_formula_is_its_tag() -> None:
    page = [*prose(f"First {LONG}", top=680), *FRACTION, (450, 640, 10, "F", "(3)")]
    draft = read("a.pdf", make_pdf([page], rules=[BAR]))
    assert texts(draft, "formula") == ["$$y = \\frac{a}{b} \\tag{3}$$"]


def test_a_stroke_parts_two_lines_of_a_fraction_that_share_no_height() -> None:
    page = [
        *prose(f"First {LONG}", top=680),
        (230, 648, 10, "V", "a"),
        (230, 632, 10, "V", "b"),
        *prose(f"Then {LONG}", top=600),
    ]
    draft = read("a.pdf", make_pdf([page], rules=[(228, 643.5, 238, 643.5)]))
    assert texts(draft, "formula") == ["$$\\frac{a}{b}$$"]


def test_a_large_sign_is_no_heading() -> None:
    page = [
        (72, 740, 14, "B", "1 Sums"),
        *prose(f"First {LONG}", LONG, top=700),
        (200, 652, 22, "X", "X"),
        (230, 645, 10, "V", "x"),
        *prose(f"Then {LONG}", LONG, top=600),
    ]
    draft = read("a.pdf", make_pdf([page]))
    assert "X" not in texts(draft, "heading")


def test_signs_on_the_line_of_a_sentence_stay_in_it() -> None:
    page = [
        (72, 700, 10, "F", "The slope is"),
        (140, 704, 7, "V", "a"),
        (140, 695, 7, "V", "b"),
        (150, 700, 10, "F", "of the way, as was said before."),
    ]
    draft = read("a.pdf", make_pdf([page], rules=[(138, 702, 146, 702)]))
    assert texts(draft) == ["The slope is $\\frac{a}{b}$ of the way, as was said before."]


def test_cells_with_signs_stay_a_table() -> None:
    page = [
        (x, 700 - 14 * i, 10, font, text)
        for i, cells in enumerate((("x", "y", "z"), ("1", "2", "3"), ("4", "5", "6")))
        for x, font, text in zip((72, 172, 272), "VVV" if not i else "FFF", cells, strict=True)
    ]
    assert kinds(read("a.pdf", make_pdf([page]))) == ["table"]


def test_a_power_and_the_mark_of_a_note_are_told_from_the_word_before_them() -> None:
    page = [
        (72, 700, 10, "F", "It has 10"),
        (110.4, 704, 7, "F", "3"),
        (119, 700, 10, "F", "grains, as the miller"),
        (205.7, 704, 7, "F", "4"),
        (213, 700, 10, "F", "says."),
    ]
    shown = texts(read("a.pdf", make_pdf([page])))
    assert shown == ["It has 10^3 grains, as the miller^4 says."]


def test_the_small_number_that_opens_a_note_stands_apart() -> None:
    page = [
        *prose(f"First {LONG}.", top=680),
        (72, 103, 6, "F", "12"),
        (78.8, 100, 9, "F", "Measured."),
    ]
    assert texts(read("a.pdf", make_pdf([page])))[-1] == "12 Measured."


def test_letters_of_text_fonts_on_both_sides_of_a_stroke_are_a_fraction() -> None:
    page = [
        *prose(f"First {LONG}", top=680),
        (200, 640, 10, "I", "xi"),
        (212, 640, 10, "V", "="),
        (231, 647, 10, "I", "a"),
        (231, 632, 10, "I", "b"),
        *prose("where b is known.", top=610),
    ]
    draft = read("a.pdf", make_pdf([page], rules=[BAR]))
    assert texts(draft, "formula") == ["$$xi = \\frac{a}{b}$$"]


def test_numbers_of_several_rows_are_their_tags() -> None:
    numbers = [Word(f"({n})", 450, 462, y, y + 10) for n, y in ((3, 640), (4, 612))]
    assert _tagged("a \\\\\nb", numbers) == "a \\tag{3} \\\\\nb \\tag{4}"


def test_a_line_that_begins_with_a_joining_word_at_the_margin_is_no_displayed_formula() -> None:
    page = [
        *prose(f"First {LONG}", top=680),
        (72, 640, 10, "F", "where"),
        (110, 640, 10, "V", "y"),
        (120, 640, 10, "F", "="),
        (140, 647, 10, "V", "a"),
        (140, 632, 10, "V", "b"),
        *prose(f"Then {LONG}", top=610),
    ]
    assert "formula" not in kinds(read("a.pdf", make_pdf([page], rules=[(138, 642.5, 148, 642.5)])))


def test_an_upright_letter_above_a_bar_in_a_sentence_is_its_numerator() -> None:
    page = [
        (72, 700, 10, "F", "The vector"),
        (140, 704, 7, "B", "u"),
        (140, 695, 7, "V", "b"),
        (150, 700, 10, "F", "has unit length, as was said before."),
    ]
    draft = read("a.pdf", make_pdf([page], rules=[(138, 702, 146, 702)]))
    assert texts(draft) == ["The vector $\\frac{u}{b}$ has unit length, as was said before."]


def test_a_sign_that_is_struck_out_is_its_opposite() -> None:
    assert mended("̸=") == "≠"
    assert mended("̸∈") == "∉"


def test_an_accent_stands_on_letters_alone() -> None:
    arrow = replace(sign("→", 1, 100), top=108)
    assert "vec" not in tex_of([*row("−", 0), arrow], [])
