"""reStructuredText, by docutils, with what Sphinx adds."""

from __future__ import annotations

import io

from docutils import nodes
from docutils.core import publish_doctree
from docutils.parsers.rst import Parser
from lxml import etree

from graphrag.domain import MetadataValue
from graphrag.reading.builder import DocumentBuilder, Draft
from graphrag.reading.elements import Element, local_name, raw_text
from graphrag.reading.encoding import decode
from graphrag.reading.frontmatter import split_front_matter
from graphrag.reading.inline import clean
from graphrag.reading.names import names
from graphrag.reading.numerals import whole_number
from graphrag.reading.rst_sphinx import register_directives, tolerant_inliner, tolerant_states
from graphrag.reading.text import add_text
from graphrag.reading.tree import BLOCK, INLINE, LABEL, SKIP, TERM, Part, TreeReader

_LONG_LINE = 20_000
_SETTINGS = {
    "file_insertion_enabled": False, "raw_enabled": False, "report_level": 3, "halt_level": 5,
    "doctitle_xform": False, "docinfo_xform": False, "sectsubtitle_xform": False,
    "syntax_highlight": "none", "smart_quotes": False, "line_length_limit": _LONG_LINE,
    "_disable_config": True, "auto_id_prefix": "id",
}  # fmt: skip
_SKIPPED = names(
    "comment substitution_definition target pending raw docinfo decoration system_message "
    "generated meta colspec"
)
_ABOUT_FILE = names(
    "author authors date title subtitle description keywords tags orphan tocdepth nocomments "
    "nosearch no-search lang language category slug template layout type version revision status "
    "copyright license organization contact address source supersedes valid_from valid_to access "
    "authority prerequisites"
)
"""Fields at the top of a file that a rendering of it does not show, or shows as its imprint."""
_TITLED = names("admonition system_message topic sidebar")
_INLINE_NODES = names(
    "inline literal subscript title_reference abbreviation acronym problematic classifier label"
)


def read_rst(content: bytes, name: str) -> Draft:
    """A reStructuredText file; a field list at the top is metadata, and those of its fields
    that are not about the file are text too. Nothing is included from other files."""
    metadata, text = split_front_matter(clean(decode(content)))
    title = metadata.pop("title", "")
    builder = DocumentBuilder()
    metadata.update(add_rst(builder, text))
    metadata.pop("orphan", None)
    return builder.build(
        title=title if isinstance(title, str) else "",
        fallback_title=name,
        metadata=metadata,
        first_leads=True,  # as Sphinx does
    )


def add_rst(builder: DocumentBuilder, text: str) -> dict[str, MetadataValue]:
    """Add the blocks of a reStructuredText to a builder; gives the fields at its top."""
    lines = text.expandtabs(8).split("\n")
    if any(len(line) > _LONG_LINE for line in lines):
        add_text(builder, text)
        return {}
    register_directives()
    parser = Parser(inliner=tolerant_inliner())
    parser.state_classes = tolerant_states()
    settings = {**_SETTINGS, "warning_stream": io.StringIO()}
    try:
        doctree = publish_doctree(text, parser=parser, settings_overrides=settings)
    except (RecursionError, ValueError):
        # What nests deeper than docutils follows, or has numbers of thousands of digits,
        # is read for its words alone.
        add_text(builder, text)
        return {}
    fields = _top_fields(doctree)
    TreeReader(builder, classify_rst).read(_as_xml(doctree))
    return fields


def _top_fields(doctree: nodes.document) -> dict[str, MetadataValue]:
    """The field list at the top; what is about the file is taken out of the tree."""
    holder: nodes.Element = doctree
    children = _content(holder)
    if children and isinstance(children[0], nodes.section):
        holder = children[0]
        children = _content(holder)[1:]
    if not children or not isinstance(children[0], nodes.field_list):
        return {}
    found: dict[str, MetadataValue] = {}
    for field in list(children[0].children):
        if not isinstance(field, nodes.field):
            continue
        body = field.children[1]
        # A value such as "A. Name" would be parsed as a list; its source is wanted.
        key, value = field.children[0].astext(), getattr(body, "rawsource", "")
        name, said = key.lower(), " ".join(value.split()) or "true"
        # Each author has a field of his own.
        found[name] = f"{found[name]}; {said}" if name == "author" and name in found else said
        if name in _ABOUT_FILE:
            children[0].remove(field)
    if not children[0].children:
        holder.remove(children[0])
    return found


def _content(node: nodes.Element) -> list[nodes.Node]:
    skipped = (nodes.comment, nodes.target, nodes.system_message, nodes.Invisible)
    return [child for child in node.children if not isinstance(child, skipped)]


def _as_xml(doctree: nodes.document) -> Element:
    """The tree as elements of the same names, without recursion."""
    root = etree.Element("document")
    stack: list[tuple[nodes.Node, Element]] = [
        (child, root) for child in reversed(doctree.children)
    ]
    last: dict[Element, Element] = {}
    while stack:
        node, parent = stack.pop()
        if isinstance(node, nodes.Text):
            text = clean(node.astext())
            before = last.get(parent)
            if before is None:
                parent.text = (parent.text or "") + text
            else:
                before.tail = (before.tail or "") + text
            continue
        if not isinstance(node, nodes.Element):
            continue
        if node.tagname == "option" and len(parent):
            last[parent].tail = ", "
        elif node.tagname == "option_argument" and parent in last:
            last[parent].tail = clean(str(node.get("delimiter", " ")))
        child = etree.SubElement(parent, node.tagname)
        last[parent] = child
        for key in (
            "refuri",
            "level",
            "language",
            "morerows",
            "morecols",
            "start",
            "alt",
            "classes",
        ):
            if value := node.get(key):
                text = " ".join(value) if isinstance(value, list) else str(value)
                child.set(key, clean(text))
        if isinstance(node, nodes.Admonition) and node.tagname not in _TITLED:
            etree.SubElement(child, "title").text = node.tagname.capitalize()
        stack.extend((inner, child) for inner in reversed(node.children))
    return root


def classify_rst(element: Element) -> Part:
    """What a docutils node means in the walk."""
    name = local_name(element)
    if name == "system_message":
        return _failed_directive(element)
    if name in _SKIPPED:
        return SKIP
    match name:
        case "title":
            return _title(element)
        case "bullet_list":
            return Part("list")
        case "enumerated_list":
            return Part("ordered", number=whole_number(element.get("start"), otherwise=1))
        case "list_item":
            return Part("item")
        case "term" | "field_name" | "option_group":
            return TERM if name != "field_name" else LABEL
        case "literal_block" | "doctest_block" | "parsed_literal":
            classes = (element.get("classes") or "").split()
            language = element.get("language") or (classes[1] if len(classes) > 1 else "")
            return Part("code", language.lower())
        case "math_block":
            return Part("formula", raw_text(element))
        case "math":
            return Part("tex", raw_text(element))
        case "block_quote":
            return Part("quote") if _is_quotation(element) else BLOCK
        case "emphasis" | "strong":
            return Part("emphasis")
        case "reference":
            return Part("link", element.get("refuri") or "") if element.get("refuri") else INLINE
        case "image":
            alt = " ".join((element.get("alt") or "").split())
            return Part("text", f"[image: {alt}]") if alt else SKIP
        case "superscript":
            return Part("power") if raw_text(element).strip().isdigit() else INLINE
        case "footnote_reference" | "citation_reference":
            return Part("text", f" [{raw_text(element)}]")
        case "table":
            return Part("table")
        case _:
            return _other(name)


def _other(name: str) -> Part:
    if name in _INLINE_NODES:
        return LABEL if name == "label" else INLINE
    if name in ("option_string", "option_argument", "option"):
        return INLINE
    return BLOCK


def _title(element: Element) -> Part:
    parent = element.getparent()
    if parent is None or local_name(parent) != "section":
        return LABEL
    return Part("heading", number=sum(local_name(e) == "section" for e in element.iterancestors()))


def _is_quotation(element: Element) -> bool:
    """A block quote of paragraphs; lists and code that are merely indented are not."""
    return all(
        local_name(child) in ("paragraph", "attribution")
        for child in element
        if isinstance(child.tag, str)
    )


def _failed_directive(element: Element) -> Part:
    """The source of a directive that could not be run, rather than losing it."""
    block = element.find("literal_block")
    return BLOCK if block is not None and element.get("level") == "3" else SKIP
