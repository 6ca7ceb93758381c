"""XML of books, articles and feeds: CNXML, JATS, DocBook, TEI, FictionBook, RSS, Atom."""

from __future__ import annotations

import html
import re

from graphrag.errors import ReadingError
from graphrag.reading.builder import DocumentBuilder, Draft
from graphrag.reading.elements import Element, local_name, text_of
from graphrag.reading.encoding import decode
from graphrag.reading.html import add_html, parse_html
from graphrag.reading.inline import Run, clean
from graphrag.reading.names import names
from graphrag.reading.tree import BLOCK, Part, TreeReader
from graphrag.reading.xml_metadata import REFERENCES, book_metadata, is_within
from graphrag.reading.xml_parts import classify_book, is_section
from graphrag.reading.xml_prepared import named_targets, prepared
from graphrag.reading.zips import parse_xml

_ENCODING = re.compile(rb"""<\?xml[^>]{0,100}?encoding\s*=\s*["']([\w.:-]{2,40})""")
_DECLARATION = re.compile(r"\A\s*<\?xml[^>]*\?>")
_SPACE = re.compile(r"\s*")
_SUBSET_END = re.compile(r"\]\s*>")
_ENTITY = re.compile(r"&(?!(?:amp|lt|gt|quot|apos);)[A-Za-z][A-Za-z0-9]{1,30};")
_FEEDS = names("rss feed rdf")
_BOOKS = names(
    "article book document module chapter section part tei tei.2 fictionbook refentry set appendix "
    "preface glossary teicorpus dissertation topic concept task reference sec"
)
_ENTRIES = ("item", "entry")
_ASIDES = (("<!--", "-->"), ("<?", "?>"))
_MAX_FIELD = 300


def read_xml(content: bytes, name: str) -> Draft:
    """An XML file by what its root is; of unknown XML the texts, each under its name.

    No entity is expanded and no other file is read. Raises ReadingError.
    """
    found = _ENCODING.search(content[:200])
    text = clean(decode(content, found[1].decode("ascii", "replace") if found else None))
    text = _without_doctype(_DECLARATION.sub("", text))
    text = _ENTITY.sub(_character, text)
    root = parse_xml(text.encode("utf-8"))
    if root is None:
        raise ReadingError("damaged XML: nothing of it can be read")
    kind = local_name(root)
    builder = DocumentBuilder()
    if kind == "svg":
        raise ReadingError("a picture (SVG), which has no text to read")
    if kind == "html":
        add_html(builder, parse_html(text))
        return builder.build(fallback_title=name)
    if kind in _FEEDS:
        return _read_feed(builder, root, name)
    if kind in _BOOKS:
        return _read_book(builder, root, name)
    _add_fields(builder, root)
    return builder.build(title=name)


def _without_doctype(text: str) -> str:
    """The text without the document type that stands before the root."""
    position = 0
    while True:
        position = match.end() if (match := _SPACE.match(text, position)) else position
        closing = next((end for mark, end in _ASIDES if text.startswith(mark, position)), "")
        if not closing:
            break
        found = text.find(closing, position)
        if found < 0:
            return text
        position = found + len(closing)
    if not text.startswith("<!DOCTYPE", position):
        return text
    bracket, angle = text.find("[", position), text.find(">", position)
    if 0 <= bracket < angle:
        subset = _SUBSET_END.search(text, bracket)
        angle = subset.end() - 1 if subset else -1
    return text[:position] + text[angle + 1 :] if angle >= 0 else text


def _character(entity: re.Match[str]) -> str:
    """The character that HTML knows by a name; an entity of the file's own is nothing."""
    found = html.unescape(entity[0])
    return "" if found == entity[0] else found


def _read_book(builder: DocumentBuilder, root: Element, name: str) -> Draft:
    title = _book_title(root)
    metadata = book_metadata(root)
    prepared(root)
    targets = named_targets(root)
    TreeReader(builder, lambda e: classify_book(e, root, targets)).read(root)
    language = next((str(v) for k, v in root.attrib.items() if str(k).endswith("lang")), "")
    return builder.build(
        title=title, fallback_title=name, metadata=metadata, language=language or None
    )


def _book_title(root: Element) -> str:
    """The title that stands above all sections, wherever the dialect puts it."""
    for element in root.iter():
        if not isinstance(element.tag, str):
            continue
        name = local_name(element)
        if name in ("article-title", "book-title") and not is_within(element, *REFERENCES):
            return text_of(element)
        if name == "title" and not any(
            is_section(above) for above in element.iterancestors() if above is not root
        ):
            return text_of(element)
        if is_section(element) and element is not root:
            break
    return ""


def _read_feed(builder: DocumentBuilder, root: Element, name: str) -> Draft:
    """A feed: each entry under its title, its HTML read as such."""
    title = ""
    for element in root.iter():
        if not isinstance(element.tag, str):
            continue
        kind = local_name(element)
        if kind == "title" and not title:
            title = text_of(element)
        if kind in _ENTRIES and not is_within(element, *_ENTRIES):
            _add_entry(builder, element)
    return builder.build(title=title, fallback_title=name)


def _add_entry(builder: DocumentBuilder, entry: Element) -> None:
    fields: dict[str, Element] = {}
    for child in entry:
        if isinstance(child.tag, str):
            fields.setdefault(local_name(child), child)
    link = fields.get("link")
    target = (link.get("href") or text_of(link)) if link is not None else ""
    if "title" in fields:
        builder.add_heading(2, [Run(text_of(fields["title"]), target=target)])
    about = [
        text_of(fields[key]) for key in ("pubdate", "published", "date", "updated") if key in fields
    ]
    about += [text_of(fields[key]) for key in ("creator", "author") if key in fields]
    builder.add_paragraph(", ".join(about[:2]))
    for key in ("encoded", "content", "description", "summary"):
        body = fields.get(key)
        text = text_of(body) if body is not None else ""
        if text:
            raw = "".join(str(part) for part in body.itertext()) if body is not None else ""
            add_html(builder, parse_html(f"<div>{raw}</div>"))
            break


def _add_fields(builder: DocumentBuilder, root: Element) -> None:
    """Unknown XML: running text as paragraphs, short values behind their names."""
    lines: list[str] = []
    stack = [root]
    while stack:
        element = stack.pop()
        children = list(element)
        text = " ".join((element.text or "").split())
        if text and not children and len(text) <= _MAX_FIELD:
            lines.append(f"{local_name(element)}: {text}")
        elif text or any((child.tail or "").strip() for child in children):
            # Running text, which is read with all that stands within it.
            _add_lines(builder, lines)
            lines = []
            TreeReader(builder, lambda e, top=element: BLOCK if e is top else Part("inline")).read(  # type: ignore[misc]
                element
            )
        else:
            stack.extend(child for child in reversed(children) if isinstance(child.tag, str))
    _add_lines(builder, lines)


def _add_lines(builder: DocumentBuilder, lines: list[str]) -> None:
    for start in range(0, len(lines), 20):
        builder.add_paragraph([run for line in lines[start : start + 20] for run in _line(line)])


def _line(line: str) -> list[Run]:
    return [Run(line), Run("\u2028")]
