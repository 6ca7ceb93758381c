"""EPUB: the chapters of a book in their order, each read as HTML."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from urllib.parse import unquote

from graphrag.domain import MetadataValue
from graphrag.errors import ReadingError
from graphrag.reading.builder import DocumentBuilder, Draft
from graphrag.reading.elements import Element, local_name, text_of
from graphrag.reading.encoding import decode
from graphrag.reading.html import add_html, main_content, parse_html
from graphrag.reading.zips import Package

_KEYS = {"title": "title", "creator": "author", "date": "date", "language": "language",
         "publisher": "publisher", "subject": "keywords"}  # fmt: skip
_CONTENTS = ("toc", "landmarks", "page-list")


def read_epub(content: bytes, name: str) -> Draft:
    """A book; its table of contents and pages left out of the reading order are left out.

    Raises ReadingError: damaged, protected against copying, a ZIP bomb.
    """
    package = Package(content, "EPUB")
    if package.read("META-INF/encryption.xml") and package.read("META-INF/rights.xml"):
        raise ReadingError("encrypted EPUB: it is protected against copying")
    path = _package_path(package)
    root = package.needed_xml(path)
    builder = DocumentBuilder()
    for chapter in _spine(root, posixpath.dirname(path)):
        page = package.read(chapter)
        if page and page.strip():
            try:
                tree = parse_html(decode(page))
            except ReadingError:
                # A chapter without any text, such as a cover.
                continue
            if not _is_contents(tree):
                add_html(builder, main_content(tree))
    metadata = _metadata(root)
    title = metadata.pop("title", "")
    return builder.build(
        title=title if isinstance(title, str) else title[0], fallback_title=name, metadata=metadata
    )


def _package_path(package: Package) -> str:
    container = package.xml("META-INF/container.xml")
    for element in container.iter() if container is not None else ():
        if isinstance(element.tag, str) and local_name(element) == "rootfile":
            return element.get("full-path") or ""
    found = [name for name in package.names() if name.endswith(".opf")]
    if not found:
        raise ReadingError("damaged EPUB file: it names no chapters")
    return found[0]


def _spine(root: Element, folder: str) -> Iterator[str]:
    """Paths of the chapters in reading order."""
    items: dict[str, tuple[str, str]] = {}
    for element in root.iter():
        if isinstance(element.tag, str) and local_name(element) == "item":
            path = posixpath.normpath(posixpath.join(folder, unquote(element.get("href") or "")))
            items[element.get("id") or ""] = (path, element.get("properties") or "")
    for element in root.iter():
        if not isinstance(element.tag, str) or local_name(element) != "itemref":
            continue
        path, properties = items.get(element.get("idref") or "", ("", ""))
        if path and element.get("linear") != "no" and "nav" not in properties.split():
            yield path


def _is_contents(tree: Element) -> bool:
    """Whether a page is a table of contents: it says so, or its text is links."""
    for element in tree.iter():
        if isinstance(element.tag, str):
            kind = " ".join(
                str(value) for key, value in element.attrib.items() if str(key).endswith("type")
            )
            if local_name(element) in ("nav", "body", "section") and kind in _CONTENTS:
                return True
    links = sum(len(text_of(a)) for a in tree.iter("a"))
    return links > 0.8 * len(text_of(tree)) and sum(1 for _ in tree.iter("a")) > 8


def _metadata(root: Element) -> dict[str, MetadataValue]:
    found: dict[str, list[str]] = {}
    for element in root.iter():
        if not isinstance(element.tag, str) or "purl.org/dc" not in element.tag:
            continue
        key = _KEYS.get(local_name(element))
        if key and (value := text_of(element)):
            found.setdefault(key, []).append(value.partition("T")[0] if key == "date" else value)
    return {
        key: values[0]
        if len(values) == 1 or key in ("title", "date", "language")
        else tuple(values)
        for key, values in found.items()
    }
