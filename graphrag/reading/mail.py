"""E-mail: messages (.eml), mailboxes (.mbox) and Outlook's messages (.msg)."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator
from email import message_from_bytes, policy
from email.errors import MessageError
from email.headerregistry import HeaderRegistry
from email.message import EmailMessage
from email.utils import parsedate_to_datetime
from typing import Any

from graphrag.domain import MetadataValue
from graphrag.errors import ReadingError
from graphrag.reading.builder import DocumentBuilder, Draft
from graphrag.reading.encoding import decode
from graphrag.reading.html import add_html, parse_html
from graphrag.reading.inline import clean
from graphrag.reading.text import add_text

_MAX_HEADER = 1000
_FROM_LINE = re.compile(rb"^From [^\n]*\n", re.MULTILINE)
_QUOTED = re.compile(r"^\s*>+ ?", re.MULTILINE)
_SIGNATURE = re.compile(r"^-- \n.*\Z", re.DOTALL | re.MULTILINE)


def read_mail(content: bytes, name: str) -> Draft:
    """One message: its subject is the title; attachments are named, not read."""
    message = _parsed(content)
    builder = DocumentBuilder()
    add_body(builder, *_bodies(message))
    _add_attachments(builder, _attachments(message))
    metadata = _metadata(message)
    subject = metadata.pop("subject", "")
    return builder.build(title=str(subject), fallback_title=name, metadata=metadata)


def read_mbox(content: bytes, name: str) -> Draft:
    """A mailbox: each message under its subject. Raises ReadingError where it holds none."""
    builder = DocumentBuilder()
    for part in _FROM_LINE.split(content):
        if not part.strip():
            continue
        message = _parsed(part)
        metadata = _metadata(message)
        builder.add_heading(1, str(metadata.get("subject") or "(no subject)"))
        about = [str(metadata[key]) for key in ("author", "date") if key in metadata]
        builder.add_paragraph(", ".join(about))
        add_body(builder, *_bodies(message))
    return builder.build(title=name)


def add_body(builder: DocumentBuilder, plain: str, html: str) -> None:
    """Add a message's text, the plain one where there is one; quoted lines as quotes."""
    if plain.strip():
        for is_quote, text in _parts(_SIGNATURE.sub("", clean(plain))):
            if is_quote:
                for paragraph in re.split(r"\n\s*\n", text):
                    builder.add_quote(paragraph)
            else:
                add_text(builder, text)
    elif html.strip():
        add_html(builder, parse_html(html))


def _parts(text: str) -> Iterator[tuple[bool, str]]:
    """Stretches of quoted and of own lines."""
    lines: list[str] = []
    quoted = False
    for line in text.split("\n"):
        is_quote = line.lstrip().startswith(">")
        if is_quote != quoted and line.strip():
            yield quoted, "\n".join(lines)
            lines, quoted = [], is_quote
        lines.append(_QUOTED.sub("", line) if is_quote else line)
    yield quoted, "\n".join(lines)


def _parsed(content: bytes) -> EmailMessage:
    try:
        message = message_from_bytes(content, policy=policy.default.clone(header_factory=_short))
    except (MessageError, ValueError, LookupError, IndexError) as error:
        raise ReadingError(f"damaged e-mail: {error}") from error
    if not isinstance(message, EmailMessage):
        raise ReadingError("damaged e-mail: it has no message")
    return message


def _short(name: str, value: str) -> Any:
    """A parsed header, cut: the standard library takes time in the square of its length."""
    return HeaderRegistry()(name, value[:_MAX_HEADER])


def _bodies(message: EmailMessage) -> tuple[str, str]:
    """The plain and the HTML text, each empty where there is none."""
    found = {"text/plain": "", "text/html": ""}
    for part in message.walk():
        kind = part.get_content_type()
        if kind not in found or found[kind] or part.get_content_disposition() == "attachment":
            continue
        payload = part.get_payload(decode=True)
        if isinstance(payload, bytes) and payload.strip():
            charset = part.get_param("charset")
            found[kind] = decode(payload, charset if isinstance(charset, str) else None)
    return found["text/plain"], found["text/html"]


def _attachments(message: EmailMessage) -> list[str]:
    names = [part.get_filename() for part in message.walk()]
    return [name for name in names if name]


def _add_attachments(builder: DocumentBuilder, names: list[str]) -> None:
    if names:
        builder.add_paragraph(f"Attachments: {', '.join(names)}")


def _header(message: EmailMessage, name: str) -> str:
    try:
        value = message.get(name)
    except (ValueError, IndexError, TypeError, AttributeError, KeyError, OverflowError):
        # The header parser of the standard library fails on some broken headers.
        return ""
    return " ".join(str(value).split()) if value is not None else ""


def _metadata(message: EmailMessage) -> dict[str, MetadataValue]:
    fields = {"subject": "Subject", "author": "From", "to": "To", "cc": "Cc"}
    found: dict[str, MetadataValue] = {
        key: value for key, name in fields.items() if (value := _header(message, name))
    }
    if date := iso_date(_header(message, "Date")):
        found["date"] = date
    found["type"] = "e-mail"
    return found


def iso_date(text: str) -> str:
    """A header's date in ISO form, or nothing."""
    try:
        moment: datetime.datetime = parsedate_to_datetime(text)
    except (ValueError, TypeError, IndexError, OverflowError):
        return ""
    return moment.date().isoformat()
