"""E-mail: messages (.eml), mailboxes (.mbox) and Outlook's messages (.msg)."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator
from email import message_from_bytes, policy
from email.errors import MessageError
from email.headerregistry import HeaderRegistry
from email.message import EmailMessage, Message
from email.utils import parseaddr, parsedate_to_datetime
from typing import Any

from graphrag.domain import MetadataValue
from graphrag.errors import ReadingError
from graphrag.reading.attachments import Attachment, add_attachments
from graphrag.reading.builder import DocumentBuilder, Draft
from graphrag.reading.encoding import decode
from graphrag.reading.html import add_html, parse_html
from graphrag.reading.inline import clean
from graphrag.reading.text import add_text

_MAX_HEADER = 1000
_FROM_LINE = re.compile(rb"^From [^\n]*\n", re.MULTILINE)
_QUOTED = re.compile(r"^\s*(?:> ?)+")
_RULE = re.compile(r"^[_=-]{10,}[ \t]*$", re.MULTILINE)
_SIGNATURE = re.compile(r"^-- ?\n", re.MULTILINE)
_ANSWERED = re.compile(r"^(?:[^\n]{0,300}:[ \t]*\n\s*>|>|-{3,} ?\w+ [Mm]essage)", re.MULTILINE)
_MAX_DEPTH = 5


def read_mail(content: bytes, name: str) -> Draft:
    """One message: its subject is the title. What is attached is read as sections below it,
    or only named where it has no text."""
    message = _parsed(content)
    builder = DocumentBuilder()
    _add_message(builder, message)
    metadata = _metadata(message)
    subject = metadata.pop("subject", "")
    return builder.build(title=str(subject) or name, metadata=metadata)


def read_mbox(content: bytes, name: str) -> Draft:
    """A mailbox: each message under its subject. Raises ReadingError where it holds none."""
    builder = DocumentBuilder()
    for part in _FROM_LINE.split(content):
        if part.strip():
            _add_under_subject(builder, _parsed(part))
    return builder.build(title=name)


def _add_under_subject(builder: DocumentBuilder, message: Message) -> None:
    metadata = _metadata(message)
    builder.add_heading(1, str(metadata.get("subject") or "(no subject)"))
    about = [str(metadata[key]) for key in ("author", "date") if key in metadata]
    builder.add_paragraph(", ".join(about))
    builder.depth += 1
    _add_message(builder, message)
    builder.depth -= 1


def _add_message(builder: DocumentBuilder, message: Message) -> None:
    """Add the text of a message and what is attached to it."""
    attached: list[Message] = []
    for plain, html in _bodies(message, attached):
        add_body(builder, plain, html)
    files = [part for part in attached if part.get_content_type() != "message/rfc822"]
    add_attachments(builder, [_attachment(part) for part in files])
    messages = [part for part in attached if part.get_content_type() == "message/rfc822"]
    for part in messages if builder.depth < _MAX_DEPTH else ():
        for inner in part.get_payload():
            if isinstance(inner, Message):
                _add_under_subject(builder, inner)


def _attachment(part: Message) -> Attachment:
    kind = part.get_content_type()
    if kind.startswith("text/") and kind != "text/html":
        return Attachment(_name_of(part), _text(part).encode("utf-8", "replace"), kind)
    payload = part.get_payload(decode=True)
    return Attachment(_name_of(part), payload if isinstance(payload, bytes) else b"", kind)


def add_body(builder: DocumentBuilder, plain: str, html: str) -> None:
    """Add a message's text, the plain one where there is one; quoted lines as quotes."""
    if plain.strip():
        for is_quote, text in _parts(_RULE.sub("", _without_signature(clean(plain)))):
            if is_quote:
                for paragraph in re.split(r"\n\s*\n", text):
                    builder.add_quote(paragraph)
            else:
                add_text(builder, text)
    elif html.strip():
        add_html(builder, parse_html(html))


def _without_signature(text: str) -> str:
    """The text without the lines from ``-- `` on, up to the message that is answered."""
    mark = _SIGNATURE.search(text)
    if not mark:
        return text
    answered = _ANSWERED.search(text, mark.end())
    return text[: mark.start()] + (text[answered.start() :] if answered else "")


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


def _parsed(content: bytes) -> Message:
    try:
        message = message_from_bytes(content, policy=policy.default.clone(header_factory=_short))
    except (MessageError, ValueError, LookupError, IndexError) as error:
        raise ReadingError(f"damaged e-mail: {error}") from error
    if not isinstance(message, EmailMessage):
        raise ReadingError("damaged e-mail: it has no message")
    return message


def _short(name: str, value: str) -> Any:
    """A parsed header, cut: the standard library takes time in the square of its length.
    Bytes beyond ASCII, which a header should not have, are read as those of a text are."""
    value = value[:_MAX_HEADER]
    if not value.isascii():
        value = decode(value.encode("utf-8", "surrogateescape"))
    return HeaderRegistry()(name, value)


def _bodies(message: Message, attached: list[Message]) -> Iterator[tuple[str, str]]:
    """The texts of a message in order, each plain and as HTML, one of them empty where there
    is but one; what is attached goes to the list."""
    kind = message.get_content_type()
    if message.get_content_disposition() == "attachment" or kind == "message/rfc822":
        attached.append(message)
    elif message.is_multipart():
        parts = [part for part in message.get_payload() if isinstance(part, Message)]
        found = [body for part in parts for body in _bodies(part, attached)]
        if kind == "multipart/alternative":
            yield (
                next((plain for plain, _ in found if plain.strip()), ""),
                next((html for _, html in found if html.strip()), ""),
            )
        else:
            yield from found
    elif kind == "text/plain":
        yield _text(message), ""
    elif kind == "text/html":
        yield "", _text(message)
    elif _name_of(message):
        attached.append(message)


def _text(part: Message) -> str:
    payload = part.get_payload(decode=True)
    if not isinstance(payload, bytes) or not payload.strip():
        return ""
    charset = part.get_param("charset")
    return decode(payload, charset if isinstance(charset, str) else None)


def _name_of(part: Message) -> str:
    return " ".join((part.get_filename() or "").split())


def _header(message: Message, name: str) -> str:
    try:
        value = message.get(name)
    except (ValueError, IndexError, TypeError, AttributeError, KeyError, OverflowError):
        # The header parser of the standard library fails on some broken headers.
        return ""
    return " ".join(str(value).split()) if value is not None else ""


def _metadata(message: Message) -> dict[str, MetadataValue]:
    fields = {"subject": "Subject", "from": "From", "to": "To", "cc": "Cc"}
    found: dict[str, MetadataValue] = {
        key: value for key, name in fields.items() if (value := _header(message, name))
    }
    sender = str(found.get("from", ""))
    if author := parseaddr(sender)[0] or sender:
        found["author"] = author
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
