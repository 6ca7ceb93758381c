"""The cost of reading grows with a file's length, not with its square.

Measured is the processor time of a file and of one four times as long: four times as much,
where it is proportional, sixteen times where it is not. The floor keeps short times, which
are mostly noise, from counting. The garbage collector is off while a file is read, since its
cost follows all that the tests before hold in memory. A busy machine can still stretch one
time, never shrink it: what is proportional shows in one of a few tries, the square in none.
"""

import contextlib
import gc
import time
from collections.abc import Callable

import pytest

from graphrag.errors import ReadingError
from tests import test_reading_office
from tests.reading_samples import check_tiling, make_zip, read, texts

FLOOR = 0.05
MOST = 8.0
TRIES = 6


def processor_seconds(name: str, content: str | bytes) -> float:
    times = []
    for _ in range(2):
        gc.collect()
        gc.disable()
        try:
            started = time.process_time()
            with contextlib.suppress(ReadingError):
                read(name, content)
            times.append(time.process_time() - started)
        finally:
            gc.enable()
        if times[0] < FLOOR:
            break
    return min(times)


def growth(name: str, content: Callable[[int], str | bytes], length: int) -> float:
    """How many times as long a file of four times the length takes, at best of a few tries."""
    with contextlib.suppress(ReadingError):
        read(name, content(1))  # what the first file of a format loads is nobody's cost
    least = float("inf")
    for _ in range(TRIES):
        short = processor_seconds(name, content(length))
        least = min(least, processor_seconds(name, content(4 * length)) / max(short, FLOOR))
        if least < MOST:
            break
    return least


@pytest.mark.parametrize(
    ("name", "before", "unit", "after", "length"),
    [
        ("a.xml", "<rows>", "<row/>", "</rows>", 800),
        ("a.xml", "", "<!DOCTYPE a [", "", 2_000),
        ("a.xml", "<article>", "<disp-formula>", "", 280),
        ("a.adoc", "", "stem:[", "", 1_000),
        ("a.adoc", "", r"latexmath:[\a", "", 1_000),
        ("a.adoc", "== a", " ", "b", 3_000),
        ("a.adoc", "include::", "[", "", 10_000),
        ("a.tex", "", r"\begin{verbatim}", "", 3_000),
        ("a.tex", r"\section", " ", "", 10_000),
        ("a.tex", "", r"\[", "", 60_000),
        ("a.tex", r"\begin{tabular}{l}", r"\cmidrule(", r"\end{tabular}", 4_000),
        ("a.txt", "x", "\n", "x", 30_000),
        ("a.csv", "", ",a\nb,\n", "", 500),
        ("a.csv", "x,y,z\n", "a\n", "", 1_000),
        ("a.eml", "Subject: s\nFrom: ", "# ", "\n\nx", 2_500),
        ("a.html", "<p>", "<img class=math alt=x>", "", 1_500),
        ("a.html", "<ul><li>", "<b>x</b><br>", "", 1_000),
        ("a.txt", "- a\n", " b\n", "", 50_000),
        ("a.txt", "Contents\n", ". ", "x", 2_000),
        ("a.txt", "# a\n\n# b\n\n# a", " ", "b", 10_000),
        ("a.md", "```\n", " ", "x\n```\n", 15_000),
        ("a.md", "x\n\n", "```{eval-rst}\n", "", 2_000),
        ("a.rst", "x\n\n", "a_\n", "", 4_000),
        ("a.rst", "x\n\n", "``x\n", "", 4_000),
        ("a.csv", "1", " ", "x,b\n1,2\n", 10_000),
        ("a.adoc", "= T\n", "<", "\n\nx", 20_000),
        ("a.eml", "Subject: s\nContent-Type: text/plain; a=", "# ", "\n\nx", 2_500),
    ],
    ids=lambda value: repr(value)[:24],
)
def test_what_is_repeated_costs_in_proportion(
    name: str, before: str, unit: str, after: str, length: int
) -> None:
    assert growth(name, lambda n: f"{before}{unit * n}{after}", length) < MOST


def test_lists_of_a_docx_cost_in_proportion() -> None:
    w = test_reading_office.W

    def content(n: int) -> bytes:
        lists = "".join(
            f'<w:abstractNum w:abstractNumId="{i}"><w:lvl w:ilvl="0"/></w:abstractNum>'
            f'<w:num w:numId="{i}"><w:abstractNumId w:val="{i}"/></w:num>'
            for i in range(n)
        )
        numbering = {"word/numbering.xml": f"<w:numbering {w}>{lists}</w:numbering>"}
        return test_reading_office.docx(test_reading_office.item("one", 1), **numbering)

    assert growth("a.docx", content, 800) < MOST


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.html", "<table><tr>" + "<td rowspan=100 colspan=100>x" * 200 + "<tr><td>y" * 200),
        ("a.html", "<table><tr>" + "<td>x" * 2_000 + "<tr><td>y" * 2_000),
        ("a.csv", "a," * 2_000 + "\n" + "b\n" * 2_000),
        ("a.csv", ("a," * 200 + "\nb\n") * 200),
    ],
    ids=["spans", "wide row", "wide line", "uneven lines"],
)
def test_tables_are_not_swollen_beyond_what_is_written(name: str, content: str) -> None:
    draft = read(name, content)
    check_tiling(draft)
    assert len(draft.text) < 12 * len(content) + 1_000_000
    assert draft.text.count("b" if name == "a.csv" else "y") == content.count(
        "b" if name == "a.csv" else "y"
    )


def test_a_part_that_a_book_names_over_and_over_is_refused() -> None:
    parts = {
        "META-INF/container.xml": '<c><rootfile full-path="b.opf"/></c>',
        "b.opf": '<p><item id="a" href="a.xhtml"/>' + "<itemref idref='a'/>" * 5_000 + "</p>",
        "a.xhtml": "<p>word</p>" * 2_000,
    }
    with pytest.raises(ReadingError, match=r"names a\.xhtml over and over"):
        read("a.epub", make_zip(parts))


def test_a_long_cell_is_not_repeated_in_the_rows_that_it_covers() -> None:
    cell = "<w:tc><w:tcPr>{}</w:tcPr><w:p><w:r><w:t>{}</w:t></w:r></w:p></w:tc>"
    first = cell.format('<w:vMerge w:val="restart"/>', "x" * 1_000) + cell.format("", "a")
    row = f"<w:tr>{cell.format('<w:vMerge/>', '')}{cell.format('', 'b')}</w:tr>"
    draft = read(
        "a.docx", test_reading_office.docx(f"<w:tbl><w:tr>{first}</w:tr>{row * 50}</w:tbl>")
    )
    assert draft.text.count("x" * 1_000) == 1
    assert draft.text.count("| b |") == 50


def test_a_sheet_repeats_no_more_than_a_store_can_hold() -> None:
    cell = '<table:table-cell table:number-columns-repeated="256"><text:p>7</text:p>'
    row = (
        f'<table:table-row table:number-rows-repeated="256">{cell}'
        "</table:table-cell></table:table-row>"
    )
    content = (
        f"<office:document-content {test_reading_office.ODF}><office:body><table:table>"
        f"{row * 20}</table:table></office:body></office:document-content>"
    )
    # 20 x 256 x 256 cells are written; four of the rows fill the limit of 200,000.
    assert read("a.ods", make_zip({"content.xml": content})).text.count("7") < 300_000


def test_cells_over_several_columns_and_rows_stand_as_before() -> None:
    draft = read(
        "a.html",
        "<table><tr><th colspan=2>a<th>b<tr><td rowspan=2>c<td>d<td>e<tr><td>f<td>g</table>",
    )
    assert draft.text == "| a |  | b |\n| --- | --- | --- |\n| c | d | e |\n| c | f | g |"


def test_titles_above_a_grid_are_paragraphs_and_its_empty_columns_go() -> None:
    grid = ",,Sales,\n,,,\n,2023,,\n,,note,\n,a,b,\n,1,2,\n"
    assert texts(read("a.csv", grid)) == [
        "Sales", "2023", "note", "| a | b |\n| --- | --- |\n| 1 | 2 |",
    ]  # fmt: skip


def test_running_text_in_unknown_xml_is_read_once_and_whole() -> None:
    draft = read(
        "a.xml",
        "<r><note>A <b><i>big</i></b> one.</note><k>v<sub>2</sub></k><f><g>1</g></f></r>",
    )
    assert texts(draft) == ["A big one.", "v2", "g: 1"]


def test_a_document_type_is_passed_over_behind_comments_and_kept_within_text() -> None:
    head = "<?xml version='1.0'?><!-- <a> --><?x y?>\n<!DOCTYPE r [<!ENTITY a '>'> ] >"
    body = "<r><![CDATA[a <!DOCTYPE x [ b ]> c]]></r>"
    assert texts(read("a.xml", head + body)) == ["r: a <!DOCTYPE x [ b ]> c"]


def test_comments_in_latex_go_and_code_keeps_its_signs() -> None:
    code = "\\begin{verbatim}\n50 % off\n\\end{verbatim}"
    unclosed = "\\begin{code} a\\% % gone\nb"
    draft = read("a.tex", f"one % gone\ntwo\n\n{code}\n\n{unclosed}")
    assert texts(draft)[:2] == ["one two", "50 % off"]
    assert "gone" not in draft.text


def test_headings_in_asciidoc_may_be_closed_by_their_mark() -> None:
    draft = read("a.adoc", "= T\n\n== One ==\n\n=== C# ##\n\n## Two\t##\n\n== ==\n")
    assert texts(draft, "heading") == ["T", "One", "C# ##", "Two", "=="]
