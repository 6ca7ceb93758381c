"""Office files, books and mail: structure, and why a file is refused."""

# ruff: noqa: E501  (lines of files are kept as they are)

import io
import zipfile

import pytest

from graphrag.errors import ReadingError
from tests.reading_samples import check_tiling, kinds, make_zip, paths, read, terms, texts

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
M = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
STYLES = f"""<w:styles {W}>
<w:style w:styleId="H1"><w:name w:val="heading 1"/><w:pPr><w:outlineLvl w:val="0"/></w:pPr></w:style>
<w:style w:styleId="H2"><w:name w:val="heading 2"/><w:basedOn w:val="H1"/>
<w:pPr><w:outlineLvl w:val="1"/></w:pPr></w:style>
<w:style w:styleId="Code"><w:name w:val="Source Code"/></w:style></w:styles>"""
NUMBERING = f"""<w:numbering {W}><w:abstractNum w:abstractNumId="0">
<w:lvl w:ilvl="0"><w:start w:val="4"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl>
<w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="lowerLetter"/><w:lvlText w:val="%1.%2"/></w:lvl>
</w:abstractNum><w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/></w:lvl>
</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>
<w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num></w:numbering>"""
CORE = """<c:coreProperties xmlns:c="x" xmlns:dc="http://purl.org/dc/elements/1.1/"
xmlns:t="http://purl.org/dc/terms/"><dc:creator>Ann</dc:creator><t:created>2024-01-02T03:04:05Z
</t:created></c:coreProperties>"""


def paragraph(text: str, style: str = "", properties: str = "", run: str = "") -> str:
    style = f'<w:pStyle w:val="{style}"/>' if style else ""
    return f"<w:p><w:pPr>{style}{properties}</w:pPr><w:r><w:rPr>{run}</w:rPr><w:t>{text}</w:t></w:r></w:p>"


def item(text: str, number: int, level: int = 0) -> str:
    numbers = f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{number}"/></w:numPr>'
    return paragraph(text, properties=numbers)


def docx(body: str, **parts: str) -> bytes:
    document = f"<w:document {W} {M}><w:body>{body}</w:body></w:document>"
    files = {"word/document.xml": document, "word/styles.xml": STYLES, "docProps/core.xml": CORE}
    return make_zip({**files, "word/numbering.xml": NUMBERING, **parts})


def test_a_docx_is_read_with_its_structure() -> None:
    cell = "<w:tc><w:p><w:r><w:t>{}</w:t></w:r></w:p></w:tc>"
    row = "<w:tr>" + cell + cell + "</w:tr>"
    draft = read(
        "a.docx",
        docx(
            paragraph("Guide", "H1")
            + paragraph("Part", "H2")
            + paragraph("bold", run="<w:b/>")
            + item("one", 1)
            + item("two", 1, 1)
            + item("dot", 2)
            + paragraph("x = 1", "Code")
            + paragraph("y = 2", "Code")
            + f"<w:tbl>{row.format('A', 'B')}{row.format('1', '2')}</w:tbl>"
            + "<w:p><w:del><w:r><w:t>gone</w:t></w:r></w:del><w:ins><w:r><w:t>new</w:t></w:r></w:ins></w:p>"
            + "<w:p><m:oMathPara><m:oMath><m:f><m:num><m:r><m:t>1</m:t></m:r></m:num><m:den><m:r>"
            "<m:t>2</m:t></m:r></m:den></m:f></m:oMath></m:oMathPara></w:p>"
        ),
    )
    check_tiling(draft)
    assert draft.title == "Guide"
    assert draft.metadata == {"author": "Ann", "date": "2024-01-02"}
    assert paths(draft) == [("Part",)]
    assert texts(draft)[2:] == [
        "bold",
        "4. one\n  4.a two\n- dot",
        "x = 1\ny = 2",
        "| A | B |\n| --- | --- |\n| 1 | 2 |",
        "new",
        r"$$\frac{1}{2}$$",
    ]
    assert terms(draft) == ["bold"]


def test_damaged_and_encrypted_office_files_are_refused_with_the_reason() -> None:
    whole = docx(paragraph("text"))
    for content, reason in (
        (whole[: len(whole) // 2], "damaged DOCX"),
        (b"PK\x03\x04 nothing", "damaged DOCX"),
        (make_zip({"a.txt": "x"}), "word/document.xml is missing"),
        (b"\xd0\xcf\x11\xe0" + bytes(600), "encrypted DOCX"),
        (b"no zip at all", "damaged DOCX"),
    ):
        with pytest.raises(ReadingError, match=reason):
            read("a.docx", content)


@pytest.mark.parametrize("name", ["a.docx", "a.epub", "a.xlsx", "a.odt", "a.pptx"])
def test_zip_bombs_are_refused(name: str) -> None:
    bomb = make_zip({"word/document.xml": b"0" * (64 << 20)})
    with pytest.raises(ReadingError, match="ZIP bomb"):
        read(name, bomb)


def test_a_part_with_a_wrong_checksum_is_refused() -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("word/document.xml", "<w>text</w>")
    with pytest.raises(ReadingError, match="damaged DOCX"):
        read("a.docx", out.getvalue().replace(b"<w>text", b"<w>TEXT"))


def test_slides_become_sections_with_their_numbers_as_pages() -> None:
    spaces = (
        'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" '
        'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
        'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
    )

    def shape(kind: str, *lines: str) -> str:
        text = "".join(f"<a:p><a:r><a:t>{line}</a:t></a:r></a:p>" for line in lines)
        place = f'<p:nvSpPr><p:nvPr><p:ph type="{kind}"/></p:nvPr></p:nvSpPr>'
        return f"<p:sp>{place}<p:txBody>{text}</p:txBody></p:sp>"

    slides = {
        f"ppt/slides/s{n}.xml": f"<p:sld {spaces}>{shape('title', f'Slide {n}')}"
        f"{shape('body', 'one', 'two')}{shape('sldNum', '9')}</p:sld>"
        for n in (1, 2)
    }
    links = "".join(
        f'<Relationship Id="r{n}" Type="x/slide" Target="slides/s{n}.xml"/>' for n in (1, 2)
    )
    draft = read(
        "a.pptx",
        make_zip(
            {
                "ppt/presentation.xml": f'<p:presentation {spaces}><p:sldIdLst><p:sldId r:id="r2"/>'
                '<p:sldId r:id="r1"/></p:sldIdLst></p:presentation>',
                "ppt/_rels/presentation.xml.rels": "<Relationships xmlns="
                '"http://schemas.openxmlformats.org/package/2006/relationships">'
                f"{links}</Relationships>",
                **slides,
            }
        ),
    )
    assert texts(draft) == ["Slide 2", "- one\n- two", "Slide 1", "- one\n- two"]
    assert [block.page for block in draft.blocks] == [1, 1, 2, 2]
    assert draft.title == "Slide 2"
    assert paths(draft) == [("Slide 1",)]


def test_sheets_become_tables_and_dates_are_shown_as_dates() -> None:
    space = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
    rel = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
    draft = read(
        "a.xlsx",
        make_zip(
            {
                "xl/workbook.xml": f'<workbook {space} {rel}><sheets><sheet name="Sales" r:id="r1"/>'
                '<sheet name="Secret" state="hidden" r:id="r1"/></sheets></workbook>',
                "xl/_rels/workbook.xml.rels": "<Relationships xmlns="
                '"http://schemas.openxmlformats.org/package/2006/relationships">'
                '<Relationship Id="r1" Type="x/worksheet" Target="worksheets/s.xml"/></Relationships>',
                "xl/sharedStrings.xml": f"<sst {space}><si><t>day</t></si><si><t>sum</t></si></sst>",
                "xl/styles.xml": f'<styleSheet {space}><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/>'
                "</cellXfs></styleSheet>",
                "xl/worksheets/s.xml": f'<worksheet {space}><sheetData><row r="2"><c r="B2" t="s"><v>0</v>'
                '</c><c r="C2" t="s"><v>1</v></c></row><row r="3"><c r="B3" s="1"><v>45293</v></c>'
                '<c r="C3"><v>0.30000000000000004</v></c></row></sheetData></worksheet>',
            }
        ),
    )
    # Day 45,293 of Excel's calendar is 2 January 2024.
    assert texts(draft) == ["Sales", "| day | sum |\n| --- | --- |\n| 2024-01-02 | 0.3 |"]


ODF = (
    'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
    'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" '
    'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"'
)


def test_an_opendocument_text_is_read_with_its_structure() -> None:
    body = (
        '<text:h text:outline-level="1">Guide</text:h><text:h text:outline-level="2">Part</text:h>'
        "<text:p>A<text:s/>b<text:line-break/>c</text:p><text:list><text:list-item><text:p>one</text:p>"
        "</text:list-item></text:list><table:table><table:table-row><table:table-cell><text:p>1</text:p>"
        "</table:table-cell><table:table-cell><text:p>2</text:p></table:table-cell></table:table-row>"
        "</table:table>"
    )
    content = f"<office:document-content {ODF}><office:body>{body}</office:body></office:document-content>"
    draft = read("a.odt", make_zip({"content.xml": content}))
    assert draft.title == "Guide"
    assert paths(draft) == [("Part",)]
    assert texts(draft)[2:] == ["A b\nc", "- one", "| 1 | 2 |"]


def test_an_opendocument_sheet_repeats_cells_within_reason() -> None:
    cell = "<table:table-cell {}><text:p>{}</text:p></table:table-cell>"
    rows = (
        "<table:table-row>" + cell.format("", "a") + cell.format("", "b") + "</table:table-row>"
        "<table:table-row>" + cell.format('table:number-columns-repeated="2"', "7")
        + '</table:table-row><table:table-row table:number-rows-repeated="1048576">'
        '<table:table-cell table:number-columns-repeated="16384"/></table:table-row>'
    )  # fmt: skip
    content = (
        f"<office:document-content {ODF}><office:body><office:spreadsheet>"
        f'<table:table table:name="S">{rows}</table:table></office:spreadsheet></office:body>'
        "</office:document-content>"
    )
    draft = read("a.ods", make_zip({"content.xml": content}))
    assert texts(draft) == ["S", "| a | b |\n| --- | --- |\n| 7 | 7 |"]


def test_a_book_is_read_in_the_order_of_its_spine() -> None:
    draft = read(
        "a.epub",
        make_zip(
            {
                "META-INF/container.xml": '<container><rootfile full-path="o/b.opf"/></container>',
                "o/b.opf": '<package xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata>'
                "<dc:title>The Book</dc:title><dc:creator>Ann</dc:creator><dc:language>en</dc:language>"
                '</metadata><manifest><item id="n" href="nav.xhtml" properties="nav"/>'
                '<item id="one" href="1.xhtml"/><item id="two" href="c%20d/2.xhtml"/></manifest><spine>'
                '<itemref idref="n"/><itemref idref="two"/><itemref idref="one"/></spine></package>',
                "o/nav.xhtml": "<nav><a href='1.xhtml'>One</a></nav>",
                "o/1.xhtml": "<html><body><h1>One</h1><p>first</p></body></html>",
                "o/c d/2.xhtml": "<html><body><h1>Two</h1><p>second</p></body></html>",
            }
        ),
    )
    assert draft.title == "The Book"
    assert texts(draft) == ["Two", "second", "One", "first"]
    assert paths(draft) == [("Two",), ("One",)]
    assert draft.metadata == {"author": "Ann", "language": "en"}


def test_a_message_is_read_with_its_head_and_quotes() -> None:
    draft = read(
        "a.eml",
        "Subject: =?utf-8?q?Gr=C3=B6=C3=9Fe?=\nFrom: Ann <a@b.c>\nDate: Tue, 02 Jan 2024 10:00:00 +0000\n"
        "Content-Type: text/plain; charset=utf-8\n\nMy answer.\n\n> the question\n> goes on\n\n-- \nAnn\n",
    )
    assert draft.title == "Größe"
    assert draft.metadata == {
        "author": "Ann", "from": "Ann <a@b.c>", "date": "2024-01-02", "type": "e-mail"
    }  # fmt: skip
    assert list(zip(kinds(draft), texts(draft), strict=True)) == [
        ("paragraph", "My answer."),
        ("quote", "the question goes on"),
    ]


def test_a_message_with_html_alone_is_read_as_html() -> None:
    draft = read(
        "a.eml",
        "Subject: s\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/html\n\n"
        "<p>One</p><ul><li>two</ul>\n--b\nContent-Type: image/png\n"
        "Content-Disposition: attachment; filename=plan.png\n\nxx\n--b--\n",
    )
    assert texts(draft) == ["One", "- two", "Attachments: plan.png"]


def test_a_mailbox_gives_its_messages() -> None:
    message = "From x@y Mon\nSubject: {}\n\nbody {}\n\n"
    draft = read("a.mbox", message.format("One", 1) + message.format("Two", 2))
    assert texts(draft) == ["One", "body 1", "Two", "body 2"]


def test_a_damaged_outlook_message_is_refused() -> None:
    with pytest.raises(ReadingError, match="damaged Outlook"):
        read("a.msg", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(1000))


def test_formulas_and_lines_of_code_of_an_opendocument_text_are_kept() -> None:
    drawn = (
        'xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" '
        'xmlns:xlink="http://www.w3.org/1999/xlink"'
    )
    frame = '<draw:frame><draw:object xlink:href="Formula-0/"/></draw:frame>'
    code = '<text:p text:style-name="Source_Text">{}</text:p>'
    body = (
        f"<text:p>Height {frame} is.</text:p><text:p>{frame}</text:p>"
        + code.format("def f():")
        + code.format('<text:s text:c="4"/>return<text:tab/>1')
        + "<text:p>End.</text:p>"
    )
    styles = "<style:style style:name='Source_Text' xmlns:style='urn:oasis:names:tc:opendocument:xmlns:style:1.0'/>"
    content = (
        f"<office:document-content {ODF} {drawn}>{styles}<office:body>{body}</office:body>"
        "</office:document-content>"
    )
    formula = "<math xmlns='http://www.w3.org/1998/Math/MathML' display='block'><mi>h</mi></math>"
    draft = read("a.odt", make_zip({"content.xml": content, "Formula-0/content.xml": formula}))
    assert texts(draft) == [
        "Height $h$ is.", "$$h$$", "def f():\n    return\t1", "End.",
    ]  # fmt: skip


def test_a_further_paragraph_of_an_item_and_what_a_picture_shows_are_kept() -> None:
    numbering = NUMBERING.replace(
        "</w:numbering>",
        '<w:abstractNum w:abstractNumId="7"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/>'
        '<w:lvlText w:val=" "/></w:lvl></w:abstractNum><w:num w:numId="7">'
        '<w:abstractNumId w:val="7"/></w:num></w:numbering>',
    )
    picture = '<w:p><w:r><w:drawing><x:docPr xmlns:x="x" descr="A gauge"/></w:drawing></w:r></w:p>'
    draft = read(
        "a.docx",
        docx(
            item("one", 2) + item("more of one", 7) + item("two", 2) + picture,
            **{"word/numbering.xml": numbering},
        ),
    )
    assert texts(draft) == ["- one\n  more of one\n- two", "[image: A gauge]"]


def test_all_texts_of_a_message_are_read_and_what_is_attached_under_its_name() -> None:
    inner = "Subject: Old\nFrom: Bo <b@c.d>\n\nTwelve valves.\n"
    parts = (
        "Content-Type: text/plain\n\nFirst.\n\n-- \nAnn\nTel. 1\n\nOn Monday Bo wrote:\n> Where?\n",
        "Content-Type: text/plain\n\nSecond.\n",
        "Content-Type: text/csv\nContent-Disposition: attachment; filename=s.csv\n\na,b\n1,2\n",
        "Content-Type: image/png\nContent-Disposition: attachment; filename=p.png\n\nx\n",
        f"Content-Type: message/rfc822\n\n{inner}",
    )
    body = "".join(f"--x\n{part}\n" for part in parts)
    draft = read("a.eml", f"Subject: S\nContent-Type: multipart/mixed; boundary=x\n\n{body}--x--\n")
    check_tiling(draft)
    assert texts(draft) == [
        "First.", "On Monday Bo wrote:", "Where?", "Second.", "Attachments: s.csv, p.png", "s.csv",
        "| a | b |\n| --- | --- |\n| 1 | 2 |", "Old", "Bo", "Twelve valves.",
    ]  # fmt: skip
    assert paths(draft) == [("s.csv",), ("Old",)]


def test_bytes_in_a_header_that_names_no_encoding_are_read() -> None:
    draft = read("a.eml", "Subject: Café prices\nFrom: a@b.c\n\nFive.\n".encode("cp1252"))
    assert (draft.title, draft.metadata["author"]) == ("Café prices", "a@b.c")


def test_numbers_of_a_sheet_are_shown_with_their_unit_and_tables_side_by_side_apart() -> None:
    s = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
    styles = (
        f'<styleSheet {s}><numFmts><numFmt numFmtId="200" formatCode=\'#,##0.00 "EUR"\'/>'
        '<numFmt numFmtId="201" formatCode="[$$-409]#,##0"/></numFmts><cellXfs><xf numFmtId="0"/>'
        '<xf numFmtId="10"/><xf numFmtId="200"/><xf numFmtId="201"/></cellXfs></styleSheet>'
    )
    grid = [
        ("A", "t", "Part"), ("B", "t", "Share"), ("C", "t", "Price"), ("F", "t", "Land"), ("G", "t", "Tax")
    ], [("A", "t", "Pump"), ("B", "1", "0.195"), ("C", "2", "12.5"), ("F", "t", "SE"), ("G", "3", "25")]  # fmt: skip
    rows = "".join(
        f'<row r="{n}">'
        + "".join(
            f'<c r="{column}{n}" t="inlineStr"><is><t>{value}</t></is></c>'
            if style == "t"
            else f'<c r="{column}{n}" s="{style}"><v>{value}</v></c>'
            for column, style, value in cells
        )
        + "</row>"
        for n, cells in enumerate(grid, 1)
    )
    r = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    book = make_zip(
        {
            "xl/workbook.xml": f'<workbook {s} xmlns:r="{r}"><sheets><sheet name="S" r:id="a"/></sheets></workbook>',
            "xl/_rels/workbook.xml.rels": '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
            f'<Relationship Id="a" Type="{r}/worksheet" Target="worksheets/s.xml"/></Relationships>',
            "xl/styles.xml": styles,
            "xl/worksheets/s.xml": f"<worksheet {s}><sheetData>{rows}</sheetData></worksheet>",
        }
    )
    assert texts(read("a.xlsx", book), "table") == [
        "| Part | Share | Price |\n| --- | --- | --- |\n| Pump | 19.5% | 12.5 EUR |",
        "| Land | Tax |\n| --- | --- |\n| SE | $25 |",
    ]


def test_the_footnotes_of_a_book_and_of_an_opendocument_text_are_kept() -> None:
    page = (
        '<html xmlns:epub="http://www.idpf.org/2007/ops"><body><h1>Fox</h1><p>A fox'
        '<a epub:type="noteref" href="#f">1</a> ran.</p><aside epub:type="footnote" id="f">'
        "<p>Vulpes.</p></aside></body></html>"
    )
    assert texts(read("a.xhtml", page))[1:] == ["A fox [1] ran.", "Vulpes."]
    note = "<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>By post."
    body = f"<text:p>Anyone joins.{note}</text:p></text:note-body></text:note></text:p>"
    content = f"<office:document-content {ODF}><office:body>{body}</office:body></office:document-content>"
    assert texts(read("a.odt", make_zip({"content.xml": content}))) == ["Anyone joins. (By post.)"]


def test_a_date_that_the_text_states_is_that_of_the_document() -> None:
    styled = STYLES.replace(
        "</w:styles>", '<w:style w:styleId="D"><w:name w:val="Date"/></w:style></w:styles>'
    )
    body = paragraph("14 March 2025", "D") + paragraph("Text.")
    draft = read("a.docx", docx(body, **{"word/styles.xml": styled}))
    assert draft.metadata["date"] == "2025-03-14"
    assert texts(draft) == ["14 March 2025", "Text."]
    undated = read("a.docx", docx(paragraph("Text."), **{"word/styles.xml": styled}))
    assert undated.metadata["date"] == "2024-01-02"


def test_an_odt_states_its_date_and_page_numbers_are_left_out() -> None:
    content = (
        '<o:document-content xmlns:o="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
        'xmlns:t="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><o:body><o:text>'
        '<t:p t:style-name="Date">March 14, 2025</t:p><t:p>Text.</t:p>'
        "<t:p><t:page-number>&lt;number&gt;</t:page-number></t:p></o:text></o:body>"
        "</o:document-content>"
    )
    draft = read("a.odt", make_zip({"content.xml": content}))
    assert draft.metadata["date"] == "2025-03-14"
    assert texts(draft) == ["March 14, 2025", "Text."]
