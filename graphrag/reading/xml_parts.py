"""What the elements of CNXML, JATS, DocBook, TEI and FictionBook mean in the walk."""

from __future__ import annotations

from collections.abc import Mapping

from graphrag.reading.elements import Element, local_name, raw_text
from graphrag.reading.mathml import to_tex
from graphrag.reading.names import names
from graphrag.reading.tree import BLOCK, INLINE, LABEL, SKIP, TERM, Part
from graphrag.reading.xml_metadata import REFERENCES, is_within

_SECTIONS = names(
    "section sec sect1 sect2 sect3 sect4 sect5 chapter part appendix preface abstract glossary "
    "div div1 div2 div3 div4 refsect1 refsect2 refsect3 refsection simplesect app ack ref-list "
    "bibliography trans-abstract topic concept task reference notes refentry"
)
_SKIPPED = names(
    "journal-meta permissions graphic media inline-graphic indexterm index "
    "processing-meta funding-group contrib-group pub-date history article-id article-categories "
    "kwd-group self-uri counts aff author-notes volume issue elocation-id fpage lpage "
    "copyright legalnotice revhistory authorgroup author editor teiheader binary stylesheet "
    "description custom-meta-group related-article object-id alt-text long-desc imageobject "
    "colspec spanspec journal-title pubdate releaseinfo date keywordset subjectset content-id "
    "uuid pb"
)
_INLINE = names(
    "literal filename command option userinput constant varname type classname function "
    "methodname parameter envar systemitem application guilabel guimenu guibutton keycap "
    "replaceable acronym abbrev subscript sub sc monospace named-content styled-content "
    "underline strike quote footnote footnoteref inlineequation inline-formula span citetitle "
    "productname phrase trademark uri email institution country name hi seg w c ptr choice "
    "person-group given-names surname year source string-name etal collab comment "
    "publisher-name name article-title pub-id chapter-title mixed-citation element-citation "
    "citation anchor foreign computeroutput prompt symbol property token "
    "errorname returnvalue structfield tag"
)
_REFERENCE_PARTS = names("volume issue fpage lpage elocation-id")
_BOXES = names("boxed-text sidebar")
_EMPHASIS = names("emphasis italic bold emph strong firstterm i b em mark dfn")
_CODE = names("programlisting screen preformat literallayout synopsis eg codeblock")
_LISTS = names("itemizedlist simplelist variablelist calloutlist def-list ul segmentedlist")
_ITEMS = names("item listitem list-item member li step")
_QUOTES = names("blockquote disp-quote epigraph cit verse-group poem")
_LINKS = names("link ulink xref ext-link a olink cnxn")
_DISPLAYED = names("disp-formula equation informalequation disp-formula-group")


def is_section(element: Element) -> bool:
    """Whether an element is a section with a heading of its own."""
    return isinstance(element.tag, str) and local_name(element) in _SECTIONS


def classify_book(element: Element, root: Element, targets: Mapping[str, str]) -> Part:
    """What an element of a book means, by its name and where it stands.

    ``targets`` tells the words for a reference that has none of its own.
    """
    name = local_name(element)
    if name == "metadata":
        # CNXML keeps what a module is about among what is told about it.
        return BLOCK if next(element.iter("{*}abstract"), None) is not None else SKIP
    if name in _REFERENCE_PARTS and is_within(element, *REFERENCES):
        return INLINE
    if name in _SKIPPED or (_parent(element) == "metadata" and name != "abstract"):
        return SKIP
    if name in _LINKS and not raw_text(element).strip() and (shown := _shown(element, targets)):
        return Part("text", shown)
    if name == "article-title" and _parent(element) == "title-group":
        return Part("heading")
    if name in ("title", "head", "subtitle"):
        return _title(element, root)
    if name == "label":
        return LABEL
    if name == "math":
        return Part("formula" if _is_displayed(element) else "tex", to_tex(element))
    if name in ("tex-math", "latex", "mathphrase", "formula"):
        return _tex(element)
    if name in _DISPLAYED or name == "alternatives":
        return _displayed(element)
    if name in _EMPHASIS or name in ("term", "glossterm"):
        return _emphasis(element, name)
    if name in ("caption", "legend") and _parent(element) == "table":
        return BLOCK
    return _structure(element, name)


def _shown(element: Element, targets: Mapping[str, str]) -> str:
    """The words for a reference without any, by what it refers to."""
    for key, value in element.attrib.items():
        if str(key).rpartition("}")[2] in ("target-id", "linkend", "rid"):
            return targets.get(str(value), "")
    return ""


def _structure(element: Element, name: str) -> Part:
    if name in _CODE or (name == "code" and _is_block(element)):
        language = element.get("language") or element.get("lang") or element.get("code-type") or ""
        return Part("code", language.lower())
    if name == "list":
        kind = element.get("list-type") or element.get("type") or ""
        ordered = kind in ("enumerated", "order", "ordered", "alpha-lower", "roman-lower", "gloss")
        return Part("ordered" if ordered else "list")
    if name in ("orderedlist", "ol", "procedure", "substeps", "steps"):
        return Part("ordered")
    if name in _LISTS:
        return Part("list") if name not in ("variablelist", "def-list") else BLOCK
    if name in _ITEMS:
        return Part("item") if _parent(element) != "varlistentry" else BLOCK
    if name in _QUOTES or (name == "quote" and _is_block_quote(element)):
        return Part("quote")
    if name in ("table", "informaltable"):
        return Part("table")
    if name in ("newline", "br", "break", "lb"):
        return Part("break")
    if name in _LINKS:
        return _link(element)
    if name in ("superscript", "sup"):
        text = raw_text(element).strip()
        is_power = text.lstrip("-−").isdigit() and next(iter(element), None) is None
        return Part("power") if is_power else INLINE
    return INLINE if name in _INLINE or name == "code" else BLOCK


def _is_block_quote(quote: Element) -> bool:
    """Whether a quotation stands apart; in CNXML it does unless it says otherwise."""
    display = quote.get("display") or ""
    return display == "block" or ("cnxml" in str(quote.tag) and not display)


def _parent(element: Element) -> str:
    parent = element.getparent()
    return local_name(parent) if parent is not None else ""


def _title(element: Element, root: Element) -> Part:
    """A section's title is a heading; the book's own stands elsewhere; others are labels."""
    parent = element.getparent()
    if parent is not None and local_name(parent) in ("info", "sectioninfo", "chapterinfo"):
        parent = parent.getparent()
    if parent is None or parent is root or local_name(parent).endswith("info"):
        return SKIP
    if not is_section(parent) or is_within(parent, *_BOXES):
        # What follows a box in its section does not stand under the box's title.
        return LABEL if local_name(parent) not in ("title", "head") else BLOCK
    depth = sum(is_section(above) for above in element.iterancestors() if above is not root)
    return Part("heading", number=max(depth, 1))


def _emphasis(element: Element, name: str) -> Part:
    holder = _parent(element)
    is_entry = holder in ("definition", "def-item", "varlistentry", "glossentry")
    return TERM if is_entry and name in ("term", "glossterm") else Part("emphasis")


def _link(element: Element) -> Part:
    for key, value in element.attrib.items():
        if str(key).rpartition("}")[2] in (
            "href",
            "url",
            "rid",
            "target-id",
            "linkend",
            "document",
        ):
            return Part("link", str(value))
    return INLINE


def _is_displayed(element: Element) -> bool:
    if element.get("display") == "block":
        return True
    return any(local_name(above) in _DISPLAYED for above in element.iterancestors())


def _tex(element: Element) -> Part:
    text = raw_text(element)
    # JATS wraps TeX in a whole document.
    for mark in (r"\begin{document}", r"\end{document}"):
        before, found, after = text.partition(mark)
        text = (after if mark.startswith(r"\begin") else before) if found else text
    return Part("formula" if _is_displayed(element) else "tex", text.strip().strip("$").strip())


def _displayed(element: Element) -> Part:
    """Of several forms of one formula the first with TeX or MathML is read."""
    first = next(element.iter("{*}tex-math"), None)
    if first is None:
        first = next(element.iter("{*}math"), None)
    if first is None:
        return BLOCK if local_name(element) in _DISPLAYED else INLINE
    part = Part("tex", to_tex(first)) if local_name(first) == "math" else _tex(first)
    if not _is_displayed(first):
        return Part("tex", part.value)
    number = (
        raw_text(label).strip().strip("()")
        if (label := element.find("{*}label")) is not None
        else ""
    )
    return Part("formula", f"{part.value} \\tag{{{number}}}" if number else part.value)


def _is_block(code: Element) -> bool:
    """Whether code of either kind stands on lines of its own."""
    return code.get("display") == "block" or "\n" in raw_text(code).strip()
