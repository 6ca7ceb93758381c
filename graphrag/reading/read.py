"""One file to its documents: bytes, the format's reader, metadata from beside it."""

from __future__ import annotations

import gzip
import importlib
import io
import re
import zlib
from collections.abc import Callable
from pathlib import Path

from graphrag.domain import Document, MetadataValue
from graphrag.errors import ReadingError
from graphrag.reading.authority import reason_against_authority
from graphrag.reading.border import refusing
from graphrag.reading.builder import Draft
from graphrag.reading.files import MAX_BYTES, printable, read_bytes
from graphrag.reading.formats import (
    CORPUS,
    Format,
    format_of,
    formats,
    reason_against,
    text_format,
)
from graphrag.reading.jsonl import read_jsonl
from graphrag.reading.language import detect_language
from graphrag.reading.sidecar import sidecar_metadata
from graphrag.reading.validity import comparable_day, reason_against_validity

_DAYS = ("date", "valid_from", "valid_to")
__all__ = ["READING_RULES", "formats", "read_content", "read_file"]

_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(?![A-Za-z])")
READING_RULES = "7"
"""Raised whenever a file can be read otherwise than before."""

_SIGNATURES = (
    (b"%PDF-", "a PDF", "pdf"),
    (b"PK\x03\x04", "a ZIP archive", "docx pptx xlsx odt ods epub"),
    (b"\xd0\xcf\x11\xe0", "an old Office file", "msg docx pptx xlsx"),
    (b"\x89PNG", "a picture", "png"),
    (b"\xff\xd8\xff", "a picture", "jpg"),
    (b"\x7fELF", "a program", "elf"),
    (b"{\\rtf", "an RTF file", "rtf"),
)


def read_file(path: Path, *, document_id: str, root: Path) -> list[Document]:
    """The documents of a file: one, but for a ``.jsonl`` corpus one a line.

    The metadata beside the documents (``graphrag.toml``, ``graphrag.csv`` in ``root``)
    wins over the file's own, but not over that of a corpus line. Raises ReadingError with
    the reason for people: empty, encrypted, damaged, binary, too large, ...
    """
    if reason := reason_against(path.name):
        raise ReadingError(reason)
    beside = sidecar_metadata(root)(path)
    content = read_bytes(path)
    if path.suffix.lower() == ".gz":
        content = _unpacked(content)
    kind = format_of(path.name) or text_format()
    source = printable(path)
    name = Path(source).name
    if kind.name == CORPUS:
        with refusing(name, CORPUS):
            return _corpus(content, source, beside)
    draft = read_content(content, kind, name)
    own = {**draft.metadata, **beside}
    return [_document(draft, document_id, source, kind.name, own)]


def read_content(content: bytes, kind: Format, name: str) -> Draft:
    """The draft of a file's content; ``name`` is the file's name, the title if need be.

    Raises ReadingError.
    """
    if not content.strip():
        raise ReadingError("empty: nothing to read")
    for signature, what, names in _SIGNATURES:
        if content.startswith(signature) and kind.name not in names.split():
            raise ReadingError(f"its content is {what}, which its name does not say; rename it")
    with refusing(name, kind.name):
        draft = _reader(kind)(content, name if kind.name == "code" else _stem(name))
    if not draft.blocks:
        raise ReadingError("empty: nothing to read")
    return draft


def _stem(name: str) -> str:
    return name.removesuffix(".gz").rpartition(".")[0] or name


def _reader(kind: Format) -> Callable[[bytes, str], Draft]:
    # Loaded when the first file of its kind comes: together the readers take a second.
    module = importlib.import_module(f"graphrag.reading.{kind.module}")
    reader: Callable[[bytes, str], Draft] = getattr(module, kind.function)
    return reader


def _corpus(content: bytes, source: str, beside: dict[str, MetadataValue]) -> list[Document]:
    documents = [
        _document(
            entry.draft,
            entry.id,
            f"{source}#{entry.id}",
            CORPUS,
            {**beside, **entry.draft.metadata},
        )
        for entry in read_jsonl(content)
        if entry.draft.blocks
    ]
    if not documents:
        raise ReadingError("empty: nothing to read")
    return documents


def _document(
    draft: Draft,
    document_id: str,
    source: str,
    kind: str,
    metadata: dict[str, MetadataValue],
) -> Document:
    reason = reason_against_authority(metadata.get("authority"))
    if reason := reason or reason_against_validity(metadata):
        raise ReadingError(f"metadata of {document_id}: {reason}, or one in graphrag.toml")
    title = metadata.pop("title", None)
    if "authors" in metadata and "author" not in metadata:
        metadata["author"] = metadata.pop("authors")
    author = metadata.get("author")
    if isinstance(author, str) and ";" in author:
        parts = [part.strip() for part in author.split(";")]
        metadata["author"] = tuple(part for part in parts if part) or author
    for key in _DAYS:
        written = metadata.get(key)
        if isinstance(written, str):
            metadata[key] = comparable_day(written) or written
    stated = metadata.get("language", metadata.get("lang"))
    stated = stated if isinstance(stated, str) else draft.language
    if stated and not _LANGUAGE.match(stated):
        stated = None  # "C" of a program's settings
    language = re.split(r"[-_]", stated)[0].lower() if stated else None
    return Document(
        id=document_id,
        source=source,
        title=title if isinstance(title, str) and title else draft.title,
        text=draft.text,
        blocks=draft.blocks,
        format=kind,
        metadata=dict(sorted(metadata.items())),
        links=draft.links,
        language=language or detect_language(draft.text),
    )


def _unpacked(content: bytes) -> bytes:
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(content)) as packed:
            unpacked = packed.read(MAX_BYTES + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise ReadingError(f"damaged gzip file: {error}") from error
    if len(unpacked) > MAX_BYTES:
        raise ReadingError(f"too large: more than {MAX_BYTES >> 20} MiB when unpacked")
    return unpacked
