"""Headings that stand in the text: bold lines, phrases that begin paragraphs, definitions of
word processors, and lines of fields."""

from graphrag.reading.builder import DocumentBuilder, Draft
from graphrag.reading.inline import Run
from tests.reading_samples import check_tiling, make_zip, paths, read, texts
from tests.test_reading_office import W, docx, paragraph


def entries(draft: Draft) -> list[str]:
    return [block.entry for block in draft.blocks]


def test_phrases_that_begin_paragraphs_name_what_follows_up_to_the_next() -> None:
    text = (
        "# Rules\n\n**Scope.** All pumps.\n\nOld ones too.\n\n**Costs:** None.\n\n## End\n\nText."
    )
    draft = read("a.md", text)
    assert entries(draft) == ["", "Scope", "Scope", "Costs", "", ""]


def test_a_note_or_a_single_bold_phrase_names_nothing() -> None:
    assert not any(entries(read("a.md", "**Scope.** All pumps.\n\nOld ones too.")))
    assert not any(entries(read("a.md", "**Note:** Hot.\n\nText.\n\n**Tip:** Wait.")))


def test_labels_that_come_again_and_theorems_name_nothing() -> None:
    text = "**Claim A.** Yes.\n\n**{}** No.\n\n**{}** Maybe.\n\nText."
    for one, other in (("Case.", "Case."), ("Theorem.", "Proof."), ("From: Ann.", "From: Bo.")):
        assert not any(entries(read("a.md", text.format(one, other))))


def test_bold_lines_are_the_headings_of_a_document_that_has_no_others() -> None:
    draft = read("a.docx", docx(
        paragraph("Scope", run="<w:b/>") + paragraph("All pumps.")
        + paragraph("Costs", run="<w:b/>") + paragraph("None.")
    ))  # fmt: skip
    check_tiling(draft)
    assert paths(draft) == [("Scope",), ("Costs",)]


def test_bold_lines_stay_paragraphs_beside_real_headings() -> None:
    draft = read("a.md", "# A\n\n## B\n\n**Scope**\n\nText.\n\n**Costs**\n\nText.")
    assert paths(draft) == [("B",)]


def test_bold_lines_are_no_headings_where_they_are_sentences_or_stand_alone() -> None:
    for text in ("**Wait.**\n\nText.\n\n**Stop!**\n\nText.", "**Scope**\n\nText."):
        assert not paths(read("a.md", text))


def test_terms_and_definitions_of_word_styles_are_one_entry() -> None:
    style = '<w:style w:styleId="{}"><w:name w:val="{}"/></w:style>'
    styles = style.format("T", "Definition Term") + style.format("D", "Definition")
    draft = read("a.docx", docx(
        paragraph("Impeller", "T") + paragraph("It turns.", "D") + paragraph("It wears.", "D")
        + paragraph("The end."),
        **{"word/styles.xml": f"<w:styles {W}>{styles}</w:styles>"},
    ))  # fmt: skip
    assert texts(draft) == ["Impeller: It turns.", "It wears.", "The end."]
    assert entries(draft) == ["Impeller", "Impeller", ""]


def test_terms_and_definitions_of_opendocument_styles_are_one_entry() -> None:
    line = '<text:p text:style-name="{}">{}</text:p>'
    body = "".join(line.format(*each) for each in (
        ("Definition_20_Term", "Impeller"), ("Definition_20_Definition", "It turns."),
        ("Text", "The end."), ("List_20_Heading", "Vent"), ("List_20_Contents", "It opens."),
    ))  # fmt: skip
    spaces = " ".join(
        f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
        for name in ("office", "text")
    )
    body = f"<office:body><office:text>{body}</office:text></office:body>"
    content = f"<office:c {spaces}>{body}</office:c>"
    draft = read("a.odt", make_zip({"content.xml": content}))
    assert texts(draft) == ["Impeller: It turns.", "The end.", "Vent: It opens."]
    assert entries(draft) == ["Impeller", "", "Vent"]


def test_notes_of_a_docx_are_counted_as_a_reader_sees_them() -> None:
    line = "<w:p><w:r><w:t>{}</w:t></w:r></w:p>"
    note = f'<w:footnote w:id="{{}}">{line}{line.format("More.")}</w:footnote>'
    mark = '<w:r><w:footnoteReference w:id="{}"/></w:r>'
    body = f"<w:p><w:r><w:t>Text</w:t></w:r>{mark.format(27)}{mark.format(21)}</w:p>"
    notes = note.format(21, "Second.") + note.format(27, "First.")
    draft = read("a.docx", docx(body, **{"word/footnotes.xml": f"<w:f {W}>{notes}</w:f>"}))
    assert texts(draft) == ["Text [1] [2]", "[1] First. More.", "[2] Second. More."]


def test_lines_of_fields_stay_lines_in_markdown_and_asciidoc() -> None:
    lines = "Torque: 45 Nm\nPressure: 4 bar"
    assert texts(read("a.md", lines)) == [lines]
    assert texts(read("a.md", "**Torque:** 45 Nm\n**Pressure:** 4 bar")) == [lines]
    assert texts(read("a.adoc", lines)) == [lines]
    assert texts(read("a.md", "One line of prose\nand another.")) == [
        "One line of prose and another."
    ]


def test_a_message_without_a_subject_is_called_by_its_file() -> None:
    message = "From: a@example.org\nContent-Type: text/html\n\n<h1>Offer</h1><p>Text.</p>"
    assert read("m.eml", message).title == "m"


def test_a_footnote_of_several_paragraphs_parts_no_paragraph_of_latex() -> None:
    assert texts(read("a.tex", "One\\footnote{Two.\n\nThree.} four.")) == [
        "One (Two. Three.) four."
    ]


def test_an_empty_builder_has_no_headings() -> None:
    builder = DocumentBuilder()
    builder.add_paragraph([Run("x")])
    assert not paths(builder.build())
