"""The builder: blocks tile the text, and headings make paths."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphrag.reading.builder import DocumentBuilder, ListItem
from graphrag.reading.inline import BREAK, Run, flow
from tests.reading_samples import check_tiling, paths, terms, texts

INLINE = st.lists(
    st.builds(Run, st.text(max_size=20), st.booleans(), st.sampled_from(["", "a.html"])), max_size=4
)
PIECES = st.one_of(
    st.tuples(st.just("heading"), st.integers(-1, 9), INLINE),
    st.tuples(st.just("paragraph"), st.just(0), INLINE),
    st.tuples(st.just("quote"), st.just(0), INLINE),
    st.tuples(st.just("list"), st.integers(0, 3), INLINE),
    st.tuples(st.just("table"), st.integers(1, 3), INLINE),
    st.tuples(st.just("code"), st.just(0), INLINE),
    st.tuples(st.just("formula"), st.just(0), INLINE),
)


@given(st.lists(PIECES, max_size=12), st.text(max_size=10))
def test_blocks_tile_the_text_whatever_comes(pieces: list, title: str) -> None:
    builder = DocumentBuilder()
    for kind, number, content in pieces:
        text = "".join(run.text for run in content)
        match kind:
            case "heading":
                builder.add_heading(number, content)
            case "paragraph":
                builder.add_paragraph(content)
            case "quote":
                builder.add_quote(content)
            case "list":
                builder.add_list([ListItem(content, number), ListItem(content, 0, "")])
            case "table":
                builder.add_table([[content] * number, [content]])
            case "code":
                builder.add_code(text)
            case "formula":
                builder.add_formula(text)
    check_tiling(builder.build(title=title, fallback_title="file"))


def test_a_sole_leading_top_heading_is_the_title_and_leaves_the_paths() -> None:
    builder = DocumentBuilder()
    builder.add_heading(1, "Vectors")
    builder.add_heading(2, "Length")
    builder.add_heading(3, "Unit length")
    builder.add_heading(2, "Angle")
    draft = builder.build(fallback_title="file")
    assert draft.title == "Vectors"
    assert draft.blocks[0].heading_path == ()
    assert paths(draft) == [("Length",), ("Length", "Unit length"), ("Angle",)]


def test_a_top_heading_with_nothing_below_is_the_title_and_those_after_it_stay() -> None:
    builder = DocumentBuilder()
    builder.add_heading(1, "One")
    builder.add_heading(1, "Two")
    draft = builder.build(fallback_title="file")
    assert draft.title == "One"
    assert paths(draft) == [("Two",)]


def test_a_document_without_a_leading_top_heading_is_named_by_its_file() -> None:
    builder = DocumentBuilder()
    builder.add_heading(2, "One")
    builder.add_heading(2, "Two")
    draft = builder.build(fallback_title="file")
    assert draft.title == "file"
    assert paths(draft) == [("One",), ("Two",)]


def test_a_top_heading_that_differs_from_the_stated_title_stays_in_the_paths() -> None:
    builder = DocumentBuilder()
    builder.add_heading(1, "Chapter one")
    builder.add_paragraph("Text.")
    draft = builder.build(title="The book")
    assert draft.title == "The book"
    assert draft.blocks[1].heading_path == ("Chapter one",)


def test_table_cells_escape_pipes_and_short_rows_are_filled() -> None:
    builder = DocumentBuilder()
    builder.add_table([["a", "b"], ["x|y"], ["", ""]])
    assert builder.build().text == "| a | b |\n| --- | --- |\n| x\\|y |  |"


def test_a_table_without_header_has_no_delimiter_line() -> None:
    builder = DocumentBuilder()
    builder.add_table([["a", "b"], ["c", "d"]], header=False)
    assert builder.build().text == "| a | b |\n| c | d |"


def test_terms_in_list_items_keep_their_place() -> None:
    builder = DocumentBuilder()
    items = [Run("first"), Run(BREAK), Run("basis", True), Run(" of it")]
    builder.add_list([ListItem(items, 1, "2.")])
    draft = builder.build()
    assert draft.text == "  2. first\n    basis of it"
    assert terms(draft) == ["basis"]


def test_runs_join_with_single_spaces_and_their_spans_without_spaces() -> None:
    joined = flow([Run(" a\n\t"), Run(" bold  term ", True), Run(" z\u00a0 ")])
    assert joined.text == "a bold term z"
    assert [joined.text[a:b] for a, b in joined.terms] == ["bold term"]


def test_lone_surrogates_nul_and_soft_hyphens_do_not_reach_the_text() -> None:
    builder = DocumentBuilder()
    builder.add_paragraph("a\ud800b\x00c\u00add\r\ne")
    assert texts(builder.build()) == ["a\ufffdbcd e"]


def chapters(*names: str) -> DocumentBuilder:
    builder = DocumentBuilder()
    for name in names:
        builder.add_heading(1, name)
        builder.add_paragraph("A sentence.")
    return builder


def test_of_several_chapters_each_keeps_its_place_below_the_name_of_the_file() -> None:
    draft = chapters("Intake", "Cleaning").build(fallback_title="mill")
    assert draft.title == "mill"
    assert paths(draft) == [("Intake",), ("Cleaning",)]


@pytest.mark.parametrize("name", ["mill-handbook", "README"])
def test_the_first_of_several_top_headings_is_the_title_where_the_file_is_called_so(
    name: str,
) -> None:
    draft = chapters("The Mill", "Intake").build(fallback_title=name)
    assert draft.title == "The Mill"
    assert paths(draft) == [("Intake",)]


def test_the_first_of_several_top_headings_is_the_title_where_the_format_says_so() -> None:
    draft = chapters("Intake", "Cleaning").build(fallback_title="mill", first_leads=True)
    assert draft.title == "Intake"
