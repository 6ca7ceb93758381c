"""Files that hang on a message, each read by the reader of its kind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from graphrag.errors import ReadingError
from graphrag.reading.builder import DocumentBuilder
from graphrag.reading.formats import CORPUS, Format, format_of, reason_against, text_format
from graphrag.reading.read import read_content

_OFFICE = "application/vnd.openxmlformats-officedocument"
_ENDINGS = {
    f"{_OFFICE}.wordprocessingml.document": ".docx", f"{_OFFICE}.spreadsheetml.sheet": ".xlsx",
    f"{_OFFICE}.presentationml.presentation": ".pptx", "application/epub+zip": ".epub",
    "application/vnd.oasis.opendocument.text": ".odt",
    "application/pdf": ".pdf", "text/html": ".html", "text/csv": ".csv", "text/plain": ".txt",
    "text/markdown": ".md", "message/rfc822": ".eml",
}  # fmt: skip
"""How the names of files end that come without a name of use."""


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file's name (which may be empty), its content, and its type as the message has it."""

    name: str
    content: bytes
    type: str = ""


def add_attachments(builder: DocumentBuilder, attachments: Sequence[Attachment]) -> None:
    """Add a line that names the files, then each that can be read under its name.

    One that should be readable and is not (encrypted, damaged, ...) has the reason in the line.
    """
    # A builder of its own: the line stands before what it tells of.
    below = DocumentBuilder()
    below.depth = builder.depth
    shown = [_added(below, each) for each in attachments]
    if names := [name for name in shown if name]:
        builder.add_paragraph(f"Attachments: {', '.join(names)}")
    builder.add_all(below)


def _added(builder: DocumentBuilder, attachment: Attachment) -> str:
    """How the line calls the file, after its content went to the builder."""
    kind = _kind(attachment)
    if kind is None or not attachment.content.strip():
        return attachment.name
    try:
        draft = read_content(attachment.content, kind, attachment.name or f"attachment.{kind.name}")
    except ReadingError as error:
        return f"{attachment.name or 'a file without name'} (not read: {error})"
    builder.add_heading(1, attachment.name or "Attachment")
    builder.depth += 1
    builder.add_draft(draft)
    builder.depth -= 1
    return attachment.name


def _kind(attachment: Attachment) -> Format | None:
    """The reader's format; None for pictures, archives and what nothing is known of."""
    name = attachment.name.lower()
    if reason_against(name) or name.endswith(".gz"):
        return None
    ending = (
        ".pdf" if attachment.content.startswith(b"%PDF-") else _ENDINGS.get(attachment.type, "")
    )
    kind = format_of(name) or format_of(f"_{ending}")
    if kind is None and attachment.type.startswith("text/"):
        return text_format()
    return text_format() if kind and kind.name == CORPUS else kind
