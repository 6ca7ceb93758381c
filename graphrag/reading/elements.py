"""Elements of a tree: their plain names and their text."""

from __future__ import annotations

from lxml import etree

Element = etree._Element


def local_name(element: Element) -> str:
    """An element's name in lower case without its namespace."""
    return str(element.tag).rpartition("}")[2].lower()


def text_of(element: Element) -> str:
    """All text below an element, white space collapsed."""
    return " ".join(raw_text(element).split())


def raw_text(element: Element) -> str:
    """All text below an element as it stands."""
    return "".join(str(text) for text in element.itertext())
