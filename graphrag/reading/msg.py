"""Outlook's .msg files: subject, sender, date, text and what is attached."""

from __future__ import annotations

import datetime
import re
import struct
from typing import Any

import olefile

from graphrag.domain import MetadataValue
from graphrag.errors import ReadingError
from graphrag.reading.attachments import Attachment, add_attachments
from graphrag.reading.builder import DocumentBuilder, Draft
from graphrag.reading.encoding import decode
from graphrag.reading.mail import add_body, iso_date

# Property tags of [MS-OXPROPS].
_SUBJECT, _SENDER, _SENDER_ADDRESS, _TO = "0037", "0C1A", "0C1F", "0E04"
_BODY, _HTML, _HEADERS, _SUBMITTED = "1000", "1013", "007D", 0x0039_0040
_LONG_NAME, _SHORT_NAME, _FILE = "3707", "3704", "3701"
_STREAM_HEADER, _ENTRY = 32, 16
_DATE_HEADER = re.compile(r"^Date:[ \t]*(.+)$", re.MULTILINE | re.IGNORECASE)


def read_msg(content: bytes, name: str) -> Draft:
    """A message of Outlook. Raises ReadingError where it is damaged or no message."""
    try:
        with olefile.OleFileIO(content) as ole:
            return _read(ole, name)
    except (OSError, ValueError, IndexError, TypeError, struct.error, AttributeError) as error:
        raise ReadingError(f"damaged Outlook message: {error}") from error


def _read(ole: Any, name: str) -> Draft:
    if not ole.exists("__properties_version1.0"):
        raise ReadingError("an old Office file that is no message; save it in a newer format")
    builder = DocumentBuilder()
    add_body(builder, _text(ole, _BODY), _text(ole, _HTML))
    add_attachments(builder, _attachments(ole))
    metadata: dict[str, MetadataValue] = {"type": "e-mail"}
    for key, tag in (("author", _SENDER), ("to", _TO)):
        if value := " ".join(_text(ole, tag).split()):
            metadata[key] = value
    if date := _date(ole):
        metadata["date"] = date
    return builder.build(title=_text(ole, _SUBJECT) or name, metadata=metadata)


def _attachments(ole: Any) -> list[Attachment]:
    """The attached files in their order; a message attached as such is none, and is left out."""
    found = []
    storages = {path[0] for path in ole.listdir() if path[0].startswith("__attach_version1.0_")}
    for storage in sorted(storages):
        name = _text(ole, _LONG_NAME, storage) or _text(ole, _SHORT_NAME, storage)
        path = f"{storage}/__substg1.0_{_FILE}0102"
        content = ole.openstream(path).read() if ole.exists(path) else b""
        found.append(Attachment(" ".join(name.split()), content))
    return found


def _text(ole: Any, tag: str, storage: str = "") -> str:
    """A property's text: Unicode (001F), of some code page (001E) or bytes (0102)."""
    for kind in ("001F", "001E", "0102"):
        path = f"{storage}/__substg1.0_{tag}{kind}".lstrip("/")
        if ole.exists(path):
            content = ole.openstream(path).read()
            if kind == "001F":
                return str(content.decode("utf-16-le", "replace")).rstrip("\x00")
            return decode(content.rstrip(b"\x00")) if content.strip(b"\x00") else ""
    return ""


def _date(ole: Any) -> str:
    if found := _DATE_HEADER.search(_text(ole, _HEADERS)):
        return iso_date(found[1].strip())
    entries = ole.openstream("__properties_version1.0").read()[_STREAM_HEADER:]
    for start in range(0, len(entries) - _ENTRY + 1, _ENTRY):
        tag, _, ticks = struct.unpack_from("<IIQ", entries, start)
        if tag == _SUBMITTED:
            # Tenths of microseconds since 1601.
            since = datetime.timedelta(microseconds=ticks // 10)
            try:
                return (datetime.datetime(1601, 1, 1) + since).date().isoformat()
            except OverflowError:
                return ""
    return ""
