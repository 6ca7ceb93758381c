"""Numbers in foreign markup: read where they are numbers, passed over where they are not."""

import json
from collections.abc import Callable

import pytest

from graphrag.reading.numerals import whole_number
from tests import test_reading_office
from tests.reading_samples import check_tiling, make_zip, read, texts

LONG = "9" * 5_000
ODD = ["²", "٣", LONG, "-1", "1_0", ""]
HUGE = "9" * 9


@pytest.mark.parametrize(
    ("written", "number"),
    [
        ("0", 0), ("007", 7), (" 12\n", 12), ("9" * 18, 10**18 - 1), ("9" * 19, -1), (LONG, -1),
        ("²", -1), ("٣", -1), ("１", -1), ("Ⅷ", -1), ("1_000", -1), ("+1", -1), ("-1", -1),
        ("1.5", -1), ("", -1), (None, -1),
    ],
)  # fmt: skip
def test_a_number_is_ascii_digits_of_bounded_length(written: str | None, number: int) -> None:
    assert whole_number(written, otherwise=-1) == number


@pytest.mark.parametrize("odd", [*ODD, HUGE])
@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.html", "<ol start='{}'><li value='{}'>keep</ol>"),
        ("a.html", "<table><tr><td rowspan='{}' colspan='{}'>keep<td>b<tr><td>c</table>"),
        ("a.adoc", '[cols="{}*"]\n|===\n|keep |b\n|===\n'),
        ("a.adoc", '[cols="{}"]\n|===\n|keep |b\n|===\n'),
        ("a.rst", "{}. keep\n\n#. b\n"),
        ("a.nxml", "<article><table><tr><td rowspan='{}'>keep</td></tr></table></article>"),
        ("a.md", "---\na: {}\n---\n{}. b\n\n   keep\n"),
        ("a.md", "+++\na = {}\n+++\nkeep\n"),
    ],
)  # fmt: skip
def test_odd_numbers_in_texts_do_not_cost_the_file(name: str, content: str, odd: str) -> None:
    draft = read(name, content.replace("{}", odd))
    check_tiling(draft)
    assert "keep" in draft.text


@pytest.mark.parametrize("odd", ODD)
def test_odd_numbers_in_a_docx_do_not_cost_the_file(odd: str) -> None:
    w = test_reading_office.W
    level = (
        f'<w:lvl w:ilvl="{odd}"><w:start w:val="{odd}"/><w:numFmt w:val="decimal"/>'
        '<w:lvlText w:val="%1."/></w:lvl>'
    )
    numbering = (
        f'<w:numbering {w}><w:abstractNum w:abstractNumId="0">{level}</w:abstractNum>'
        '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>'
    )
    style = (
        f'<w:styles {w}><w:style w:styleId="H1"><w:pPr><w:outlineLvl w:val="{odd}"/><w:numPr>'
        f'<w:ilvl w:val="{odd}"/><w:numId w:val="1"/></w:numPr></w:pPr></w:style></w:styles>'
    )
    cell = "<w:tc><w:tcPr>{}</w:tcPr><w:p><w:r><w:t>{}</w:t></w:r></w:p></w:tc>"
    body = (
        test_reading_office.paragraph("one", "H1", f'<w:outlineLvl w:val="{odd}"/>')
        + test_reading_office.item("two", 1).replace('w:val="0"', f'w:val="{odd}"')
        + "<w:tbl><w:tr>" + cell.format(f'<w:gridSpan w:val="{odd}"/>', "a") + cell.format("", "b")
        + "</w:tr></w:tbl>"
    )  # fmt: skip
    parts = {"word/numbering.xml": numbering, "word/styles.xml": style}
    draft = read("a.docx", test_reading_office.docx(body, **parts))
    assert draft.text == "1. one\n2. two\n\n| a | b |\n| --- | --- |"


def sheet(number: str) -> bytes:
    """A workbook with the number wherever it may have one."""
    space = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
    rel = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
    return make_zip(
        {
            "xl/workbook.xml": f'<workbook {space} {rel}><sheet name="S" r:id="r1"/></workbook>',
            "xl/_rels/workbook.xml.rels": "<Relationships xmlns="
            '"http://schemas.openxmlformats.org/package/2006/relationships">'
            '<Relationship Id="r1" Type="x/worksheet" Target="s.xml"/></Relationships>',
            "xl/styles.xml": f'<style {space}><cellXfs><xf numFmtId="{number}"/></cellXfs></style>',
            "xl/s.xml": f'<worksheet {space}><sheetData><row r="{number}"><c r="A1" s="{number}">'
            f'<v>7</v></c><c r="B{number}" t="s"><v>{number}</v></c><c r="C1" t="str"><v>keep</v>'
            f'</c></row></sheetData><mergeCell ref="A{number}:A{number}"/></worksheet>',
        }
    )


def slides(number: str) -> bytes:
    """A presentation with the number wherever it may have one."""
    spaces = (
        'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" '
        'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
        'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
    )
    shape = (
        f'<p:sp><p:spPr><a:off x="{number}" y="{number}"/></p:spPr><a:p><a:pPr lvl="{number}">'
        "<a:buChar/></a:pPr><a:r><a:t>keep</a:t></a:r></a:p></p:sp>"
    )
    return make_zip(
        {
            "ppt/presentation.xml": f'<p:show {spaces}><p:sldId r:id="r1"/></p:show>',
            "ppt/_rels/presentation.xml.rels": "<Relationships xmlns="
            '"http://schemas.openxmlformats.org/package/2006/relationships">'
            '<Relationship Id="r1" Type="x/slide" Target="s.xml"/></Relationships>',
            "ppt/s.xml": f"<p:sld {spaces}>{shape}{shape}</p:sld>",
        }
    )


def opendocument(number: str) -> bytes:
    """A text or a sheet with the number wherever it may have one."""
    repeated = f'repeated="{number}"'
    row = (
        f"<table:table-row table:number-rows-{repeated}><table:table-cell "
        f"table:number-columns-{repeated}><text:p>keep</text:p></table:table-cell>"
        "</table:table-row>"
    )
    heading = f'<text:h text:outline-level="{number}">Guide</text:h>'
    return make_zip(
        {
            "content.xml": f"<office:document-content {test_reading_office.ODF}><office:body>"
            f"{heading}<table:table>{row}</table:table></office:body></office:document-content>"
        }
    )


@pytest.mark.parametrize("odd", [*ODD, HUGE])
@pytest.mark.parametrize(
    ("name", "content"),
    [("a.xlsx", sheet), ("a.pptx", slides), ("a.odt", opendocument), ("a.ods", opendocument)],
)
def test_odd_numbers_in_office_files_do_not_cost_the_file(
    name: str, content: Callable[[str], bytes], odd: str
) -> None:
    draft = read(name, content(odd))
    check_tiling(draft)
    assert "keep" in draft.text
    assert len(draft.text) < 1_000_000


def test_a_list_in_html_counts_from_where_it_says() -> None:
    draft = read("a.html", "<ol start=' 4 '><li>a<li value='9'>b<li>c</ol>")
    assert texts(draft) == ["4. a\n9. b\n6. c"]


def test_old_notebooks_without_proper_sheets_are_refused_by_name() -> None:
    sheets = json.dumps({"worksheets": [1, {"cells": [{"cell_type": "raw", "source": "keep"}]}]})
    assert read("a.ipynb", sheets).text == "keep"
