"""Parts of a page that lead to other pages: menus, and bars of links to the neighbouring ones.

DocBook, Publican, Texinfo and LaTeX2HTML write such bars as tables, lists and paragraphs
without any role; what they share is that they link in two directions or more ("Prev", "Next").
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from graphrag.reading.elements import Element, local_name, raw_text, text_of
from graphrag.reading.names import names

_DIRECTIONS = {
    **dict.fromkeys(("prev", "previous", "back"), "previous"),
    **dict.fromkeys(("next", "forward"), "next"),
    **dict.fromkeys(("up", "parent"), "up"),
    **dict.fromkeys(("home", "top", "start"), "home"),
    **dict.fromkeys(("contents", "toc", "table of contents"), "contents"),
    "index": "index",
}
_ACCESS_KEYS = {"p": "previous", "n": "next", "u": "up", "h": "home"}
_NAVIGATION = re.compile(
    r"(?:^|[-_])(?:nav|menu|sidebar|breadcrumbs?|social|share|pagination|pager|languages?|toc\d?"
    r"|contents|index)(?:$|[-_])",
    re.IGNORECASE,
)
_PARTS_OF_BARS = names("a b strong em i font span small center td th tr tbody thead li")
_NO_BAR = names("h1 h2 h3 h4 h5 h6 p pre dl form math")
_LEVELS = 8
_OUTSIDE_LINKS = 200
"""Characters: a bar may name the pages that it leads to beside its links."""


def is_navigation(element: Element, name: str, classes: Sequence[str]) -> bool:
    """Whether a part leads elsewhere: a list of the page's head, or links under such a name."""
    if name in ("ul", "ol") and any(
        local_name(above) == "header" for above in element.iterancestors()
    ):
        return True
    if not any(_NAVIGATION.search(name) for name in classes):
        return False
    linked = sum(_letters(link) for link in element.iter("a"))
    return linked * 10 >= _letters(element) * 9


def _letters(element: Element) -> int:
    return sum(map(str.isalnum, raw_text(element)))


def drop_bars(root: Element) -> None:
    """Take bars of links to neighbouring pages out of a tree."""
    leads: dict[Element, set[str]] = {}
    for link in root.iter("a"):
        direction = _direction(link)
        if direction:
            for above in _around(link, root):
                leads.setdefault(above, set()).add(direction)
    bars = [element for element, found in leads.items() if len(found) > 1 and _is_bar(element)]
    for bar in bars:
        _drop(bar)


def _around(link: Element, root: Element) -> list[Element]:
    """The element that would be the bar: the first around a link that is no part of one."""
    element = link
    for _ in range(_LEVELS):
        parent = element.getparent()
        if parent is None or parent is root:
            return []
        element = parent
        if local_name(element) not in _PARTS_OF_BARS:
            return [element] if local_name(element) != "body" else []
    return []


def _direction(link: Element) -> str:
    """Where a link leads as seen from its page, or nothing."""
    told = _ACCESS_KEYS.get(link.get("accesskey") or "") or _named(link.get("rel") or "")
    if told:
        return told
    text = text_of(link) or " ".join(image.get("alt") or "" for image in link.iter("img"))
    return _named(text) or _named(_before(link))


def _named(text: str) -> str:
    return _DIRECTIONS.get(re.sub(r"[^\w ]+", " ", text).strip().lower(), "") if text else ""


def _before(link: Element) -> str:
    """What stands right before a link: the "Next:" of Texinfo and LaTeX2HTML."""
    before, parent = link.getprevious(), link.getparent()
    if before is None:
        text = parent.text if parent is not None else ""
    else:
        is_comment = not isinstance(before.tag, str)
        text = (before.tail or "").strip() or ("" if is_comment else text_of(before))
    last = re.findall(r"\w+:", (text or "")[-20:])
    return last[-1] if last else ""


def _is_bar(element: Element) -> bool:
    inside = (e for e in element.iterdescendants() if isinstance(e.tag, str))
    if any(local_name(e) in _NO_BAR for e in inside):
        return False
    linked = sum(len(text_of(link)) for link in element.iter("a"))
    return len(text_of(element)) - linked <= _OUTSIDE_LINKS


def _drop(element: Element) -> None:
    """Remove an element, and leave the text that follows it."""
    parent, before = element.getparent(), element.getprevious()
    if parent is None:
        return
    tail = element.tail or ""
    if before is not None:
        before.tail = (before.tail or "") + tail
    else:
        parent.text = (parent.text or "") + tail
    element.tail = None
    parent.remove(element)
