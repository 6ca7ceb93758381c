"""What hangs on a message is read by the reader of its kind, or named with the reason."""

from __future__ import annotations

from email.message import EmailMessage

from graphrag.reading.builder import Draft
from tests.ole_samples import make_ole
from tests.reading_samples import check_tiling, make_pdf, make_zip, paths, read, texts

_WORD = (
    '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>'
    '<w:p><w:pPr><w:outlineLvl w:val="0"/></w:pPr><w:r><w:t>Terms</w:t></w:r></w:p>'
    "<w:p><w:r><w:t>Rent is due in May.</w:t></w:r></w:p></w:body></w:document>"
)


def _message(*files: tuple[str, bytes]) -> bytes:
    message = EmailMessage()
    message["Subject"] = "Lease"
    message.set_content("See the files.")
    for name, content in files:
        kind = "octet-stream"
        message.add_attachment(content, maintype="application", subtype=kind, filename=name)
    return message.as_bytes()


def _read(*files: tuple[str, bytes]) -> Draft:
    draft = read("a.eml", _message(*files))
    check_tiling(draft)
    return draft


def test_attached_files_are_parts_of_the_message_under_their_names() -> None:
    draft = _read(
        ("lease.docx", make_zip({"word/document.xml": _WORD})),
        ("plan.pdf", make_pdf([[(72, 700, 11, "F", "The north room is the largest room.")]])),
        ("rates.csv", b"City,Rate\nOslo,4\n"),
    )
    assert texts(draft, "paragraph") == [
        "See the files.",
        "Attachments: lease.docx, plan.pdf, rates.csv",
        "Rent is due in May.",
        "The north room is the largest room.",
    ]
    assert [path for path in dict.fromkeys(paths(draft)) if path] == [
        ("lease.docx",),
        ("lease.docx", "Terms"),
        ("plan.pdf",),
        ("rates.csv",),
    ]
    assert draft.title == "Lease"


def test_an_attached_file_without_a_name_of_use_is_known_by_its_type_or_its_first_bytes() -> None:
    message = EmailMessage()
    message["Subject"] = "Lease"
    message.set_content("See the files.")
    word = "vnd.openxmlformats-officedocument.wordprocessingml.document"
    message.add_attachment(
        make_zip({"word/document.xml": _WORD}), maintype="application", subtype=word
    )
    plan = make_pdf([[(72, 700, 11, "F", "The north room is the largest room.")]])
    message.add_attachment(plan, maintype="application", subtype="octet-stream", filename="plan")
    draft = read("a.eml", message.as_bytes())
    assert paths(draft)[-2:] == [("Attachment", "Terms"), ("plan",)]
    assert texts(draft, "paragraph")[-2:] == [
        "Rent is due in May.",
        "The north room is the largest room.",
    ]


def test_an_attached_page_of_a_pdf_keeps_its_number() -> None:
    pages = [[(72, 700, 11, "F", f"What page {n} says to its readers.")] for n in (1, 2)]
    draft = _read(("two.pdf", make_pdf(pages)))
    assert [block.page for block in draft.blocks] == [None, None, None, 1, 2]


def test_a_link_in_an_attached_file_lies_on_its_words() -> None:
    draft = _read(("a.md", b"Some words before.\n\nSee [the rules](http://r.example)."))
    (link,) = draft.links
    assert draft.text[link.start : link.stop] == "the rules"


def test_what_cannot_be_read_is_named_with_its_reason_and_a_picture_without() -> None:
    bomb = make_zip({"word/document.xml": _WORD, "word/media/a.bin": bytes(40 << 20)})
    draft = _read(("logo.png", b"\x89PNG1234"), ("a.docx", bomb), ("b.docx", b"PK\x03\x04cut"))
    assert texts(draft)[0] == "See the files."
    shown = texts(draft)[1]
    assert shown.startswith("Attachments: logo.png, a.docx (not read: ZIP bomb")
    assert "b.docx (not read: damaged DOCX file" in shown
    assert len(draft.blocks) == 2


def test_messages_attached_to_messages_attached_to_messages_come_to_an_end() -> None:
    content = _message(("note.txt", b"The innermost note."))
    for _ in range(12):
        content = _message(("inner.eml", content))
    draft = read("a.eml", content)
    check_tiling(draft)
    assert texts(draft)[-1] == "The innermost note."


def test_an_outlook_message_is_read_with_its_attachments() -> None:
    folder = "__attach_version1.0_#00000000"
    draft = read(
        "a.msg",
        make_ole(
            {
                "__properties_version1.0": bytes(32),
                "__substg1.0_0037001F": "Plan".encode("utf-16-le"),
                "__substg1.0_1000001F": "Please read it.".encode("utf-16-le"),
                f"{folder}/__substg1.0_3707001F": "rates.csv".encode("utf-16-le"),
                f"{folder}/__substg1.0_37010102": b"City,Rate\nOslo,4\n",
            }
        ),
    )
    assert draft.title == "Plan"
    assert texts(draft) == [
        "Please read it.",
        "Attachments: rates.csv",
        "rates.csv",
        "| City | Rate |\n| --- | --- |\n| Oslo | 4 |",
    ]
