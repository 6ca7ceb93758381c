"""HTML: the main content, without scripts, hidden parts and page furniture."""

from __future__ import annotations

import re

from lxml import etree
from lxml import html as lxml_html

from graphrag.errors import ReadingError
from graphrag.reading.builder import DocumentBuilder, Draft
from graphrag.reading.elements import Element, local_name, raw_text, text_of
from graphrag.reading.encoding import decode
from graphrag.reading.html_bars import drop_bars, is_navigation
from graphrag.reading.html_head import better_title, elements, page_metadata, stated_title
from graphrag.reading.inline import clean
from graphrag.reading.mathml import to_tex
from graphrag.reading.names import names
from graphrag.reading.numerals import whole_number
from graphrag.reading.tree import BLOCK, INLINE, LABEL, SKIP, TERM, Classify, Part, TreeReader
from graphrag.reading.tree_table import is_cell, is_row

_SKIPPED = names(
    "script style noscript template svg canvas iframe object embed applet head nav footer "
    "button input select textarea option audio video source track map area link meta base title "
    "rp rt dialog menu"
)
_INLINE = names(
    "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark output q s "
    "samp small span strike strong sub time tt u var wbr ruby rb nobr"
)
_EMPHASIS = frozenset(("b", "strong", "em", "i", "dfn"))
_FURNITURE = frozenset(
    ("navigation", "banner", "contentinfo", "search", "complementary", "dialog", "menu", "toolbar")
)
_SKIPPED_CLASSES = names(
    "headerlink mw-editsection navbox noprint sphinxsidebar katex-html MathJax "
    "MathJax_Preview MathJax_Display breadcrumb breadcrumbs cookie-banner skip-link "
    "linenos lineno footnote-backref toc toc-macro table_of_contents table-of-contents "
    "MsoToc1 MsoToc2 MsoToc3 MsoToc4 share-buttons"
)
_CONSENT = re.compile(r"(?:cookie|gdpr|consent)[-_]?(?:banner|bar|consent|dialog|notice|popup)")
_HEADING = re.compile("h[1-6]")
_ASIDES = ("footnote", "topic", "admonition", "note", "callout", "warning", "tip", "example")
_BOXES = names("note tip warning caution important admonition danger hint attention")
_BYLINES = names("author corpauthor subtitle releaseinfo edition byline")
_HIDDEN_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_DECLARATION = re.compile(r"\A\s*<\?xml[^>]*\?>")
_OTHER_TAGS = re.compile(r"<(?!/?(?:h[1-6]|p|br)\b)[^<>]*>")
_CHARSET = re.compile(rb"""<meta[^>]{0,200}?charset\s*=\s*["']?([\w.:-]{2,40})""", re.IGNORECASE)
_XML_ENCODING = re.compile(rb"""<\?xml[^>]{0,100}?encoding\s*=\s*["']([\w.:-]{2,40})""")
_LANGUAGE_CLASS = re.compile(
    r"(?:language|lang|highlight|highlight-source|brush:|sourceCode)[-_ ]([\w+#.-]+)",
    re.IGNORECASE,
)
_MAX_CLASS = 500
_LOGO = 30
"""Characters: a picture that is a link and says no more is a logo, a badge or a button."""


def read_html(content: bytes, name: str) -> Draft:
    """A page's main content; the title is its sole ``h1``, else its ``title``."""
    declared = _CHARSET.search(content[:4096]) or _XML_ENCODING.search(content[:200])
    text = decode(content, declared[1].decode("ascii", "replace") if declared else None)
    root = parse_html(text)
    builder = DocumentBuilder()
    add_html(builder, main_content(root))
    page_title = stated_title(root)
    return builder.build(
        title=better_title(page_title, builder.first_heading()),
        fallback_title=name,
        metadata=page_metadata(root),
        language=(root.get("lang") or "").split("-")[0].lower() or None,
    )


def parse_html(text: str) -> Element:
    """The tree of an HTML text; raises ReadingError where there is nothing in it.

    What is nested more than 2,048 deep, where the parser would drop the rest, is read
    without any elements but headings and paragraphs.
    """
    text = _DECLARATION.sub("", clean(text))
    root, is_whole = _parsed(text)
    if not is_whole:
        root, _ = _parsed(_OTHER_TAGS.sub(" ", text))
    return root


def _parsed(text: str) -> tuple[Element, bool]:
    parser = lxml_html.HTMLParser(huge_tree=True, encoding="utf-8", remove_pis=True)
    try:
        root = lxml_html.document_fromstring(text.encode("utf-8", "replace"), parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError) as error:
        raise ReadingError("empty: nothing to read") from error
    stopped = any(entry.type_name == "ERR_RESOURCE_LIMIT" for entry in parser.error_log)
    return root, not stopped


def add_html(builder: DocumentBuilder, root: Element, classify: Classify | None = None) -> None:
    """Add the blocks of a tree of HTML elements to a builder; bars of links between pages are
    taken out of the tree."""
    drop_bars(root)
    TreeReader(builder, classify or (lambda element: classify_html(element, root))).read(root)


def main_content(root: Element) -> Element:
    """The ``main`` element or what stands for it, else the body."""
    body = next(iter(elements(root.xpath("//body"))), root)
    whole = len(text_of(body)) or 1
    for path in ("//main", "//*[@role='main']", "//article", "//*[@id='mw-content-text']"):
        found = [e for e in elements(root.xpath(path)) if not _is_hidden(e)]
        if len(found) == 1 and len(text_of(found[0])) * 5 > whole:
            return found[0]
    return body


def classify_html(element: Element, root: Element | None = None) -> Part:
    """What an HTML element means in the walk."""
    name = local_name(element)
    if name in _SKIPPED or _is_furniture(element, name, root) or _is_aside(element, name):
        return _math_script(element) if name == "script" else SKIP
    if element.get("id") in ("breadcrumbs", "breadcrumb-section"):
        return SKIP
    classes = (element.get("class") or "").split()
    if name == "mjx-container":
        return _mathml(element)
    if not _SKIPPED_CLASSES.isdisjoint(classes) or _is_hidden(element):
        return SKIP
    if len(name) == 2 and name[0] == "h" and name[1] in "123456":
        if not _BYLINES.isdisjoint(classes):
            return BLOCK
        return LABEL if _opens_box(element) else Part("heading", number=int(name[1]))
    if name in _EMPHASIS:
        return Part("emphasis")
    if name in ("ul", "ol", "dl", "div", "table") and is_navigation(element, name, classes):
        return SKIP
    if name == "a":
        if _is_note_mark(element, classes, "doc-noteref", "footnote-ref", "footnote-reference"):
            return Part("text", f" [{text_of(element).strip('[]')}]")
        is_back = _is_note_mark(
            element, classes, "doc-backlink", "footnote-back", "footnote-backref"
        )
        # A heading's link back to the contents is the heading's text.
        if is_back and not any(_HEADING.fullmatch(str(e.tag)) for e in element.iterancestors()):
            return SKIP
        href = (element.get("href") or "").strip()
        return Part("link", href) if href and not href.startswith("javascript:") else INLINE
    if name in ("span", "div"):
        return _generic(element, name, classes)
    if name in _INLINE:
        return INLINE
    return _structural(element, name, classes)


def _structural(element: Element, name: str, classes: list[str]) -> Part:
    match name:
        case "br":
            return Part("break")
        case "ul" | "dir":
            return Part("list")
        case "ol":
            return Part("ordered", number=whole_number(element.get("start"), otherwise=1))
        case "li":
            value = whole_number(element.get("value"), otherwise=-1)
            return Part("item", str(value) if value >= 0 else "")
        case "dt":
            return TERM
        case "blockquote":
            return Part("quote")
        case "pre" | "xmp" | "listing":
            return Part("code", code_language(element))
        case "table":
            return BLOCK if _is_layout(element) else Part("table")
        case "math":
            return _mathml(element)
        case "img" | "image":
            return _image(element, classes)
        case "sup":
            return _superscript(element)
        case "p" if "admonition-title" in classes or _is_macro_title(element, classes):
            return LABEL
        case _:
            return BLOCK


def _is_macro_title(paragraph: Element, classes: list[str]) -> bool:
    """Whether a paragraph is the title of a box that Confluence exports."""
    box = paragraph.getparent()
    return (
        "title" in classes
        and box is not None
        and "confluence-information-macro" in (box.get("class") or "")
    )


def _mathml(element: Element) -> Part:
    """A formula in MathML, or the one that MathJax keeps for those who do not see."""
    math = element if local_name(element) == "math" else next(element.iter("math"), None)
    if math is None:
        return SKIP
    displayed = (
        math.get("display") == "block"
        or element.get("display") in ("block", "true")
        or math.get("mode") == "display"
        or any("katex-display" in (e.get("class") or "") for e in element.iterancestors("span"))
    )
    return Part("formula" if displayed else "tex", to_tex(math))


def _generic(element: Element, name: str, classes: list[str]) -> Part:
    """``span`` and ``div``, which mean what their class says."""
    if "math" in classes:
        tex = raw_text(element).strip().removeprefix(r"\(").removesuffix(r"\)")
        tex = tex.removeprefix(r"\[").removesuffix(r"\]").strip("$ ")
        displayed = name == "div" or "display" in classes
        return Part("formula" if displayed else "tex", tex)
    if "admonition-title" in classes:
        return LABEL
    return INLINE if name == "span" else BLOCK


def _image(element: Element, classes: list[str]) -> Part:
    alt = " ".join((element.get("alt") or "").split())
    if len(alt) <= _LOGO and any(local_name(e) == "a" for e in element.iterancestors()):
        return SKIP
    if any("math" in name.lower() for name in classes):
        return SKIP if _has_math_sibling(element) else Part("tex", alt)
    return Part("text", f"[image: {alt}]") if len(alt) > 2 else SKIP


def _has_math_sibling(element: Element) -> bool:
    beside = (element.getprevious(), element.getnext())
    return any(e is not None and next(e.iter("{*}math", "math"), None) is not None for e in beside)


def _is_note_mark(element: Element, classes: list[str], role: str, *names_of_class: str) -> bool:
    """Whether a link leads to a footnote, or back from one."""
    kind = element.get("role") or f"doc-{element.get('epub:type')}"
    return kind == role or not set(names_of_class).isdisjoint(classes)


def _superscript(element: Element) -> Part:
    """A power keeps its meaning as ``^``; a footnote's mark does not need it."""
    if next(element.iter("a"), None) is not None:
        return INLINE
    before = element.getprevious()
    parent = element.getparent()
    lead = (before.tail if before is not None else parent.text if parent is not None else "") or ""
    inside = text_of(element)
    is_power = lead[-1:].isalnum() and re.fullmatch(r"[-+−]?(?:\d{1,3}|[a-z])", inside) is not None
    return Part("power") if is_power else INLINE


def _math_script(element: Element) -> Part:
    kind = (element.get("type") or "").lower()
    if not kind.startswith("math/tex"):
        return SKIP
    return Part("formula" if "display" in kind else "tex", (element.text or "").strip())


def code_language(element: Element) -> str:
    """The language that a code block's classes name, here, just inside or just outside."""
    inner = next(iter(element), None)
    outer = element.getparent()
    grand = outer.getparent() if outer is not None else None
    for candidate in (element, inner, outer, grand):
        if candidate is not None and isinstance(candidate.tag, str):
            found = _LANGUAGE_CLASS.search((candidate.get("class") or "")[:_MAX_CLASS])
            if found and found[1].lower() not in ("default", "none", "notranslate"):
                return found[1].lower()
    return ""


def _opens_box(heading: Element) -> bool:
    """Whether a heading names the note or warning that it stands in, not what follows that."""
    box = heading.getparent()
    around = set() if box is None else set((box.get("class") or "").split())
    is_mark = "footnote" in around and not any(map(str.isalpha, text_of(heading)))
    return is_mark or not _BOXES.isdisjoint(around)


def _is_furniture(element: Element, name: str, root: Element | None) -> bool:
    if element is root:
        return False
    if (element.get("role") or "").lower() in _FURNITURE:
        return True
    if name != "header":
        return False
    if next(element.iter("h1"), None) is not None:
        return False
    return not any(local_name(e) in ("main", "article") for e in element.iterancestors())


def _is_aside(element: Element, name: str) -> bool:
    """Whether a part stands beside the text; notes are part of it."""
    if name != "aside":
        return False
    marks = (element.get(key) or "" for key in ("class", "role", "epub:type"))
    kind = " ".join(marks).lower()
    return not any(word in kind for word in _ASIDES)


def _is_hidden(element: Element) -> bool:
    if element.get("role") == "tabpanel":  # shown when its tab is chosen
        return False
    if element.get("hidden") is not None or element.get("aria-hidden") == "true":
        # Formulas for the eye hide their readable twin the other way round.
        return local_name(element) != "math"
    if local_name(element) in ("div", "section", "form") and _CONSENT.search(
        f"{element.get('id') or ''} {element.get('class') or ''}"[:_MAX_CLASS].lower()
    ):
        return True
    style = element.get("style")
    return bool(style and _HIDDEN_STYLE.search(style)) and not _holds_math(element)


def _holds_math(element: Element) -> bool:
    first = next(iter(element), None)
    return first is not None and isinstance(first.tag, str) and local_name(first) == "math"


def _is_layout(table: Element) -> bool:
    """Whether a table only arranges the page: one column, tables or headings within."""
    if (table.get("role") or "").lower() in ("presentation", "none"):
        return True
    if next((e for e in table.iter("table") if e is not table), None) is not None:
        return True
    if next(table.iter("h1", "h2", "h3", "pre", "math"), None) is not None and not any(
        True for _ in table.iter("th")
    ):
        return True
    rows = [row for row in table.iter() if isinstance(row.tag, str) and is_row(row)]
    return all(sum(isinstance(c.tag, str) and is_cell(c) for c in row) < 2 for row in rows)
