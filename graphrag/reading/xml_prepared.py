"""What a book of XML leaves to its style sheet, written into its tree before it is read."""

from __future__ import annotations

from collections.abc import Mapping

from lxml import etree

from graphrag.reading.elements import Element, local_name, raw_text, text_of
from graphrag.reading.names import names

_TITLES = {
    "glossary": "Glossary",
    "ack": "Acknowledgements",
    "ref-list": "References",
    "bibliography": "References",
    "solution": "Solution",
}
_CITED = names("element-citation name person-group string-name")
_MAX_NAME = 120


def prepared(root: Element) -> None:
    """Change the tree: parts at the end that have no title get the one that readers see,
    or they would stand under the title before; the parts of a reference are set apart."""
    for element in list(root.iter()):
        if not isinstance(element.tag, str):
            continue
        name = local_name(element)
        if name in _TITLES and not _has_title(element) and element is not root:
            _add_title(element, _TITLES[name])
        elif name == "abstract" and _lacks_title(element) and _opens_with_section(root):
            _add_title(element, "Abstract")
        elif name == "list":
            _set_title_before(element)
        elif name in _CITED:
            for child in element:
                child.tail = child.tail or " "


def _lacks_title(element: Element) -> bool:
    return bool(raw_text(element).strip()) and not _has_title(element)


def _add_title(element: Element, text: str) -> None:
    title = etree.Element(etree.QName(etree.QName(element).namespace, "title"))
    title.text = text
    element.insert(0, title)


def _opens_with_section(root: Element) -> bool:
    """Whether an article's body begins with a section; its first paragraphs would stand under
    the title of the abstract otherwise."""
    body = next(root.iter("{*}body"), None)
    first = next(iter(body), None) if body is not None else None
    return first is not None and isinstance(first.tag, str) and local_name(first) == "sec"


def _set_title_before(element: Element) -> None:
    """The title of a list as a paragraph before it, or its first item would be it."""
    title = element.find("{*}title")
    parent = element.getparent()
    if title is None or parent is None:
        return
    title.tag = str(etree.QName(etree.QName(element).namespace, "para"))
    title.tail = None
    parent.insert(parent.index(element), title)


def named_targets(root: Element) -> Mapping[str, str]:
    """The id of each element to the words that stand for it in a reference without any."""
    found: dict[str, str] = {}
    for element in root.iter():
        if not isinstance(element.tag, str):
            continue
        for key, value in element.attrib.items():
            if str(key).rpartition("}")[2] == "id":
                found.setdefault(str(value), _name(element))
    return found


def _has_title(element: Element) -> bool:
    return any(
        isinstance(child.tag, str) and local_name(child) in ("title", "head", "info")
        for child in element
    )


def _name(element: Element) -> str:
    """An element's title, else what kind of thing it is."""
    for child in element:
        if isinstance(child.tag, str) and local_name(child) in ("title", "head"):
            title = text_of(child)
            return title if raw_text(child).strip() and len(title) <= _MAX_NAME else ""
    kind = local_name(element)
    return kind if kind in ("figure", "table", "equation", "example", "note", "exercise") else ""
