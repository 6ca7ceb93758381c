"""ZIP archives that carry documents: their parts, and a guard against bombs."""

from __future__ import annotations

import io
import posixpath
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import unquote

from lxml import etree

from graphrag.errors import ReadingError

Element = etree._Element

_MAX_TOTAL = 512 << 20
_MAX_PARTS = 20_000
_BOMB_RATIO = 150
_MAX_READS = 4
_BOMB_SIZE = 8 << 20
_CORE = {
    "title": "title", "creator": "author", "created": "date", "modified": "modified",
    "keywords": "keywords", "description": "description", "language": "language",
}  # fmt: skip
_RELATIONS = "{http://schemas.openxmlformats.org/package/2006/relationships}Relationship"


@dataclass(frozen=True, slots=True)
class Relation:
    """Where a part of an Office file points: the kind's last word and the target."""

    kind: str
    target: str
    external: bool = False


class Package:
    """A document in a ZIP archive. ``what`` names the format in messages."""

    def __init__(self, content: bytes, what: str) -> None:
        """Raises ReadingError: damaged, encrypted, or unpacking to more than 512 MiB."""
        self._what = what
        if content.startswith(b"\xd0\xcf\x11\xe0"):
            raise ReadingError(f"encrypted {what} file; save a copy without the password")
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(content))
        except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError) as error:
            raise ReadingError(f"damaged {what} file: {error}") from error
        _refuse_bombs(self._zip, what)
        # Each part is read once or twice; a part that is named more often is a bomb as well.
        total = sum(part.file_size for part in self._zip.infolist())
        self._left = _MAX_READS * total
        self._names = {name.lower(): name for name in self._zip.namelist()}

    def names(self) -> list[str]:
        return self._zip.namelist()

    def read(self, name: str) -> bytes | None:
        """A part's bytes, or None where there is no such part. Raises ReadingError."""
        known = self._names.get(name.lstrip("/").lower())
        if known is None:
            return None
        self._left -= self._zip.getinfo(known).file_size
        if self._left < 0:
            raise ReadingError(f"ZIP bomb: this {self._what} file names {name} over and over")
        try:
            return self._zip.read(known)
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError) as error:
            raise ReadingError(f"damaged {self._what} file: {name}: {error}") from error
        except (RuntimeError, NotImplementedError) as error:
            raise ReadingError(f"encrypted or unreadable {self._what} file: {error}") from error

    def xml(self, name: str) -> Element | None:
        """A part's tree; damaged XML as far as it goes; None where there is none."""
        content = self.read(name)
        return parse_xml(content) if content else None

    def needed_xml(self, name: str) -> Element:
        """A part's tree; raises ReadingError where it is missing."""
        root = self.xml(name)
        if root is None:
            raise ReadingError(f"damaged {self._what} file: {name} is missing")
        return root

    def relations(self, part: str) -> Mapping[str, Relation]:
        """Relation id to what a part of an Office file points to."""
        folder, name = posixpath.split(part)
        root = self.xml(posixpath.join(folder, "_rels", f"{name}.rels"))
        found: dict[str, Relation] = {}
        for element in root.iter(_RELATIONS) if root is not None else ():
            target = element.get("Target") or ""
            external = element.get("TargetMode") == "External"
            if not external:
                target = posixpath.normpath(posixpath.join("/", folder, unquote(target))).lstrip(
                    "/"
                )
            kind = (element.get("Type") or "").rpartition("/")[2]
            found[element.get("Id") or ""] = Relation(kind, target, external)
        return found

    def core_metadata(self) -> dict[str, str]:
        """Title, author and date from an Office file's core properties."""
        root = self.xml("docProps/core.xml")
        found: dict[str, str] = {}
        for element in root.iter() if root is not None else ():
            if isinstance(element.tag, str) and element.text and element.text.strip():
                name = element.tag.rpartition("}")[2]
                if name in _CORE:
                    value = " ".join(element.text.split())
                    is_time = name in ("created", "modified")
                    found.setdefault(_CORE[name], value.partition("T")[0] if is_time else value)
        return found


def parse_xml(content: bytes) -> Element | None:
    """The tree of XML content, mended where it is damaged; no entity is expanded and no
    other file is read. None where nothing can be made of it."""
    parser = etree.XMLParser(
        recover=True, resolve_entities=False, no_network=True, load_dtd=False, huge_tree=True,
        remove_comments=True, remove_pis=True,
    )  # fmt: skip
    try:
        return etree.fromstring(content, parser)
    except (etree.XMLSyntaxError, ValueError):
        return None


def _refuse_bombs(archive: zipfile.ZipFile, what: str) -> None:
    parts = archive.infolist()
    total = sum(part.file_size for part in parts)
    if total > _MAX_TOTAL or len(parts) > _MAX_PARTS:
        raise ReadingError(f"ZIP bomb: this {what} file unpacks to {total >> 20} MiB")
    for part in parts:
        if part.file_size > _BOMB_SIZE and part.file_size > _BOMB_RATIO * max(
            part.compress_size, 1
        ):
            size = part.file_size >> 20
            raise ReadingError(
                f"ZIP bomb: {part.filename} in this {what} file unpacks to {size} MiB"
            )
        if part.flag_bits & 1:
            raise ReadingError(f"encrypted {what} file; save a copy without the password")
