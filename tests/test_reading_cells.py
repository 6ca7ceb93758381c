"""What is noted at cells, and cells that cover others, wherever they stand in a sheet."""

from __future__ import annotations

from tests.reading_samples import make_zip, read, texts

_S = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
_THREADS = 'xmlns="http://schemas.microsoft.com/office/spreadsheetml/2018/threadedcomments"'
_RELATIONS = 'xmlns="http://schemas.openxmlformats.org/package/2006/relationships"'


def _workbook(sheet: str, **parts: str) -> bytes:
    links = "".join(
        f'<Relationship Id="{name}" Type="x/{name}" Target="../{name}.xml"/>' for name in parts
    )
    return make_zip(
        {
            "xl/workbook.xml": f"<workbook {_S} xmlns:r="
            '"http://schemas.openxmlformats.org/officeDocument/2006/relationships">'
            '<sheets><sheet name="Parts" r:id="s"/></sheets></workbook>',
            "xl/_rels/workbook.xml.rels": f"<Relationships {_RELATIONS}>"
            '<Relationship Id="s" Type="x/worksheet" Target="worksheets/s.xml"/></Relationships>',
            "xl/worksheets/s.xml": f"<worksheet {_S}>{sheet}</worksheet>",
            "xl/worksheets/_rels/s.xml.rels": f"<r {_RELATIONS}>{links}</r>",
            **{f"xl/{name}.xml": content for name, content in parts.items()},
        }
    )


def _row(number: int, **cells: str) -> str:
    inner = "".join(
        f'<c r="{column}{number}" t="str"><v>{value}</v></c>' for column, value in cells.items()
    )
    return f'<row r="{number}">{inner}</row>'


_ROWS = _row(1, A="part", B="price") + _row(2, A="pump", B="12")


def test_a_comment_is_an_item_with_the_value_of_its_cell() -> None:
    comments = (
        f"<comments {_S}><commentList>"
        '<comment ref="AB7"><text><r><t>Ask Bo.</t></r></text></comment>'
        '<comment ref="B2"><text><r><t>Ann:\n</t></r><r><t>without tax</t></r></text></comment>'
        "</commentList></comments>"
    )
    draft = read("a.xlsx", _workbook(f"<sheetData>{_ROWS}</sheetData>", comments=comments))
    assert texts(draft, "list") == ["- B2 (12): Ann: without tax\n- AB7: Ask Bo."]


def test_a_thread_of_comments_stands_for_the_note_that_there_is_one() -> None:
    note = "[Threaded comment] Your version of Excel allows you to read it."
    comments = (
        f'<comments {_S}><commentList><comment ref="B2"><text><t>{note}</t></text></comment>'
        "</commentList></comments>"
    )
    threads = (
        f'<ThreadedComments {_THREADS}><threadedComment ref="B2"><text>Still true?</text>'
        '</threadedComment><threadedComment ref="B2"><text>Yes.</text></threadedComment>'
        "</ThreadedComments>"
    )
    sheet = f"<sheetData>{_ROWS}</sheetData>"
    draft = read("a.xlsx", _workbook(sheet, comments=comments, threadedComment=threads))
    assert texts(draft, "list") == ["- B2 (12): Still true? / Yes."]


def test_a_merged_cell_covers_its_own_rows_also_below_skipped_ones() -> None:
    rows = _ROWS + _row(9, A="year", B="sum") + _row(10, A="2021", B="5") + _row(11, B="6")
    draft = read(
        "a.xlsx",
        _workbook(
            f'<sheetData>{rows}</sheetData><mergeCells><mergeCell ref="A10:A11"/></mergeCells>'
        ),
    )
    assert texts(draft, "table")[1].splitlines()[2:] == ["| 2021 | 5 |", "| 2021 | 6 |"]


def test_a_note_in_an_opendocument_sheet_is_no_part_of_the_value() -> None:
    names = "".join(
        f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0" '
        for name in ("office", "text", "table")
    )
    cell = "<table:table-cell>{}<text:p>{}</text:p></table:table-cell>"
    note = "<office:annotation><text:p>without</text:p><text:p>tax</text:p></office:annotation>"
    rows = "".join(
        f"<table:table-row>{cell.format('', one)}{cell.format(own, two)}</table:table-row>"
        for one, own, two in (("part", "", "price"), ("pump", note, "12"))
    )
    body = f'<office:body><table:table table:name="P">{rows}</table:table></office:body>'
    content = f"<office:document-content {names}>{body}</office:document-content>"
    draft = read("a.ods", make_zip({"content.xml": content}))
    assert texts(draft)[1:] == [
        "| part | price |\n| --- | --- |\n| pump | 12 |",
        "- B2 (12): without tax",
    ]
